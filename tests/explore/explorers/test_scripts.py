"""The rules in .oxlintrc.json find long functions and camelCase in all our scripts; global names are snake_case."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from website.places import ROOT

OXLINT = Path(sys.executable).with_name("oxlint")
ROOMS = ["example", "explore", "models", "website"]
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


def test_global_names_are_snake_case():
    """The rule ignores properties, because the browser's own are camelCase. Python modules write some globals."""
    modules = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    texts = {path: path.read_text(encoding="utf-8") for path in SCRIPTS + modules}
    found = {name for text in texts.values() for name in re.findall(r"globalThis\.(\w+) (?:\?\?)?= ", text)}
    assert {"attention_core", "explorer_frames", "all_questions", "model_manifest"} <= found
    assert {name for name in found if re.search("[a-z][A-Z]", name)} == {"MathJax"}  # MathJax reads its settings there
