"""Paths of the checkout, of its pages in order, and of the site built from them."""

import functools
import os
import sys
from pathlib import Path

import nbformat

import languages
from explore import mode

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "_build" / "html"
SITE = Path(os.environ.get(mode.SITE, BUILT))


def chapters(root=ROOT):
    return sorted(root.glob("chapters/*.ipynb"))


def notebooks(root=ROOT):
    """The title page, the chapters, and the notebooks of the back matter."""
    return [root / "index.ipynb", *chapters(root), *sorted(root.glob("back_matter/*.ipynb"))]


def pages():
    """The notebooks, and the pages written by hand."""
    return [*notebooks(), *sorted(ROOT.glob("back_matter/*.md"))]


def named(words, paths):
    """The paths with names that begin with one of the words, such as ``03``; without words, all paths."""
    for word in words:
        if not any(path.stem.startswith(word) for path in paths):
            names = ", ".join(path.stem for path in paths)
            sys.exit(f"expected the beginning of one of these names, got {word!r}: {names}")
    return [path for path in paths if path.stem.startswith(tuple(words or [""]))]


def read(path):
    """The page at ``path`` in the reader's language."""
    if languages.is_english():
        return source(path)
    from website.translation import pages  # here, because it reads pages, too

    return pages.translated(path)


def write_changed(path, text):
    """Write the file only if it has another text: what has not changed keeps its time."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def cell_at(path, line):
    """The id of the cell from which MyST-NB made a node with this line: it adds 10,000 to the lines of each cell."""
    return source(path).cells[line // 10_000 - 1].id


@functools.cache
def source(path):
    """The notebook at ``path``. A page written by hand becomes a notebook with one markdown cell."""
    if path.suffix == ".ipynb":
        return nbformat.read(path, as_version=4)
    text = path.read_text(encoding="utf-8")
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text, id=path.stem)])
