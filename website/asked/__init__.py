"""The questions that people ask: four pages on which answers are folded, and one that finds a question by its words."""

STYLES = ["asked.css"]


def setup(app):
    from website.asked import finder, folds  # here, because readers who copy the chapters have no Sphinx

    finder.setup(app)
    folds.setup(app)
