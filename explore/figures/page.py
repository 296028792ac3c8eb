"""Figures on the site: their style sheet, their colours for light and dark pages, and pictures for slides."""

from pathlib import Path

from . import slides
from .colours import style_sheet

STATIC = Path(__file__).parent / "static"
STYLES = ["colours.css", "figures.css"]
MADE = {"colours.css": style_sheet()}


def setup(app):
    slides.setup(app)
