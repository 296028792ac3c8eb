"""Rules for authors: the parts of a page, boxes, exercises, sources, links. `python -m website.prose 03`.

A rule is a function that takes a page and yields, for each fault, the id of a cell (or an empty string) and the
expected state. The rule's name says what must be true; its decorator says for which files.
"""

import ast
import functools
import re
from dataclasses import dataclass
from itertools import takewhile, zip_longest
from pathlib import Path

from sphinx.errors import ExtensionError

from website.asked.lists import end_of
from website.asked.questions import NOTEBOOKS, SYMPTOMS, question_in, questions
from website.boxes.kinds import kind_of
from website.notebooks.needs import names_used_and_bound
from website.places import ROOT, chapters, notebooks, read
from website.prose.claims import Fault
from website.reading import counts, definitions, times

RULES = {}  # for each rule's name, the files for which the rule holds, and its function
QUESTION = r"^> \*\*(?:Predict|Quiz)\.\*\* .*\n(?:>.*\n)*\n*(<!-- answer\n[\s\S]*?-->)?"
FOLDED_QUIZ = r"^> \*\*Quiz\.\*\* .+\?\n[\s\S]+?\n\n<details><summary>Answer</summary>\n\n.+\n\n</details>"
SOURCE = r"\]\(http|\{cite:"
CITATION = r"\{cite:[pt]\}`([^`]+)`"
FOLDED_RESULT = {"hide-cell", "hide-output", "remove-cell", "remove-output"}
FOLDED = {"hide-input", "hide-cell", "hide-output"}
ASKER = r"(?:\[[^]]+\]\(http\S+\)|[A-Z][^][,]+)"  # a page, or its name where only copies of it can be read
OURS = "*Asked by* the authors."
VERDICT = r"\*\*(?:No: |Yes[:,] |Only if )(?:`[^`]*`|[^*])+\.\*\*"
ASKED = "back_matter/questions_*.ipynb"


def rule(files):
    """Register a rule for the files that match a pattern."""

    def register(function):
        RULES[function.__name__] = files, function
        return function

    return register


@dataclass
class Page:
    path: Path
    cells: list

    @functools.cached_property
    def code(self):
        return [cell for cell in self.cells if cell.cell_type == "code"]

    @functools.cached_property
    def prose(self):
        return [cell for cell in self.cells if cell.cell_type == "markdown"]

    @functools.cached_property
    def text(self):
        return "\n\n".join(cell.source for cell in self.prose)

    @property
    def number(self):
        return int(self.path.stem[:2])

    def find(self, pattern):
        """Each match in the prose, with the id of its cell; `^` is the beginning of a line."""
        for cell in self.prose:
            yield from ((cell.id, match) for match in re.finditer(pattern, cell.source + "\n", re.M))

    def exercises(self):
        """Each exercise with the cells after it."""
        return [(cell, self.cells[i:]) for i, cell in enumerate(self.cells, 1) if "> **Exercise" in cell.source]


def page_at(path):
    return Page(path, read(path).cells)


def faults(path):
    return faults_of(page_at(path))


def faults_of(page):
    for name, (files, function) in RULES.items():
        if page.path.match(files):
            for cell, expected in function(page):
                yield Fault(cell, name.replace("_", " "), expected)


def tags(cell):
    return cell.metadata.get("tags", [])


# Every page


@rule("*")
def a_box_is_of_a_known_kind(page):
    for cell, quotation in page.find(r"^(?:>.*\n)+"):
        if words := re.match(r"> ?\*\*(.+?)\*\*", quotation[0]):
            try:
                kind_of(words[1])
            except ValueError as error:
                yield cell, str(error)


@rule("*")
def exercises_referred_to_exist(page):
    for cell, match in page.find(r"[Ee]xercise (\d+\.\d+)"):
        if match[1] not in all_exercises() and f"> **Exercise {match[1]}.**" not in page.text:
            yield cell, f"no chapter has an exercise {match[1]}"


@functools.cache
def all_exercises():
    return {
        number for path in chapters() for number in re.findall(r"> \*\*Exercise ([\d.]+)\.\*\*", page_at(path).text)
    }


@rule("*")
def links_to_cells_lead_to_code_or_to_a_question(page):
    for cell, match in page.find(r"\]\(([^)#\s]+\.ipynb)#cell-id=([^)\s]+)\)"):
        target, ident = match.groups()
        path = (page.path.parent / target).resolve()
        asked = {one.ident for one in questions() if one.notebook == path.stem}
        if not path.is_file() or ident not in {code.id for code in page_at(path).code} | asked:
            yield cell, f"{target} has no code cell and no question {ident}"


@rule("*")
def files_named_exist(page):
    for cell, match in page.find(r"`((?:\w+/)+\w+\.(?:py|js|md|ipynb|yml))`"):
        if not (ROOT / match[1]).is_file():
            yield cell, f"the book has no file {match[1]}"


@rule("*")
def citations_have_entries(page):
    for cell, match in page.find(CITATION):
        for key in set(re.split(r"\s*,\s*", match[1].strip())) - entries():
            yield cell, f"references.bib has no entry {key}"


@functools.cache
def entries():
    return set(re.findall(r"^@\w+\{(\w+),", (ROOT / "references.bib").read_text(encoding="utf-8"), re.M))


@rule("*")
def links_lead_to_hosts_that_are_known(page):
    """So that no page sends its readers to a stranger's copy: cite the original, by name alone if only copies exist."""
    for cell, match in page.find(r"\]\(https?://([^/)\s]+)"):
        if match[1] not in known_hosts():
            yield cell, f"the original's address, or a line for its host in website/prose/hosts.txt, got {match[1]}"


@functools.cache
def known_hosts():
    return set(re.findall(r"^(\S+): ", Path(__file__).with_name("hosts.txt").read_text(encoding="utf-8"), re.M))


@rule("*.ipynb")
def the_import_path_stays_as_it_is(page):
    for cell in page.code:
        if match := re.search(r"sys\.path|PYTHONPATH|%cd|os\.chdir", cell.source):
            yield cell.id, f"imports without {match[0]}"


@rule("*.ipynb")
def measured_times_are_neither_compared_nor_asserted(page):
    for cell in page.code:
        if re.search(r"perf_counter|monotonic|\btime\.time\b|timeit", cell.source):
            if "nbval-ignore-output" not in tags(cell):
                yield cell.id, "the tag nbval-ignore-output, because the cell measures a time"
            if re.search(r"^\s*assert\b", cell.source, re.M):
                yield cell.id, "no assert, because the cell measures a time"


@rule("*.ipynb")
def an_explorer_says_what_to_try(page):
    for cell, after in zip_longest(page.cells, page.cells[1:]):
        has_explorer = re.search(r"@explore\(|^machine\(", cell.source, re.M)
        if has_explorer and not (after and after.source.startswith("> **Try.**")):
            yield cell.id, "a box **Try.** after the explorer"


@rule("*.ipynb")
def what_is_folded_has_a_title(page):
    for cell in page.code:
        titles = cell.metadata.get("mystnb", {})
        named = [titles.get(key, "") for key in ("code_prompt_show", "code_prompt_hide")]
        if FOLDED & set(tags(cell)) and (not all(named) or "code cell" in " ".join(named)):
            yield (
                cell.id,
                '"mystnb": {"code_prompt_show": "Code of the picture: …", "code_prompt_hide": "Hide the code"}',
            )


@rule("*.ipynb")
def a_picture_comes_before_the_asserts_of_its_caption(page):
    """Who changes a number sees what has become of the picture, and then that the caption no longer holds."""
    for cell in page.code:
        kinds = [kind_of_statement(statement) for statement in ast.parse(cell.source).body]
        if "show" in kinds and "figure" in kinds and "assert" in kinds[kinds.index("figure") : kinds.index("show")]:
            yield cell.id, "no assert between the figure and show(fig, …): put it after the picture"


def kind_of_statement(statement):
    """A statement that makes a figure, shows it or asserts something."""
    names = {node.func for node in ast.walk(statement) if isinstance(node, ast.Call)}
    called = {getattr(func, "id", getattr(func, "attr", "")) for func in names}
    if isinstance(statement, ast.Assert):
        return "assert"
    return "show" if "show" in called else "figure" if called & {"canvas", "subplots"} else ""


# Chapters


@rule("chapters/*.ipynb")
def a_chapter_begins_with_the_same_imports(page):
    if imports_of(page) != imports_of(page_at(chapters()[0])):
        yield page.code[0].id if page.code else "", f"the cell of imports of {chapters()[0].stem}"


def imports_of(page):
    """The cell of imports. A chapter may open with a picture, whose cell comes earlier."""
    return next((cell.source for cell in page.code if cell.source.startswith("import ")), "")


@rule("chapters/*.ipynb")
def the_imports_are_folded(page):
    """The rule holds for all chapters after chapter 0."""
    for cell in page.code[:1] if page.number else ():
        if "hide-input" not in tags(cell) or cell.metadata.get("mystnb", {}).get("code_prompt_show") != "Imports":
            yield cell.id, 'the tag hide-input and the title "Imports"'


@rule("chapters/*.ipynb")
def a_visible_cell_is_short(page):
    for cell in page.code:
        if counts.is_visible(cell) and len(counts.lines(cell)) > 20:
            yield cell.id, f"at most 20 lines in a visible cell, got {len(counts.lines(cell))}"


@rule("chapters/*.ipynb")
def a_picture_comes_early(page):
    if (before := counts.count(page)[2]) > 360:  # two minutes
        yield "", f"a first picture within 360 words, got {before}"


@rule("chapters/*.ipynb")
def a_heading_has_a_sentence_before_its_first_result(page):
    heading, words = "", 8
    for cell in page.cells:
        if shows(cell) and words < 8:
            yield cell.id, f"at least 8 words between {heading!r} and its first result, got {words}"
            words = 8
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else ():
            if line.startswith("#"):
                heading, words = line, 0
            elif is_sentence(line):
                words += counts.words_in(line)


@rule("chapters/*.ipynb")
def results_are_not_left_alone(page):
    """At most two results follow each other without a sentence between them."""
    alone = 0
    for cell in page.cells:
        if shows(cell):
            alone += 1
            if alone == 3:
                yield cell.id, "a sentence between the results before it, because it is the third in a row"
        elif cell.cell_type == "markdown" and sum(map(counts.words_in, filter(is_sentence, cell.source.splitlines()))):
            alone = 0


def shows(cell):
    """Whether a reader sees a result of the cell."""
    return cell.cell_type == "code" and cell.outputs and not {*tags(cell)} & {*FOLDED_RESULT}


def is_sentence(line):
    return not re.match(r"\s*$|#|<|\||!\[|\$\$", line)


@rule("chapters/*.ipynb")
def a_caption_is_short(page):
    """At most 25 words. One sentence stands outside of brackets: what to see."""
    for cell in page.code:
        for text in captions_of(cell.source):
            sentences = re.findall(r"[.?!](?: |$)", re.sub(r"\([^()]*\)", "", text))
            if counts.words_in(text) > 25 or len(sentences) != 1:
                got = f"{counts.words_in(text)} words, {len(sentences)} sentences"
                yield cell.id, f"a caption of at most 25 words, one sentence outside of brackets, got {got}"


@rule("chapters/*.ipynb")
def a_caption_says_where_full_colour_begins(page):
    """Weights reach 1. In a map whose colours end before, equal colours would mean different things on two pictures."""
    for cell in page.code:
        for end in re.findall(r"vmax=(0?\.\d+)", cell.source):
            if not any(f"{float(end):g}" in text for text in captions_of(cell.source)):
                yield cell.id, f"a caption that says from which weight on there is full colour, {end}"


def captions_of(source):
    """The second arguments of ``show``; what an f-string computes counts as one word."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "show" and len(call.args) > 1:
            parts = call.args[1].values if isinstance(call.args[1], ast.JoinedStr) else [call.args[1]]
            yield "".join(part.value if isinstance(part, ast.Constant) else "x" for part in parts)


@rule("chapters/*.ipynb")
def no_table_is_made_of_text(page):
    for cell in page.code:
        if counts.prints_in_columns(cell.source):
            yield cell.id, "a picture or a table in place of a print with a width"


@rule("chapters/*.ipynb")
def a_chapter_has_its_parts(page):
    if not re.match(r"# \d+ · .+\n\n.+\?.*\n\nAfter this chapter you can\n\n- ", page.text):
        yield "", "a title `# N · Name`, a paragraph with a question, *After this chapter you can* and a list"
    for part in ("> **Predict.**", "> **Checked.**", "> **Try.**", "## In short", "## Exercises", "**Read on.**"):
        if part not in page.text:
            yield "", f"a part {part}"


@rule("chapters/*.ipynb")
def a_chapter_says_how_long_it_takes(page):
    whole, core = map(times.rounded, times.reading_time(page))
    expected = f"Time: {whole:02} minutes"
    expected += f", or {core:02} without the sections marked *Second reading*." if core < whole else "."
    if not re.search(rf"^{re.escape(expected)}", page.text, re.M):
        yield "", f"a line {expected!r}"


@rule("chapters/*.ipynb")
def a_chapter_fits_into_a_lesson(page):
    whole, core = times.reading_time(page)
    if core > 30 or whole > 52:
        yield "", f"a first reading of at most 30 minutes and a chapter of at most 52, got {core:.0f} and {whole:.0f}"


@rule("chapters/*.ipynb")
def a_second_reading_says_what_is_inside(page):
    """The words after the mark, in the same paragraph, are on the fold's line (website/reading/second_reading.py)."""
    for cell in page.prose:
        if re.search(r"^\*Second reading\.\*\s*?$", cell.source, re.M):
            yield cell.id, "a few words on the section's contents, in the line with *Second reading.*"
        if re.search(r"^\*Second reading\.\*.*\]\(", cell.source, re.M):
            yield cell.id, "no link in the line with *Second reading.*, which is a control itself"


@rule("chapters/*.ipynb")
def the_core_needs_nothing_from_the_rest(page):
    """No code in the core uses a name bound in a section for the second reading; exercises may use such a name."""
    elsewhere = {}
    for heading, _, in_core, parts in times.sections(page):
        if heading == "Exercises":
            return
        for cell in (part for part in parts if part.cell_type == "code"):
            used, bound = names_used_and_bound(cell.source)
            if in_core:
                for name in used & elsewhere.keys():
                    yield cell.id, f"no use of {name!r}, which the second reading {elsewhere[name]!r} binds"
                elsewhere = {name: place for name, place in elsewhere.items() if name not in bound}
            else:
                elsewhere |= dict.fromkeys(bound, heading)


@rule("chapters/0[0-5]_*.ipynb")
def one_example_runs_through_the_first_chapters(page):
    """*I saw a saw*: the same matrices wherever they occur, and the products and scores that follow from them."""
    here, first = literals(page), literals(page_at(chapters()[0]))
    matrices = {name: first[name][0] for name in ("w_q", "w_k", "w_v")}
    query, keys = matrices["w_q"][1], [matrices["w_k"][word] for word in (0, 1, 2, 1)]
    scores = [sum(q * k for q, k in zip(query, key, strict=True)) / 2 for key in keys]
    for name, value in {1: {"x": scores}, 2: {"query": query, "key": keys}}.get(page.number, matrices).items():
        found = here.get(name, [])
        if (found[:1] if page.number in (1, 2) else found) != [value]:
            yield "", f"{name} = torch.tensor({value}), once, as in chapter 0"


def literals(page):
    """The tensors of numbers that a page assigns, by name."""
    found = {}
    text = "\n".join(cell.source for cell in page.code)
    for name, literal in re.findall(r"^(\w+) = torch\.tensor\((\[.*?\])(?:, dtype=.*?)?\)", text, re.M):
        if re.fullmatch(r"[\d\s.,\[\]-]+", literal):  # only numbers
            found.setdefault(name, []).append(ast.literal_eval(literal))
    return found


@rule("chapters/*.ipynb")
def a_statement_that_is_checked_has_a_source_or_is_a_question(page):
    for cell, box in page.find(r"^> \*\*Checked\.\*\* (.+)$"):
        question = re.match(r"[^.?]*\?", re.sub(r"`[^`]*`", "", box[1]))
        if not question and not re.search(SOURCE, box[1]):
            yield cell, f"a question, or the address of the text that it quotes: {box[1][:60]}"


@rule("chapters/*.ipynb")
def a_chapter_has_an_explorer_and_two_quizzes(page):
    """The rule holds for all chapters except chapter 0."""
    explorers = sum("@explore(" in cell.source for cell in page.code)
    quizzes = len(re.findall(FOLDED_QUIZ, page.text, re.M))
    if page.number and (explorers < 1 or quizzes < 2):
        yield "", f"an explorer and two quizzes with folded answers, got {explorers} and {quizzes}"


@rule("chapters/*.ipynb")
def every_question_takes_an_answer_or_says_why_not(page):
    questions = list(page.find(QUESTION))
    for cell, question in questions:
        if not question[1]:
            yield cell, f"a comment <!-- answer … --> after the box: {question[0][:60]!r}"
    answers = [question[1] for _, question in questions if question[1]]
    if page.text.count("<!-- answer") > len(answers):
        yield "", "a comment <!-- answer … --> only after a Predict or Quiz, because elsewhere it would be lost"
    if sum("\nopen: " in answer for answer in answers) > 0.15 * len(questions):
        yield "", "at most 15 % open questions"


@rule("chapters/*.ipynb")
def every_question_says_why(page):
    """In a line *because*, for everybody who has answered."""
    for cell, question in page.find(QUESTION):
        if question[1] and not re.search(r"^(?:because|open): ", question[1], re.M):
            yield cell, f"a line `because:` in the answer to {question[0][:60]!r}"


@rule("chapters/*.ipynb")
def a_reply_holds_no_typed_measurement(page):
    """A number with decimals must come from an output or be in the question."""
    for cell, question in page.find(QUESTION):
        for line in re.findall(r"^(?:\d+|because): .*", question[1] or "", re.M):
            for number in re.findall(r"\d\.\d\d+", line):
                if number not in question[0].partition("<!--")[0]:
                    yield cell, f"{number} from an output, by `measured`: {line[:60]}"


@rule("chapters/*.ipynb")
def exercises_are_two_or_more_and_counted(page):
    numbers = [match[1] for _, match in page.find(r"^> \*\*Exercise ?(.*?)\.?\*\*")]
    expected = [f"{page.number}.{i}" for i in range(1, max(2, len(numbers)) + 1)]
    if numbers != expected:
        yield "", f"exercises {', '.join(expected)}, got {', '.join(numbers)}"


@rule("chapters/*.ipynb")
def an_exercise_has_a_folded_solution(page):
    for exercise, after in page.exercises():
        if after and "practice.check_" in after[0].source:  # a place for the reader's answer, before the solution
            if "# your answer" not in after[0].source:
                yield after[0].id, "a line `# your answer`"
            if "remove-output" not in tags(after[0]):  # a page must not reproach its reader with an empty answer
                yield after[0].id, "the tag remove-output"
            after = after[1:]
        if not after or "hide-cell" not in tags(after[0]):
            yield exercise.id, "a solution after the exercise, with the tag hide-cell"


@rule("chapters/*.ipynb")
def a_solution_is_folded_in_jupyterlab_as_on_the_page(page):
    for cell in page.code:
        if "hide-cell" in tags(cell) and not cell.metadata.get("jupyter", {}).get("source_hidden"):
            yield cell.id, '"jupyter": {"source_hidden": true} in the metadata, next to the tag hide-cell'


@rule("chapters/0[1-9]_*.ipynb")
def exercises_with_a_checker_come_first(page):
    checked = [bool(after) and "practice.check_" in after[0].source for _, after in page.exercises()]
    if not any(checked) or checked != sorted(checked, reverse=True):
        yield "", "a first exercise with a checker, and no checker after an exercise without a checker"


@rule("*")
def a_chapter_is_named_by_a_link_that_fits(page):
    """So that numbers, titles and links change together: after a chapter's file has moved, this rule finds the rest."""
    titles = {path.stem: path for path in chapters()}
    for cell, line in lines_of(page):
        for text, stem in re.findall(r"\[([^][]*)\]\([./a-z]*?(\d\d_[a-z_0-9]+)\.ipynb", line):
            said = re.match(r"(?:the table of )?(?:[Cc]hapters? )?(\d+)$", text)
            if stem not in titles or (said and int(said[1]) != int(stem[:2])):
                yield cell, f"a link to a chapter, with its number, got [{text}] for {stem}"
        bare = re.sub(r"\[[^][]*\]\([^)]*\)", "", line)
        if not line.startswith("#") and (found := re.search(r"\b[Cc]hapters? \d+", bare)):
            yield cell, f"a link in place of {found[0]!r}: {line[:80]}"


@rule("chapters/*.ipynb")
def a_chapter_ends_with_its_questions(page):
    if [cell.source for cell in page.cells[-1:]] != [end_of(page.number)]:
        yield "", "a last cell as `python -m website.asked.lists` writes it"


@rule("chapters/*.ipynb")
def a_title_and_exercises_have_the_number_of_the_file(page):
    if not page.text.startswith(f"# {page.number} · "):
        yield "", f"a title that begins with {page.number}"
    for cell, found in page.find(r"Exercise (\d+)\.\d+"):
        if int(found[1]) != page.number:
            yield cell, f"an exercise of chapter {page.number}, got {found[0]}"


@rule("index.ipynb")
def the_contents_are_in_the_order_of_the_numbers(page):
    listed = re.findall(r"file: chapters/(\S+)", (ROOT / "_toc.yml").read_text(encoding="utf-8"))
    if listed != [path.stem for path in chapters()]:
        yield "", f"the chapters in _toc.yml in the order of their files, got {listed}"
    shown = re.findall(r"^- \*\*(\d+) · \[([^]]+)\]\(chapters/(\d\d_\w+)", page.text, re.M)
    expected = [(str(int(path.stem[:2])), title_of(path), path.stem) for path in chapters()]
    for found, wanted in zip_longest(shown, expected):
        if found != wanted:
            yield "", f"a line for {wanted}, got {found}"


def lines_of(page):
    return [(cell.id, line) for cell in page.cells for line in cell.source.splitlines()]


def title_of(path):
    return re.match(r"# \d+ · (.+)", page_at(path).text)[1]


# Other pages


@rule("index.ipynb")
def the_first_course_takes_at_most_two_hours(page):
    exact = [times.reading_time(page_at(path))[1] for path in chapters()[:6]]
    cores = [*map(times.rounded, exact)]
    said = [int(match[1]) for _, match in page.find(r"^\| \[chapter \d\]\(.+#first-reading\) \| (\d+) \|")]
    if said != cores:
        yield "", f"a table with the minutes {cores} of the first chapters' cores, got {said}"
    if sum(exact) > 120:
        yield "", f"cores that take at most 120 minutes in all, got {sum(exact):.0f}"


@rule("index.ipynb")
def the_title_page_leads_to_every_page(page):
    for name in re.findall(r"file: (\S+)", (ROOT / "_toc.yml").read_text(encoding="utf-8")):
        if not name.endswith("bibliography") and f"]({name}." not in page.text:
            yield "", f"a link to {name}"


@rule("back_matter/bibliography.md")
def entries_are_cited(page):
    cited = ",".join(match[1] for path in notebooks() for _, match in page_at(path).find(CITATION))
    for key in sorted(entries() - set(re.split(r"\s*,\s*", cited))):
        yield "", f"a notebook that cites {key}, or no such entry in references.bib"


@rule("back_matter/glossary.md")
def the_glossary_is_read_whole(page):
    try:
        found = list(definitions.entries(page.text))
    except ExtensionError as error:
        yield "", str(error)
        return
    if page.text.count("\n\n") != len(found) - 1 + page.text.split("```{glossary}")[0].count("\n\n"):
        yield "", "one empty line between entries, and none after the last"
    for name in {chapter for _, _, chapter in found} - {f"chapters/{path.stem}" for path in chapters()}:
        yield "", f"a chapter of the book, got {name}"
    for word in definitions.TOO_COMMON - {word for words, _, _ in found for word in words}:
        yield "", f"an entry {word!r}, because website/reading/definitions.py names it"


@rule("back_matter/api.md")
def the_reference_lists_every_public_name(page):
    body = ast.parse((ROOT / "attention_core.py").read_text(encoding="utf-8")).body  # quicker than an import
    public = next(ast.literal_eval(node.value) for node in body if ast.unparse(node).startswith("__all__ ="))
    listed = re.findall(r"^\.\. auto\w+:: attention_core\.(\w+)$", page.text, re.M)
    for name in sorted({*public, *listed}):
        if listed.count(name) != public.count(name):
            yield "", f"{name} once on this page and once in attention_core.__all__"


@rule("back_matter/popular_statements.ipynb")
def a_popular_statement_stands_alone(page):
    """Whoever was sent a link to it reads the whole quotation, its source, what is right about it, and a verdict."""
    for cell, section, code in headed(page):
        heading, *parts = section.split("\n\n")
        whole = next((part for part in parts if part.startswith('> "')), heading)
        # In brackets: what the heading leaves out, […], or what a reader of the table needs, [the scale].
        said = re.split(r"\s*\[[^]]*\]\s*", heading[1:-1])
        if not re.fullmatch(r'".+"', heading) or not any(said) or any(part not in whole for part in said):
            yield cell, f"a quotation, or a part of the one below it, in quotation marks: {heading}"
        if not any(part.startswith("*Said* ") and re.search(SOURCE, part) for part in parts):
            yield cell, f"*Said* with an address after {heading}"
        if not any(part.startswith("*What is right:* ") for part in parts):
            yield cell, f"a paragraph that begins with *What is right:* after {heading}"
        verdicts = [match for part in parts if (match := re.match(VERDICT, part))]
        if len(verdicts) != 1 or len(verdicts[0][0].split()) > 14:
            yield cell, f"one verdict (**Yes** …, **No: …**, **Only if** …) of at most 14 words after {heading}"
        if "](../chapters/" not in section:
            yield cell, f"the chapter that treats {heading}"
        if not code or any(len(one.source.splitlines()) > 12 for one in code if one.outputs):
            yield cell, f"a cell of at most 12 lines after {heading}"


@rule(ASKED)
def a_question_that_people_ask_has_an_answer_a_cell_and_askers(page):
    asked = [one.title for one in questions()]
    for k, cell in enumerate(page.cells):
        if cell.cell_type == "code" or not cell.source.startswith("### "):
            continue
        parts = question_in(cell.source)
        if not parts:
            yield cell.id, "a heading, an answer that begins with a line in bold, *Asked on* and a note (website/asked)"
            continue
        title, line, rest, asked_on, note = parts
        if not title.endswith("?") or asked.count(title) > 1:
            yield cell.id, f"a question, asked once: {title}"
        if len(line.split()) > 25 or "](" in line:
            yield cell.id, f"at most 25 words in bold, without a link, got {len(line.split())}"
        if len(rest.split()) > 90:
            yield cell.id, f"at most 90 words after the line in bold, got {len(rest.split())}"
        if asked_on != OURS and not re.fullmatch(rf"\*Asked on\* {ASKER}(, {ASKER})*\.", asked_on):
            yield cell.id, f"*Asked on* with addresses, or {OURS}"
        code = [one for one in takewhile(lambda one: one.cell_type == "code", page.cells[k + 1 :])]
        if len(code) > 1 or any(len(one.source.splitlines()) > 12 for one in code):
            yield cell.id, "one cell of at most 12 lines, or none"
        if not set(note) <= {"chapters", "found by", "also asked on"}:
            yield cell.id, f"a note with chapters, found by, also asked on, got {sorted(note)}"


@rule(ASKED)
def questions_stand_below_what_a_reader_sees(page):
    found = re.findall(r"^## (.+)$", page.text, re.M)
    if page.path.stem != NOTEBOOKS[-1] and not set(found) <= set(SYMPTOMS):
        yield "", f"headings that are symptoms ({', '.join(SYMPTOMS)}), got {found}"


def headed(page):
    """Each section below a heading `###`: the id of its cell, its text, and its code cells."""
    found = []
    for cell in page.cells:
        if cell.cell_type == "code":
            for section in found[-1:]:
                section[2].append(cell)
            continue
        before, *sections = re.split(r"^### ", re.sub(r"^## .*$", "", cell.source, flags=re.M), flags=re.M)
        for section in found[-1:]:
            section[1] += f"\n\n{before}"
        found += [[cell.id, section, []] for section in sections]
    return found
