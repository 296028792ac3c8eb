"""Figures on the site: their style sheet, their colours for light and dark pages, pictures for slides."""

from pathlib import Path

from . import slides
from .colours import style_sheet

STATIC = Path(__file__).parent / "static"
STYLES = ["colours.css", "figures.css"]


def setup(app):
    slides.setup(app)
    app.connect("builder-inited", write_colours)


def write_colours(app):
    target = Path(app.outdir) / "_static" / "colours.css"
    if app.builder.format == "html" and (not target.is_file() or target.read_text(encoding="utf-8") != style_sheet()):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(style_sheet(), encoding="utf-8")
