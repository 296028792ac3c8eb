"""Figures on the site: their style sheet, their colours as variables for light and dark pages, pictures for slides."""

from pathlib import Path

from . import slides
from .style import THEMES

STATIC = Path(__file__).parent / "static"
STYLES = ["colours.css", "figures.css"]


def setup(app):
    slides.setup(app)
    app.connect("builder-inited", write_colours)


def write_colours(app):
    if app.builder.format != "html":
        return
    target = Path(app.outdir) / "_static" / "colours.css"
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.is_file() or target.read_text(encoding="utf-8") != style_sheet():
        target.write_text(style_sheet(), encoding="utf-8")


def style_sheet():
    """Each colour as a variable `--am-name`."""
    light, dark = ("".join(f" --am-{name}: {colour};" for name, colour in THEMES[theme].items()) for theme in THEMES)
    return f'html {{{light} }}\nhtml[data-theme="dark"] {{{dark} }}\n'
