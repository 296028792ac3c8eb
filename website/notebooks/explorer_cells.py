"""Explorers that compute in the page, taken from the notebooks that define them: for tests and benchmarks."""

import ast
import dis
import json
import random
import types

from explore import Explorer
from explore.explorers.page import STATIC
from explore.explorers.tables import Table
from website.places import notebooks

PROGRAMS = {path.stem: path for path in sorted((STATIC / "programs").glob("*.js"))}


def notebook_of(name):
    """The notebook in which an explorer is defined."""
    (path,) = [path for path in notebooks() if f"def {name}(" in path.read_text(encoding="utf-8")]
    return path


def explorer_of(name):
    """The explorer, from its cell and those before that define what it needs."""
    cells = json.loads(notebook_of(name).read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    last = next(i for i, source in enumerate(sources) if f"def {name}(" in source)
    needed, wanted = [], {name}
    for source in reversed(sources[: last + 1]):
        tree = ast.parse(source)
        if wanted & set(defined_by(tree)):
            needed.append(source)
            wanted |= set(globals_of(compile(source, name, "exec")))
    namespace = {}
    for source in reversed(needed):
        exec(source, namespace)
    assert isinstance(namespace[name], Explorer)
    return namespace[name]


def globals_of(code):
    """The names that code looks up outside of its functions."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from globals_of(constant)


def defined_by(tree):
    """The names that the statements of a cell define or import."""
    for statement in tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
        elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            yield statement.name
        elif isinstance(statement, ast.Assign):
            parts = [node for target in statement.targets for node in ast.walk(target)]
            yield from (node.id for node in parts if isinstance(node, ast.Name))


def position(control, share):
    """So far along the control, between the places of its slider."""
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
