"""The book on paper: all chapters as one page, and that page as a PDF."""

from pathlib import Path

from website.print import one_page

STATIC = Path(__file__).parent / "static"
STYLES = ["print.css"]


def setup(app):
    one_page.setup(app)
    app.add_js_file("print.js")
