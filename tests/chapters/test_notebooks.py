"""The outputs of every notebook: nbval compares them, and these tests check that there is something to compare."""

import json
import re

import pytest

import practice
from website.notebooks.cache import OUTPUTS_OF
from website.notebooks.store_outputs import code_cells, current_keys, may_differ
from website.places import chapters, notebooks, read


@pytest.fixture(params=notebooks(), ids=lambda path: path.stem)
def notebook(request):
    return read(request.param)


def test_outputs_are_stored_for_nbval_to_compare(notebook):
    """A cell without an execution count is never compared."""
    for number, cell in enumerate(code_cells(notebook), 1):
        assert cell.execution_count == number, f"cell [{number}] is not executed; run: make outputs CHAPTER=…"
        if "print(" in cell.source and not re.search(r"^def |^class ", cell.source, re.M):
            assert cell.outputs, cell.source
        assert all(output.output_type != "error" for output in cell.outputs)


def test_outputs_hold_no_widgets_addresses_or_paths(notebook):
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    stored = json.dumps([cell.outputs for cell in code_cells(notebook)])
    for unwanted in ("application/vnd.jupyter", " at 0x"):
        assert unwanted not in stored
    for output in (output for cell in code_cells(notebook) for output in cell.outputs):
        kinds = set(output.get("data", {}))
        assert not kinds >= {"image/svg+xml", "image/png"}, "a picture is stored once; pages draw their own"
    pictures = r"[A-Za-z0-9+/]{200,}={0,2}"  # in base64, any text may occur
    assert not re.search(r"(?<![\w.:/])/\w+/\w+|\b[A-Z]:\\\\", re.sub(pictures, "", stored)), "an absolute path"


def test_every_picture_has_words(notebook):
    """A picture's words are the caption given to show() or the explorer's name; a bare figure's are '<Figure ...>'."""
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                assert not output.data["text/plain"].startswith("<"), cell.source


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_stored_outputs_belong_to_the_code(path):
    """Times, pictures and final results of training are not compared by nbval; a key shows which code made them."""
    nb = read(path)
    for number, (cell, key) in enumerate(zip(code_cells(nb), current_keys(nb), strict=True), 1):
        if may_differ(cell) and cell.metadata.get(OUTPUTS_OF) != key:
            pytest.fail(
                f"{path.stem}: outputs of cell [{number}] are older than the code that they depend on (that cell, "
                f"what it needs of others, or a module that it uses); run: make outputs CHAPTER={path.stem}",
                pytrace=False,
            )


def test_every_checker_has_its_exercise():
    """A checker rejects the empty answer and accepts the folded solution."""
    outputs = {}
    for path in chapters():
        for cell in code_cells(read(path)):
            for name in re.findall(r"practice\.(check_\w+)", cell.source):
                outputs.setdefault(name, []).append(cell.outputs[-1].data["text/plain"])
    assert {name for name in practice.__all__ if name.startswith("check_")} == outputs.keys()
    for name, (empty, solution) in outputs.items():
        assert "not yet (returns-none)" in empty, name
        assert "passed." in solution, name
