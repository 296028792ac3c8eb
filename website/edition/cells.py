"""A notebook of the book as a reader opens it: nothing raw, nothing given away, what only draws is folded."""

import copy
import html
import json
import platform
import re
from urllib.parse import parse_qsl

import nbformat

from languages import mark, say, say_list, say_number
from website.edition import references
from website.grammar import ANSWER, FOLD, PREDICT, QUIZ, SECOND_READING, say_marks
from website.grammar.answers import COMMENT, measured_words, parsed
from website.notes import NOTE, in_notebook

LINK = re.compile(r'<a href="#([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)  # to an explorer of the same page, in some state
HOW = mark(
    "*Pictures become live, and calls in brackets work, when the cells above them have run. Shift+Enter runs a cell;* "
    "Run All Cells *in the menu* Run *runs all of them, solutions included.*"
)
# As a kernel describes itself: JupyterLab would write what is different, and count the notebook as changed.
PYTHON = {"name": "python", "version": platform.python_version(), "mimetype": "text/x-python", "file_extension": ".py"}
PYTHON |= {"codemirror_mode": {"name": "ipython", "version": 3}, "pygments_lexer": "ipython3"}
PYTHON |= {"nbconvert_exporter": "python"}
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
METADATA = {"kernelspec": KERNEL, "language_info": PYTHON}
MODULES = """\
# {title}
import importlib.util

if not importlib.util.find_spec("attention_core"):
    {installs}"""
BY_HAND = mark(
    "*The code needs the book's modules.* `make lab` *has them; elsewhere,* `pip install .` *in a copy of the book "
    "installs them.*"
)


def edition(nb, *, install=(), home="", solutions=True):
    """The edition of a source notebook. ``install`` are what pip must install where the book's modules are missing; if
    it is empty, a sentence says how to install them. ``home`` is where the title page is. Without ``solutions``, those
    of exercises are left out.
    """
    cells, cited, asked, spoilt, notes = [], [], set(), set(), {}
    is_finding = False  # whether the next text says what an emptied output showed
    for number, cell in enumerate(nb.cells):
        if cell.cell_type == "markdown":
            text = cell.source
            following = nb.cells[number + 1 :]
            for answer, is_asked_first, rest in answers_in(text):
                shows = cells_that_show(answer, rest, following) if is_asked_first else []
                asked |= {cell.id for cell in shows}
                spoilt |= {answer["measured"]["cell"]} if "measured" in answer else set()
            if is_finding:
                text, is_finding = with_folded_finding(text)
            text = with_folded_answers(text, nb.cells, following)
            text = in_notebook(LINK.sub(with_call, text), notes)
            text, keys = references.with_labels(say_marks(text))
            cited += keys
            cells += split(text, cell.id)
        elif cell.cell_type == "code" and (solutions or not is_solution(cell)):
            cells.append(folded(cell))
            if cell.id in asked | spoilt:
                is_finding |= cell.id in asked and bool(cell.outputs)
                cells[-1].outputs, cells[-1].execution_count = [], None
    if any(cell.cell_type == "code" for cell in cells):
        cells[0].source += f"\n\n{say(HOW)}"
        if home:
            cells[0].source += " " + say("[The title page]({home}) *lists all notebooks.*", home=home)
        if install:
            cells.insert(1, modules_cell(install))
        else:
            cells[0].source += f"\n\n{say(BY_HAND)}"
    if cited:
        text = f"## {references.title()}\n\n{references.listed(cited)}"
        cells.append(markdown_cell(text, "references"))
    return nbformat.v4.new_notebook(cells=cells, metadata=METADATA)


# Answers


def answers_in(text):
    """Each answer in a text, whether its question is a prediction, and the text behind it."""
    for found in COMMENT.finditer(text):
        question = text[: found.start()]
        is_prediction = question.rfind(f"> **{PREDICT}**") > question.rfind(f"> **{QUIZ}**")
        yield parsed(found[1]), is_prediction, text[found.end() :]


def cells_that_show(answer, rest, following):
    """The code cells to run before the answer to a prediction is in sight: up to the one with the measured number, and
    those right behind it, which draw it. If nothing is measured, the first with an output counts, but where words come
    before it, they are the answer.
    """
    measured, last = answer.get("measured", {}).get("cell"), 0
    if rest and not measured:
        return []
    for number, cell in enumerate(following, 1):
        is_code = cell.cell_type == "code"
        if not is_code and (last or not measured):
            break
        if is_code and cell.outputs and (last or measured in (None, cell.id)):
            last = number
    return [cell for cell in following[:last] if cell.cell_type == "code"]


def with_folded_answers(text, cells, following):
    """``text`` with each answer, which is in a comment, in a fold after its question; ``following`` cells show it."""
    while match := COMMENT.search(text):
        question = text[: match.start()]
        answer, is_asked_first, rest = next(answers_in(text))
        solution = ""
        if rest.startswith(FOLD):
            solution, _, rest = rest.removeprefix(FOLD).partition("</details>")
        title = say(ANSWER)
        if is_asked_first:
            shows = cells_that_show(answer, rest, following)
            title = what_to_do(shows)
            rest = rest if shows else with_folded_finding(rest)[0]
        fold = fold_of(title, question, answer, solution.strip(), cells)
        text = "\n\n".join(filter(None, [question.rstrip(), fold, rest.strip()]))
    return text


def what_to_do(cells):
    """The title of the fold with the answer to a prediction, which these cells show."""
    if not cells:
        return say("Answer: choose first")
    title = html.escape(folded(cells[-1]).source.splitlines()[0].removeprefix("# "), quote=False)
    return say_number(
        "Answer: choose first, then run the next cell",
        "Answer: choose first, then run the next {n} cells, up to “{title}”",
        len(cells),
        title=title,
    )


def fold_of(title, question, answer, solution, cells):
    box = question[question.rfind("\n\n", 0, question.rfind("> **")) + 1 :]
    choices = [line.removeprefix("> - ").strip() for line in box.splitlines() if line.startswith("> - ")]
    words, number = measured_words(answer["measured"], cells) if "measured" in answer else ("", None)
    right = answer["right"]
    if isinstance(right, dict):
        rights = f"{number:g} {right.get('unit', '')}".strip()
    else:
        right = right if isinstance(right, list) else [right]
        rights = say_list([say("“{words}”", words=choices[i - 1]) for i in right])
    named = ((choice, plain(answer[i])) for i, choice in enumerate(choices, 1) if i in answer)
    replies = [f"- {say('*{choice}*: {words}', choice=choice, words=words)}" for choice, words in named]
    measured = say("**Measured:** {words}", words=plain(words)) if words else ""
    if solution:  # it says what is right, and why
        parts = [solution, "\n".join(replies)]
    else:
        parts = [say("**Right:** {rights}.", rights=rights), measured, "\n".join(replies), plain(answer["because"])]
    return "\n\n".join([f"<details><summary>{title}</summary>", *filter(None, parts), "</details>"])


def with_folded_finding(text):
    """``text`` with what came out, its first paragraph, in a fold, and whether the next text has to say it: a paragraph
    that leads to what follows (it ends with a colon), or is more than words, stays open.
    """
    first, _, rest = text.strip().partition("\n\n")
    if re.match(r"#|>|[-*] |\d+\. |\||```|<|\$\$|!\[", first):
        return text, False
    while NOTE.match(rest):  # of this paragraph
        note, _, rest = rest.partition("\n\n")
        first += f"\n\n{note}"
    if first.endswith((":", "?", "：", "？")):
        return text, True
    return "\n\n".join(
        filter(None, [f"<details><summary>{came_out()}</summary>\n\n{first}\n\n</details>", rest])
    ), False


def came_out():
    return say("What comes out: choose first, and run the cells")


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
        if heading.startswith("#") and marked.startswith(f"*{say(SECOND_READING)}*"):
            cells.append((f"{heading}\n\n{marked}", {"jp-MarkdownHeadingCollapsed": True}))
            cells += [(rest, {})] if rest.strip() else []
        else:
            cells.append((part, {}))
    return [
        markdown_cell(part, ident if number == 1 else f"{ident}-{number}", metadata)
        for number, (part, metadata) in enumerate(cells, 1)
    ]


def is_solution(cell):
    return "hide-cell" in cell.metadata.get("tags", [])


def folded(cell):
    """The code cell, with what the site folds or leaves out folded, too; its first line says what is in it."""
    tags = set(cell.metadata.get("tags", []))
    made = code_cell(cell.source, cell.id)
    made.outputs, made.execution_count = copy.deepcopy(cell.outputs), cell.execution_count
    if tags & {"hide-cell", "hide-input", "remove-input"}:
        title = title_of(cell)
        made.source = f"# {title}\n{cell.source}"
        made.metadata.jupyter = {"source_hidden": True}
    if is_solution(cell):  # JupyterLab would show the beginning of an output that it hides
        made.outputs, made.execution_count = [], None
    if tags & {"hide-cell", "hide-output"}:
        made.metadata.setdefault("jupyter", {})["outputs_hidden"] = True
    return made


def title_of(cell):
    """What a page shows in place of the cell's code."""
    return cell.metadata.get("mystnb", {}).get("code_prompt_show") or say("Code of the picture")


def modules_cell(install):
    installs = "\n    ".join(f"%pip install -q {what}" for what in install)
    made = code_cell(MODULES.format(title=say("The book's modules"), installs=installs), "the-books-modules")
    made.metadata.jupyter = {"source_hidden": True}
    return made


# nbformat's own functions check each cell against a schema: half of the time that the edition takes. A test checks it.


def markdown_cell(text, ident, metadata=None):
    return nbformat.from_dict({"cell_type": "markdown", "id": ident, "metadata": metadata or {}, "source": text})


def code_cell(source, ident):
    about = {"cell_type": "code", "id": ident, "metadata": {}, "source": source}
    return nbformat.from_dict(about | {"outputs": [], "execution_count": None})
