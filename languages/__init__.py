"""The words that readers see, in their language: `say("{n} places", n=3)`.

The words in the code are English, and another language is a folder here, with nothing but words: files of gettext (PO),
with one entry for each English text. A text without an entry, or with one that is marked as fuzzy, stays English.
"""

import contextlib
import functools
import gettext
import os
import re
from pathlib import Path

HERE = Path(__file__).parent
LANGUAGE = "ATTENTION_MEASURED_LANGUAGE"  # a variable: the name of a folder here, or the path of a folder elsewhere
ENGLISH = "en"
EXECUTED = ("explore/", "four_words/", "models/", "practice/")  # rooms that speak while a notebook is executed
WITH_VALUES = re.compile(r"(.+) \((.+)\)", re.DOTALL)  # a caption, and the values of controls
CUT = " …"
NUMBER = re.compile(r"[-−]?[0-9]+(?:\.[0-9]+)?(?:e[-+][0-9]+)?")


def folder():
    return HERE / (os.environ.get(LANGUAGE) or ENGLISH)


def language():
    """The language's code, such as ``zh``."""
    return folder().name


def is_english():
    return language() == ENGLISH


@contextlib.contextmanager
def in_english():
    """What is said meanwhile is English, as for outputs that are stored. Also a decorator."""
    before = os.environ.get(LANGUAGE, "")
    os.environ[LANGUAGE] = ""
    try:
        yield
    finally:
        os.environ[LANGUAGE] = before


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


def shortened(text, most):
    """At most so many letters of ``text`` and "…", cut where a word ends, if words have spaces between them."""
    if len(text) <= most + 2:
        return text
    whole = re.match(rf".{{{most // 2},{most - 1}}}\S(?=\s)", text)
    return (whole[0] if whole else text[:most]).rstrip(",;:，；：、") + CUT


def of_picture(text):
    """Words that a notebook has in its pictures, captions and controls, in the reader's language. In an entry, ``{1}``,
    ``{2}`` … stand for the numbers in ``text``: pictures that differ only in these share the entry.
    """
    without, numbers = without_numbers(text)
    said = entry("pictures", without)
    return with_numbers(said, numbers) if said else text


def without_numbers(text):
    """``text`` with places for its numbers, and the numbers."""
    numbers = NUMBER.findall(text)
    places = iter(range(1, len(numbers) + 1))
    return NUMBER.sub(lambda _: f"{{{next(places)}}}", text), numbers


def with_numbers(text, numbers):
    return re.sub(r"\{(\d+)\}", lambda place: numbers[int(place[1]) - 1], text)


def say_again(text):
    """What a program said in English when a notebook was executed, in the reader's language.

    The values in a message are said again, too.
    """
    return text if is_english() else _say_again(folder(), text)


@functools.cache
def _say_again(folder, text):
    if (said := of_picture(text)) != text:
        return said
    for pattern, said in _patterns(folder):
        if found := pattern.fullmatch(text):
            return said.format(**{name: say_again(words) for name, words in found.groupdict().items()})
    if (found := WITH_VALUES.fullmatch(text)) and (caption := of_picture(found[1])) != found[1]:
        return say("{caption} ({values})", caption=caption, values=say_again(found[2]))
    if text.endswith(CUT):
        begin, numbers = without_numbers(text.removesuffix(CUT))
        texts = (one.id for one in catalog("pictures") if one.id and one.id.startswith(begin))
        if re.search(r"[^\W\d_]{2}", begin) and (said := entry("pictures", next(texts, begin))):
            return shortened(with_numbers(said, [*numbers, *["…"] * said.count("{")]), len(text) // 2)
    return text


@functools.cache
def _patterns(folder):
    return patterns([*_read(folder / "page.po"), *_read(folder / "practice.po")])


def patterns(catalog):
    """For each message of explorers and figures, the longest first: a pattern that finds what it is in English, and how
    the language says it.
    """
    found = []
    for entry in catalog:
        is_heard = any(file.startswith(EXECUTED) and file.endswith(".py") for file, _ in entry.locations)
        if entry.id and not entry.fuzzy and is_heard:
            english, said = ([one] if isinstance(one, str) else one for one in (entry.id, entry.string))
            found += [(re.sub(r"\{\w+\}|\W", "", text), _pattern(text), said[-1]) for text in english]
    # One with values, and hardly a letter of its own, would find any text.
    found = [one for one in found if one[2] and (len(one[0]) > 2 or not one[1].groups)]
    return [one[1:] for one in sorted(found, key=lambda one: -len(one[0]))]


def _pattern(text):
    """What finds a message with any values; a name that comes again has the same value."""
    parts = re.split(r"\{(\w+)\}", text)
    made = [re.escape(part) for part in parts]
    for i in range(1, len(parts), 2):
        # In every message, ``{n}`` is a number; what ``{count}`` is begins with one.
        value = {"n": "[0-9.,]+", "count": "[0-9].*?"}.get(parts[i], ".+?")
        made[i] = f"(?P={parts[i]})" if parts[i] in parts[1:i:2] else f"(?P<{parts[i]}>{value})"
    return re.compile("".join(made), re.DOTALL)


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
