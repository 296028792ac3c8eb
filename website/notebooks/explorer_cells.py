"""Explorers that compute in the page, taken from the notebooks that define them, for tests."""

import ast
import functools
import json
import random

from explore import Explorer
from explore.explorers.page import STATIC
from explore.explorers.tables import Table
from website.notebooks.needs import Needs
from website.places import notebooks

PROGRAMS = {path.stem: path for path in sorted((STATIC / "programs").glob("*.js"))}


def notebook_of(name):
    """The notebook in which an explorer is defined."""
    (path,) = [path for path in notebooks() if f"def {name}(" in path.read_text(encoding="utf-8")]
    return path


@functools.cache
def needed_by(name):
    """The statements of the explorer's cell, after those of earlier cells that it needs."""
    cells = json.loads(notebook_of(name).read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    last = next(number for number, source in enumerate(sources) if f"def {name}(" in source)
    return Needs(sources).with_own(last)


@functools.cache
def explorer_of(name):
    """The explorer, from these statements."""
    namespace = {}
    exec(compile(ast.Module(needed_by(name), []), notebook_of(name).name, "exec"), namespace)
    assert isinstance(namespace[name], Explorer)
    return namespace[name]


def position(control, share):
    """The position at the fraction ``share`` of the control's range, possibly between two steps of the slider."""
    if isinstance(control, Table):
        entries = random.Random(share)
        between = [[position(control.entry, entries.random()) for _ in control.columns] for _ in control.rows]
        return control.check(control.in_words(between))
    if not control.is_open:
        return int(share * len(control.values))
    x = (
        control.low * (control.high / control.low) ** share
        if control.log
        else control.low + share * (control.high - control.low)
    )
    return round(x) if control.whole else x
