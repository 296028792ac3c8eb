"""Notebooks: their execution, the code that their outputs depend on, and the place where outputs are kept."""


def setup(app):
    from website.notebooks import cache  # not above, because kernels import this package only for its keys

    cache.setup(app)
