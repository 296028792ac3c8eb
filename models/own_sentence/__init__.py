"""Chapter 11's trained encoder in the page, for a sentence of the reader's own."""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
STYLES = ["own_sentence.css"]
NAME = "own_sentence"  # of its explorer


def setup(app):
    app.connect("explorers-on-page", write_model)


def write_model(app, names):
    if NAME in names:
        from . import model_files  # here, because it brings torch, for which no other page waits

        model_files.write_model(Path(app.outdir) / "_static" / "sentence" / "model")
