"""Find claims that nothing supports, in notebooks and in pages written by hand: `python -m website.prose 03`.

There are two rules:

- A number that looks measured (a decimal, a percentage, *four times*, *7 of 12*, milliseconds, MiB, nats) must
  be in an output of its section or of a cell that its line links to; that output may have more digits. A number without
  a unit may also be in the code.
- A cell needs an assert, in itself or in the next cell, if its output is not compared or if it reads stored results.

A sentence that teaches is no claim: a question, an example, a supposition, a guess that says so, or one that cites its
source (``NO_CLAIM``). A formula shows where its numbers come from. Purpose, reason and consequence need no support that
a program could look for; whether a reason is derived, tested or marked as a guess is for readers to judge.
"""

import re
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from website.places import source
from website.reading import times

NO_CLAIM = re.compile(
    r"\?\W*$|\]\(http|\{cite"
    r"|\b(?:[Ff]or example|[Ss]uppose|[Ii]magine|[Gg]uess|[Ww]e have not looked|[Hh]ad \w+ been)\b"
)
SENTENCE = re.compile(r"(?<=[.?!])[*)”\"]* (?=[*(“\"$`\[]*[A-Z0-9])")
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
NUMERAL = rf"(?:\d[\d,]*(?:\.\d+)?|\.\d+|\b(?:{'|'.join(WORDS[1:])})\b)"
UNIT = r"(?:%|per ?cent|times(?! \d)|ms\b|µs\b|[kKMG]i?B\b|nats?\b)"
MEASURED = re.compile(
    rf"(?P<of>{NUMERAL}) of (?:the |its |all |these )?(?P<all>\d+|{'|'.join(WORDS[1:])})\b"
    rf"|(?P<unit>{NUMERAL})[ \u00a0\u202f]?(?P<which>{UNIT})"
    r"|(?<![\w.,])(?P<decimal>\d*\.\d+)(?![\w.]*\d)",
    re.IGNORECASE,
)
NAMED = re.compile(
    r"(?:CC BY|[Ee]xercises?|[Ss]ections?|[Ee]quations?|[Vv]ersions?|torch|transformers|Keras|Python|Appendix)"
    r" [\d.]+(?:(?:, | and | or | to )[\d.]+)*"
)
NOT_PROSE = re.compile(r"> - |> \*\*(?:Predict|Quiz|Exercise)|(?:right|measured): ")
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


def faults(path):
    """The claims that nothing supports in the page at ``path``."""
    path = Path(path).resolve()
    codes = code_in(source(path).cells)
    for *_, parts in times.sections(source(path)):
        here = code_in(parts) or codes  # a section without code is a summary of all sections
        for part in parts:
            text = NO_LINES.sub("", part.source) if part.cell_type == "markdown" else ""
            for line in text.splitlines():
                if not NOT_PROSE.match(line):
                    yield from (Fault(part.id, "numbers", words) for words in unsupported(line, here, path))
    for cell, following in zip_longest(codes, codes[1:]):
        loose = "nbval-ignore-output" in cell.metadata.get("tags", []) or STORED.search(cell.source)
        printed = any(output.output_type == "stream" for output in cell.outputs)
        if loose and printed and not any("assert" in other.source for other in (cell, following) if other):
            why = "it prints numbers that nothing compares, and neither it nor the next cell has an assert"
            yield Fault(cell.id, "asserts", why)


def code_in(cells):
    return [cell for cell in cells if cell.cell_type == "code"]


def unsupported(line, cells, path):
    """For each number without support in a line, what is wrong."""
    for sentence in SENTENCE.split(line):
        if NO_CLAIM.search(sentence):
            continue
        for words, values, has_unit in measured_numbers(prose(sentence)):
            known = numbers_in([*cells, *linked_cells(line, path)], with_code=not has_unit)
            if not any(abs(abs(number) - value) <= half * (1 + 1e-9) for number in known for value, half in values):
                yield f"{words!r} is in no output of its section: {sentence}"


def prose(sentence):
    """A sentence without code, addresses and formulas; a formula that is a number remains."""
    sentence = re.sub(r"\]\([^)]*\)|<[^>]+>|`[^`]*`", " ", sentence)
    sentence = re.sub(r"\$([\d.,]+)\\?(%?)\$", r"\1\2", sentence)
    return NAMED.sub(" ", re.sub(r"\$[^$]*\$", " ", sentence))


def measured_numbers(text):
    """Each number that looks measured: its words, the values and tolerances that support it, whether it has a unit."""
    for match in MEASURED.finditer(text):
        about = re.search(r"\b(?:about|nearly|almost|some|around|roughly) $", text[: match.start()])
        for name in ("of", "all", "unit", "decimal"):
            if found := (match[name] or "").lower():
                number = float(WORDS.index(found) + 1 if found in WORDS else found.replace(",", ""))
                half = 0.5 * 10.0 ** -len(found.partition(".")[2])
                half = max(half, abs(number) / 10) if about else half
                share = name == "unit" and match["which"] in ("%", "per cent", "percent")
                yield match[0], [(number, half)] + [(number / 100, half / 100)] * share, name == "unit"


def linked_cells(line, path):
    """The code cells that a line links to: one cell per link, or all cells of a chapter."""
    for target, ident in CELL_LINK.findall(line):
        file = (path.parent / target).resolve() if target else path
        if file.suffix == ".ipynb" and file.is_file():
            yield from (cell for cell in code_in(source(file).cells) if ident in ("", cell.id))


def numbers_in(cells, with_code):
    """The numbers in the cells' printed outputs and in the descriptions of their figures, or also in their code."""
    outputs = [output for cell in cells for output in cell.outputs]
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs]
    return set().union(*map(numbers_in_text, texts + [cell.source for cell in cells] * with_code))


@cache
def numbers_in_text(text):
    return {float(number.replace(",", "")) for number in IN_OUTPUT.findall(text) if number}
