"""SmolLM2, a language model: its file and tokenizer, a decoder built from the book's attention, and an explorer."""

from pathlib import Path

from models.in_worker import is_sent

STATIC = Path(__file__).parent / "static"
STYLES = ["language_model.css"]
NAME = "language_model"  # its explorer's name


def setup(app):
    app.connect("explorers-on-page", write_model)


def write_model(app, names):
    if NAME in names and is_sent(app, NAME):
        from . import model_files  # here, because no other page should wait for its imports

        model_files.write_model(Path(app.outdir) / "_static" / "language_model" / "model")
