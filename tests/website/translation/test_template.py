"""What `say` says somewhere in the code is in the template for translators, and so are the words of settings."""

import ast
import re

import practice
from website.places import ROOT
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
