"""Every page keeps the rules for authors, and every rule notices a page that breaks it."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from website.places import ROOT, pages
from website.prose import rules

md = new_markdown_cell
CHAPTER, FIRST, LAST = "chapters/03_bad.ipynb", "chapters/00_bad.ipynb", "chapters/12_bad.ipynb"
ASKED = "back_matter/questions_wrong.ipynb"
EXERCISE = "> **Exercise 3.1.** What?"
CHOICES = "> **Quiz.** Which?\n>\n> - one\n> - two\n\n"
COURSE = "| [chapter](chapters/14_attention_that_ships.ipynb#first-reading) | 25 |\n"
ADDRESS = "*Asked on* [a page](https://example.org)."
NOTED = "\n\n<!--\nchapters: 5\n-->"
SAID = "### {}\n\n**It is {}.**\n\n{}" + NOTED
STATEMENT = """### "It is"

> "It is so."

*Said* [here](https://no.no).

*What is right:* some.

**No: it is not.** ([Chapter 5](../chapters/05_masking.ipynb))"""
SHOWN = new_code_cell("1", outputs=[new_output("execute_result", data={"text/plain": "1"})])
TITLES = ("code_prompt_show", "code_prompt_hide")
EXPLORER = "@explore(x=[1, 2])\ndef f(x): ..."


def code(source, *tags, **metadata):
    return new_code_cell(source, metadata={"tags": list(tags), **metadata})


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.stem)
def test_every_page_keeps_the_rules(path):
    assert list(map(str, rules.faults(path))) == []


# The rule, the page, its cells, and a part of the message.
BAD = [
    ("exercises referred to exist", CHAPTER, [md("See exercise 3.99.")], "exercise 3.99"),
    ("files named exist", CHAPTER, [md("See `tests/no_such_test.py`.")], "no file tests/no_such_test.py"),
    ("links lead to hosts that are known", CHAPTER, [md("[A copy](https://copies.example/1).")], "got copies.example"),
    ("measured times are neither compared nor asserted", CHAPTER, [code("time.perf_counter()")], "nbval-ignore-output"),
    (
        "measured times are neither compared nor asserted",
        CHAPTER,
        [code("start = time.perf_counter()\nassert start", "nbval-ignore-output")],
        "no assert",
    ),
    ("what is folded has a title", CHAPTER, [code("1", "hide-input")], "code_prompt_show"),
    (
        "what is folded has a title",
        LAST,
        [code("1", "hide-cell", mystnb={"code_prompt_show": "One"})],
        "code_prompt_hide",
    ),
    (
        "what is folded has a title",
        "index.ipynb",
        [code("1", "hide-output", mystnb=dict.fromkeys(TITLES, "Show code cell source"))],
        "code_prompt_show",
    ),
    (
        "a picture comes before the asserts of its caption",
        CHAPTER,
        [code("fig, ax = plt.subplots()\nassert 1 < 2\nshow(fig, 'One.')")],
        "after the picture",
    ),
    ("minutes are as counted", CHAPTER, [md("word " * 900), md("Time: 10 minutes.")], "as `python -m tools.reading"),
    ("minutes are as counted", "index.ipynb", [md(COURSE.replace("25", "60"))], "as `python -m tools.reading"),
    ("results are not left alone", CHAPTER, [md("Words."), md("## Two"), SHOWN], "the first below its heading"),
    ("results are not left alone", CHAPTER, [md("## Two\n\nWords."), SHOWN, SHOWN, SHOWN], "third in a row"),
    ("a caption is short", CHAPTER, [code(f"show(fig, '{'word ' * 26}.')")], "26 words, 1 sentences"),
    ("a caption is short", CHAPTER, [code("show(fig, 'One sentence. Another one.')")], "2 sentences"),
    ("a caption is short", CHAPTER, [code("show(fig, f'(Only {n} in brackets.)')")], "0 sentences"),
    (
        "a caption says where full colour begins",
        CHAPTER,
        [code("ax.imshow(weights, vmax=0.5)\nshow(fig, 'Weights.')")],
        "full colour, 0.5",
    ),
    (
        "the core needs nothing from the rest",
        CHAPTER,
        [md("## One\n\n*Second reading.*\n"), code("a = 1"), md("## Two"), code("print(a)")],
        "no use of 'a', which the second reading 'One' binds",
    ),
    (
        "a statement that is checked has a source or is a question",
        CHAPTER,
        [md('> **Checked.** "It is so." It is not.')],
        "the address of the text that it quotes",
    ),
    *[("a chapter has its parts", CHAPTER, [md("# 4 · Name")], part) for part in ["`# 3 · Name`", *rules.PARTS]],
    ("every question has an answer that says why", CHAPTER, [md(CHOICES)], "a comment <!-- answer"),
    ("every question has an answer that says why", CHAPTER, [md(f"{CHOICES}<!-- answer\nright: 1\n-->")], "`because:`"),
    ("exercises are counted", CHAPTER, [md(EXERCISE), md("> **Exercise 3.3.** Why?")], "3.1, 3.2, got 3.1, 3.3"),
    ("exercises are counted", CHAPTER, [md("> **Exercise.** What?")], "3.1, got"),
    ("an exercise has a folded solution", CHAPTER, [md(EXERCISE), code("1")], "the tag hide-cell"),
    ("an exercise has a folded solution", CHAPTER, [md(EXERCISE)], "the tag hide-cell"),
    (
        "an exercise has a folded solution",
        CHAPTER,
        [md(EXERCISE), code("practice.check_it(f)"), code("1", "hide-cell")],
        "# your answer",
    ),
    (
        "an exercise has a folded solution",
        CHAPTER,
        [md(EXERCISE), code("practice.check_it(f)  # your answer"), code("1", "hide-cell")],
        "remove-output",
    ),
    ("the first course takes at most two hours", "index.ipynb", [md(COURSE * 6)], "at most 120 minutes"),
    *[
        (
            "a popular statement stands alone",
            "back_matter/popular_statements.ipynb",
            [md(STATEMENT.replace(part, bad))],
            expected,
        )
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
    *[
        ("a chapter is named by a link that fits", CHAPTER, [md(text)], expected)
        for text, expected in [
            ("See [chapter 4](05_masking.ipynb).", "with its number, got [chapter 4]"),
            ("See [Chapters 4](04_multi_head_attention.ipynb) and [6](05_masking.ipynb).", "got [6]"),
            ("See [chapter 5](05_masks.ipynb).", "a link to a chapter"),
            ("As in chapter 5.", "in place of 'chapter 5'"),
        ]
    ],
    ("a chapter is named by a link that fits", CHAPTER, [code("x = 1  # as in chapter 5")], "in place of 'chapter 5'"),
    ("a chapter ends with its questions", CHAPTER, [md("## What people ask\n\n- None.")], "website.asked.lists"),
    (
        "the contents are in the order of the numbers",
        "index.ipynb",
        [md("- **0 · [Another title](chapters/00_attention_in_five_minutes.ipynb)**: it.")],
        "Another title",
    ),
    *[
        ("a question that people ask has askers and a note", ASKED, [md(text)], expected)
        for text, expected in [
            (SAID.format("It is.", "not", ADDRESS), "a question, asked once"),
            (SAID.format("What is it?", "[not](https://no.no)", ADDRESS), "no link"),
            (SAID.format("What is it?", "not", "*Asked on* a page."), "with addresses"),
            (SAID.format("What is it?", "not", ADDRESS).replace("\n-->", "\nparts: 5\n-->"), "a note"),
        ]
    ],
    ("questions stand below what a reader sees", ASKED, [md("## Chapter 5 · Masks")], "headings that are symptoms"),
]


@pytest.mark.parametrize(("rule", "path", "cells", "expected"), BAD)
def test_a_rule_notices_a_page_that_breaks_it(rule, path, cells, expected):
    found = [fault for fault in rules.faults_of(rules.Page(ROOT / path, cells)) if fault.rule == rule]
    assert any(expected in fault.expected for fault in found), found


@pytest.mark.parametrize("heading", ['"It […] so"', '"[The scale] is so"', '"It is [like this]"'])
def test_a_heading_may_leave_words_out_or_add_some_in_brackets(heading):
    text = STATEMENT.replace('"It is"', heading)
    page = rules.Page(ROOT / "back_matter" / "popular_statements.ipynb", [md(text)])
    assert list(rules.a_popular_statement_stands_alone(page)) == []


def test_every_rule_has_a_page_that_breaks_it():
    shown = {rule for rule, *_ in BAD}
    assert shown == {name.replace("_", " ") for name in rules.RULES}
