"""The book's environment variables, each named only here: whether a reader is watching, and which site is meant.

The language has a variable, too: ``languages.LANGUAGE``.
"""

import os
import sys

UNWATCHED = "ATTENTION_MEASURED_UNWATCHED"  # set while notebooks run for no reader, to one of the next two values
TO_STORE, TO_COMPARE = "to store", "to compare"  # the site shows outputs that have been compared
URL = "ATTENTION_MEASURED_URL"  # the address at which a build will be published
ONE_PAGE = "ATTENTION_MEASURED_ONE_PAGE"  # a build that checks one page: links to other pages lead nowhere
DEVICE = "ATTENTION_MEASURED_DEVICE"  # where benchmarks run: "cpu" or "cuda"
SITE = "ATTENTION_MEASURED_SITE"  # the folder of the site that tests and benchmarks open, if not _build/html
EVERYWHERE = "ATTENTION_MEASURED_EVERYWHERE"  # "true": check every page at every setting, as is done weekly

PAGE = "page"  # in an output's metadata, which nbval does not compare: the markup that the page shows instead


def in_notebook():
    """Whether IPython runs this code. If IPython is not imported, there is no notebook; an import would take time."""
    return "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None


def is_checked():
    """Whether no reader is watching. Then every frame is drawn, for the page too, and an error in a frame is raised."""
    return bool(os.environ.get(UNWATCHED))


def needs_png():
    """Whether outputs need a PNG: a reader sees it, or it is stored. nbval compares no pictures, and pages have SVG."""
    return os.environ.get(UNWATCHED) != TO_COMPARE
