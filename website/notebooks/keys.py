"""A key for the code that stored outputs and results depend on, made from the syntax trees of that code.

Comments, layout, docstrings and type hints are left out of these trees. So are a checker's hints, because they are
shown only after a mistake. A name that the book defines is followed to its definitions, and names are numbered in the
order of their first use. So a key does not change when a function is renamed or moved, or when unused code changes.
Strings are followed like names. If two things have the same name, both are followed, and outputs may be remade
needlessly.
"""

import ast
import functools
import hashlib
import itertools
import re
from pathlib import Path

from website.notebooks.needs import Needs

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NAMES = {ast.Name: "id", ast.Attribute: "attr", ast.alias: "name", ast.FunctionDef: "name", ast.ClassDef: "name"}
LEFT_OUT = {"kind", "type_comment", "returns", "annotation", "asname"}


def key_of(statements, root, left_out=()):
    """A short key for everything that the outputs of these statements depend on.

    Definitions in the files ``left_out`` do not count.
    """
    digest = hashlib.sha256()
    for path in filter(Path.is_file, (root / name for name in ("requirements.txt", "constraints.txt"))):
        digest.update(" ".join(re.sub(r"#.*", "", path.read_text(encoding="utf-8")).split()).encode())
    packages = packages_of(statements, root)
    files = [path for path in files_of(packages, root) if path.relative_to(root).as_posix() not in left_out]
    texts, used = followed(statements, definitions_in(files))
    digested = "\n".join(texts)
    digest.update(digested.encode())
    words = set(re.findall(r"'([\w-]+)(?:\.\w+)?'", digested))
    for package in sorted({path.parent for path, _ in used} - {root}):
        results = sorted(package.glob("results/*"))
        for path in [path for path in results if path.stem in words] or results:  # if none is named, all may be read
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def keys_of(sources, root, left_out=()):
    """For each cell, the key of its statements and of all that it needs of the cells before it."""
    needs = Needs(sources)
    return [
        key_of([*(statement for _, statement in needs.of(number)), *cell], root, left_out)
        for number, cell in enumerate(needs.cells)
    ]


def packages_of(statements, root):
    """The book's modules and packages that these statements import, directly or through other modules.

    The package ``website`` is left out: it runs notebooks, but its code does not affect their outputs.
    """
    found, waiting = set(), [name for statement in statements for name in imported_by(statement)]
    while waiting:
        name = waiting.pop()
        if name not in found | {"website"} and files_of([name], root):
            found.add(name)
            waiting += [other for path in files_of([name], root) for other in imports_in(path, path.stat().st_mtime_ns)]
    return sorted(found)


def imported_by(tree):
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
        yield from (name.partition(".")[0] for name in names)


@functools.lru_cache(1000)
def imports_in(path, modified):
    return list(imported_by(ast.parse(path.read_text(encoding="utf-8"))))


def files_of(packages, root):
    return [
        path
        for name in packages
        for path in [root / f"{name}.py", *sorted((root / name).rglob("*.py"))]
        if path.is_file()
    ]


def definitions_in(paths):
    """For each name, the statements in these files that bind it or change its object, each with its file."""
    found = {}
    for path in paths:
        for name, statement in statements_in(path, path.stat().st_mtime_ns):
            found.setdefault(name, []).append((path, statement))
    return found


@functools.lru_cache(1000)
def statements_in(path, modified):
    return [(name, s) for s in ast.parse(path.read_text(encoding="utf-8")).body for name in sorted(bound_by(s))]


def bound_by(statement):
    """The names that a statement at the top level binds or changes.

    An import counts only for its aliases, because any other name leads to its definition anyway.
    """
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        # @words.register changes words
        return {statement.name} | {base_of(decorator) for decorator in statement.decorator_list} - {None}
    if isinstance(statement, ast.Expr):
        called = getattr(statement.value, "func", None)
        return {base_of(called)} - {None}  # a method may change its object
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {alias.asname for alias in statement.names if alias.asname}
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        parts = getattr(statement, "targets", None) or [statement.target]
    else:
        parts = [statement]  # a loop may change everything that it names
    names = {node.id for part in parts for node in ast.walk(part) if isinstance(node, ast.Name)}
    return names - {"__all__"} if "__name__" not in names else set()


def base_of(node):
    """The ``a`` of ``a.b.c`` and of ``a.b(c)``; for a bare name, None."""
    node = getattr(node, "func", node)
    is_attribute = isinstance(node, ast.Attribute)
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if is_attribute and isinstance(node, ast.Name) else None


def followed(statements, definitions):
    """The texts of these statements and of all statements that they lead to; for the latter, also (file, statement)."""
    numbers, used = {}, {}

    def number(name):
        if name not in numbers:
            numbers[name] = len(numbers)
            used.update(dict.fromkeys(definitions[name]))
        return numbers[name]

    def text_of(statement):
        parts = []
        for name, text in pieces_of(statement):
            if name in definitions:  # a string is followed and also kept as it is, because it may be printed
                parts.append(f"#{number(name)}" if text is None else f"{text}#{number(name)}")
            else:
                parts.append(repr(name) if text is None else text)
        return "".join(parts)

    texts = [text_of(statement) for statement in statements]
    done = 0
    while done < len(used):
        texts.append(text_of(list(used)[done][1]))
        done += 1
    return texts, list(used)


@functools.cache
def pieces_of(statement):
    """A statement as pairs: (name, None) for a name, (None, text) for other text, and (string, text) for a string."""
    pieces = []

    def add(node):
        if isinstance(node, list):
            for part in node:
                add(part)
        elif not isinstance(node, ast.AST):
            pieces.append((None, repr(node)))
        elif isinstance(node, ast.Constant):
            pieces.append((node.value if isinstance(node.value, str) else None, repr(node.value)))
        else:
            pieces.append((None, f"({type(node).__name__}"))
            for key, value in ast.iter_fields(node):
                if value in (None, []) or key in LEFT_OUT or (isinstance(node, ast.ImportFrom) and key != "names"):
                    continue
                pieces.append((None, f" {key}="))
                if NAMES.get(type(node)) == key:
                    pieces.append((value, None))
                elif key == "body" and has_docstring(node):
                    add(value[1:])
                elif key == "args" and isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Mistake":
                    add([*value[:1], *value[2:]])  # without the hint
                else:
                    add(value)
            pieces.append((None, ")"))

    add(statement)
    return [
        pair
        for is_text, run in itertools.groupby(pieces, lambda pair: pair[0] is None)
        for pair in ([(None, "".join(text for _, text in run))] if is_text else run)
    ]


def has_docstring(node):
    first = node.body[0] if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
