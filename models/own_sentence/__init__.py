"""The trained encoder in the page, for the reader's own sentence."""

from pathlib import Path

from models.in_worker import add_model

STATIC = Path(__file__).parent / "static"


def setup(app):
    add_model(app, "own_sentence")
