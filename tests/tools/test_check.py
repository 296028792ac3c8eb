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
    assert {"core/test_attention_core.py", "four_words/test_machine.py"} <= tests
    assert "tools/test_project.py" not in tests
    in_package = check.tests_of(ROOT / "explore" / "__init__.py")
    assert check.TESTS / "explore" / "figures" / "test_drawing.py" in in_package
