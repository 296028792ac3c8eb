"""The questions that people ask: four pages on which answers are folded, and one that finds a question by its words."""

from pathlib import Path

from website.asked import finder, folds

STATIC = Path(__file__).parent / "static"
STYLES = ["asked.css"]


def setup(app):
    finder.setup(app)
    folds.setup(app)
