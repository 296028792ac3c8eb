"""In another language every page has the same parts: in each that the book has, and in one of other words, with none
between them and no English mark.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import nbformat
import pseudo
import pytest
from bs4 import BeautifulSoup

import languages
from conftest import EVERYWHERE, weekly
from website.places import ROOT, SITE, notebooks, pages
from website.translation import docstrings
from website.translation.beside import others

# These have all kinds of parts. All pages are compared once a week.
SOME = ["chapters/02_why_sqrt_dk", "chapters/05_masking", "chapters/15_a_memory_that_forgets", "back_matter/glossary"]
SOME += ["back_matter/popular_statements", "back_matter/questions_wrong", "back_matter/questions_people_ask"]
SOME += ["back_matter/bibliography"]
FORMULA, CODE = re.compile(r"\$\$[^$]+\$\$|\$[^$]+\$"), re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
WORDS = re.compile(r"\s|\\text\{[^}]*\}")  # in a formula; spaces around them do not matter
NUMBER = re.compile(r"(?<![A-Za-z_\d.])\d+(?:\.\d+)?(?!\d|\.\d)")  # letters of other alphabets may touch it
COUNTED = re.compile(r"\bid\d+$|^definition-\d+$|^#.*")  # names with a number, as of a formula in a heading
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("languages") / "xx"
    pseudo.write(made)
    return made


def in_language(folder, *command):
    environment = os.environ | {languages.LANGUAGE: str(folder)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


# Readers' notebooks


OTHER = [*others(ROOT), pytest.param("of other words", marks=weekly)]


@pytest.fixture(scope="module", params=OTHER)
def downloads(request, tmp_path_factory):
    """The folders of readers' notebooks in English, and in the other language: those that a reader downloads."""
    if request.param in others(ROOT):
        return SITE / "_sources", SITE / request.param / "_sources"
    made = tmp_path_factory.mktemp("notebooks")
    in_language(request.getfixturevalue("folder"), sys.executable, "-m", "website.edition", made)
    return SITE / "_sources", made


def shape(path):
    """All of a notebook but its words."""
    shown = []
    for cell in nbformat.read(path, as_version=4).cells:
        about = [cell.id, cell.metadata]
        if cell.cell_type == "markdown":
            about += [
                re.findall(r"</?\w+>|^#+ |^> |^ *- ", cell.source, re.M),
                # Words may change places in a formula, and formulas in a sentence.
                Counter("".join(sorted(WORDS.sub("", found))) for found in FORMULA.findall(CODE.sub("", cell.source))),
                Counter(link for link in LINK.findall(cell.source) if not link.startswith("#")),
            ]
        else:
            about += [len(cell.outputs), cell.source.count("\n")]
        shown.append(about)
    return shown


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_has_the_same_parts(path, downloads):
    english, other = (folder / path.relative_to(ROOT).with_suffix(".ipynb") for folder in downloads)
    for one, two in zip(shape(english), shape(other), strict=True):
        assert one == two


def test_no_word_of_the_grammar_is_left_in_a_notebook(downloads):
    for path in downloads[1].rglob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                words = re.findall(
                    r"\*+(?:Predict|Quiz|Try|Checked|Exercise|Second reading|Said|Asked|Right)\b", cell.source
                )
                words += re.findall(r"^(?:#+ In short|#+ Exercises|After this chapter|Time: )", cell.source, re.M)
                assert not words, f"{path.name}, {cell.id}"


# The site


def parts(path):
    """A page's elements by tag and classes, its ids and links, and the numbers in its text, without formulas."""
    article = BeautifulSoup(path.read_text("utf-8"), "html.parser").article
    # A legend has the beginning of a caption, as much as has room; a glossary has English words beside others. Which
    # word is the first that is defined, is in italics or is kept together with a mark, is for a language to say.
    # Without a font for it there are no bitmaps.
    own = "mjx-container, svg, script, style, legend, .english-word, .definition, a[href$='.png']"
    for left_out in article.select(own):
        left_out.extract()
    for free in article.select("em, .together, .defined"):
        free.unwrap()
    elements = article.find_all()
    yield "elements", Counter((one.name, *one.get("class", [])) for one in elements)
    for attribute in ("id", "href"):
        yield attribute, Counter(COUNTED.sub("", one[attribute]) for one in elements if one.has_attr(attribute))
    yield "numbers", {number for text in article.strings for number in NUMBER.findall(text)}


@pytest.fixture(scope="module", params=OTHER)
def site(request, tmp_path_factory):
    """The site in another language."""
    if request.param in others(ROOT):
        return SITE / request.param
    made = tmp_path_factory.mktemp("site")
    program = Path(sys.executable).with_name("jupyter-book")
    in_language(request.getfixturevalue("folder"), program, "build", "--path-output", made, ROOT)
    return made / "_build" / "html"


def compared():
    names = (path.relative_to(ROOT).with_suffix("").as_posix() for path in pages())
    return [name for name in names if name != docstrings.PAGE] if EVERYWHERE else SOME


@pytest.mark.parametrize("name", compared())
def test_a_page_has_the_same_parts(name, site):
    for one, two in zip(parts(SITE / f"{name}.html"), parts(site / f"{name}.html"), strict=True):
        assert one == two


def index_of(site):
    text = (site / "_static" / "search_index.js").read_text(encoding="utf-8")
    return json.loads(text[text.index("{") :])


@pytest.mark.parametrize("name", compared())
def test_the_search_knows_the_same_places(name, site):
    english, other = (index_of(folder)[name]["places"] for folder in (SITE, site))
    assert [COUNTED.sub("", place[0]) for place in english] == [COUNTED.sub("", place[0]) for place in other]
