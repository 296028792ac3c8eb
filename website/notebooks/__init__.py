"""Notebooks: how they are executed, what their outputs depend on, and where outputs are kept."""

from website.notebooks import run


def setup(app):
    run.setup(app)
