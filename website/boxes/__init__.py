"""Boxes: quotations that begin with a bold word; the questions among them take answers on the page."""

from pathlib import Path

from website.boxes import kinds, questions

STATIC = Path(__file__).parent / "static"
STYLES = ["boxes.css"]


def setup(app):
    kinds.setup(app)
    questions.setup(app)
