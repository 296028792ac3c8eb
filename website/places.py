"""Where things are: the checkout, its notebooks in their order, and the site built from them."""

import os
from pathlib import Path

from explore.mode import SITE as OTHER_SITE

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "_build" / "html"
SITE = Path(os.environ.get(OTHER_SITE, BUILT))


def chapters(root=ROOT):
    return sorted(root.glob("chapters/*.ipynb"))


def notebooks(root=ROOT):
    """The title page, the chapters, and the notebooks of the back matter."""
    return [root / "index.ipynb", *chapters(root), *sorted(root.glob("back_matter/*.ipynb"))]
