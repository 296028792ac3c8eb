"""Boxes: block quotes that begin with a bold word. Readers can answer the questions among them on the page."""

from website.boxes import kinds, questions

STYLES = ["kinds.css", "boxes.css"]
MADE = {"kinds.css": kinds.style_sheet()}


def setup(app):
    kinds.setup(app)
    questions.setup(app)
