"""Run notebooks and store their outputs in place, as `make outputs` does: text and pictures, no widget state.

    python -m website.notebooks.store_outputs 03

Each cell has a key, in its metadata, for the code that made its outputs. In a notebook that is named, only cells with
an old key are executed, and what they need of the others; if there are none, or without names, all cells are executed.
Outputs that depend on the machine stay as stored unless the key has changed. These are the outputs of cells tagged
`nbval-ignore-output`, and pictures with unchanged descriptions.
"""

import ast
import functools
import sys
from concurrent.futures import ThreadPoolExecutor

import nbformat

from explore.explorers.saved import WIDGET_VIEW
from explore.mode import PAGE, TO_STORE, UNWATCHED
from website.notebooks.cache import OUTPUTS_OF
from website.notebooks.keys import keys_of
from website.notebooks.needs import Needs
from website.notebooks.run import code_cells, execute, prepare_kernels
from website.places import ROOT, named, notebooks

# These modules make the markup for pages, which is not stored.
OF_PAGES = ("explore/explorers/markup.py", "explore/figures/markup.py")


def may_differ(cell):
    """Whether the outputs of a cell may differ between machines while the code is the same."""
    pictures = any("image/png" in output.get("data", {}) for output in cell.outputs)
    return pictures or "nbval-ignore-output" in cell.metadata.get("tags", [])


def current_keys(nb):
    """For each code cell, its key for the current code."""
    return keys_of([cell.source for cell in code_cells(nb)], ROOT, OF_PAGES)


def run(path, chosen):
    """A notebook with current outputs of the chosen cells; of the others, only what these need is executed."""
    nb = nbformat.read(path, as_version=4)
    sources = [cell.source for cell in code_cells(nb)]
    needs = Needs(sources)
    needed = {statement for number in chosen for statement in needs.of(number)}
    for number, (cell, body) in enumerate(zip(code_cells(nb), needs.cells, strict=True)):
        if number not in chosen:
            cell.source = "\n".join(ast.unparse(statement) for statement in body if statement in needed)
    execute(nb, path, **{UNWATCHED: TO_STORE})
    for cell, cell.source in zip(code_cells(nb), sources, strict=True):
        cell.metadata.pop("execution", None)  # times of day, which a reader's program may have left there
        for output in cell.outputs:
            output.get("data", {}).pop(WIDGET_VIEW, None)
            output.get("metadata", {}).pop(PAGE, None)
    nb.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return nb


def keep_what_may_differ(stored, cell):
    """Put stored outputs that may differ between machines back into ``cell``, whose code must not have changed."""
    if "nbval-ignore-output" in cell.metadata.get("tags", []):
        cell.outputs = stored.outputs
        return
    for before, now in zip(stored.outputs, cell.outputs, strict=False):
        before, now = before.get("data", {}), now.get("data", {})
        if "image/png" in before and "image/png" in now and before["text/plain"] == now["text/plain"]:
            now["image/png"] = before["image/png"]


def store_outputs(path, whole=False):
    """Execute the cells whose outputs are out of date, or else all cells, and store their outputs."""
    stored = nbformat.read(path, as_version=4)
    keys = current_keys(stored)
    fresh = [cell.metadata.get(OUTPUTS_OF) == key for cell, key in zip(code_cells(stored), keys, strict=True)]
    everything = whole or all(fresh)
    chosen = {number for number, is_fresh in enumerate(fresh) if everything or not is_fresh}
    nb = run(path, chosen)
    for number, (before, cell) in enumerate(zip(code_cells(stored), code_cells(nb), strict=True)):
        if number not in chosen:
            cell.outputs = before.outputs
        elif fresh[number]:
            keep_what_may_differ(before, cell)
        cell.metadata[OUTPUTS_OF] = keys[number]
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = number + 1
    nbformat.write(nb, path)
    which = "all" if everything else "cell " + ", ".join(str(number + 1) for number in sorted(chosen))
    print(f"stored {path}: {which}", flush=True)


if __name__ == "__main__":
    prepare_kernels()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(functools.partial(store_outputs, whole=not sys.argv[1:]), named(sys.argv[1:], notebooks())))
