"""The rules in .oxlintrc.json find long functions and camelCase in all our scripts, which share one object, `book`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from py_mini_racer import JSEvalException

from conftest import in_v8
from explore.explorers.page import STATIC
from website.places import ROOT

OXLINT = Path(sys.executable).with_name("oxlint")
ROOMS = ["four_words", "explore", "models", "website"]
BOOK = STATIC / "book.js"
SCRIPTS = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.js"))


def complaints(*paths):
    command = [OXLINT, "--deny-warnings", "--format=unix", f"--config={ROOT / '.oxlintrc.json'}", *paths]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout if done.returncode else ""


def test_our_scripts_keep_the_rules():
    assert complaints(*ROOMS) == ""


def function_of(lines):
    return "\n".join(["globalThis.long = function () {", *["  alert(1);"] * (lines - 2), "};", ""])


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        (function_of(80), None),
        (function_of(81), "has too many lines (81)"),
        (f"(() => {{\n{function_of(80)}}})();\n", None),  # a file's own scope is not one of our functions
        ("const d_k = 1, L = 2, LONGEST = 3, p_i = 4;\nalert(d_k, L, LONGEST, p_i);\n", None),
        ("const { ariaLabel: label } = document.body;\nrequestAnimationFrame(() => alert(label));\n", None),
        ("const keyWidth = 1;\nalert(keyWidth);\n", "'keyWidth' does not match"),
        ("globalThis.wide = (keyWidth) => keyWidth;\n", "'keyWidth' does not match"),
        ("function wideKey() {}\nwideKey();\n", "'wideKey' does not match"),
        ("const unused = 1;\n", "'unused' is declared but never used"),
    ],
)
def test_each_rule_finds_the_faults_it_is_for(script, complaint, tmp_path):
    path = tmp_path / "script.js"
    path.write_text(script, encoding="utf-8")
    found = complaints(path)
    assert complaint in found if complaint else found == ""


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
    assert members == filled == read


def test_scripts_that_use_it_are_strict_so_no_member_can_be_added():
    for path in SCRIPTS:
        lines = path.read_text(encoding="utf-8").splitlines()
        if any(re.search(r"\bbook\b", line.partition("//")[0]) for line in lines):
            assert next(line for line in lines if not line.startswith("//")) == '"use strict";', path
    with pytest.raises(JSEvalException, match="object is not extensible"):
        in_v8().eval('"use strict"; book.other = 1')
