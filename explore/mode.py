"""Who is looking, and at what: the book's environment variables, each named here and nowhere else."""

import os
import sys

UNWATCHED = "ATTENTION_MEASURED_UNWATCHED"  # notebooks run to store, to compare or to show their outputs
URL = "ATTENTION_MEASURED_URL"  # the address at which a build will be published
ONE_PAGE = "ATTENTION_MEASURED_ONE_PAGE"  # a build to check one page: links to other pages lead nowhere
DEVICE = "ATTENTION_MEASURED_DEVICE"  # where benchmarks run: "cpu" or "cuda"
SITE = "ATTENTION_MEASURED_SITE"  # the folder of the site that tests and benchmarks open, if not _build/html
EVERYWHERE = "ATTENTION_MEASURED_EVERYWHERE"  # "true": check every page at every setting, as once a week

PAGE = "page"  # in the metadata of an output, which nbval leaves out: what the page shows in its place


def in_notebook():
    """Whether IPython runs this; who has not imported it is not in a notebook, and need not wait for it."""
    return "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None


def is_checked():
    """Whether nobody watches: every frame is drawn then, also for the page, and an error in one is an error."""
    return bool(os.environ.get(UNWATCHED))
