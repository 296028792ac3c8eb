"""The page of questions that people ask: answers are folded, and a field finds a question by its words."""

from pathlib import Path

from website.asked import folds

STATIC = Path(__file__).parent / "static"
STYLES = ["asked.css"]


def setup(app):
    folds.setup(app)
