"""A notebook of the book as a reader opens it: nothing raw, nothing given away, what only draws is folded."""

import copy
import html
import itertools
import json
import re
from urllib.parse import parse_qsl

import nbformat

from website.edition import references
from website.edition.answers import COMMENT, FOLD, measured_words, parsed

SECOND_READING = "Second reading."  # in italics, at the beginning of a section
CAME_OUT = "What comes out: choose first, and run the cells"
PREDICTION = "> **Predict.**"
LINK = re.compile(r'<a href="#([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)  # to an explorer of the same page, in some state
HOW = (
    "*Pictures become live, and calls in brackets work, when the cells above them have run. Shift+Enter runs a cell;* "
    "Run All Cells *in the menu* Run *runs all of them, solutions included.*"
)
MODULES = """\
# The book's modules
import importlib.util

if not importlib.util.find_spec("attention_core"):
    {otherwise}"""
MISSING = """raise ModuleNotFoundError(
        "this notebook needs the book's modules: run `pip install .` in a copy of the book, or open it with `make lab`"
    )"""


def edition(nb, *, otherwise=None, costs="", install=()):
    """The edition of a source notebook. ``otherwise`` replaces words of markdown cells, by id (see ``otherwise.py``).
    ``costs`` is a sentence after the line with the reading time. ``install`` are what pip must install where the book's
    modules are missing.

    Raises ``ValueError`` if a cell does not have the words to replace.
    """
    cells, cited, spoilt = [], [], set()
    is_asked = has_shown = False  # a prediction; its answer
    for number, cell in enumerate(nb.cells):
        if cell.cell_type == "markdown":
            text = cell.source
            for before, after in (otherwise or {}).get(cell.id, ()):
                if before not in text:
                    raise ValueError(f"otherwise names words that cell {cell.id} does not have: {before}")
                text = text.replace(before, after)
            spoilt |= {parsed(answer)["measured"]["cell"] for answer in COMMENT.findall(text) if "measured:" in answer}
            text = with_folded_answers(text, nb.cells, until_it_shows(nb.cells[number + 1 :]))
            text = LINK.sub(with_call, text)
            text = re.sub(r"^Time: .*", lambda time: f"{time[0]} {costs}".rstrip(), text, flags=re.MULTILINE)
            text, keys = references.with_labels(text)
            cited += keys
            for part in split(text, cell.id):
                is_asked &= not part.source.startswith("#")
                part.source = with_folded_findings(part.source, is_asked)
                is_asked, has_shown = PREDICTION in part.source or (is_asked and not has_shown), False
                cells.append(part)
        elif cell.cell_type == "code":
            cells.append(folded(cell))
            if is_asked or cell.id in spoilt:
                has_shown = bool(cell.outputs)
                cells[-1].outputs, cells[-1].execution_count = [], None
    if any(cell.cell_type == "code" for cell in cells):
        cells[0].source += f"\n\n{HOW}"
        cells.insert(1, modules_cell(install))
    if cited:
        text = f"## {references.TITLE}\n\n{references.listed(cited)}"
        cells.append(markdown_cell(text, "references"))
    return nbformat.v4.new_notebook(cells=cells, metadata=copy.deepcopy(nb.metadata))


# Answers


def until_it_shows(cells):
    """How many of the code cells before the next text must run until one of them shows something; 1 if none does."""
    following = list(itertools.takewhile(lambda cell: cell.cell_type == "code", cells))
    return next((number for number, cell in enumerate(following, 1) if cell.outputs), 1)


def with_folded_answers(text, cells, count):
    """``text`` with each answer, which is in a comment, in a fold after its question; ``count`` cells show it."""
    while match := COMMENT.search(text):
        question, rest = text[: match.start()], text[match.end() :]
        answer = parsed(match[1])
        solution = ""
        if rest.startswith(FOLD):
            solution, _, rest = rest.removeprefix(FOLD).partition("</details>")
        fold = fold_of(question, answer, solution.strip(), cells, count)
        text = "\n\n".join(filter(None, [question.rstrip(), fold, rest.strip()]))
    return text


def fold_of(question, answer, solution, cells, count):
    is_prediction = question.rfind(PREDICTION) > question.rfind("> **Quiz.**")
    box = question[question.rfind("\n\n", 0, question.rfind("> **")) + 1 :]
    choices = [line.removeprefix("> - ").strip() for line in box.splitlines() if line.startswith("> - ")]
    words, number = measured_words(answer["measured"], cells) if "measured" in answer else ("", None)
    right = answer["right"]
    if isinstance(right, dict):
        rights = f"{number:g} {right.get('unit', '')}".strip()
    else:
        rights = " and ".join(f"“{choices[i - 1]}”" for i in (right if isinstance(right, list) else [right]))
    replies = [f"- *{choices[i - 1]}*: {plain(answer[i])}" for i in range(1, len(choices) + 1) if i in answer]
    measured = f"**Measured:** {plain(words)}" if words else ""
    parts = [f"**Right:** {rights}.", measured, "\n".join(replies), plain(answer["because"]), solution]
    run = "run the next cell" if count == 1 else f"run the next {count} cells"
    title = f"Answer: choose first, then {run}" if is_prediction else "Answer"
    return "\n\n".join([f"<details><summary>{title}</summary>", *filter(None, parts), "</details>"])


def with_folded_findings(text, is_asked):
    """``text`` with what gives the answer of a prediction away in a fold: what follows its box, or, where the cell
    before asked it, all up to the next box."""
    before, prediction, question = text.rpartition(PREDICTION)
    if not prediction:
        return finding(text) if is_asked else text
    question, end, after = question.partition("</details>")
    box = prediction + question + end
    return "\n\n".join(filter(None, [finding(before) if is_asked else before.strip(), box.strip(), finding(after)]))


def finding(text):
    return f"<details><summary>{CAME_OUT}</summary>\n\n{text.strip()}\n\n</details>" if text.strip() else ""


def plain(text):
    """Words in which no character means anything to markdown."""
    return re.sub(r"([\\*_`$\[\]<])", r"\\\1", text)


# Links


def with_call(link):
    """The text of a link that sets an explorer, with what a reader of a notebook types instead."""
    name, *pairs = html.unescape(link[1]).split("&")
    is_machine = name == "machine"
    values = [f"{key}={literal(value, is_machine)}" for key, value in parse_qsl("&".join(pairs))]
    call = f"{name}{'' if is_machine else '.at'}({', '.join(values)})"
    return f"{link[2]} (`{call}`)" if values else link[2]


def literal(value, is_machine):
    """A value of a link in Python. The machine takes rows of numbers, and adds those of zeros at their end."""
    if value in ("True", "False") or re.fullmatch(r"-?\d+(\.\d+)?", value):
        return value
    if is_machine and ";" in value:
        rows = [row.split() for row in re.sub("(; 0( 0)*)+$", "", value).split(";")]
        return f"[{', '.join('[' + ', '.join(row) + ']' for row in rows)}]"
    return json.dumps(value, ensure_ascii=False)


# Cells


def split(text, ident):
    """Markdown cells, each of which begins with its heading: only there can JupyterLab close a section."""
    parts, is_code = [[]], False
    for line in text.splitlines():
        is_code ^= line.lstrip().startswith("```")
        if not is_code and re.match(r"#{1,6} ", line) and any(parts[-1]):
            parts.append([])
        parts[-1].append(line)
    texts = ["\n".join(lines).strip() for lines in parts]
    cells = []
    for part in texts:
        heading, _, rest = part.partition("\n\n")
        marked, _, rest = rest.partition("\n\n")
        if heading.startswith("#") and marked.startswith(f"*{SECOND_READING}*"):
            cells.append((f"{heading}\n\n{marked}", {"jp-MarkdownHeadingCollapsed": True}))
            cells += [(rest, {})] if rest.strip() else []
        else:
            cells.append((part, {}))
    return [
        markdown_cell(part, ident if number == 1 else f"{ident}-{number}", metadata)
        for number, (part, metadata) in enumerate(cells, 1)
    ]


def folded(cell):
    """The code cell, with what the site folds or leaves out folded, too; its first line says what is in it."""
    tags = set(cell.metadata.get("tags", []))
    made = code_cell(cell.source, cell.id)
    made.outputs, made.execution_count = copy.deepcopy(cell.outputs), cell.execution_count
    if tags & {"hide-cell", "hide-input", "remove-input"}:
        title = cell.metadata.get("mystnb", {}).get("code_prompt_show", "Code of the picture")
        made.source = f"# {title}\n{cell.source}"
        made.metadata.jupyter = {"source_hidden": True}
    if "hide-cell" in tags:  # JupyterLab would show the beginning of an output that it hides
        made.outputs, made.execution_count = [], None
    if tags & {"hide-cell", "hide-output"}:
        made.metadata.setdefault("jupyter", {})["outputs_hidden"] = True
    return made


def modules_cell(install):
    otherwise = "\n    ".join(f"%pip install -q {what}" for what in install) or MISSING
    made = code_cell(MODULES.format(otherwise=otherwise), "the-books-modules")
    made.metadata.jupyter = {"source_hidden": True}
    return made


# nbformat's own functions check each cell against a schema: half of the time that the edition takes. A test checks it.


def markdown_cell(text, ident, metadata=None):
    return nbformat.from_dict({"cell_type": "markdown", "id": ident, "metadata": metadata or {}, "source": text})


def code_cell(source, ident):
    about = {"cell_type": "code", "id": ident, "metadata": {}, "source": source}
    return nbformat.from_dict(about | {"outputs": [], "execution_count": None})
