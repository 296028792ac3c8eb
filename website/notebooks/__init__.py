"""Notebooks: how they are executed, what their outputs depend on, and where outputs are kept."""


def setup(app):
    from website.notebooks import cache  # here, because kernels import this package for its keys alone

    cache.setup(app)
