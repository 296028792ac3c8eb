"""Links to cells of code."""

from website.links import cells


def setup(app):
    cells.setup(app)
