"""All words that a language needs, as Babel's catalogs by the names of their files."""

import functools
import itertools

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir

from website.asked import lists
from website.places import ROOT, chapters, pages, source
from website.translation.pages import file_of
from website.translation.paragraphs import replaced

ROOMS = ["explore", "four_words", "languages", "models", "website"]
KEYWORDS = {"say": None, "say_number": (1, 2), "mark": None}
IN_SCRIPTS = {f"book.{name}": where for name, where in KEYWORDS.items()}
METHODS = [([("**.py", "python")], KEYWORDS), ([("**.js", "javascript")], IN_SCRIPTS)]


def templates():
    return {"page": of_code(), **{file_of(path): of_page(path) for path in pages()}}


def of_page(path):
    """The paragraphs of a page, each with the id of its cell."""
    made = Catalog()
    for cell in source(path).cells:
        if cell.cell_type == "markdown" and not (path in chapters() and lists.is_end(cell)):
            replaced(cell.source, functools.partial(add, made, cell.id))
    return made


def add(catalog, cell, words):
    catalog.add(" ".join(words.split()), context=cell)


def of_code():
    """What `say` and `mark` say, in Python and in scripts."""
    made = Catalog()
    for room, (files, keywords) in itertools.product(ROOMS, METHODS):
        for file, _, words, comments, _ in extract_from_dir(ROOT / room, method_map=files, keywords=keywords):
            made.add(words, locations=[(f"{room}/{file}", None)], auto_comments=comments)
    return made
