"""How long the code of each notebook runs, as a reader runs it, and how much memory its kernel takes (Linux).

    python -m benchmarks.kernels --store 03

Each notebook of the edition is executed with one thread, which the book gives a kernel unless a reader chooses
otherwise, and with all. With `--store`, the edition says what the first run takes (`website/edition/costs.json`).
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import nbformat

from benchmarks.measure import machine
from explore.mode import UNWATCHED
from website.edition.costs import COSTS
from website.edition.pages import edition_of_book
from website.notebooks.run import execute
from website.places import ROOT, named, notebooks

USED = """\
import re as _re, time as _time
_peak = _re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
print(_time.process_time(), int(_peak) / 2**20)"""


def measured(text, threads):
    """Seconds, processor seconds and the largest memory in GB of a kernel that executes the notebook in ``text``."""
    nb = nbformat.reads(text, as_version=4)
    nb.cells.append(nbformat.v4.new_code_cell(USED))
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        execute(nb, Path(folder) / "notebook.ipynb", timeout=1800, **threads)
    cpu, memory = map(float, nb.cells[-1].outputs[0].text.split())
    return {"seconds": round(time.monotonic() - start), "cpu": round(cpu), "GB": round(memory, 2)}


def main(words):
    os.environ.pop(UNWATCHED, None)  # a reader watches
    os.environ.pop("OMP_NUM_THREADS", None)
    os.environ["PYTHONPATH"] = str(ROOT)
    texts = edition_of_book()
    stored = json.loads(COSTS.read_text(encoding="utf-8")) if COSTS.is_file() else {}
    print("{}: {}".format(*machine()))
    print(f"{'':44} {'one thread':>24} {'all threads':>24}")
    for path in named([word for word in words if not word.startswith("-")], notebooks()):
        name = path.relative_to(ROOT).as_posix()
        one = measured(texts[name], {})
        every = measured(texts[name], {"OMP_NUM_THREADS": str(os.cpu_count())})
        stored[name] = [one["seconds"], one["GB"]]
        print(
            name.ljust(44), *("{seconds:>8} s {cpu:>6} s {GB:>5} GB".format(**row) for row in (one, every)), flush=True
        )
        if "--store" in words:
            lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(taken)}" for name, taken in stored.items())
            COSTS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
