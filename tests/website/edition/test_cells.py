"""What a reader opens: the same code as on the site, no markup that only the site understands, no answer in sight."""

import ast
import html
import posixpath
import re
import runpy
import sys
from itertools import zip_longest

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from conftest import sample
from website.edition import costs
from website.edition.cells import came_out, edition
from website.edition.pages import edition_of_book, name_of
from website.grammar.answers import COMMENT, measured_words, parsed
from website.notebooks.run import code_cells
from website.places import chapters, notebooks, read
from website.reading.second_reading import MARK

PREDICTION = """## Sizes

> **Predict.** How large is $x$?
>
> - 1
> - 64

<!-- answer
right: 2
1: It has no square_root.
because: Everything adds up.
measured: {cell: number, find: 'size (\\d+)', say: 'the size is {1}.'}
-->"""
QUIZ = """> **Quiz.** How many bits?

<!-- answer
right: {unit: bits, within: 10%}
because: Two to the sixth.
measured: {cell: bits, find: '(\\d+) bits'}
-->

<details><summary>Answer</summary>

Six: $2^6 = 64$.

</details>

After it."""


def code(source, ident, *, tags=(), title=None, printed=""):
    cell = new_code_cell(source, id=ident, metadata={"tags": list(tags)})
    if title:
        cell.metadata["mystnb"] = {"code_prompt_show": title}
    cell.outputs = [new_output("stream", text=printed)] if printed else []
    return cell


def opened(*cells, **options):
    """The edition's cells of a notebook with these cells, by id."""
    nb = new_notebook(cells=[new_markdown_cell("# Title", id="title"), *cells])
    return {cell.id: cell for cell in edition(nb, **options).cells}


def test_an_answer_is_in_a_fold_and_what_gives_it_away_is_not_stored():
    shown = opened(
        new_markdown_cell(PREDICTION, id="question"),
        code("print('size 64')", "number", printed="size 64"),
        code("draw()", "picture", printed="drawn"),
        new_markdown_cell("So it is 64.", id="after"),
        new_markdown_cell("More words.", id="next"),
        code("print(1)", "later", printed="1"),
    )
    text = shown["question"].source
    assert "<!--" not in text
    fold = text.partition("<details>")[2]
    assert "**Right:** “64”." in fold
    assert "**Measured:** the size is 64." in fold
    assert "- *1*: It has no square\\_root." in fold
    assert "Everything adds up." in fold
    assert [len(shown[name].outputs) for name in ("number", "picture", "later")] == [0, 0, 1]
    assert shown["after"].source == f"<details><summary>{came_out()}</summary>\n\nSo it is 64.\n\n</details>"
    assert shown["next"].source == "More words."


def test_text_after_a_prediction_in_the_same_cell_is_folded_up_to_a_heading():
    text = f"{PREDICTION}\n\nSo it is 64.\n\n## The next subject\n\nWords."
    shown = opened(code("print('size 64')", "number", printed="size 64"), new_markdown_cell(text, id="question"))
    assert shown["question"].source.endswith(f"<details><summary>{came_out()}</summary>\n\nSo it is 64.\n\n</details>")
    assert shown["question-2"].source == "## The next subject\n\nWords."


def test_text_before_the_next_prediction_is_folded_too():
    first, second = (new_markdown_cell(PREDICTION, id=name) for name in ("first", "second"))
    second.source = second.source.replace("## Sizes", "So it is 64.")
    shown = opened(first, code("print('size 64')", "number", printed="size 64"), second)
    fold = f"<details><summary>{came_out()}</summary>\n\nSo it is 64.\n\n</details>"
    assert shown["second"].source.startswith(f"{fold}\n\n> **Predict.**")
    assert shown["first"].source.startswith("## Sizes\n\n> **Predict.**")


def test_a_prediction_says_which_cells_to_run_and_none_of_them_shows_anything():
    number = code("6 > 4", "number", tags=["hide-input"], title="Code: the size", printed="size 64")
    for before, said in [(0, "run the next cell"), (2, "run the next 3 cells, up to “Code: the size”")]:
        cells = [code("x = 1", f"before-{i}", printed="early") for i in range(before)]
        shown = opened(new_markdown_cell(PREDICTION, id="q"), *cells, number)
        assert f"<details><summary>Answer: choose first, then {said}</summary>" in shown["q"].source
        assert not any(cell.outputs for cell in shown.values() if cell.cell_type == "code")


def test_the_answer_of_a_quiz_is_its_solution():
    text = opened(code("count()", "bits", printed="6 bits"), new_markdown_cell(QUIZ, id="quiz"))["quiz"].source
    assert text.count("<details>") == text.count("</details>") == 1
    answer = ["<details><summary>Answer</summary>", "Six: $2^6 = 64$.", "</details>"]  # and nothing twice
    assert "\n\n".join([*answer, "After it."]) in text


def test_a_second_reading_is_closed_and_every_heading_begins_a_cell():
    text = "Before.\n\n## One\n\n*Second reading.* About it.\n\nIts text.\n\n```\n# no heading\n```\n\n## Two\n\nMore."
    shown = opened(new_markdown_cell(text, id="a"))
    assert [shown[name].source.split("\n")[0] for name in ("a", "a-2", "a-3", "a-4")] == [
        "Before.",
        "## One",
        "Its text.",
        "## Two",
    ]
    closed = [name for name, cell in shown.items() if cell.metadata.get("jp-MarkdownHeadingCollapsed")]
    assert closed == ["a-2"]


def test_code_that_only_draws_or_imports_and_solutions_are_folded_under_their_title():
    shown = opened(
        code("import math", "imports", tags=["hide-input"], title="Imports"),
        code("draw()", "picture", tags=["hide-input"], title="Code of the picture: one", printed="x"),
        code("# 64 is the answer\nsolve()", "solution", tags=["hide-cell"], title="One solution of 1.1", printed="x"),
        code("teach()", "lesson", printed="x"),
    )
    folds = {name: dict(cell.metadata.get("jupyter", {})) for name, cell in shown.items() if cell.cell_type == "code"}
    hidden = {"source_hidden": True}
    assert folds == {
        "imports": hidden,
        "picture": hidden,
        "solution": hidden | {"outputs_hidden": True},
        "lesson": {},
    }
    assert shown["imports"].source == "# Imports\nimport math"
    assert shown["solution"].source.startswith("# One solution of 1.1\n")
    assert shown["lesson"].source == "teach()"
    assert [len(shown[name].outputs) for name in ("picture", "solution", "lesson")] == [1, 0, 1]


def test_a_link_that_sets_an_explorer_becomes_a_call():
    links = {
        '<a href="#bench&amp;n=2">two</a>': "two (`bench.at(n=2)`)",
        '<a href="#bench">it</a>': "it",
        '<a href="#machine&amp;causal=True&amp;w_q=1+2%3B+0+0">m</a>': "m (`machine(causal=True, w_q=[[1, 2]])`)",
    }
    for link, text in links.items():
        assert opened(new_markdown_cell(link, id="link"))["link"].source == text


def test_citations_are_text_with_a_list_at_the_end():
    shown = opened(new_markdown_cell("An LSTM {cite:p}`hochreiter1997, gers2000`; {cite:t}`elman1990`.", id="a"))
    assert shown["a"].source == (
        "An LSTM [[Hochreiter and Schmidhuber, 1997](#References); [Gers et al., 2000](#References)]; "
        "Elman [[1990](#References)]."
    )
    listed = shown["references"].source
    assert [line.split(" ")[1] for line in listed.splitlines()[2:]] == ["Jeffrey", "Felix", "Sepp"]
    assert "https://doi.org/10.1162/neco.1997.9.8.1735" in listed


def test_what_the_code_takes_is_said_where_it_is_much(monkeypatch):
    monkeypatch.setattr(costs, "costs", lambda: {"a": [44, 0.6], "b": [10, 1.0], "c": [9, 1.55]})
    assert (
        costs.sentence("a") == "All of its code runs for about 40 seconds, and its kernel takes up to 0.6 GB of memory."
    )
    assert costs.sentence("b") == costs.sentence("unknown") == ""
    assert "about 10 seconds" in costs.sentence("c")
    assert "1.6 GB" in costs.sentence("c")


# The book itself


@pytest.fixture(scope="module")
def book():
    return edition_of_book()


@pytest.fixture(scope="module")
def opened_book(book):
    return {name: nbformat.reads(text, as_version=4) for name, text in book.items()}


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_the_code_is_that_of_the_sources(path, opened_book):
    nb = opened_book[name_of(path)]
    nbformat.validate(nb)
    ours, sources = code_cells(nb), code_cells(read(path))
    assert [cell.id for cell in ours] == [cell.id for cell in sources]
    for cell, source in zip(ours, sources, strict=True):
        assert ast.dump(ast.parse(cell.source)) == ast.dump(ast.parse(source.source))


def test_jupyter_saves_an_unchanged_notebook_as_it_is(book, opened_book):
    """Otherwise a student who saves it changes each cell's lines, and git keeps a teacher's later changes out."""
    for name, nb in opened_book.items():
        assert nbformat.writes(nb) + "\n" == book[name]


def test_no_page_has_what_only_the_site_understands(book):
    for name, text in book.items():
        for raw in ("{cite:", "```{", "<!-- answer", 'href=\\"#', 'href="#', "widget-view"):
            assert raw not in text, f"{name} has {raw}"


def test_every_page_is_a_notebook_and_every_link_leads_to_a_page_or_a_cell(opened_book):
    ids = {name: {cell.id for cell in nb.cells} for name, nb in opened_book.items()}
    checked = 0
    for name, nb in opened_book.items():
        for cell in (cell for cell in nb.cells if cell.cell_type == "markdown"):
            for file, fragment in re.findall(r"\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)", cell.source):
                target = posixpath.normpath(posixpath.join(posixpath.dirname(name), file)) if file else name
                assert target in ids, (name, cell.id, file)
                if fragment and fragment != "References":
                    assert fragment.removeprefix("cell-id=") in ids[target], (name, cell.id, fragment)
                checked += 1
    assert checked > 500


def test_no_answer_is_in_sight(opened_book):
    solutions = predictions = readings = 0
    for path in notebooks():
        cells = opened_book[name_of(path)].cells
        for cell, following in zip_longest(cells, cells[1:]):
            readings += f"*{MARK}*" in cell.source and bool(cell.metadata.get("jp-MarkdownHeadingCollapsed"))
            solutions += cell.metadata.get("jupyter") == {"source_hidden": True, "outputs_hidden": True}
            if "Answer: choose first, then run" in cell.source and following.cell_type == "code":
                assert not following.outputs, (path, cell.id)
                predictions += 1
    in_sources = [cell for path in notebooks() for cell in read(path).cells]
    assert solutions == sum("hide-cell" in cell.metadata.get("tags", []) for cell in in_sources)
    assert readings == sum(cell.source.count(f"\n*{MARK}*") for cell in in_sources if cell.cell_type == "markdown")
    assert predictions > 50


def predictions():
    """Each prediction of the sources: its page, its cell, its box, and its answer."""
    for path in notebooks():
        for cell in read(path).cells:
            for found in COMMENT.finditer(cell.source) if cell.cell_type == "markdown" else ():
                box = cell.source[: found.start()].rpartition("\n\n> **")[2]
                if box.startswith("Predict"):
                    yield path, cell, box, parsed(found[1])


def in_sight(cell):
    """The words of a cell that a reader sees before a fold is opened or anything has run."""
    return re.sub(r"<details>.*?</details>", "", cell.source, flags=re.S) if cell.cell_type == "markdown" else ""


def words_of(text):
    return re.findall(r"[^\W_]+", text.lower())


def has(words, run):
    """Whether the words of ``run`` are in ``words``, one behind the other."""
    return any(words[i : i + len(run)] == run for i in range(len(words) - len(run) + 1))


def test_nothing_in_sight_gives_the_answer_of_a_prediction_away_before_its_measured_cell(opened_book):
    spoilt = []
    for path, asked, box, answer in predictions():
        cells = opened_book[name_of(path)].cells
        (first,) = [
            i for i, cell in enumerate(cells) if "Answer: choose first" in cell.source and box[:80] in cell.source
        ]
        fold = cells[first].source.partition("<summary>Answer: choose first")[2]
        measured, sources = answer.get("measured"), read(path).cells
        if measured:
            (last,) = [i for i, cell in enumerate(cells) if cell.id == measured["cell"]]
            run = int((re.match(r", then run the next (\d+) cells, up to", fold) or [0, 1])[1])
            code = [cell for cell in cells[first + 1 :] if cell.cell_type == "code"][:run]
            assert measured["cell"] in [cell.id for cell in code], (asked.id, "the cells to run end too early")
            assert all(cell.cell_type == "code" for cell in cells[last : cells.index(code[-1])]), (asked.id, "too late")
            named = re.match(r".*?up to “(.*?)”</summary>", fold)
            assert run == 1 or html.unescape(named[1]) == code[-1].source.splitlines()[0].removeprefix("# "), asked.id
        else:
            last = first + 1
        behind = cells[first + 1 : last + 1]
        assert not any(cell.get("outputs") for cell in behind), (asked.id, "an output is stored")
        rest = nbformat.v4.new_markdown_cell(fold.partition("</details>")[2])
        seen = "\n".join(map(in_sight, [rest, *behind]))
        right = answer["right"]
        rights = [] if isinstance(right, dict) else [right] if isinstance(right, int) else right
        options = [words_of(line) for line in re.findall(r"^> - (.*)", box, re.M)]
        for own in (options[number - 1] for number in rights):
            length = min(len(own), 6)
            others = [option for option in options if option != own]
            runs = [own[i : i + length] for i in range(len(own) - length + 1)]
            if any(has(words_of(seen), run) and not any(has(option, run) for option in others) for run in runs):
                spoilt.append((path.stem, asked.id, " ".join(own)))
        numbers = r"\d*\.\d+|\d{2,}"
        known = asked.source.partition("<!--")[0] + (measured or {}).get("say", "")
        for number in set(re.findall(numbers, measured_words(measured, sources)[0]) if measured else []):
            if number not in re.findall(numbers, known) and number in re.findall(numbers, seen):
                spoilt.append((path.stem, asked.id, number))
    assert spoilt == []


def test_a_fold_of_what_comes_out_holds_words_and_nothing_that_later_text_needs(opened_book):
    cells = [cell.source for nb in opened_book.values() for cell in nb.cells]
    cells = [re.sub(r"<details><summary>Note .*?</details>", "", cell, flags=re.DOTALL) for cell in cells]
    folds = [fold for cell in cells for fold in re.findall(rf"{came_out()}</summary>(.*?)</details>", cell, re.S)]
    assert len(folds) > 60
    for text in map(str.strip, folds):
        assert not re.search(r"^#|\*\*|\$\$|^> |^[-*] |\n\n|<details", text, re.M), text
        assert not text.endswith(("?", ":")), text


def test_running_all_cells_leaves_what_a_reader_has_answered(opened_book):
    answers = set()
    for name, nb in opened_book.items():
        for cell in code_cells(nb):
            defined = {(name, node.name) for node in ast.parse(cell.source).body if isinstance(node, ast.FunctionDef)}
            assert not defined & answers, cell.id
            answers |= defined if "# your answer" in cell.source else set()
    assert len(answers) >= 18


def test_a_class_gets_exercises_and_checkers_without_solutions(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["website.edition", str(tmp_path / "FOLDER"), "--without-solutions"])
    runpy.run_module("website.edition", run_name="__main__")  # in this process, which has read all pages
    left_out = 0
    for path in chapters():
        made = nbformat.read(tmp_path / "FOLDER" / "chapters" / path.name, as_version=4)
        sources = code_cells(read(path))
        solutions = [cell.id for cell in sources if "hide-cell" in cell.metadata.get("tags", [])]
        kept = [cell.id for cell in sources if cell.id not in solutions]
        assert [cell.id for cell in code_cells(made)] == kept
        left_out += len(solutions)
    assert left_out >= 40


def test_every_call_in_the_text_names_an_explorer_and_values_that_it_takes(opened_book):
    from four_words.machine import explorer as of_the_machine
    from website.notebooks.explorer_cells import explorer_of

    texts = [cell.source for nb in opened_book.values() for cell in nb.cells if cell.cell_type == "markdown"]
    calls = [call for text in texts for call in re.findall(r"\(`((\w+)(?:\.at)?\(\w+=.*?\))`\)", text)]
    assert len({*calls}) > 30
    names = sample(sorted({name for _, name in calls} - {"machine"}), 3)
    known = {name: explorer_of(name) for name in names} | {"machine": of_the_machine.explorer_of}
    with pytest.raises(ValueError, match="goal must be one of"):
        known["machine"](goal="no goal")
    for call, name in calls:
        name not in known or eval(call, known)  # an error names the value
