"""Stored outputs: some stay when outputs are stored again, and a broken frame is an error."""

import shutil
import subprocess
import sys

import nbformat
import pytest

from website.notebooks import store_outputs
from website.places import ROOT


def write(path, *cells):
    v4 = nbformat.v4
    nb = v4.new_notebook()
    for number, (source, tags) in enumerate(cells):
        nb.cells.append(v4.new_code_cell(source, id=f"cell-{number}", metadata={"tags": tags} if tags else {}))
    nbformat.write(nb, path)


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


def test_only_changed_cells_and_what_they_need_are_executed(tmp_path, environment):
    path = tmp_path / "notebook.ipynb"
    figure = "import matplotlib.pyplot as plt\nfrom explore import show\nx = [0, 1]\nfig, ax = plt.subplots()\n"
    cells = [
        ("import random\nprint('kept')", []),
        (figure + "ax.plot(x)\nshow(fig, 'A line.')", []),
        ("print(x, random.random())", ["nbval-ignore-output"]),
    ]
    write(path, *cells)
    store_outputs.store_outputs(path)
    first = path.read_text()

    # If a different machine draws a picture with different bytes, the stored one stays as long as words and code do.
    nb = nbformat.read(path, as_version=4)
    nb.cells[1].outputs[0].data["image/png"] = "AAAA"
    nb.cells[0].execution_count = 7
    nbformat.write(nb, path)
    tampered = path.read_text().replace('"execution_count": 7', '"execution_count": 1')
    store_outputs.store_outputs(path)  # nothing is out of date, so all cells are executed
    assert path.read_text() == tampered
    path.write_text(first)

    nb = nbformat.read(path, as_version=4)
    nb.cells[1].source = nb.cells[1].source.replace("[0, 1]", "[0, 2]")
    nbformat.write(nb, path)
    store_outputs.store_outputs(path)
    nb, before = nbformat.read(path, as_version=4), nbformat.reads(first, as_version=4)
    assert nb.cells[1].outputs[0].data["text/plain"] == "A line.\nline from 0 at 0 to 2 at 1"
    assert len(nb.cells[1].outputs[0].data["image/png"]) > 100
    assert nb.cells[0].outputs == before.cells[0].outputs != []  # not executed, except for its import
    assert nb.cells[2].outputs[0].text.startswith("[0, 2] ")  # it needs x of the changed cell
    assert [cell.execution_count for cell in nb.cells] == [1, 2, 3]
    assert [cell.source for cell in nb.cells][::2] == [cell.source for cell in before.cells][::2]


def nbval(path):
    shutil.copy(ROOT / "conftest.py", path.parent)
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-kernel-name=python3", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run([*command, path], cwd=path.parent, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_a_different_curve_and_a_failing_frame_are_noticed(tmp_path, environment):
    """nbval does not compare pictures, only their words. And no explorer is stored with a broken frame."""
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
