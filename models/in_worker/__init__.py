"""Code that all trained models in the page share: for files, the worker, matrix products and buttons."""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
STYLES = ["in_worker.css"]


def setup(app):
    pass


def add_bar(app):
    """Add the script that an explorer with a model needs from the start to the page that is about to be written."""
    app.add_js_file("in_worker/bar.js")
