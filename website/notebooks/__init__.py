"""Notebooks: how they are executed, what their outputs depend on, and where outputs are kept."""

from website.notebooks import cache


def setup(app):
    cache.setup(app)
