"""Where a notebook runs: before a reader, or where its outputs are stored, compared or shown on a page."""

import os

from IPython import get_ipython

UNWATCHED = "ATTENTION_MEASURED_UNWATCHED"  # set where notebooks run to store, to compare or to show their outputs
PAGE = "page"  # in the metadata of an output, which nbval leaves out: what the page shows in its place


def in_notebook():
    return get_ipython() is not None


def is_checked():
    """Whether nobody watches: every frame is drawn then, also for the page, and an error in one is an error."""
    return bool(os.environ.get(UNWATCHED))
