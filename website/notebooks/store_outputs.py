"""Run notebooks and store their outputs in place, as `make outputs` does: text and pictures, no widget state.

    python -m website.notebooks.store_outputs 03

Outputs that depend on the machine stay as stored unless the code that makes them has changed. These are the outputs of
cells tagged `nbval-ignore-output`, and pictures with unchanged descriptions. Such cells have a key for that code in
their metadata.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import nbformat

from explore.mode import PAGE
from website.notebooks.cache import OUTPUTS_OF, WIDGET_VIEW
from website.notebooks.keys import key_of
from website.notebooks.run import code_cells, execute, prepare_kernels
from website.places import ROOT, named, notebooks

# These modules make the markup for pages, which is not stored.
OF_PAGES = ("explore/explorers/markup.py", "explore/figures/markup.py")


def has_key(cell):
    """Whether the outputs of a cell may differ between machines while the code is the same."""
    pictures = any("image/png" in output.get("data", {}) for output in cell.outputs)
    return pictures or "nbval-ignore-output" in cell.metadata.get("tags", [])


def current_keys(nb):
    """For each code cell that has a key, its key for the current code; None for the others."""
    sources = [cell.source for cell in code_cells(nb)]
    return [key_of(sources[:i], ROOT, OF_PAGES) if has_key(cell) else None for i, cell in enumerate(code_cells(nb), 1)]


def run(path):
    """A notebook with its current outputs."""
    nb = nbformat.read(path, as_version=4)
    execute(nb, path)
    for number, cell in enumerate(code_cells(nb), 1):
        cell.metadata.pop("execution", None)  # times of day, which a reader's program may have left there
        for output in cell.outputs:
            output.get("data", {}).pop(WIDGET_VIEW, None)
            output.get("metadata", {}).pop(PAGE, None)
            if "execution_count" in output:
                output.execution_count = number
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


def store_outputs(path):
    stored, nb = nbformat.read(path, as_version=4), run(path)
    for before, cell, key in zip(code_cells(stored), code_cells(nb), current_keys(nb), strict=True):
        if before.metadata.get(OUTPUTS_OF) == key:
            keep_what_may_differ(before, cell)
        cell.metadata.pop(OUTPUTS_OF, None)
        if key:
            cell.metadata[OUTPUTS_OF] = key
    nbformat.write(nb, path)
    print(f"stored {path}", flush=True)


if __name__ == "__main__":
    prepare_kernels()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(store_outputs, named(sys.argv[1:], notebooks())))
