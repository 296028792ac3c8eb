"""What the experiments share: the tagged cells of a chapter, runs side by side, and the files of results."""

import ast
import contextlib
import functools
import hashlib
import inspect
import io
import json
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import torch
from tqdm import tqdm

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).resolve().parent / "results"


def tagged_cells(chapter):
    """The sources of a chapter's cells with the tag ``experiment``."""
    (path,) = (ROOT / "chapters").glob(f"{chapter}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if "experiment" in cell["metadata"].get("tags", [])]


def checksum(experiment):
    """Of the code that an experiment's results depend on: its own and its chapter's, without comments and layout."""
    sources = [inspect.getsource(experiment), *tagged_cells(experiment.CHAPTER)]
    code = "\n".join(ast.unparse(ast.parse(source)) for source in sources)
    return hashlib.sha256(code.encode()).hexdigest()[:16]


_chapter = {}  # what the tagged cells define, in each process


def _prepare(chapter):
    torch.set_num_threads(1)
    with contextlib.redirect_stdout(io.StringIO()):  # cells print
        for source in tagged_cells(chapter):
            exec(source, _chapter)


def _run(run, arguments):
    return run(_chapter, *arguments)


def run_all(experiment, todo):
    """``experiment.run(namespace, *arguments)`` for each of ``todo``, on all cores; results in the same order."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), context, _prepare, [experiment.CHAPTER]) as pool:
        runs = pool.map(functools.partial(_run, experiment.run), todo)
        return list(tqdm(runs, total=len(todo), desc=experiment.__name__, file=sys.stderr))


def store(experiment, rows):
    """Write the rows, one line each, with the checksum of the code."""
    head = {"command": f"python -m {experiment.__name__}", "torch": torch.__version__.split("+")[0]}
    head["code"] = checksum(experiment)
    lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    text = json.dumps(head, indent=1)[:-2] + f',\n "rows": [\n{lines}\n ]\n}}\n'
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{experiment.__name__.split('.')[-1]}.json").write_text(text, encoding="utf-8")


def load_rows(name):
    """The stored rows of an experiment, a list of dictionaries."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["rows"]
