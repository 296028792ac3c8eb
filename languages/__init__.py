"""The words that readers see, in their language: `say("{n} places", n=3)`.

The words in the code are English, and another language is a folder here, with nothing but words: files of gettext (PO),
with one entry for each English text. A text without an entry, or with one that is marked as fuzzy, stays English.
"""

import functools
import gettext
import os
import re
from pathlib import Path

HERE = Path(__file__).parent
LANGUAGE = "ATTENTION_MEASURED_LANGUAGE"  # a variable: the name of a folder here, or the path of a folder elsewhere
ENGLISH = "en"
NUMBER = re.compile(r"[-−]?[0-9]+(?:\.[0-9]+)?(?:e[-+][0-9]+)?")


def folder():
    return HERE / (os.environ.get(LANGUAGE) or ENGLISH)


def language():
    """The language's code, such as ``zh``."""
    return folder().name


def is_english():
    return language() == ENGLISH


def say(text, /, **values):
    """``text`` in the reader's language, with ``values``, which are words already, for the names in braces."""
    said = entry("page", text) or text
    return said.format(**values) if values else said


def say_number(one, many, n, /, **values):
    """``one`` or ``many``, as the reader's language says it of the number ``n``, which is also ``{n}``."""
    forms = entry("page", one)
    said = forms[gettext.c2py(catalog("page").plural_expr)(n)] if forms else one if n == 1 else many
    return said.format(n=n, **values)


def say_list(words):
    """One or more words, as a sentence lists them."""
    *first, last = words
    return say("{first} and {last}", first=say(", ").join(first), last=last) if first else last


def of_picture(text):
    """Words that a notebook has in its pictures, captions and controls, in the reader's language. In an entry, ``{1}``,
    ``{2}`` … stand for the numbers in ``text``: pictures that differ only in these share the entry.
    """
    numbers = NUMBER.findall(text)
    places = iter(range(1, len(numbers) + 1))
    said = entry("pictures", NUMBER.sub(lambda _: f"{{{next(places)}}}", text))
    return re.sub(r"\{(\d+)\}", lambda place: numbers[int(place[1]) - 1], said) if said else text


def mark(text):
    """``text`` itself: words that are said later, by ``say`` of a variable, are found here by whoever translates."""
    return text


def entry(file, text, context=None):
    """What the language's ``file`` has for an English text: words, or its forms for numbers; None if it has nothing."""
    if is_english():
        return None
    found = catalog(file).get(text, context)
    is_said = found and not found.fuzzy and all([found.string, *found.string])
    return found.string if is_said else None


def catalog(file):
    """A file of the language, such as ``page`` or ``chapters/02_why_sqrt_dk``, as Babel's catalog."""
    return _read(folder() / f"{file}.po")


@functools.cache
def _read(path):
    from babel.messages.catalog import Catalog  # here, because English readers need no Babel
    from babel.messages.pofile import read_po

    if not path.is_file():
        return Catalog()
    with path.open("rb") as lines:
        return read_po(lines, abort_invalid=True)
