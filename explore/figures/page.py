"""Figures on the site: their style sheet, their colours as variables for light and dark pages, pictures for slides."""

from pathlib import Path

from . import slides
from .style import THEMES

STATIC = Path(__file__).parent / "static"


def style_sheet():
    """Each colour as a variable `--am-name`."""
    light, dark = ("".join(f" --am-{name}: {colour};" for name, colour in THEMES[theme].items()) for theme in THEMES)
    return f'html {{{light} }}\nhtml[data-theme="dark"] {{{dark} }}\n'


STYLES = ["colours.css", "figures.css"]
MADE = {"colours.css": style_sheet()}


def setup(app):
    slides.setup(app)
