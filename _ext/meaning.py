"""What the outputs of a notebook depend on: the meaning of its code, of the modules that it uses, and stored results.

Comments, layout, docstrings and type hints of a module, and the hints of a checker, change no output: a key made here
stays the same when they change. Of a module only those definitions count that the names lead to which are used. Where a
notebook prints source code (``inspect.getsource``), it sees all of them but docstrings.
"""

import ast
import dataclasses
import functools
import hashlib
import re
from collections import Counter
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager


def cell_keys(sources, root):
    """For each code cell, a short name for all that its outputs depend on: the cells so far and what they use."""
    return [key_of_last(sources[: number + 1], root) for number in range(len(sources))]


def key_of_last(sources, root):
    """The same for the last of these cells alone."""
    pins = [root / name for name in ("requirements.txt", "constraints.txt")]
    digest = hashlib.sha256()
    for path in filter(Path.is_file, pins):
        digest.update(" ".join(re.sub(r"#.*", "", path.read_text(encoding="utf-8")).split()).encode())
    cells = [_as_python(source) for source in sources]
    shows_source = False
    for source in cells:
        shows_source = shows_source or "getsource" in source
        digest.update(source.encode() if shows_source else _canonical_source(source).encode())
    for path, names in sorted(files_used(cells, root).items()):
        names = None if names is None else frozenset(names)
        content = _content(path, path.stat().st_mtime_ns, names, shows_source)
        digest.update(f"{path.relative_to(root).as_posix()} {content}".encode())
    return digest.hexdigest()[:12]


@functools.lru_cache(2000)
def _as_python(source):
    return TransformerManager().transform_cell(source) + "\n"


@functools.lru_cache(2000)
def _canonical_source(source):
    return canonical(ast.parse(source))


@functools.lru_cache(1000)  # a file that is written anew has another time
def _content(path, modified, names, with_layout):
    """The meaning, or the text, of what a module holds for these of its names; of another file, all of it."""
    if path.suffix != ".py":
        return hashlib.sha256(path.read_bytes()).hexdigest()
    needed = _needed(_statements(path, modified), names)
    if with_layout:
        return "\n".join(statement.layout for statement in needed)
    return f"Module(body=[{', '.join(statement.meaning for statement in needed)}])"


@dataclasses.dataclass(frozen=True)
class Statement:
    """What stands at the top of a module, less imports and the list of public names."""

    defines: str | None  # its name, where it does nothing until it is used
    loads: frozenset  # names
    meaning: str  # its syntax tree
    layout: str  # its lines, less docstrings


@functools.lru_cache(1000)
def _statements(path, modified):
    text = path.read_text(encoding="utf-8")
    tree, lines, found = ast.parse(text), text.splitlines(), []
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    last = {node.name: node for node in tree.body if isinstance(node, kinds)}
    for node in tree.body:
        is_list = isinstance(node, ast.Assign) and ast.unparse(node.targets) == "__all__"
        if is_list or isinstance(node, (ast.Import, ast.ImportFrom)) or node is _docstring(tree):
            continue
        # A decorator runs on import; it may register what it decorates. So does what a later definition replaces.
        waits = node in last.values() and not node.decorator_list
        defines = node.name if waits else None
        loads = frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
        hidden = {i for part in ast.walk(node) if (d := _docstring(part)) for i in range(d.lineno, d.end_lineno + 1)}
        shown = [i for i in range(node.lineno, node.end_lineno + 1) if i not in hidden]
        layout = "\n".join(lines[i - 1] for i in shown)
        found.append(Statement(defines, loads, canonical(_bare(node)), layout))
    return found


def _needed(statements, names):
    """Those that these names need: definitions that they lead to, and what runs on import."""
    definitions = {statement.defines: statement for statement in statements if statement.defines}
    waiting = list(definitions if names is None else names)
    waiting += [name for statement in statements if not statement.defines for name in statement.loads]
    reached = set()
    while waiting:
        name = waiting.pop()
        if name in definitions and name not in reached:
            reached.add(name)
            waiting += definitions[name].loads
    return [statement for statement in statements if not statement.defines or statement.defines in reached]


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
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
        # Shown to who makes the mistake; the notebooks show what passes, and a checker's answer to nothing at all.
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Mistake" and len(node.args) > 1:
            node.args[1] = ast.Constant("")
    return tree


def _docstring(node):
    """The statement that is the docstring of a module, a class or a function."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    first = node.body[0] if isinstance(node, kinds) and node.body else None
    value = getattr(first, "value", None) if isinstance(first, ast.Expr) else None
    return first if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def files_used(cells, root):
    """The modules of ``root`` that a notebook's cells use, those that they use, and the results that they read.

    A dict from paths to the names that are used, or None where it can be any.
    """
    files = {}
    modules = tuple((path, path.stat().st_mtime_ns) for path in [*root.glob("*.py"), *root.glob("*/*.py")])
    for module, name in set(_imported(map(_used, cells))):
        for path, names in _reached(root, module, name, modules).items():
            known = files.get(path, set())
            files[path] = None if names is None or known is None else known | names
    named = set().union(*map(_quoted, cells), *(_quoted_in(path, path.stat().st_mtime_ns) for path in files))
    for package in {module.parent for module in files} - {root}:
        results = list(package.glob("results/*"))
        read = [path for path in results if path.stem in named]  # where none is named, all are read
        files |= dict.fromkeys(read or results)
    return files


@functools.lru_cache(2000)
def _quoted(text):
    """The words in quotation marks, a file's without its ending."""
    return set(re.findall(r"[\"'](\w+)(?:\.\w+)?[\"']", text))


@functools.lru_cache(1000)
def _quoted_in(path, modified):
    return _quoted(path.read_text(encoding="utf-8"))


@functools.lru_cache(2000)
def _used(source):
    """Of a piece of code: its imports; how often it has each name; of `name.attribute`, how often it has which."""
    nodes = list(ast.walk(ast.parse(source)))
    imports = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    loaded = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    of_names = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    return imports, loaded, Counter((node.value.id, node.attr) for node in of_names)


def _imported(pieces, package="", re_exports=False):
    """Pairs of a module and a name of it that is used, in what ``_used`` gave; the name is None where it can be any."""
    imports, loaded, attributes = [], Counter(), {}
    for own_imports, own_names, own_attributes in pieces:
        imports += own_imports
        loaded.update(own_names)
        for (name, attribute), count in own_attributes.items():
            attributes.setdefault(name, Counter())[attribute] += count
    for node in imports:
        for alias in node.names:
            here = alias.asname or alias.name
            if isinstance(node, ast.Import):
                known = attributes.get(here, Counter())
                if "." in here or loaded[here] != known.total():
                    yield alias.name, None
                yield from ((alias.name, attribute) for attribute in known)
            elif alias.name == "*" or re_exports or here in loaded:
                module = ".".join(filter(None, [package if node.level else "", node.module]))
                yield module, None if alias.name == "*" else alias.name


@functools.lru_cache(10_000)
def _reached(root, module, name, modules):
    """The files that one name of a module leads to, as long as ``modules`` have these times."""
    files = {}
    _follow(root, module, name, files)
    return files


def _follow(root, module, name, files):
    """Add the file of a module and of all that it uses; of a package that re-exports names, what one name leads to."""
    path = root.joinpath(*module.split("."))
    if path.with_suffix(".py").is_file():
        path, package = path.with_suffix(".py"), module.rpartition(".")[0]
    elif (path / "__init__.py").is_file():
        path, package = path / "__init__.py", module
    else:
        return  # installed from elsewhere; the pins stand for it
    leads = _leads(path, path.stat().st_mtime_ns, package)
    if path.name == "__init__.py" and name is not None:
        if (path.parent / f"{name}.py").is_file():
            return _follow(root, f"{module}.{name}", None, files)
        if any(n == name for _, n in leads):
            leads = [(m, n) for m, n in leads if n == name]
            return [_follow(root, *lead, files) for lead in leads] and None  # it only passes the name on
    known = path in files
    files[path] = None if name is None or files.get(path, set()) is None else {*files.get(path, ()), name}
    if not known:
        for lead in leads:
            _follow(root, *lead, files)


@functools.lru_cache(1000)
def _leads(path, modified, package):
    used = _used(path.read_text(encoding="utf-8"))
    return list(_imported([used], package, re_exports=path.name == "__init__.py"))
