"""Where a notebook runs: while the book is built, while its outputs are stored or compared, or before a reader."""

import os

from IPython import get_ipython

BOOK_BUILD = "ATTENTION_MEASURED_BOOK"  # set by the Sphinx extension for the kernels that it starts
UNWATCHED = "ATTENTION_MEASURED_UNWATCHED"  # set where notebooks run to store or to compare their outputs


def in_notebook():
    return get_ipython() is not None


def in_book_build():
    return bool(os.environ.get(BOOK_BUILD))


def is_checked():
    """Whether outputs are stored, compared or built: every frame is drawn then, and an error in one is an error."""
    return in_book_build() or bool(os.environ.get(UNWATCHED))
