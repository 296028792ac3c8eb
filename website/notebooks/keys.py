"""What stored outputs and results depend on: the meaning of code, of the book's modules that it uses, and stored rows.

Comments, layout, docstrings and type hints change no output, and neither do the hints of a checker, which only a
mistake shows: what is made here stays the same when they change. Of a module only those definitions, assignments and
imports count whose names occur in code that counts; what merely runs; and what is decorated, once a name of its module
occurs. A module that cells use as a whole (``vars(module)``) counts as a whole. So a key follows everything that it
must, but for names that only occur in strings, and now and then a namesake that it need not.
"""

import ast
import dataclasses
import functools
import hashlib
import re
from collections import Counter
from pathlib import Path


def cell_keys(sources, root):
    """For each code cell, a short name for all that its outputs depend on: the cells so far and what they use."""
    return [key_of_last(sources[: number + 1], root) for number in range(len(sources))]


def key_of_last(sources, root):
    """The same for the last of these cells alone."""
    digest = hashlib.sha256()
    for path in filter(Path.is_file, (root / name for name in ("requirements.txt", "constraints.txt"))):
        digest.update(" ".join(re.sub(r"#.*", "", path.read_text(encoding="utf-8")).split()).encode())
    cells = [_tree(source) for source in sources]
    shows_source = any("getsource" in source for source in sources)
    for source, tree in zip(sources, cells, strict=True):
        digest.update((source if shows_source else canonical(tree)).encode())
    used = used_by(cells, root)
    for statement in used:
        digest.update((statement.source if shows_source else statement.meaning).encode())
    words = set(re.findall(r"[\"'](\w+)(?:\.\w+)?[\"']", "\n".join([*sources, *(s.source for s in used)])))
    for package in sorted({statement.path.parent for statement in used} - {root}):
        results = sorted(package.glob("results/*"))
        for path in [path for path in results if path.stem in words] or results:  # where none is named, all are read
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


@functools.lru_cache(2000)
def _tree(source):
    """A cell's syntax tree; its magics as IPython would call them."""
    if re.search(r"^\s*[%!?]|\?$", source, re.M):
        from IPython.core.inputtransformer2 import TransformerManager  # half a second, for the few that need it

        source = TransformerManager().transform_cell(source)
    return ast.parse(source)


@dataclasses.dataclass(frozen=True, eq=False)
class Statement:
    """A statement at the top of a module, or one name of an import; without docstring and list of public names."""

    path: Path
    binds: frozenset  # names; private ones with their module too, as other modules have namesakes
    names: frozenset  # all that occur in it
    waits: bool  # it does nothing until it is used
    meaning: str  # its syntax tree
    source: str


def used_by(trees, root, packages=None):
    """The statements of the modules in ``root``, or only of these top-level packages, that code leads to."""
    names = frozenset().union(*map(_names, trees))
    whole = [place for name in _used_as_a_whole(trees) for place in (root / f"{name}.py", root / name)]
    statements = [s for path in _imported(trees, root, packages) for s in _statements(path, path.stat().st_mtime_ns)]
    chosen, waiting = set(), statements
    while True:
        reached = {s.path for s in statements if s.binds & names}
        found = {s for s in waiting if not s.binds or (s.path in reached and (not s.waits or s.binds & names))}
        found |= {s for s in waiting if any(s.path.is_relative_to(place) for place in whole)}
        if not found:
            return [s for s in statements if s in chosen]
        chosen |= found
        waiting = [s for s in waiting if s not in found]
        names = names.union(*(s.names for s in found))


def _used_as_a_whole(trees):
    """The modules that are used in another way than ``module.name``."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    aliases = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    modules = {alias.asname or alias.name: alias.name for alias in aliases}
    loaded = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    loaded.subtract(
        node.value.id for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    )
    return {module.replace(".", "/") for name, module in modules.items() if loaded[name]}


def _names(tree, module=None):
    """All names in a piece of code: variables, attributes, and what is imported."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.alias):
            found.add(node.name)
    return frozenset(f"{module}:{name}" if module and name.startswith("_") else name for name in found)


@functools.lru_cache(1000)  # a file that is written anew has another time
def _statements(path, modified):
    text = path.read_text(encoding="utf-8")
    lines, found = text.splitlines(), []
    for node in ast.parse(text).body:
        is_list = isinstance(node, ast.Assign) and ast.unparse(node.targets) == "__all__"
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_list or is_docstring:
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                here = frozenset([alias.asname or alias.name.partition(".")[0]])
                one = f"{getattr(node, 'level', '')} {getattr(node, 'module', '')} {canonical(alias)}"
                found.append(Statement(path, here, frozenset([alias.name]), True, one, one))
            continue
        names, is_definition = _names(node, path), isinstance(node, (*FUNCTIONS, ast.ClassDef))
        targets = getattr(node, "targets", [getattr(node, "target", None)]) if isinstance(node, ASSIGNMENTS) else []
        parts = [part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        stored = [part.id for part in parts if isinstance(part.ctx, ast.Store)]
        binds = [node.name] if is_definition else stored
        binds = frozenset([*binds, *(f"{path}:{name}" for name in binds if name.startswith("_"))])
        waits = not getattr(node, "decorator_list", [])  # a decorator may register what it decorates
        first = min(part.lineno for part in [node, *getattr(node, "decorator_list", [])])
        source = "\n".join(lines[first - 1 : node.end_lineno])
        found.append(Statement(path, binds, names, waits, meaning_of(node), source))
    return found


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def _imported(trees, root, packages):
    """The files of ``root`` that code imports, and what these import."""
    files, waiting = {}, [name for tree in trees for name in _modules(tree, "")]
    while waiting:
        name = waiting.pop()
        if packages is not None and name.partition(".")[0] not in packages:
            continue
        place = root.joinpath(*name.split("."))
        for path, package in ((place.with_suffix(".py"), name.rpartition(".")[0]), (place / "__init__.py", name)):
            if path not in files and path.is_file():
                files[path] = None
                waiting += _leads(path, path.stat().st_mtime_ns, package)
    return sorted(files)


@functools.lru_cache(1000)
def _leads(path, modified, package):
    return _modules(ast.parse(path.read_text(encoding="utf-8")), package)


def _modules(tree, package):
    """The names of all that may be modules in the imports of a piece of code."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = ".".join(filter(None, [package if node.level else "", node.module]))
            found.update([module, *(f"{module}.{alias.name}" for alias in node.names)])
    return {".".join(name.split(".")[:i]) for name in found for i in range(1, name.count(".") + 2)}


def meaning_of(node):
    """A statement without what changes no output, as text. Takes that out of the tree itself."""
    return canonical(_bare(node))


def canonical(node):
    """A syntax tree as text, the same for every version of Python: `ast.dump` of 3.13 leaves out what 3.11 writes."""
    if isinstance(node, ast.AST):
        fields = ((name, value) for name, value in ast.iter_fields(node) if value not in (None, []) and name != "kind")
        return f"{type(node).__name__}({', '.join(f'{name}={canonical(value)}' for name, value in fields)})"
    return f"[{', '.join(map(canonical, node))}]" if isinstance(node, list) else repr(node)


def _bare(tree):
    """The tree without docstrings, type hints of functions, and the hints of known mistakes."""
    for node in ast.walk(tree):
        if _docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, FUNCTIONS):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
        # Only a mistake shows its hint, and the notebooks' answers are right or missing.
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Mistake" and len(node.args) > 1:
            node.args[1] = ast.Constant("")
    return tree


def _docstring(node):
    """The statement that is the docstring of a class or a function."""
    first = node.body[0] if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.body else None
    value = getattr(first, "value", None) if isinstance(first, ast.Expr) else None
    return first if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
