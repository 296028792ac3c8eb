"""A page in the reader's language: each paragraph from the language's file for the page."""

import copy
import functools

import languages
from website.asked import lists
from website.places import ROOT, chapters, source
from website.translation.paragraphs import replaced


def file_of(path):
    """The name of the language's file for the page at ``path``."""
    return path.relative_to(ROOT).with_suffix("").as_posix()


@functools.cache
def translated(path):
    nb = copy.deepcopy(source(path))
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            if path in chapters() and lists.is_end(cell):
                cell.source = lists.end_of(int(path.stem[:2]))
            else:
                cell.source = replaced(cell.source, functools.partial(said, file_of(path), cell.id))
    return nb


def said(file, cell, words):
    """What the language has for ``words`` in a cell; None if it has nothing."""
    return languages.entry(file, " ".join(words.split()), cell)
