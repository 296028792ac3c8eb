"""Run notebooks and store their outputs in place, as `make outputs` does: text and pictures, no widget state.

python tools/store_outputs.py index.ipynb chapters/*.ipynb
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient

# As in the tests that compare these outputs: one thread a kernel, and a reader's kernel, not the book's.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["ATTENTION_MEASURED_UNWATCHED"] = "1"
os.environ.pop("ATTENTION_MEASURED_BOOK", None)

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def store_outputs(path):
    nb = nbformat.read(path, as_version=4)
    NotebookClient(
        nb, timeout=300, resources={"metadata": {"path": path.parent}}, store_widget_state=False, coalesce_streams=True
    ).execute()
    for cell in nb.cells:
        cell.metadata.pop("execution", None)  # times of day
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)  # a view whose model ends with this kernel
    nb.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    nbformat.write(nb, path)
    print(f"stored {path}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(store_outputs, map(Path, sys.argv[1:])))
