"""SmolLM2, a language model: its file and tokenizer, a decoder built from the book's attention, and an explorer."""

from pathlib import Path

from models.in_worker import add_model

STATIC = Path(__file__).parent / "static"
STYLES = ["language_model.css"]


def setup(app):
    add_model(app, "language_model")
