"""Links to code cells."""

from website.links import cell_ids


def setup(app):
    cell_ids.setup(app)
