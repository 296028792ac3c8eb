"""Keys: changes that give a cell a new key, and changes that do not."""

import pytest

from website.notebooks.keys import keys_of

CORE = '''
"""The mathematics."""

import numpy as np

__all__ = ["double", "half"]


def double(x: float) -> float:
    """Twice x."""
    return _product(2, x)  # not x + x


def _product(a, x):
    return a * x


def half(x):
    return x / 2


@half.register
def _(x):
    return x + 1
'''
CHECKERS = """
from core import double
CHECK = Mistake("wrong", "A hint.", double)
"""


def key_of(cells, root):
    """The key of the last cell."""
    return keys_of(cells, root)[-1]


@pytest.fixture
def book(tmp_path):
    """A folder with a module, a package of two modules, and a package with results."""
    (tmp_path / "core.py").write_text(CORE)
    for name in ("practice", "measured/results"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "practice" / "__init__.py").write_text('"""Both."""\nfrom .a import check_a\nfrom .b import check_b\n')
    (tmp_path / "practice" / "a.py").write_text(CHECKERS.replace("CHECK", "check_a"))
    (tmp_path / "practice" / "b.py").write_text(CHECKERS.replace("CHECK", "check_b"))
    (tmp_path / "measured" / "table.py").write_text(TABLE)
    (tmp_path / "measured" / "rows.py").write_text("def load():\n    return open('rows.json')\n")
    (tmp_path / "measured" / "results" / "rows.json").write_text("[1]")
    (tmp_path / "measured" / "results" / "others.json").write_text("[1]")
    (tmp_path / "requirements.txt").write_text("numpy==2  # numbers\npytest==9\n")
    return tmp_path


TABLE = """
import core
from core import double as twice
import matplotlib as mpl

mpl.rcParams["x"] = 1

def look(x):
    return twice(x) + mpl.x
"""
USES = {
    "core": ["import core\nimport practice", "core.double(1)"],
    "practice": ["import core\nimport practice", "practice.check_a(1)"],
    "measured": ["from measured.rows import load", "load()"],
    "named": ["from measured.rows import load", "load('others')"],
    "half": ["import core", "core.half(1)"],
    "alias": ["from measured.table import look", "look(1)"],
    "private": ["import core", "core._product(1, 2)"],
}
OF_CORE = {*USES} - {"measured", "named", "half"}


@pytest.mark.parametrize(
    ("file", "before", "after", "changed"),
    [
        ("core.py", "(2, x)", "(3, x)", OF_CORE - {"private"}),
        ("core.py", "a * x", "x * a", OF_CORE),
        ("core.py", "x / 2", "0.5 * x", {"half"}),
        ("core.py", "x + 1", "x + 2", {"half"}),
        ("core.py", '"half"]', '"half", "third"]', set()),
        ("core.py", "__all__", "TWO = 2\n__all__", set()),
        ("core.py", "Twice x.", "Two times x.", set()),
        ("core.py", "The mathematics.", "Mathematics.", set()),
        ("core.py", ": float", "", set()),
        ("core.py", "# not x + x", "# a product", set()),
        ("core.py", "(2, x)", "(2,  (x))", set()),
        ("core.py", "_product", "_times", {"private"}),  # the cell private uses this name
        ("practice/a.py", "A hint.", "Another hint.", set()),
        ("practice/a.py", '"wrong"', '"mistaken"', {"practice"}),
        ("practice/b.py", '"wrong"', '"mistaken"', set()),
        ("measured/results/rows.json", "[1]", "[2]", {"measured", "named", "alias"}),
        ("measured/results/others.json", "[1]", "[2]", {"named", "alias"}),
        ("measured/table.py", "as twice", "as twice, half", set()),
        ("measured/table.py", "double as", "half as", {"alias"}),
        ("measured/table.py", '["x"] = 1', '["x"] = 2', {"alias"}),
        ("measured/rows.py", "return", "x = 1\n    return", {"measured", "named"}),
        ("requirements.txt", "numpy==2", "numpy==3", {*USES} - {"measured", "named"}),
        ("requirements.txt", "pytest==9", "pytest==10", set()),
        ("requirements.txt", "# numbers", "# arrays", set()),
    ],
)
def test_a_key_follows_what_a_notebook_can_see(file, before, after, changed, book):
    keys = {name: key_of(cells, book) for name, cells in USES.items()}
    text = (book / file).read_text()
    assert before in text
    (book / file).unlink()
    (book / file).write_text(text.replace(before, after))
    assert {name for name, cells in USES.items() if key_of(cells, book) != keys[name]} == changed


def test_a_key_follows_a_definition_that_a_later_one_replaces(book):
    cells = ["import core", "core.first()"]
    text = "def one():\n    return 1\n\ndef f():\n    return one()\n\nfirst = f\n\ndef f():\n    return 2\n"
    (book / "core.py").write_text(text)
    before = key_of(cells, book)
    (book / "core.py").unlink()
    (book / "core.py").write_text(text.replace("return 1", "return 5"))
    assert key_of(cells, book) != before


def test_a_renamed_function_changes_no_key_but_a_renamed_file_does(book):
    before = key_of(["import core", "core.double(1)"], book)
    text = (book / "core.py").read_text().replace("double", "two_times")
    (book / "core.py").unlink()
    (book / "numbers_.py").write_text(text)
    assert key_of(["import numbers_ as core", "core.two_times(1)"], book) != before
    (book / "numbers_.py").rename(book / "core.py")
    assert key_of(["import core", "core.two_times(1)"], book) == before
    assert key_of(["import core", "core.half(1)"], book) != before


def test_a_cells_key_covers_what_it_needs_of_the_cells_before_it(book):
    cells = ["a = 1\nd = 1", "b = a", "c = b"]
    key = key_of(cells, book)
    for other in (["a = 1  # one\nd = 1", *cells[1:]], ["a = 1\nd = 2", *cells[1:]], [cells[0], "e = 1", *cells[1:]]):
        assert key_of(other, book) == key
    for other in (["a = 1", "b = a", "c = a"], ["a = 2", *cells[1:]], ["a = 1", "b = a + 1", "c = b"], cells[:2]):
        assert key_of(other, book) != key
    assert key_of(["%time a = 1"], book)


def test_an_import_counts_only_for_the_names_that_a_cell_uses(book):
    cells = ["from core import double, half", "double(1)", "half(1)", "from core import half\nhalf(2)"]
    keys = keys_of(cells, book)
    assert keys_of([cells[0].replace("half", "half, third"), *cells[1:]], book) == keys
    assert keys_of([*cells[:3], cells[3].replace("half\n", "double, half\n")], book) == keys


def test_a_label_in_a_picture_changes_no_other_key(book):
    cells = ["import plt", "x = 1\nfig, ax = plt.subplots()\nax.plot(x, label='old')\nshow(fig)", "print(x)", "show(x)"]
    cells += ["@plt.explore(size=1)\ndef drawn(size):\n    return plt.bar(size, label='old')", "plt.explore(x)"]
    changed = [cell.replace("old", "new") for cell in cells]
    pairs = zip(keys_of(cells, book), keys_of(changed, book), strict=True)
    assert [before != after for before, after in pairs] == [False, True, False, False, True, False]
