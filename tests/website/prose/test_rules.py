"""Every page keeps the rules for authors, and every rule notices a page that breaks it."""

import pytest
from nbformat.v4 import new_code_cell, new_output
from nbformat.v4 import new_markdown_cell as md

from website.places import ROOT, pages
from website.prose import rules

EXERCISE = "> **Exercise 3.1.** What?"
CHOICES = "> **Quiz.** Which?\n>\n> - one\n> - two\n\n"
QUESTION = "### What is it?\n\n**It is this.**\n\n*Asked on* [a page](https://example.org).\n\n<!--\nchapters: 5\n-->"
STATEMENT = """### "It is"

> "It is so."

*Said* [here](https://no.no).

*What is right:* some.

**No: it is not.** ([Chapter 5](../chapters/05_masking.ipynb))"""
SHOWN = new_code_cell("1", outputs=[new_output("execute_result", data={"text/plain": "1"})])


def code(source, *tags, **metadata):
    return new_code_cell(source, metadata={"tags": list(tags), **metadata})


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.stem)
def test_every_page_keeps_the_rules(path):
    assert list(map(str, rules.faults(path))) == []


# For each rule, bad pages: a part of the message, and the cells.
BAD = {
    "exercises referred to exist": [
        ("exercise 3.99", md("See exercise 3.99.")),
        ("exercise 3.98", md("Exercises 3.99 and 3.98.")),
    ],
    "a section has few notes": [
        ("at most 2 notes in 'Two', got a, b, c", md("## Two\n\nOne.[^a] Two.[^b]"), md("[^c]")),
    ],
    "files named exist": [("no file tests/no_such_test.py", md("See `tests/no_such_test.py`."))],
    "links lead to hosts that are known": [("got copies.example", md("[A copy](https://copies.example/1)."))],
    "no time is asserted": [("no assert", code("start = time.perf_counter()\nassert start"))],
    "what is folded has a title": [
        ("code_prompt_show", code("1", "hide-input")),
        ("code_prompt_hide", code("1", "hide-cell", mystnb={"code_prompt_show": "One"})),
    ],
    "results are not left alone": [
        ("the first below its heading", md("Words."), md("## Two"), SHOWN),
        ("third in a row", md("## Two\n\nWords."), SHOWN, SHOWN, SHOWN),
    ],
    "a caption is short": [
        ("26 words, 1 sentences", code(f"show(fig, '{'word ' * 26}.')")),
        ("2 sentences", code("show(fig, 'One sentence. Another one.')")),
        ("0 sentences", code("show(fig, f'(Only {n} in brackets.)')")),
    ],
    "a chapter has its parts": [(part, md("# 4 · Name")) for part in ["`# 3 · Name`", *rules.PARTS]],
    "the core needs nothing from the rest": [
        (
            "no use of 'a', which the second reading 'One' binds",
            *(md("## One\n\n*Second reading.*\n"), code("a = 1"), md("## Two"), code("print(a)")),
        )
    ],
    "a statement that is checked has a source or is a question": [
        ("the address of the text that it quotes", md('> **Checked.** "It is so." It is not.'))
    ],
    "every question has an answer that says why": [
        ("a comment <!-- answer", md(CHOICES)),
        ("`because:`", md(f"{CHOICES}<!-- answer\nright: 1\n-->")),
    ],
    "exercises are counted": [
        ("3.1, 3.2, got 3.1, 3.3", md(EXERCISE), md("> **Exercise 3.3.** Why?")),
        ("3.1, got", md("> **Exercise.** What?")),
    ],
    "an exercise has a folded solution": [
        ("the tag hide-cell", md(EXERCISE)),
        ("the tag hide-cell", md(EXERCISE), code("1")),
        ("the tag hide-cell", md(EXERCISE), code("practice.check_it(f)", "remove-output"), code("1")),
        ("remove-output", md(EXERCISE), code("practice.check_it(f)"), code("1", "hide-cell")),
    ],
    "a chapter is named by a link that fits": [
        ("with its number, got [chapter 4]", md("See [chapter 4](05_masking.ipynb).")),
        ("got [6]", md("See [Chapters 4](04_multi_head_attention.ipynb) and [6](05_masking.ipynb).")),
        ("a link to a chapter", md("See [chapter 5](05_masks.ipynb).")),
        ("in place of 'chapter 5'", md("As in chapter 5.")),
        ("in place of 'chapter 5'", code("x = 1  # as in chapter 5")),
    ],
    "a chapter ends with its questions": [("website.asked.lists", md("## What people ask\n\n- None."))],
    "the contents are in the order of the numbers": [
        ("Another title", md("- **0 · [Another title](chapters/00_attention_in_five_minutes.ipynb)**: it."))
    ],
    "a popular statement stands alone": [
        (expected, md(STATEMENT.replace(part, bad)))
        for part, bad, expected in [
            ('"It is"', "It is", "in quotation marks"),
            ('"It is"', '"It was"', "in quotation marks"),
            ('"It is"', '"[The scale] was"', "in quotation marks"),
            ('"It is"', '"[The scale]"', "in quotation marks"),
            ("[here](https://no.no)", "by people", "with an address"),
            ("*What is right:*", "*What is wrong:*", "*What is right:*"),
            ("(../chapters/05_masking.ipynb)", "", "the chapter"),
        ]
    ],
    "a question that people ask has askers and a note": [
        (expected, md(QUESTION.replace(part, bad)))
        for part, bad, expected in [
            ("What is it?", "It is.", "a question, asked once"),
            ("this", "[this](https://no.no)", "no link"),
            ("[a page](https://example.org)", "a page", "with addresses"),
            ("\n-->", "\nparts: 5\n-->", "a note"),
        ]
    ],
    "questions stand below what a reader sees": [("headings that are symptoms", md("## Chapter 5 · Masks"))],
}


@pytest.mark.parametrize(
    ("rule", "expected", "cells"),
    [(rule, expected, cells) for rule, bad in BAD.items() for expected, *cells in bad],
)
def test_a_rule_notices_a_page_that_breaks_it(rule, expected, cells):
    files, _ = rules.RULES[rule.replace(" ", "_")]
    path = files.replace("*", "wrong") if files == rules.ASKED else "chapters/03_bad.ipynb" if "*" in files else files
    found = [fault for fault in rules.faults_of(rules.Page(ROOT / path, cells)) if fault.rule == rule]
    assert any(expected in fault.expected for fault in found), found


def test_every_rule_has_a_page_that_breaks_it():
    assert BAD.keys() == {name.replace("_", " ") for name in rules.RULES}


@pytest.mark.parametrize("heading", ['"It […] so"', '"[The scale] is so"', '"It is [like this]"'])
def test_a_heading_may_leave_words_out_or_add_some_in_brackets(heading):
    page = rules.Page(ROOT / "back_matter" / "popular_statements.ipynb", [md(STATEMENT.replace('"It is"', heading))])
    assert list(rules.a_popular_statement_stands_alone(page)) == []
