"""The trained encoder in the page, for the reader's own sentence."""

from pathlib import Path

from models.in_worker import is_sent

STATIC = Path(__file__).parent / "static"
NAME = "own_sentence"  # its explorer's name


def setup(app):
    app.connect("explorers-on-page", write_model)


def write_model(app, names):
    if NAME in names and is_sent(app, NAME):
        from . import model_files  # here, because it imports torch, and no other page should wait for that

        model_files.write_model(Path(app.outdir) / "_static" / "sentence" / "model")
