"""A language made by a program: each word becomes two other letters, without spaces between words."""

import hashlib
import re

from babel.messages.pofile import write_po

from website.translation.paragraphs import KEPT
from website.translation.template import templates

WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*(?![A-Za-z\d{])")  # not of float16, in a picture float{1}


def pseudo(text):
    """``text`` with other words; what a translation leaves as it is stays."""
    kept = {place for found in KEPT.finditer(text) for place in range(*found.span())}
    made = WORD.sub(lambda word: word[0] if word.start() in kept else other(word), text)
    return re.sub(r"(?<=[一-鿿]) (?=[一-鿿])", "", made)


def other(word):
    """Two letters, which are the same for a word with a capital letter, and for its plural."""
    known = word[0].lower().rstrip("es") if word[0][1:].islower() else word[0]
    digest = hashlib.sha256(known.encode()).digest()
    return "".join(chr(0x4E00 + int.from_bytes(digest[i : i + 2], "big") % 20_000) for i in (0, 2))


def write(folder):
    """The language as a folder of files, each with all entries that the book has."""
    for name, catalog in templates().items():
        for entry in catalog:
            if entry.id:
                entry.string = pseudo(entry.id) if isinstance(entry.id, str) else tuple(map(pseudo, entry.id))
        path = folder / f"{name}.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalog)
