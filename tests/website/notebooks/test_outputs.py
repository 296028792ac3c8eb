"""Stored outputs: what they depend on, what stays when they are stored anew, and that a broken frame is an error."""

import shutil
import subprocess
import sys

import nbformat
import pytest

from website.notebooks import store_outputs
from website.notebooks.keys import cell_keys
from website.places import ROOT

CORE = '''
"""The mathematics."""

__all__ = ["double", "half"]


def double(x: float) -> float:
    """Twice x."""
    return _product(2, x)  # not x + x


def _product(a, x):
    return a * x


def half(x):
    return x / 2


@register
def _(x):
    return x + 1
'''
CHECKERS = """
from core import double
CHECK = Mistake("wrong", "A hint.", double)
"""


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
    (tmp_path / "requirements.txt").write_text("numpy==2  # numbers\n")
    return tmp_path


TABLE = """
import core
from core import double as twice
import matplotlib as mpl

mpl.rcParams["x"] = 1

def look(x):
    return twice(x)
"""
USES = {
    "core": ["import core\nimport practice", "core.double(1)"],
    "practice": ["import core\nimport practice", "practice.check_a(1)"],
    "measured": ["from measured.rows import load", "load()"],
    "named": ["from measured.rows import load", "load('others')"],
    "source": ["import core, inspect", "inspect.getsource(core.double)"],
    "bare": ["import practice", "print(vars(practice))"],
    "alias": ["from measured.table import look", "look(1)"],
    "private": ["import core", "core._product(1, 2)"],
}
OF_CORE = {*USES} - {"measured", "named"}


@pytest.mark.parametrize(
    ("file", "before", "after", "changed"),
    [
        ("core.py", "(2, x)", "(3, x)", OF_CORE - {"private"}),
        ("core.py", "a * x", "x * a", OF_CORE),
        ("core.py", "x / 2", "0.5 * x", set()),
        ("core.py", "x + 1", "x + 2", OF_CORE),
        ("core.py", '"half"]', '"half", "third"]', set()),
        ("core.py", "__all__", "TWO = 2\n__all__", set()),
        ("core.py", "__all__", "print()\n__all__", OF_CORE),
        ("core.py", "Twice x.", "Two times x.", {"source"}),
        ("core.py", "The mathematics.", "Mathematics.", set()),
        ("core.py", ": float", "", {"source"}),
        ("core.py", "# not x + x", "# a product", {"source"}),
        ("core.py", "(2, x)", "(2,  (x))", {"source"}),
        ("practice/a.py", "A hint.", "Another hint.", set()),
        ("practice/a.py", '"wrong"', '"mistaken"', {"practice", "bare"}),
        ("practice/b.py", '"wrong"', '"mistaken"', {"bare"}),
        ("measured/results/rows.json", "[1]", "[2]", {"measured", "named", "alias"}),
        ("measured/results/others.json", "[1]", "[2]", {"named", "alias"}),
        ("measured/table.py", "as twice", "as twice, half", set()),
        ("measured/table.py", "double as", "half as", {"alias"}),
        ("measured/table.py", '["x"] = 1', '["x"] = 2', {"alias"}),
        ("measured/rows.py", "return", "x = 1\n    return", {"measured", "named"}),
        ("requirements.txt", "numpy==2", "numpy==3", set(USES)),
        ("requirements.txt", "# numbers", "# arrays", set()),
    ],
)
def test_a_key_follows_what_a_notebook_can_see(file, before, after, changed, book):
    keys = {name: cell_keys(cells, book)[-1] for name, cells in USES.items()}
    text = (book / file).read_text()
    assert before in text
    (book / file).unlink()
    (book / file).write_text(text.replace(before, after))
    assert {name for name, cells in USES.items() if cell_keys(cells, book)[-1] != keys[name]} == changed


def test_a_key_follows_a_definition_that_a_later_one_replaces(book):
    cells = ["import core", "core.first()"]
    text = "def one():\n    return 1\n\ndef f():\n    return one()\n\nfirst = f\n\ndef f():\n    return 2\n"
    (book / "core.py").write_text(text)
    before = cell_keys(cells, book)[-1]
    (book / "core.py").unlink()
    (book / "core.py").write_text(text.replace("return 1", "return 5"))
    assert cell_keys(cells, book)[-1] != before


def test_a_key_of_a_cell_covers_the_cells_before_it_and_not_its_comments(book):
    cells = ["a = 1", "b = a", "c = b"]
    keys = cell_keys(cells, book)
    assert cell_keys(["a = 1  # one", *cells[1:]], book) == keys
    assert cell_keys(["a = 1", "b = a", "c = a"], book)[:2] == keys[:2]
    assert not set(cell_keys(["a = 2", *cells[1:]], book)) & set(keys)
    assert cell_keys(["%time a = 1"], book)


def write(path, *cells):
    v4 = nbformat.v4
    nb = v4.new_notebook()
    for number, (source, tags) in enumerate(cells):
        nb.cells.append(v4.new_code_cell(source, id=f"cell-{number}", metadata={"tags": tags} if tags else {}))
    nbformat.write(nb, path)


RANDOM = ("import random\nprint(random.random())", ["nbval-ignore-output"])
EXPLORER = """
from explore import explore

@explore(x=[1, 2, 3], y=[0, 1])
def fragile(x, y):
    "Fails in one corner."
    if (x, y) == (3, 1):
        raise RuntimeError("broken on purpose")
    return f"<p>{x}</p>"
"""


@pytest.fixture
def environment(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def test_storing_twice_changes_nothing_and_edited_cells_are_stored_anew(tmp_path, environment):
    path = tmp_path / "notebook.ipynb"
    figure = "import matplotlib.pyplot as plt\nfrom explore import show\nfig, ax = plt.subplots()\n"
    cells = [("print(1)", []), (figure + "ax.plot([0, 1])\nshow(fig, 'A line.')", []), RANDOM]
    write(path, *cells)
    store_outputs.store_outputs(path)
    first = path.read_text()
    store_outputs.store_outputs(path)
    assert path.read_text() == first

    # A picture that another machine draws with other bytes stays, as long as its words and its code are the same.
    nb = nbformat.read(path, as_version=4)
    nb.cells[1].outputs[0].data["image/png"] = "AAAA"
    nb.cells[0].execution_count = 7
    nbformat.write(nb, path)
    store_outputs.store_outputs(path)
    nb = nbformat.read(path, as_version=4)
    assert nb.cells[1].outputs[0].data["image/png"] == "AAAA\n" or nb.cells[1].outputs[0].data["image/png"] == "AAAA"
    assert [cell.execution_count for cell in nb.cells] == [1, 2, 3]
    number = nb.cells[2].outputs[0].text

    nb.cells[1].source = nb.cells[1].source.replace("[0, 1]", "[0, 2]")
    nbformat.write(nb, path)
    store_outputs.store_outputs(path)
    nb = nbformat.read(path, as_version=4)
    assert nb.cells[1].outputs[0].data["text/plain"] == "A line.\nline from 0 at 0 to 2 at 1"
    assert len(nb.cells[1].outputs[0].data["image/png"]) > 100
    assert nb.cells[2].outputs[0].text != number  # it comes after what has changed


def nbval(path):
    shutil.copy(ROOT / "conftest.py", path.parent)
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-kernel-name=python3", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run([*command, path], cwd=path.parent, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_another_curve_in_a_figure_and_a_frame_that_fails_are_noticed(tmp_path, environment):
    """nbval leaves pictures out; their words are compared. And no explorer is stored with a broken frame."""
    path = tmp_path / "notebook.ipynb"
    figure = "import matplotlib.pyplot as plt\nfrom explore import show\nfig, ax = plt.subplots()\n"
    write(path, (figure + "ax.plot([0, 3, 1, 2])\nshow(fig, 'A line.')", []))
    store_outputs.store_outputs(path)
    assert nbval(path)[0] == 0
    nb = nbformat.read(path, as_version=4)
    nb.cells[0].source = nb.cells[0].source.replace("[0, 3, 1, 2]", "[0, 3, 2, 2]")
    nb.cells.append(nbformat.v4.new_code_cell(EXPLORER))
    nbformat.write(nb, path)
    before = path.read_text()
    with pytest.raises(Exception, match="in explorer fragile at x = 3, y = 1"):
        store_outputs.store_outputs(path)
    assert path.read_text() == before
    status, log = nbval(path)
    assert status == 1
    assert "in explorer fragile at x = 3, y = 1" in log
    assert "(0, 3, 1, 2)" in log
    assert "(0, 3, 2, 2)" in log
