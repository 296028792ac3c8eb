"""The questions that people ask, in four notebooks by what the reader has, and where each of them is.

A question is one markdown cell, followed by the code cells that show its answer:

    ### A question?

    **The answer in one line.** Conditions and reasons.

    *Asked on* [a forum](https://…), [another](https://…).

    <!--
    chapters: 5
    found by: rope longer text; Rubbish or repetition
    also asked on: https://…
    -->

The note has the chapters whose subject it is, what people type who ask this (and further symptoms), and more addresses.
A question below the heading of a symptom explains that symptom first of all.
"""

import functools
import re
from dataclasses import dataclass

from languages import say
from website.grammar import ASKED_BY, ASKED_ON, SYMPTOMS
from website.places import ROOT, read

NOTEBOOKS = [f"questions_{name}" for name in ("message", "wrong", "slow", "why")]
NOTE = re.compile(r"<!--\n(chapters: .*?)\n-->", re.DOTALL)


@dataclass
class Question:
    notebook: str
    heading: str  # above it
    ident: str  # of its cell
    title: str
    line: str  # the answer's first, in bold
    text: str  # the rest of it
    asked_on: str
    note: dict

    @property
    def address(self):
        return f"{self.notebook}.ipynb#cell-id={self.ident}"

    @property
    def chapters(self):
        return [int(number) for number in self.note["chapters"].split(", ")]

    @property
    def found_by(self):
        """What it is found by; its own symptom first."""
        words = [self.heading] if self.heading in SYMPTOMS else []
        words += filter(None, self.note.get("found by", "").split("; "))
        return [say(one) if one in SYMPTOMS else one for one in words]

    @property
    def askers(self):
        """On how many pages it was asked, as far as we know."""
        return self.asked_on.count("](http") + self.note.get("also asked on", "").count("http")


def question_in(source):
    """Title, line in bold, rest, where it was asked, and note of a cell, or None if there is no question in it."""
    title, _, rest = source.partition("\n\n")
    note = NOTE.search(rest)
    pattern = rf"\*\*(.+?)\*\*(?!\*)(.*?)(?=^\*(?:{ASKED_ON}|{ASKED_BY})\*)(.*)"
    answer = re.match(pattern, rest[: note.start()] if note else "", re.S | re.M)
    if not (title.startswith("### ") and answer):
        return None
    fields = dict(line.split(": ", 1) for line in note[1].split("\n"))
    # At the start of a link Sphinx would take an opening quotation mark for a closing one.
    title = re.sub(r'"([^"]*)"', r"“\1”", title.removeprefix("### "))
    return title, *(part.strip() for part in answer.groups()), fields


@functools.cache
def questions(read=read):
    """All questions, in the reader's language; with ``source`` in place of ``read``, in English."""
    found = []
    for notebook in NOTEBOOKS:
        heading = ""
        for cell in read(ROOT / "back_matter" / f"{notebook}.ipynb").cells:
            if cell.cell_type == "markdown" and cell.source.startswith("## "):
                heading = cell.source.removeprefix("## ").partition("\n")[0]
            elif cell.cell_type == "markdown" and (parts := question_in(cell.source)):
                found.append(Question(notebook, heading, cell.id, *parts))
    return found


def most_asked(count, chapter=None):
    """The questions with most askers (of one chapter), in the order of the notebooks."""
    among = [one for one in questions() if chapter is None or chapter in one.chapters]
    chosen = sorted(among, key=lambda one: -one.askers)[:count]
    return [one for one in among if one in chosen]
