"""Links to cells of code."""

from website.links import cell_ids


def setup(app):
    cell_ids.setup(app)
