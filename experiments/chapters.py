"""Shared by the experiments: the tagged cells of a chapter, parallel runs, and the files of results."""

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
from safetensors import safe_open
from safetensors.torch import save_file
from tqdm import tqdm

from website.notebooks.keys import bound_by, definitions_in, followed

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).resolve().parent / "results"


def tagged_cells(chapter):
    """The sources of the cells with the tag ``experiment``. ``chapter`` is a file's name without its number."""
    (path,) = (ROOT / "chapters").glob(f"??_{chapter}.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if "experiment" in cell["metadata"].get("tags", [])]


def checksum(experiment):
    """A checksum of the code that an experiment's results depend on, without comments, docstrings and layout.

    The code is the experiment's own, the statements in its chapter's tagged cells that it depends on, and the parts of
    the book's core that these use. Argument checks that return nothing are left out: they could only stop a run.
    """
    own = ast.parse(inspect.getsource(experiment)).body[1:]  # without its docstring
    own = [statement for statement in own if "CHAPTER" not in bound_by(statement)]  # a chapter may get another name
    definitions = definitions_in([ROOT / "attention_core.py"])
    for name in [name for name in definitions if name.startswith("_check")]:
        if not any(isinstance(node, ast.Return) and node.value for _, s in definitions[name] for node in ast.walk(s)):
            del definitions[name]
    for statement in ast.parse("\n\n".join(tagged_cells(experiment.CHAPTER))).body:
        for name in bound_by(statement):
            definitions.setdefault(name, []).append(("the chapter", statement))
    texts, _ = followed(own, definitions)
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


_chapter = {}  # the definitions of the tagged cells, in each process


def _prepare(chapter):
    torch.set_num_threads(1)
    with contextlib.redirect_stdout(io.StringIO()):  # the cells print
        for source in tagged_cells(chapter):
            exec(source, _chapter)


def _run(run, arguments):
    return run(_chapter, *arguments)


def measure(experiment):
    """Run the experiment, and store its rows; or the weights of models, if it says by ``to_store`` which these are."""
    results = run_all(experiment)
    if hasattr(experiment, "to_store"):
        models, more = experiment.to_store(results)
        store_weights(experiment, models, more)
    else:
        store(experiment, results)


def run_all(experiment):
    """``experiment.run(namespace, *arguments)`` for each of its ``TODO``, on all cores; results are in its order."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), context, _prepare, [experiment.CHAPTER]) as pool:
        runs = pool.map(functools.partial(_run, experiment.run), experiment.TODO)
        return list(tqdm(runs, total=len(experiment.TODO), desc=experiment.__name__, file=sys.stderr))


def name_of(experiment):
    return experiment.__name__.rpartition(".")[2]


def head_of(experiment):
    """What is stored with results: the command that makes them, torch's version, and the checksum of the code."""
    torch_version = torch.__version__.split("+")[0]
    return {
        "command": f"python -m experiments {name_of(experiment)}",
        "torch": torch_version,
        "code": checksum(experiment),
    }


def store(experiment, rows):
    """Write the rows, one line each, with the checksum of the code."""
    head = head_of(experiment)
    lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    text = json.dumps(head, indent=1)[:-2] + f',\n "rows": [\n{lines}\n ]\n}}\n'
    (RESULTS / f"{name_of(experiment)}.json").write_text(text, encoding="utf-8")


def store_weights(experiment, models, more):
    """Write the parameters of models, by name, in half precision, with the code's checksum and any further text."""
    tensors = {f"{name}.{key}": x.detach().half() for name, weights in models.items() for key, x in weights.items()}
    save_file(tensors, weights_file(name_of(experiment)), metadata=head_of(experiment) | more)


def weights_file(name):
    return RESULTS / f"{name}.safetensors"


def load_weights(name):
    """The stored parameters of an experiment's models, by name, and the metadata stored with them."""
    models = {}
    with safe_open(weights_file(name), framework="pt") as file:
        for key in file.keys():  # noqa: SIM118 - it is not a dict
            model, _, parameter = key.partition(".")
            models.setdefault(model, {})[parameter] = file.get_tensor(key).float()
        return models, file.metadata()


def load_rows(name):
    """The stored rows of an experiment, a list of dictionaries."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["rows"]
