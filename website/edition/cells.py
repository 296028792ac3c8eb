"""A notebook of the book as a reader opens it: nothing raw, nothing given away, what only draws is folded.

The cells of a source are found by their ids, so the same cells can be given other words, for example in translation.
"""

import ast
import copy
import html
import json
import re
from urllib.parse import parse_qsl, unquote_plus

import nbformat

from website.edition import references
from website.edition.answers import COMMENT, FOLD, measured_words, parsed

SECOND_READING = "*Second reading.*"
ON_THE_SITE = "on the website"
LINK = re.compile(r'<a href="#([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)  # to an explorer of the same page, in some state
LONGEST_CALL = 170  # characters; a longer one says less than the name of the place where a click is enough
MARKS = re.compile(r" *<!-- (?:held|found)\b.*?-->", re.DOTALL)  # for the rules of prose, for the search
MODULES = """\
# The book's modules
import importlib.util

if not importlib.util.find_spec("attention_core"):
    {otherwise}"""
MISSING = """raise ModuleNotFoundError(
        "this notebook needs the book's modules: run `pip install .` in a copy of the book, or open it with `make lab`"
    )"""


def edition(nb, *, words=None, costs="", install=()):
    """The edition of a source notebook. ``words`` replaces the text of markdown cells, by id. ``costs`` is a sentence
    after the line with the reading time. ``install`` are what pip must install where the book's modules are missing.

    Raises ``ValueError`` if ``words`` names a cell that the notebook does not have.
    """
    words = words or {}
    if unknown := set(words) - {cell.id for cell in nb.cells if cell.cell_type == "markdown"}:
        raise ValueError(f"words must name markdown cells of the notebook, got {', '.join(sorted(unknown))}")
    functions = {name: cell.id for cell in nb.cells if cell.cell_type == "code" for name in functions_in(cell.source)}
    cells, cited, spoilt, asked = [], [], set(), False
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            text = words.get(cell.id, cell.source)
            asked = "> **Predict.**" in text
            spoilt |= {parsed(answer)["measured"]["cell"] for answer in COMMENT.findall(text) if "measured:" in answer}
            text = MARKS.sub("", with_folded_answers(text, nb.cells))
            text = LINK.sub(lambda link: with_call(link, functions), text)
            text = re.sub(r"^Time: .*", lambda time: f"{time[0]} {costs}".rstrip(), text, flags=re.MULTILINE)
            text, keys = references.with_labels(text)
            cited += keys
            cells += split(text, cell.id)
        elif cell.cell_type == "code":
            cells.append(folded(cell))
            if asked or cell.id in spoilt:
                cells[-1].outputs, cells[-1].execution_count = [], None
    if any(cell.cell_type == "code" for cell in cells):
        cells.insert(1, modules_cell(install))
    if cited:
        text = f"## {references.TITLE}\n\n{references.listed(cited)}"
        cells.append(nbformat.v4.new_markdown_cell(text, id="references"))
    made = nbformat.v4.new_notebook(cells=cells, metadata=copy.deepcopy(nb.metadata))
    return made


def functions_in(source):
    """The names of the explorers that a cell makes, and of the functions that it imports."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.FunctionDef) and statement.decorator_list:
            yield statement.name
        elif isinstance(statement, ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in statement.names)


# Answers


def with_folded_answers(text, cells):
    """``text`` with each answer, which is in a comment, in a fold after its question."""
    while match := COMMENT.search(text):
        question, rest = text[: match.start()], text[match.end() :]
        answer = parsed(match[1])
        solution = ""
        if rest.startswith(FOLD):
            solution, _, rest = rest.removeprefix(FOLD).partition("</details>")
        fold = "" if "open" in answer else fold_of(question, answer, solution.strip(), cells)
        text = "\n\n".join(filter(None, [question.rstrip(), fold, rest.strip()]))
    return text


def fold_of(question, answer, solution, cells):
    is_prediction = question.rfind("> **Predict.**") > question.rfind("> **Quiz.**")
    box = question[question.rfind("\n\n", 0, question.rfind("> **")) + 1 :]
    choices = [line.removeprefix("> - ").strip() for line in box.splitlines() if line.startswith("> - ")]
    words, number = measured_words(answer["measured"], cells) if "measured" in answer else ("", None)
    right = answer["right"]
    if isinstance(right, dict):
        rights = f"{right.get('is', number):g} {right.get('unit', '')}".strip()
    else:
        rights = " and ".join(f"“{choices[i - 1]}”" for i in (right if isinstance(right, list) else [right]))
    replies = [f"- *{choices[i - 1]}*: {plain(answer[i])}" for i in range(1, len(choices) + 1) if i in answer]
    parts = [f"**Right:** {rights}."]
    parts += [f"**Measured:** {plain(words)}"] if words else []
    parts += ["\n".join(replies)] if replies else []
    parts += [plain(answer["because"])] if "because" in answer else []
    parts += [solution] if solution else []
    title = "Answer: choose first, then run the next cell" if is_prediction else "Answer"
    return "\n\n".join([f"<details><summary>{title}</summary>", *parts, "</details>"])


def plain(text):
    """Words in which no character means anything to markdown."""
    return re.sub(r"([\\*_`$\[\]<])", r"\\\1", text)


# Links


def with_call(link, functions):
    """The text of a link that sets an explorer, with what a reader of a notebook types instead."""
    name, *pairs = html.unescape(link[1]).split("&")
    is_machine = name == "machine"
    values = [f"{key}={literal(value, is_machine)}" for key, value in parse_qsl("&".join(pairs))]
    call = f"{unquote_plus(name)}{'' if is_machine else '.at'}({', '.join(values)})"
    if name in functions and not values:
        return f"[{link[2]}](#cell-id={functions[name]})"
    if name not in functions or len(call) > LONGEST_CALL:
        return f"{link[2]} (*{ON_THE_SITE}*)"
    return f"{link[2]} (`{call}`)"


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
        if heading.startswith("#") and marked.startswith(SECOND_READING):
            cells.append((f"{heading}\n\n{marked}", {"jp-MarkdownHeadingCollapsed": True}))
            cells += [(rest, {})] if rest.strip() else []
        else:
            cells.append((part, {}))
    return [
        nbformat.v4.new_markdown_cell(part, id=ident if number == 1 else f"{ident}-{number}", metadata=metadata)
        for number, (part, metadata) in enumerate(cells, 1)
    ]


def folded(cell):
    """The code cell, with what the site folds or leaves out folded, too; its first line says what is in it."""
    tags, title = cell.metadata.get("tags", []), cell.metadata.get("mystnb", {}).get("code_prompt_show")
    only_imports = all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.parse(cell.source).body)
    is_solution, no_code = "hide-cell" in tags, {"hide-input", "remove-input"} & set(tags)
    made = nbformat.v4.new_code_cell(cell.source, id=cell.id, outputs=copy.deepcopy(cell.outputs))
    made.execution_count = cell.execution_count
    if is_solution or no_code or only_imports:
        title = title or ("Imports" if only_imports else None)
        if title and not cell.source.startswith(f"# {title}\n"):
            made.source = f"# {title}\n{cell.source}"
        made.metadata.jupyter = {"source_hidden": True}
    if is_solution or "hide-output" in tags:
        made.metadata.setdefault("jupyter", {})["outputs_hidden"] = True
    return made


def modules_cell(install):
    otherwise = "\n    ".join(f"%pip install -q {what}" for what in install) or MISSING
    return nbformat.v4.new_code_cell(
        MODULES.format(otherwise=otherwise), id="the-books-modules", metadata={"jupyter": {"source_hidden": True}}
    )
