"""Find claims that nothing supports: `python -m website.prose 03`; the build and the tests look for the same claims.

There are two rules, for notebooks and for pages written by hand:

- A number that looks measured (a decimal, a percentage, *four times*, *7 of 12*, milliseconds, MiB, nats) must
  be in an output of its section or of a cell that its line links to; that output may have more digits. A number without
  a unit may also be in the code.
- A cell needs an assert, in itself or in the next cell, if its output is not compared or if it reads stored results.

A sentence that teaches is no claim: a question, an example, a supposition, a guess that says so (``NO_CLAIM``), or a
link to another chapter whose numbers are there. Purpose, reason and consequence need no support that a program could
look for; whether a reason is derived, tested or marked as a guess is for readers to judge.

A mark at the end of a line names the support for the line's numbers; readers do not see the mark, and the build removes
it:

    Both are 0.25 at every length. <!-- held: cell-07 -->

The mark names cells, or reasons: see ``REASONS``.
"""

import re
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from sphinx.util import logging

from website.places import read
from website.reading import times

REASONS = {
    "derived": "the derivation is on the page",
    "definition": "true by the meaning of the words",
    "arithmetic": "computed from numbers in sight",
    "example": "chosen, not measured",
    "cited": "from the source to which the line links",
    "guess": "and the line says so",
}
SAID = {"cited": r"\]\(http|\{cite", "guess": r"\bguess"}  # a line with such a reason must contain this
MARK = re.compile(r" ?(?:<!--|#) held: ([^>\n]*?)(?: ?-->|$)", re.M)
HIDDEN_MARK = re.compile(r" ?<!-- held: [^>]* -->")  # also matches within a notebook's JSON
NO_CLAIM = re.compile(
    r"\?\W*$|\b(?:[Ff]or example|[Ss]uppose|[Ii]magine|[Gg]uess|[Ww]e have not looked|[Hh]ad \w+ been)\b"
)
SENTENCE = re.compile(r"(?<=[.?!])[*)”\"]* (?=[*(“\"$`\[]*[A-Z0-9])")
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
NUMERAL = rf"(?:\d[\d,]*(?:\.\d+)?|\.\d+|\b(?:{'|'.join(WORDS[1:])})\b)"
UNIT = r"(?:%|per cent|times(?! \d)|ms\b|µs\b|[kKMG]i?B\b|nats?\b)"
MEASURED = re.compile(
    rf"(?P<of>{NUMERAL}) of (?:the |its |all |these )?(?P<all>\d+|{'|'.join(WORDS[1:])})\b"
    rf"|(?P<unit>{NUMERAL})[ \u00a0\u202f]?(?P<which>{UNIT})"
    r"|(?<![\w.,])(?P<decimal>\d*\.\d+)(?![\w.]*\d)",
    re.IGNORECASE,
)
NAMED = re.compile(
    r"(?:CC BY|[Ee]xercises?|[Ss]ections?|[Ee]quations?|[Vv]ersions?|torch|transformers|Keras|Python|Appendix) [\d.]+"
)
NOT_PROSE = re.compile(
    r"#|> - |> \*\*(?:Predict|Quiz|Exercise)|\*Asked on\*|\*Said\*|Time: |- .*\{cite|\*\*Read on"
    r"|(?:right|measured|open): "
)
IN_OUTPUT = re.compile(r"(?<![A-Za-z_])(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d+)?(?<=\d)")
CELL_LINK = re.compile(r"\]\(([^)#\s]*\.ipynb|)(?:#cell-id=([^)\s]+)|#[^)\s]*)?\)")
NO_LINES = re.compile(r"\$\$.*?\$\$|^```.*?^```", re.S | re.M)
STORED = re.compile(r"\bload_(?:rows|weights)\(|\.json\b")


class Fault(NamedTuple):
    cell: str  # the cell's id; empty if the fault concerns the whole page
    rule: str
    expected: str

    def __str__(self):
        return ": ".join(filter(None, self))


def setup(app):
    app.connect("env-before-read-docs", check)
    app.connect("source-read", strip)


def check(app, env, docnames):
    """Check the pages that Sphinx will read, and the pages that may cite their numbers."""
    names = [docname.rpartition("/")[2] for docname in docnames]
    for docname in sorted(env.found_docs):
        path = Path(env.doc2path(docname))
        if docname in docnames or any(name in path.read_text(encoding="utf-8") for name in names):
            for fault in faults(path):
                logging.getLogger(__name__).warning(str(fault), location=docname)


def strip(app, docname, source):
    source[0] = HIDDEN_MARK.sub("", source[0])


@cache
def numbers_in(text):
    return {float(number.replace(",", "")) for number in IN_OUTPUT.findall(text) if number}


def numbers_of(cells):
    """The numbers in the cells' printed output or figure descriptions; and these plus the numbers in the code."""
    outputs = [output for cell in cells for output in cell.outputs]
    printed = numbers_in("\n".join(o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs))
    return printed, printed | numbers_in("\n".join(cell.source for cell in cells))


def sections(nb):
    """Each section's lines of prose, with the ids of their cells, and its code cells."""
    for _, _, _, parts in times.sections(nb):
        prose = [part for part in parts if part.cell_type == "markdown"]
        lines = [(part.id, line) for part in prose for line in NO_LINES.sub("", part.source).splitlines()]
        yield lines, [part for part in parts if part.cell_type == "code"]


def linked(text, path):
    """The notebooks that a text on the page at ``path`` links to, each with the id of a cell, or an empty string."""
    for target, ident in CELL_LINK.findall(text):
        file = (path.parent / target).resolve() if target else path
        if file.suffix == ".ipynb" and file.is_file():
            yield file, ident


def linked_cells(line, path):
    """The code cells that a line links to: one cell per link, or all cells of a chapter."""
    for file, ident in linked(line, path):
        yield from (cell for cell in read(file).cells if cell.cell_type == "code" and ident in ("", cell.id))


def prose(line):
    """A line without code, addresses and formulas; a formula that is a number remains."""
    line = re.sub(r"\]\([^)]*\)|<[^>]+>|`[^`]*`|\{cite:\w\}", " ", MARK.sub("", line))
    return NAMED.sub(" ", re.sub(r"\$([^$]*)\$", lambda m: m[1] if re.fullmatch(r"[\d.,]+", m[1]) else " ", line))


def measured_numbers(text):
    """Each number that looks measured: its words, the values and tolerances that support it, whether it has a unit."""
    for match in MEASURED.finditer(text):
        about = re.search(r"\b(?:about|nearly|almost|some|around|roughly) $", text[: match.start()])
        for name in ("of", "all", "unit", "decimal"):
            if found := (match[name] or "").lower():
                number = float(WORDS.index(found) + 1 if found in WORDS else found.replace(",", ""))
                half = 0.5 * 10.0 ** -len(found.partition(".")[2])
                half = max(half, abs(number) / 10) if about else half
                share = name == "unit" and match["which"] in ("%", "per cent")
                yield match[0], [(number, half)] + [(number / 100, half / 100)] * share, name == "unit"


def held_by(known, values):
    return any(abs(abs(number) - value) <= half * (1 + 1e-9) for number in known for value, half in values)


def faults(path):
    """The claims that nothing supports in the page at ``path``."""
    path = Path(path).resolve()
    nb = read(path)
    by_id = {cell.id: cell for cell in nb.cells if cell.cell_type == "code"}
    for lines, cells in sections(nb):
        here = cells or list(by_id.values())  # a section without code is a summary of all sections
        numbers = numbers_of(here)
        for ident, line in lines:
            if not line.strip() or NOT_PROSE.match(line):
                continue
            marks = [mark.strip() for found in MARK.findall(line) for mark in found.split(",")]
            for mark in marks:
                if mark not in REASONS and mark not in by_id:
                    reasons = ", ".join(REASONS)
                    yield Fault(ident, "marks", f"{mark!r} is neither a cell here nor one of {reasons}: {line[:80]}")
                if mark in SAID and not re.search(SAID[mark], line.partition("<!--")[0]):
                    yield Fault(ident, "marks", f"held by {mark!r}, but the line does not show it: {line[:80]}")
            if REASONS.keys() & set(marks):
                continue
            named = [by_id[mark] for mark in marks if mark in by_id] + list(linked_cells(line, path))
            text = prose(line)
            printed, known = (a | b for a, b in zip(numbers, numbers_of(named), strict=True)) if named else numbers
            for sentence in filter(lambda sentence: not NO_CLAIM.search(sentence), SENTENCE.split(text)):
                for words, values, has_unit in measured_numbers(sentence):
                    if not held_by(printed if has_unit else known, values):
                        where = around(text, words)
                        yield Fault(ident, "numbers", f"{words!r} is in no output of its section: …{where}…")
    codes = list(by_id.values())
    for cell, following in zip_longest(codes, codes[1:]):
        loose = "nbval-ignore-output" in cell.metadata.get("tags", []) or STORED.search(cell.source)
        printed = any(output.output_type == "stream" for output in cell.outputs)
        if loose and printed and not any("assert" in other.source for other in (cell, following) if other):
            why = "it prints numbers that nothing compares, and neither it nor the next cell has an assert"
            yield Fault(cell.id, "asserts", why)


def around(text, words):
    start = text.index(words)
    return " ".join(text[max(0, start - 60) : start + len(words) + 40].split())
