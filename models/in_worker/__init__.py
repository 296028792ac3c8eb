"""What all trained models in the page share: their files, their worker, their products of matrices, their buttons."""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
STYLES = ["in_worker.css"]


def setup(app):
    pass


def add_bar(app):
    """Give the page that is about to be written the script that an explorer with a model needs from the start."""
    app.add_js_file("in_worker/bar.js")
