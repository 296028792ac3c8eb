"""Each language's files are up to date with the English words, and keep formulas, code, links, values and numbers."""

import re
from collections import Counter

import pytest
from babel.messages.pofile import read_po
from markdown_it import MarkdownIt

import languages
from website.translation.__main__ import is_said, up_to_date
from website.translation.paragraphs import KEPT
from website.translation.template import templates

FILES = sorted(languages.HERE.glob("*/**/*.po"))
NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|\.\d)", re.ASCII)
PAGES = ("index", "chapters", "back_matter")


def name_of(path):
    return "/".join(path.relative_to(languages.HERE).parts[1:]).removesuffix(".po")


def read(path):
    with path.open("rb") as lines:
        return read_po(lines)


def said(path):
    """Pairs of an English text and its translation, all forms of it."""
    for entry in read(path):
        if entry.id and is_said(entry) and not entry.fuzzy:
            english = entry.id if isinstance(entry.id, str) else entry.id[-1]
            for form in [entry.string] if isinstance(entry.string, str) else entry.string:
                yield english, form


@pytest.fixture(scope="module")
def of_english():
    return templates()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_has_the_entries_of_the_english_words(path, of_english):
    if name_of(path) not in of_english:
        pytest.skip("the book has not been built")
    language = path.relative_to(languages.HERE).parts[0]
    now, wanted = read(path), up_to_date(path, of_english[name_of(path)], language)
    ids = [{(entry.id, entry.context, entry.fuzzy) for entry in catalog if entry.id} for catalog in (now, wanted)]
    if name_of(path) == "pictures":  # what measured times are said in differs from machine to machine
        ids = [
            {(entry.id, "", entry.fuzzy) for entry in catalog if entry.id and is_said(entry)}
            for catalog in (now, wanted)
        ]
    assert ids[0] == ids[1], f"run: .venv/bin/python -m website.translation {language}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_translation_keeps_what_is_no_words(path):
    for english, other in said(path):
        assert Counter(map("".join, kept(english))) == Counter(map("".join, kept(other))), f"{english}\n{other}"


def kept(text):
    return [found[0] for found in KEPT.finditer(text)] + NUMBER.findall(KEPT.sub(" ", text))


@pytest.mark.parametrize("path", [path for path in FILES if name_of(path).startswith(PAGES)], ids=name_of)
def test_what_is_bold_or_in_italics_closes(path):
    markdown = MarkdownIt("commonmark")
    for _, other in said(path):
        text = re.sub(r"<[^>]+>", "", markdown.renderInline(KEPT.sub(in_place, other.replace(r"\*", ""))))
        assert "*" not in text, other


def in_place(kept):
    return "](x)" if kept[0].startswith("]") else "x"
