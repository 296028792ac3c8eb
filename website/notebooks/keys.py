"""A key for the code that stored outputs and results depend on, made from the syntax trees of that code.

Comments, layout, docstrings and type hints are left out of these trees. So are a checker's hints, because they are
shown only after a mistake. A name that the book's modules define is followed to its definitions, and names are numbered
in the order of their first use. So a key does not change when a function is renamed or moved, or when unused code
changes. Methods, functions that are registered, and strings are followed by their names, too, and these have no scope:
if two things in modules have the same name, both are followed, and outputs may be remade needlessly.

Of the requirements, a key has the versions of the packages that this code imports or names. What these packages need
themselves, and Python's version, are not seen.
"""

import ast
import functools
import hashlib
import re

from website.notebooks.needs import DEFINITIONS, IMPORTS, Needs, names_of, one_by_one, packages_in

NAMES = {ast.Name: "id", ast.Attribute: "attr", ast.alias: "name", ast.FunctionDef: "name", ast.ClassDef: "name"}
LEFT_OUT = {"returns", "annotation", "asname", "module", "level"}


def key_of(statements, root, left_out=()):
    """A short key for everything that the outputs of these statements depend on.

    Definitions in the files ``left_out`` do not count.
    """
    files = [path for path in files_of(statements, root) if path.relative_to(root).as_posix() not in left_out]
    texts, used = followed(statements, definitions_in(files))
    digested = "\n".join(texts)
    digest = hashlib.sha256(digested.encode())
    words = set(re.findall(r"'([\w-]+)(?:\.\w+)?'", digested))
    for package in sorted({path.parent for path, _ in used} - {root}):
        results = sorted(package.glob("results/*"))
        for path in [path for path in results if path.stem in words] or results:  # if none is named, all may be read
            digest.update(path.name.encode() + path.read_bytes())
    words |= packages_in(*statements).union(*(contents(path)[0] for path, _ in used))
    for requirements in sorted(root.glob("requirements*.txt")):
        for name, version in re.findall(r"^([\w-]+)==(\S+)", requirements.read_text(encoding="utf-8"), re.M):
            if name.replace("-", "_") in words:
                digest.update(f"{name}=={version}".encode())
    return digest.hexdigest()[:12]


def keys_of(sources, root, left_out=()):
    """For each cell, the key of its statements and of all that it needs of the cells before it."""
    needs = Needs(sources)
    return [key_of(needs.with_own(number), root, left_out) for number in range(len(sources))]


def files_of(statements, root):
    """The files of the book's modules and packages that these statements import, directly or through other modules.

    The package ``website`` is left out: it runs notebooks, but its code does not affect their outputs.
    """
    found, waiting = {"website": []}, packages_in(*statements)
    while waiting:
        name = waiting.pop()
        if name not in found:
            files = [root / f"{name}.py", *sorted((root / name).rglob("*.py"))]
            found[name] = [path for path in files if path.is_file()]
            waiting |= set().union(*(contents(path)[0] for path in found[name]))
    return [path for name in sorted(found) for path in found[name]]


def contents(path):
    """The packages that a file imports, and pairs of a name and a statement that binds it or changes its object."""
    return _contents(path, path.stat().st_mtime_ns)


@functools.lru_cache(1000)
def _contents(path, modified):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return packages_in(tree), [(name, s) for s in one_by_one(tree.body) for name in sorted(bound_by(s))]


def definitions_in(paths):
    """For each name, the statements in these files that bind it or change its object, each with its file."""
    found = {}
    for path in paths:
        for name, statement in contents(path)[1]:
            found.setdefault(name, []).append((path, statement))
    return found


def bound_by(statement):
    """The names that a statement at the top level binds or changes.

    An import counts only for its alias, because any other name leads to its definition anyway.
    """
    if isinstance(statement, IMPORTS):
        return {alias.asname for alias in statement.names} - {None}
    names = names_of(statement)
    return names.bound | names.changed


def followed(statements, definitions):
    """The texts of these statements and of all statements that they lead to; for the latter, also (file, statement)."""
    numbers, used = {}, {}

    def text_of(statement):
        parts = []
        for name, text in pieces_of(statement):
            if name in definitions:  # a string is followed and also kept as it is, because it may be printed
                if name not in numbers:
                    numbers[name] = len(numbers)
                    used.update(dict.fromkeys(definitions[name]))
                parts.append(f"{text or ''}#{numbers[name]}")
            else:
                parts.append(text or repr(name))
        return "".join(parts)

    texts = [text_of(statement) for statement in statements]
    while len(texts) < len(statements) + len(used):
        texts.append(text_of(list(used)[len(texts) - len(statements)][1]))
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
            add_text(repr(node))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            pieces.append((node.value, repr(node.value)))
        elif isinstance(node, ast.Constant):
            add_text(repr(node.value))
        else:
            add_text(f"({type(node).__name__}")
            for key, value in ast.iter_fields(node):
                if value in (None, []) or key in LEFT_OUT:
                    continue
                add_text(f" {key}=")
                if NAMES.get(type(node)) == key:
                    pieces.append((value, None))
                elif key == "body" and isinstance(node, DEFINITIONS) and ast.get_docstring(node) is not None:
                    add(value[1:])
                elif key == "args" and isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Mistake":
                    add([*value[:1], *value[2:]])  # without the hint
                elif isinstance(node, ast.JoinedStr):
                    add([part for part in value if getattr(part, "value", None) != ""])  # Python 3.12 adds empty ones
                else:
                    add(value)
            add_text(")")

    def add_text(text):
        before = pieces.pop()[1] if pieces and pieces[-1][0] is None else ""
        pieces.append((None, before + text))

    add(statement)
    return pieces
