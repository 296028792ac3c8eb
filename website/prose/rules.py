"""Rules for authors: the parts of a page, boxes, exercises, sources, links. `python -m website.prose 03`.

A rule is a function that takes a page and yields, for each fault, the id of a cell (or an empty string) and the
expected state. The rule's name says what must be true; its decorator says for which files.
"""

import ast
import functools
import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from website.asked.lists import end_of
from website.asked.questions import NOTEBOOKS, SYMPTOMS, question_in, questions
from website.notebooks.needs import names_used_and_bound
from website.notes import MARK, MOST
from website.places import ROOT, chapters, source
from website.prose.claims import Fault
from website.reading import times

RULES = {}  # for each rule's name, the files for which the rule holds, and its function
QUESTION = r"^> \*\*(?:Predict|Quiz)\.\*\* .*\n(?:>.*\n)*\n*(<!-- answer\n[\s\S]*?-->)?"
SOURCE = r"\]\(http|\{cite:"
FOLDED_RESULT = {"hide-cell", "hide-output", "remove-cell", "remove-output"}
FOLDED = {"hide-input", "hide-cell", "hide-output"}
TITLES = {"code_prompt_show", "code_prompt_hide"}
EXERCISE = r"> \*\*Exercise ([\d.]+)\.\*\*"
ASKER = r"(?:\[[^]]+\]\(http\S+\)|[A-Z][^][,]+)"  # a page, or its name where only copies of it can be read
OURS = "*Asked by* the authors."
OF_A_STATEMENT = {
    "*Said* with an address": rf"\*Said\* .*(?:{SOURCE})",
    "a paragraph that begins with *What is right:*": r"\*What is right:\* ",
    "the chapter that treats it": r".*\]\(\.\./chapters/",
}
PARTS = ["> **Predict.**", "> **Checked.**", "> **Try.**", "You need ", "## In short", "## Exercises", "**Read on.**"]
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


def page_at(path):
    return Page(path, source(path).cells)


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
def exercises_referred_to_exist(page):
    known = {number for path in chapters() for number in re.findall(EXERCISE, page_at(path).text)}
    for cell, match in page.find(r"[Ee]xercises? (\d+\.\d+(?:(?:, | and | or | to )\d+\.\d+)*)"):
        for number in {*re.findall(r"\d+\.\d+", match[1])} - known - {*re.findall(EXERCISE, page.text)}:
            yield cell, f"no chapter has an exercise {number}"


@rule("*.ipynb")
def a_section_has_few_notes(page):
    for heading, _, _, parts in times.sections(page):
        marks = [label for part in parts for label in MARK.findall(part.source) if part.cell_type == "markdown"]
        if len(marks) > MOST:
            yield parts[0].id, f"at most {MOST} notes in {heading!r}, got {', '.join(marks)}"


@rule("*")
def files_named_exist(page):
    for cell, match in page.find(r"`((?:\w+/)+\w+\.(?:py|js|md|ipynb|yml))`"):
        if not (ROOT / match[1]).is_file():
            yield cell, f"the book has no file {match[1]}"


@rule("*")
def links_lead_to_hosts_that_are_known(page):
    """So that no page sends its readers to a stranger's copy: cite the original, by name alone if only copies exist."""
    known = re.findall(r"^(\S+): ", Path(__file__).with_name("hosts.txt").read_text(encoding="utf-8"), re.M)
    for cell, match in page.find(r"\]\(https?://([^/)\s]+)"):
        if match[1] not in known:
            yield cell, f"the original's address, or a line for its host in website/prose/hosts.txt, got {match[1]}"


@rule("*.ipynb")
def no_time_is_asserted(page):
    for cell in page.code:
        if re.search(r"perf_counter|monotonic|\btime\.time\b|timeit", cell.source) and "assert " in cell.source:
            yield cell.id, "no assert, because the cell measures a time"


@rule("*.ipynb")
def what_is_folded_has_a_title(page):
    for cell in page.code:
        if FOLDED & {*tags(cell)} and not cell.metadata.get("mystnb", {}).keys() >= TITLES:
            yield cell.id, f'"mystnb" with {" and ".join(sorted(TITLES))} in the metadata'


# Chapters


@rule("chapters/*.ipynb")
def results_are_not_left_alone(page):
    """A sentence stands between a heading and its first result, and after two results in a row."""
    alone = 0
    for cell in page.cells:
        if shows(cell):
            alone += 1
            if alone == 3:
                yield cell.id, "a sentence before this result, the first below its heading or the third in a row"
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else ():
            if line.startswith("#"):
                alone = 2
            elif re.match(r"(?!<|\||!\[|\$\$).*\w", line):
                alone = 0


def shows(cell):
    """Whether a reader sees a result of the cell."""
    return cell.cell_type == "code" and cell.outputs and not {*tags(cell)} & {*FOLDED_RESULT}


@rule("chapters/*.ipynb")
def a_caption_is_short(page):
    """At most 25 words. One sentence stands outside of brackets: what to see."""
    for cell in page.code:
        for text in captions_of(cell.source):
            sentences = re.findall(r"[.?!](?: |$)", re.sub(r"\([^()]*\)", "", text))
            if times.words_in(text) > 25 or len(sentences) != 1:
                got = f"{times.words_in(text)} words, {len(sentences)} sentences"
                yield cell.id, f"a caption of at most 25 words, one sentence outside of brackets, got {got}"


def captions_of(source):
    """The second arguments of ``show``; what an f-string computes counts as one word."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "show" and len(call.args) > 1:
            parts = call.args[1].values if isinstance(call.args[1], ast.JoinedStr) else [call.args[1]]
            yield "".join(part.value if isinstance(part, ast.Constant) else "x" for part in parts)


@rule("chapters/*.ipynb")
def a_chapter_has_its_parts(page):
    if not re.match(rf"# {page.number} · .+\n\n.+\?.*\n\nAfter this chapter you can\n\n- ", page.text):
        yield "", f"`# {page.number} · Name`, a paragraph with a question, *After this chapter you can* and a list"
    for part in PARTS:
        if part not in page.text:
            yield "", f"a part {part}"


@rule("chapters/*.ipynb")
def the_core_needs_nothing_from_the_rest(page):
    """No code in the core uses a name bound in a section for the second reading; exercises may use such a name."""
    elsewhere = {}
    for heading, _, in_core, parts in times.before_exercises(page):
        for cell in (part for part in parts if part.cell_type == "code"):
            used, bound = names_used_and_bound(cell.source)
            if in_core:
                for name in used & elsewhere.keys():
                    yield cell.id, f"no use of {name!r}, which the second reading {elsewhere[name]!r} binds"
                elsewhere = {name: place for name, place in elsewhere.items() if name not in bound}
            else:
                elsewhere |= dict.fromkeys(bound, heading)


@rule("chapters/*.ipynb")
def a_statement_that_is_checked_has_a_source_or_is_a_question(page):
    for cell, box in page.find(r"^> \*\*Checked\.\*\* (.+)$"):
        question = re.match(r"[^.?]*\?", re.sub(r"`[^`]*`", "", box[1]))
        if not question and not re.search(SOURCE, box[1]):
            yield cell, f"a question, or the address of the text that it quotes: {box[1][:60]}"


@rule("chapters/*.ipynb")
def every_question_has_an_answer_that_says_why(page):
    """In a line *because*, for everybody who has answered."""
    for cell, question in page.find(QUESTION):
        if not re.search(r"^because: ", question[1] or "", re.M):
            yield cell, f"a comment <!-- answer … --> with `because:` after {question[0][:60]!r}"


@rule("chapters/*.ipynb")
def exercises_are_counted(page):
    numbers = [match[1] for _, match in page.find(r"^> \*\*Exercise ?(.*?)\.?\*\*")]
    expected = [f"{page.number}.{i}" for i, _ in enumerate(numbers, 1)]
    if numbers != expected:
        yield "", f"exercises {', '.join(expected)}, got {', '.join(numbers)}"


@rule("chapters/*.ipynb")
def an_exercise_has_a_folded_solution(page):
    for cell, *after in zip_longest(page.cells, page.cells[1:], page.cells[2:]):
        if "> **Exercise" in cell.source:
            answer = after.pop(0) if after[0] and "practice.check_" in after[0].source else None
            if answer and "remove-output" not in tags(answer):  # no reproach for an empty answer
                yield cell.id, "the tag remove-output for the cell with the reader's answer"
            if not after[0] or "hide-cell" not in tags(after[0]):
                yield cell.id, "a solution after the exercise, with the tag hide-cell"


@rule("*")
def a_chapter_is_named_by_a_link_that_fits(page):
    """So that numbers, titles and links change together: after a chapter's file has moved, this rule finds the rest."""
    stems = {path.stem for path in chapters()}
    for ident, line in ((cell.id, line) for cell in page.cells for line in cell.source.splitlines()):
        for text, stem in re.findall(r"\[([^][]*)\]\([./a-z]*?(\d\d_[a-z_0-9]+)\.ipynb", line):
            said = re.match(r"(?:the table of )?(?:[Cc]hapters? )?(\d+)$", text)
            if stem not in stems or (said and int(said[1]) != int(stem[:2])):
                yield ident, f"a link to a chapter, with its number, got [{text}] for {stem}"
        bare = re.sub(r"\[[^][]*\]\([^)]*\)", "", line)
        if not line.startswith("#") and (found := re.search(r"\b[Cc]hapters? \d+", bare)):
            yield ident, f"a link in place of {found[0]!r}: {line[:80]}"


@rule("chapters/*.ipynb")
def a_chapter_ends_with_its_questions(page):
    if [cell.source for cell in page.cells[-1:]] != [end_of(page.number)]:
        yield "", "a last cell as `.venv/bin/python -m website.asked.lists` writes it"


@rule("index.ipynb")
def the_contents_are_in_the_order_of_the_numbers(page):
    listed = re.findall(r"file: chapters/(\S+)", (ROOT / "_toc.yml").read_text(encoding="utf-8"))
    if listed != [path.stem for path in chapters()]:
        yield "", f"the chapters in _toc.yml in the order of their files, got {listed}"
    shown = re.findall(r"^- \*\*(\d+) · \[([^]]+)\]\(chapters/(\d\d_\w+)", page.text, re.M)
    expected = [(*re.match(r"# (\d+) · (.+)", page_at(path).text).groups(), path.stem) for path in chapters()]
    for found, wanted in zip_longest(shown, expected):
        if found != wanted:
            yield "", f"a line for {wanted}, got {found}"


# Other pages


@rule("back_matter/popular_statements.ipynb")
def a_popular_statement_stands_alone(page):
    """Whoever was sent a link to it reads the whole quotation, its source, what is right about it, and a verdict."""
    for heading, level, _, parts in times.sections(page):
        if level != 3:
            continue
        text = "\n\n".join(part.source for part in parts if part.cell_type == "markdown")
        for expected, pattern in OF_A_STATEMENT.items():
            if not re.search(f"^{pattern}", text, re.M):
                yield parts[0].id, f"{expected} after {heading}"
        if not is_quoted(heading, text):
            yield parts[0].id, f"a quotation, or a part of the one below it, in quotation marks: {heading}"


def is_quoted(heading, text):
    """In brackets a heading has what it leaves out, […], or what a reader of the table needs, [the scale]."""
    quotation = re.search('^> ".*', text, re.M)
    whole = quotation[0] if quotation else heading
    said = re.split(r"\s*\[[^]]*\]\s*", heading[1:-1])
    return re.fullmatch('".+"', heading) and any(said) and all(part in whole for part in said)


@rule(ASKED)
def a_question_that_people_ask_has_askers_and_a_note(page):
    asked = [one.title for one in questions()]
    for cell in page.prose:
        title, line, _, asked_on, note = question_in(cell.source) or ("?", "", "", OURS, {})
        if not title.endswith("?") or asked.count(title) > 1:
            yield cell.id, f"a question, asked once: {title}"
        if "](" in line:
            yield cell.id, f"no link in the line in bold, which is a control itself: {line}"
        if asked_on != OURS and not re.fullmatch(rf"\*Asked on\* {ASKER}(, {ASKER})*\.", asked_on):
            yield cell.id, f"*Asked on* with addresses, or {OURS}"
        if not set(note) <= {"chapters", "found by", "also asked on"}:
            yield cell.id, f"a note with chapters, found by, also asked on, got {sorted(note)}"


@rule(ASKED)
def questions_stand_below_what_a_reader_sees(page):
    found = re.findall(r"^## (.+)$", page.text, re.M)
    if page.path.stem != NOTEBOOKS[-1] and not set(found) <= set(SYMPTOMS):
        yield "", f"headings that are symptoms ({', '.join(SYMPTOMS)}), got {found}"
