"""`make check` finds the tests for the changed files."""

import pytest

from tools import check
from website.places import ROOT


@pytest.mark.parametrize(
    ("changed", "folder"),
    [
        ("website/boxes/static/questions.js", "website/boxes"),
        ("website/print/static/print.css", "website"),
        ("explore/explorers/page/static/fields.js", "explore/explorers"),
        ("practice/chapter_05.py", "practice"),
        ("tests/practice/wrong_answers.py", "practice"),
        ("tests/conftest.py", "none"),
        ("README.md", "none"),
    ],
)
def test_a_changed_file_is_tested_by_the_folder_with_the_same_name(changed, folder):
    assert check.tests_of(ROOT / changed) == set((check.TESTS / folder).glob("test_*.py"))


def test_a_changed_test_is_run_alone():
    path = check.TESTS / "website" / "boxes" / "test_questions.py"
    assert check.tests_of(path) == {path}


def test_a_changed_module_is_tested_by_the_files_that_import_it():
    tests = {path.relative_to(check.TESTS).as_posix() for path in check.tests_of(ROOT / "attention_core.py")}
    assert {"core/test_attention_core.py", "models/test_machine.py"} <= tests
    assert "tools/test_project.py" not in tests
    in_package = check.tests_of(ROOT / "explore" / "__init__.py")
    assert check.TESTS / "explore" / "figures" / "test_drawing.py" in in_package


def test_a_changed_program_or_exercise_reaches_its_own_tests_only():
    cases = {test.name: words for test, words in check.narrowed(check.PROGRAMS / "bench.js").items()}
    assert cases == {"test_programs.py": "bench", "test_scripts.py": "", "test_live.py": "bench or 02_why_sqrt_dk"}
    (words,) = check.narrowed(ROOT / "practice" / "chapter_05.py").values()
    assert "causal_mask" in words.split(" or ")
    assert "softmax" not in words.split(" or ")
    assert check.narrowed(ROOT / "practice" / "engine.py") == check.narrowed(ROOT / "attention_core.py") == {}


TABLES = """
import torch

def one(x): return x
def two(x): return 2 * x
def both(x): return 3 * x

RIGHT = {"a": [("one", one), ("both", both)], "b": [("two", two), ("both", both)]}
"""


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("return x\n", "return x + 1\n", ["a"]),
        ('("two", two)', '("zwei", two)', ["b"]),
        ('"b": [', '"c": [("one", two)], "b": [', []),  # one is no longer an answer to a alone: all are tested
        ("3 * x", "4 * x", []),  # both exercises have it: all are tested
        ("import torch", "import numpy", []),
    ],
)
def test_changed_answers_are_found_by_exercise(before, after, expected):
    assert before in TABLES
    assert check.exercises_that_differ(TABLES, TABLES.replace(before, after)) == expected
