"""Our scripts share one object, `book`, and no other global."""

import re

import pytest
from py_mini_racer import JSEvalException

from conftest import in_v8
from explore.explorers.page import STATIC
from website.places import ROOT

ROOMS = ["four_words", "explore", "models", "website"]
BOOK = STATIC / "book.js"
SCRIPTS = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.js"))


def test_scripts_share_the_members_of_one_object_and_no_other_global():
    modules = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]  # the build writes some scripts
    texts = {path: path.read_text(encoding="utf-8") for path in SCRIPTS + modules if path.name != "mathjax.js"}
    assert [path.name for path, text in texts.items() if re.search(r"globalThis\.\w+ (\?\?)?= ", text)] == ["book.js"]
    members = set(re.findall(r"^  (\w+)[:(]", texts.pop(BOOK), re.M))
    text = "\n".join(texts.values())
    filled = set(re.findall(r"\bbook\.(\w+)(?:\.\w+|\[[^]]+\])? = ", text)) | {"make"}
    read = set(re.findall(r"\bbook\.(?!js\b)(\w+)(?! = )\b", text))
    for names in re.findall(r"const \{([^}]*)\} = book;", text):
        read |= set(re.findall(r"\w+", names))
    of_words = {"say", "say_number", "say_list", "with_elements", "of_picture", "mark"}  # book.js has them
    of_words |= {"sayings", "picture_sayings", "plural", "terms"}  # a build in another language fills them
    assert members - of_words == filled - of_words == read - of_words


def test_scripts_that_use_it_are_strict_so_no_member_can_be_added():
    for path in SCRIPTS:
        lines = path.read_text(encoding="utf-8").splitlines()
        if any(re.search(r"\bbook\b", line.partition("//")[0]) for line in lines):
            assert next(line for line in lines if not line.startswith("//")) == '"use strict";', path
    with pytest.raises(JSEvalException, match="object is not extensible"):
        in_v8().eval('"use strict"; book.other = 1')
