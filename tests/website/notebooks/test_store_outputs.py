"""Stored outputs: some stay when outputs are stored again, and a broken frame is an error."""

import shutil
import subprocess
import sys

import nbformat
import pytest

from website.notebooks.cache import OUTPUTS_OF
from website.notebooks.store_outputs import current_keys, store_outputs
from website.places import ROOT

CELLS = [
    "import random\nprint('kept')",
    "import matplotlib.pyplot as plt\nfrom explore import show\nx = [0, 1]\nfig, ax = plt.subplots()\n"
    "ax.plot(x)\nshow(fig, 'A line.')",
    "print(x, random.random())",
]
EXPLORER = """
from explore import explore

@explore(x=[1, 2, 3], y=[0, 1])
def fragile(x, y):
    "Fails in one corner."
    if (x, y) == (3, 1):
        raise RuntimeError("broken on purpose")
    return f"<p>{x}</p>"
"""


def changed(path, before, after):
    """The notebook after a change in its second cell."""
    nb = nbformat.read(path, as_version=4)
    nb.cells[1].source = nb.cells[1].source.replace(before, after)
    nbformat.write(nb, path)
    return nb


def test_what_changed_code_reaches_is_stored_and_the_rest_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    path = tmp_path / "notebook.ipynb"
    v4 = nbformat.v4
    nb = v4.new_notebook(cells=[v4.new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(CELLS)])
    for cell, key in zip(nb.cells, current_keys(nb), strict=True):
        cell.metadata[OUTPUTS_OF] = key
    nb.cells[2].metadata["tags"] = ["nbval-ignore-output"]
    # A different machine has drawn the picture with different bytes, and printed a different number.
    words = "A line.\nline from 0 at 0 to 1 at 1"
    nb.cells[1].outputs = [v4.new_output("display_data", {"image/png": "AAAA", "text/plain": words})]
    nb.cells[2].outputs = [v4.new_output("stream", text="[0, 1] 0.5\n")]
    nbformat.write(nb, path)
    store_outputs(path)  # nothing is out of date, so all cells are executed
    stored = nbformat.read(path, as_version=4)
    assert [cell.execution_count for cell in stored.cells] == [1, 2, 3]
    assert stored.cells[0].outputs[0].text == "kept\n"
    assert stored.cells[1].outputs[0] == nb.cells[1].outputs[0]
    assert stored.cells[2].outputs == nb.cells[2].outputs

    stored.cells[0].outputs[0].text = "stays\n"
    nbformat.write(stored, path)
    changed(path, "[0, 1]", "[0, 2]")
    store_outputs(path)
    now = nbformat.read(path, as_version=4)
    assert now.cells[0].outputs[0].text == "stays\n"  # not executed, except for its import
    assert now.cells[1].outputs[0].data["text/plain"] == "A line.\nline from 0 at 0 to 2 at 1"
    assert len(now.cells[1].outputs[0].data["image/png"]) > 100
    assert now.cells[2].outputs[0].text.startswith("[0, 2] ")  # it needs x of the changed cell
    assert [cell.source for cell in now.cells] == [CELLS[0], CELLS[1].replace("[0, 1]", "[0, 2]"), CELLS[2]]

    # No explorer is stored with a broken frame.
    nb = changed(path, "x = [0, 2]", "x = [0, 3, 2, 2]")
    nb.cells.append(v4.new_code_cell(EXPLORER))
    nbformat.write(nb, path)
    before = path.read_text()
    with pytest.raises(Exception, match="in explorer fragile at x = 3, y = 1"):
        store_outputs(path)
    assert path.read_text() == before

    # nbval notices this, too, and a different curve: it does not compare pictures, only their words.
    shutil.copy(ROOT / "conftest.py", tmp_path)
    nbval = ["--nbval", "--nbval-kernel-name=python3", "-q", "-p", "no:cacheprovider", path]
    done = subprocess.run([sys.executable, "-m", "pytest", *nbval], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    for words in ("in explorer fragile at x = 3, y = 1", "line from 0 at 0 to 2 at 1", "(0, 3, 2, 2)"):
        assert words in done.stdout
