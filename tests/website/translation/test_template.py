"""What `say` says somewhere in the code is in the template for translators, and so are the words of settings."""

import ast
import re

from babel.messages.catalog import Catalog

import languages
import practice
from website.places import ROOT
from website.translation import lacking
from website.translation.paragraphs import replaced
from website.translation.template import ROOMS, of_checkers, of_code

SAID = re.compile(r"""\b(?:say|say_number|mark)\(\s*("(?:[^"\\\n]|\\.)*")\s*[,)]""")


def test_all_words_of_the_code_are_found():
    found = {entry.id if isinstance(entry.id, str) else entry.id[0] for entry in [*of_code(), *of_checkers()]}
    rooms = {*ROOMS, "practice"} - {"languages"}  # its docstring has an example
    for path in (path for room in rooms for path in (ROOT / room).rglob("*.*")):
        if path.suffix in (".py", ".js", ".html"):
            for words in SAID.findall(path.read_text("utf-8")):
                assert ast.literal_eval(words) in found, path
    assert {"Asked most often", "Show more", "Attention, Measured", "After the chapters"} <= found


def test_the_words_of_all_exercises_are_found():
    found = {entry.id: entry.locations for entry in of_checkers()}
    assert {
        "Right up to the sign.",
        "constant keys",
        "a square batch",
        "Not yet.",
        "some weights are negative.",
    } <= set(found)
    exercise = practice.check_delta_rule.exercise
    assert all(words in found for words in (exercise.shown, exercise.mistakes[-1].hint, exercise.cases[-1][0]))
    assert found["constant keys"] == [("practice/chapter_02.py", None)]


def test_remarks_beside_a_formula_are_words_with_formulas_in_them():
    rows = "f(x) &= y && \\text{because } x = 1 \\text{ here} \\\\\n&= z"
    text = f"Then:\n\n$$\n\\begin{{aligned}}\n{rows}\n\\end{{aligned}}\n$$"
    words = {"Then:": "于是：", "because $x = 1$ here": "因为这里 $x = 1$"}
    said = replaced(text, words.get)
    assert "&& \\text{因为这里 }x = 1 \\\\\n&= z" in said
    assert replaced(text.removeprefix("Then:"), lambda words: None) == text.removeprefix("Then:")
    assert "\\qquad\\text{于是} a_\\text{row}" in replaced(
        "$$\nx \\qquad\\text{then} a_\\text{row}\n$$", lambda words: "于是"
    )


def test_what_a_language_lacks_is_counted(monkeypatch):
    monkeypatch.setenv(languages.LANGUAGE, "zh")
    made = Catalog()
    made.add("words of no file")
    made.add("Second reading.")
    monkeypatch.setattr(lacking, "templates", lambda: {"page": made})
    found = lacking.lacking()
    assert [entry.id for entry in found["page"][1]] == ["words of no file"]
    assert lacking.in_a_line(found) == "zh: 1 of 2 texts are still in English (0 whole files)"
    assert list(lacking.with_names(found))[1:] == ["  page: 1", "    words of no file"]
