"""What every chapter holds, besides running: nbval compares the outputs, these look at what is there to compare."""

import ast
import dis
import json
import re
import types

import nbformat
import pytest
from sphinx.errors import ExtensionError

import attention_core
import practice
from website.notebooks import store_outputs
from website.notebooks.cache import OUTPUTS_OF
from website.places import ROOT
from website.reading import definitions, times

CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
NOTEBOOKS = [ROOT / "index.ipynb", *CHAPTERS, *sorted((ROOT / "back_matter").glob("*.ipynb"))]


def load(path):
    return nbformat.read(path, as_version=4)


def code(nb):
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def prose(nb):
    return "\n\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return load(request.param)


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem)
def chapter(request):
    return load(request.param)


def test_outputs_are_stored_for_nbval_to_compare(notebook):
    """A cell without an execution count is never compared."""
    assert [cell.execution_count for cell in code(notebook)] == list(range(1, len(code(notebook)) + 1))
    for cell in code(notebook):
        if "print(" in cell.source and not re.search(r"^def |^class ", cell.source, re.M):
            assert cell.outputs, cell.source
        assert all(output.output_type != "error" for output in cell.outputs)


def test_outputs_hold_no_widgets_no_addresses_no_paths(notebook):
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    stored = json.dumps([cell.outputs for cell in code(notebook)])
    for unwanted in ("application/vnd.jupyter", "image/svg", " at 0x"):
        assert unwanted not in stored
    pictures = r"[A-Za-z0-9+/]{200,}={0,2}"  # base64 may hold anything
    assert not re.search(r"(?<![\w.:/])/\w+/\w+|\b[A-Z]:\\\\", re.sub(pictures, "", stored)), "an absolute path"


def test_every_picture_has_words(notebook):
    """A picture of show() carries its caption, an explorer's its name; a bare figure would say '<Figure ...>'."""
    for cell in code(notebook):
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                assert not output.data["text/plain"].startswith("<"), cell.source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_outputs_belong_to_the_code(path):
    """Of what nbval does not compare, times and pictures and the end of a training, a key says which code made it."""
    nb = load(path)
    for number, (cell, key) in enumerate(zip(code(nb), store_outputs.current_keys(nb), strict=True), 1):
        if cell.metadata.get(OUTPUTS_OF) != key:
            pytest.fail(
                f"{path.stem}: outputs from cell [{number}] on are older than the code that they depend on (that cell, "
                f"one before it, or a module that it uses); run: make outputs CHAPTER={path.stem}",
                pytrace=False,
            )


def test_notebooks_do_not_touch_the_import_path(notebook):
    assert not re.search(r"sys\.path|PYTHONPATH|%cd|os\.chdir", "\n".join(cell.source for cell in code(notebook)))


def test_measured_times_are_neither_compared_nor_asserted(notebook):
    for cell in code(notebook):
        if re.search(r"perf_counter|monotonic|\btime\.time\b|timeit", cell.source):
            assert "nbval-ignore-output" in cell.metadata.get("tags", [])
            assert not re.search(r"^\s*assert\b", cell.source, re.M), cell.source


def test_a_chapter_begins_with_the_same_imports(chapter):
    assert code(chapter)[0].source == code(load(CHAPTERS[0]))[0].source


def test_one_example_runs_through_the_first_chapters():
    """*I saw a saw*: the same matrices wherever they stand, and the products and scores that follow from them."""
    numbers = {}  # by chapter and name, for the assignments of a literal
    for path in CHAPTERS[:6]:
        text = "\n".join(cell.source for cell in code(load(path)))
        for name, literal in re.findall(r"^(\w+) = torch\.tensor\((\[.*?\])(?:, dtype=.*?)?\)", text, re.M):
            if re.fullmatch(r"[\d\s.,\[\]-]+", literal):  # numbers and nothing else
                numbers.setdefault((int(path.stem[:2]), name), []).append(ast.literal_eval(literal))
    for name in ("w_q", "w_k", "w_v"):
        assert all(numbers[chapter, name] == numbers[0, name] for chapter in (3, 4, 5)), name
        assert len(numbers[0, name]) == 1, name
    query, keys = numbers[0, "w_q"][0][1], [numbers[0, "w_k"][0][word] for word in (0, 1, 2, 1)]
    assert (numbers[2, "query"][0], numbers[2, "key"][0]) == (query, keys)
    assert numbers[1, "x"][0] == [sum(q * k for q, k in zip(query, key, strict=True)) / 2 for key in keys]


def test_a_chapter_has_its_parts(chapter):
    text = prose(chapter)
    assert re.match(r"# \d+ · .+\n\n\*.+\?.*\*\n\nAfter this chapter you can\n\n- ", text)  # a title, a question, verbs
    parts = ["> **Predict.**", "> **Checked.**", "> **Try.**", "## In short", "## Exercises", "**Read on.**"]
    for part in parts:
        assert part in text, part


def test_a_chapter_says_how_long_it_takes_and_its_core_takes_half(chapter):
    whole, core = times.reading_time(chapter)
    said = re.search(
        r"^Time: (\d\d) minutes, or (\d\d) without the sections marked \*Second reading\*\.", prose(chapter), re.M
    )
    assert [int(minutes) for minutes in said.groups()] == [times.rounded(whole), times.rounded(core)]
    assert core <= (0.66 if chapter.cells[0].source.startswith("# 0 ") else 0.5) * whole  # chapter 0 is all beginning


def test_the_cores_of_the_first_chapters_are_a_course_of_less_than_two_hours():
    cores = [times.rounded(times.reading_time(load(path))[1]) for path in CHAPTERS[:6]]
    said = re.findall(r"^\| \[chapter \d\]\(.+#first-reading\) \| (\d+) \|", prose(load(NOTEBOOKS[0])), re.M)
    assert [int(minutes) for minutes in said] == cores
    assert 90 <= sum(cores) < 120


def test_the_glossary_is_read_whole():
    source = (ROOT / "back_matter" / "glossary.md").read_text(encoding="utf-8")
    found = list(definitions.entries(source))
    assert source.count("\n\n") == len(found) - 1 + source.split("```{glossary}")[0].count("\n\n")
    assert {path.stem for path in CHAPTERS} >= {chapter.removeprefix("chapters/") for _, _, chapter in found}
    assert {word for words, _, _ in found for word in words} >= definitions.TOO_COMMON
    with pytest.raises(ExtensionError, match="softmax"):
        list(definitions.entries("```{glossary}\nsoftmax\n  Something without its chapter.\n```"))
    assert re.search(definitions.in_text("entropy"), "the Entropy of")
    assert not re.search(definitions.in_text("entropy"), "a cross-entropy")


def names_used_and_bound(source):
    """The global names that a cell takes from before it, and those that it binds."""
    used, bound, later = set(), set(), set()

    def walk(block, is_function):
        for step in dis.get_instructions(block):
            if step.opname == "STORE_NAME" and not is_function:
                bound.add(step.argval)
            elif step.opname == "LOAD_NAME" and step.argval not in bound:
                used.add(step.argval)
            elif step.opname == "LOAD_GLOBAL":
                later.add(step.argval)
        for inner in block.co_consts:
            if isinstance(inner, types.CodeType):
                walk(inner, True)

    walk(compile(source, "cell", "exec"), False)
    return used | (later - bound), bound


def test_the_core_of_a_chapter_needs_nothing_from_the_rest(chapter):
    """No code of the core uses a name that a section of the second reading has bound; exercises may."""
    elsewhere = {}
    for heading, _, in_core, parts in times.sections(chapter):
        if heading == "Exercises":
            break
        for cell in (part for part in parts if part.cell_type == "code"):
            used, bound = names_used_and_bound(cell.source)
            if in_core:
                assert not {name: elsewhere[name] for name in used & set(elsewhere)}, (heading, cell.source)
                elsewhere = {name: place for name, place in elsewhere.items() if name not in bound}
            else:
                elsewhere |= dict.fromkeys(bound, heading)


def test_a_statement_that_is_checked_has_a_source_or_is_a_question():
    """A box that quotes says where it is said; one without an address asks."""
    for path in CHAPTERS:
        boxes = re.findall(r"^> \*\*Checked\.\*\* (.+)$", prose(load(path)), re.M)
        assert boxes, path
        for box in boxes:
            question = re.match(r"[^.?]*\?", re.sub(r"`[^`]*`", "", box))
            assert question or "](http" in box or "{cite:" in box, box
    statements = re.split(r"^### ", prose(load(ROOT / "back_matter" / "popular_statements.ipynb")), flags=re.M)[1:]
    assert len(statements) > 30
    for statement in statements:
        heading, *rest = statement.split("\n\n")
        if '"' in heading:
            assert rest[0].startswith("*Said* "), heading
            assert "](http" in rest[0] or "{cite:" in rest[0], heading
        else:
            assert heading.endswith("?"), heading
        assert any(part.startswith("**Rather:**") for part in rest), heading


def test_every_explorer_says_what_to_try(notebook):
    for cell, after in zip(notebook.cells, [*notebook.cells[1:], None], strict=True):
        if "@explore(" in cell.source:
            assert after.source.startswith("> **Try.**"), cell.source


def test_every_chapter_but_the_first_has_two_explorers_and_two_quizzes():
    for path in CHAPTERS[1:]:
        assert sum("@explore(" in cell.source for cell in code(load(path))) >= 2, path
        folded = r"^> \*\*Quiz\.\*\* .+\?\n[\s\S]+?\n\n<details><summary>Answer</summary>\n\n.+\n\n</details>"
        quizzes = re.findall(folded, prose(load(path)), re.M)
        assert len(quizzes) >= 2, path


def test_exercises_are_counted_and_those_referred_to_exist():
    texts = {path: prose(load(path)) for path in NOTEBOOKS}
    counted = set()
    for path in CHAPTERS:
        numbers = re.findall(r"^> \*\*Exercise ([\d.]+)\.\*\*", texts[path], re.M)
        assert numbers == [f"{int(path.stem[:2])}.{i}" for i in range(1, len(numbers) + 1)], path
        counted |= set(numbers)
    for path, text in texts.items():
        assert set(re.findall(r"[Ee]xercise (\d+\.\d+)", text)) <= counted, path


def test_every_exercise_has_a_folded_solution(chapter):
    cells = chapter.cells
    exercises = [i for i, cell in enumerate(cells) if "> **Exercise" in cell.source]
    assert len(exercises) >= 2
    for i in exercises:
        if "practice.check_" in cells[i + 1].source:  # a place for the reader's answer, before the solution
            assert "# your answer" in cells[i + 1].source
            i += 1
        assert "hide-cell" in cells[i + 1].metadata.get("tags", []), cells[i].source


def test_solutions_are_folded_in_jupyterlab_as_on_the_page(chapter):
    for cell in code(chapter):
        if "hide-cell" in cell.metadata.get("tags", []):
            assert cell.metadata.get("jupyter", {}).get("source_hidden"), cell.source


def test_chapters_on_functions_begin_their_exercises_with_checked_ones():
    """In chapters 1 to 9 the first exercise has a checker, and none has one after an exercise without."""
    for path in CHAPTERS[1:10]:
        cells = load(path).cells
        exercises = [i for i, cell in enumerate(cells) if "> **Exercise" in cell.source]
        checked = ["practice.check_" in cells[i + 1].source for i in exercises]
        assert checked[0], path
        assert checked == sorted(checked, reverse=True), path


def test_the_reference_lists_every_public_name():
    text = (ROOT / "back_matter" / "api.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\.\. auto\w+:: attention_core\.(\w+)$", text, re.M)
    assert sorted(listed) == sorted(attention_core.__all__)


def test_every_checker_has_its_exercise():
    """It turns the empty answer down, and takes the folded solution."""
    outputs = {}
    for path in CHAPTERS:
        for cell in code(load(path)):
            for name in re.findall(r"practice\.(check_\w+)", cell.source):
                outputs.setdefault(name, []).append(cell.outputs[-1].data["text/plain"])
    assert {name for name in practice.__all__ if name.startswith("check_")} == outputs.keys()
    for name, (empty, solution) in outputs.items():
        assert "not yet (returns-none)" in empty, name
        assert "passed." in solution, name


def test_the_title_page_leads_to_every_page():
    listed = re.findall(r"file: (\S+)", (ROOT / "_toc.yml").read_text(encoding="utf-8"))
    text = prose(load(NOTEBOOKS[0]))
    assert all(f"]({page}." in text for page in listed if not page.endswith("bibliography"))


def test_citations_have_entries():
    keys = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "references.bib").read_text(encoding="utf-8"), re.M))
    cited = {
        key.strip()
        for path in NOTEBOOKS
        for keys_ in re.findall(r"\{cite:[pt]\}`([^`]+)`", prose(load(path)))
        for key in keys_.split(",")
    }
    assert cited == keys


def test_each_question_that_people_ask_has_its_askers_and_a_cell_that_shows_the_answer():
    sections, code_of = [], {}
    names = ("questions_people_ask", "more_questions_people_ask")
    for cell in (cell for name in names for cell in load(ROOT / "back_matter" / f"{name}.ipynb").cells):
        if cell.cell_type == "markdown":
            first, *rest = re.split(r"^### ", re.sub(r"^## .*$", "", cell.source, flags=re.M), flags=re.M)
            if sections:
                sections[-1] += first
            sections += rest
        elif sections and "def randn(" not in cell.source:  # the pages' first cell
            code_of[len(sections)] = cell
    assert len(sections) >= 120
    assert len({section.split("\n")[0] for section in sections}) == len(sections)
    for number, section in enumerate(sections, 1):
        question, askers, answer = (section + "\n\n").split("\n\n", 2)
        assert question.endswith("?"), question
        assert re.fullmatch(r"\*Asked on\* \[[^]]+\]\(http\S+\)(, \[[^]]+\]\(http\S+\))*\.", askers), question
        assert len(answer.split()) > 20, question
        assert number in code_of or "#cell-id=" in answer, question


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_to_cells_lead_to_cells_of_code(path):
    for target, ident in re.findall(r"\]\(([^)#\s]+\.ipynb)#cell-id=([^)\s]+)\)", prose(load(path))):
        ids = {cell.id for cell in code(load(path.parent / target))}
        assert ident in ids, f"{target} has no cell of code {ident}"
