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
ADDRESS = "*Asked on* [a page](https://example.org)."
NOTED = "\n\n<!--\nchapters: 5\n-->"
SAID = "### {}\n\n**It is {}.** {}\n\n{}" + NOTED
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


def glossary(text):
    return [md(f"```{{glossary}}\n{text}\n```")]


# The rule, the page, its cells, and a part of the message.
BAD = [
    ("a box is of a known kind", CHAPTER, [md("> **Pitfal.** No.")], "'Pitfal.'; expected one of Predict., Quiz."),
    ("exercises referred to exist", CHAPTER, [md("See exercise 3.99.")], "exercise 3.99"),
    (
        "links to cells lead to code or to a question",
        CHAPTER,
        [md("[here](../index.ipynb#cell-id=no)")],
        "no code cell and no question no",
    ),
    (
        "links to cells lead to code or to a question",
        CHAPTER,
        [md("[here](nowhere.ipynb#cell-id=no)")],
        "nowhere.ipynb",
    ),
    ("files named exist", CHAPTER, [md("See `tests/no_such_test.py`.")], "no file tests/no_such_test.py"),
    ("citations have entries", CHAPTER, [md("{cite:p}`vaswani2017, nobody1900`")], "nobody1900"),
    ("links lead to hosts that are known", CHAPTER, [md("[A copy](https://copies.example/1).")], "got copies.example"),
    ("the import path stays as it is", CHAPTER, [code("sys.path.append('.')")], "sys.path"),
    ("measured times are neither compared nor asserted", CHAPTER, [code("time.perf_counter()")], "nbval-ignore-output"),
    (
        "measured times are neither compared nor asserted",
        CHAPTER,
        [code("start = time.perf_counter()\nassert start", "nbval-ignore-output")],
        "no assert",
    ),
    ("an explorer says what to try", CHAPTER, [code(EXPLORER), md("Words.")], "**Try.**"),
    ("an explorer says what to try", CHAPTER, [code(EXPLORER)], "**Try.**"),
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
    ("the imports are folded", CHAPTER, [code("import torch", "hide-input")], "Imports"),
    ("the imports are folded", LAST, [code("import torch", mystnb={"code_prompt_show": "Imports"})], "hide-input"),
    ("a visible cell is short", CHAPTER, [code("1\n\n" * 21)], "at most 20 lines in a visible cell, got 21"),
    ("a picture comes early", CHAPTER, [md("word " * 361), md("![](a.png)")], "within 360 words, got 361"),
    (
        "a heading has a sentence before its first result",
        CHAPTER,
        [md("## One\n\nSeven words are not quite enough here."), SHOWN],
        "8 words between '## One' and its first result, got 7",
    ),
    ("results are not left alone", CHAPTER, [md("Words."), SHOWN, md("## Two"), SHOWN, SHOWN], "third in a row"),
    ("a caption is short", CHAPTER, [code(f"show(fig, '{'word ' * 26}.')")], "26 words, 1 sentences"),
    ("a caption is short", CHAPTER, [code("show(fig, 'One sentence. Another one.')")], "2 sentences"),
    ("a caption is short", CHAPTER, [code("show(fig, f'(Only {n} in brackets.)')")], "0 sentences"),
    (
        "a caption says where full colour begins",
        CHAPTER,
        [code("ax.imshow(weights, vmax=0.5)\nshow(fig, 'Weights.')")],
        "full colour, 0.5",
    ),
    *[
        ("no table is made of text", CHAPTER, [code(source)], "a picture or a table")
        for source in ('print(f"{x:8}")', 'print(f"{x:>8.2f}")', 'print(f"{x:<{n}}")', "print(x.ljust(8))")
    ],
    ("a chapter begins with the same imports", CHAPTER, [code("import torch")], "the cell of imports"),
    ("a chapter has its parts", CHAPTER, [md("# 3 · Name\n\n*No question.*")], "a paragraph with a question"),
    *[
        ("a chapter has its parts", CHAPTER, [md("# 3 · Name")], part)
        for part in ("**Predict.**", "**Checked.**", "**Try.**", "## In short", "## Exercises", "**Read on.**")
    ],
    (
        "a chapter says how long it takes",
        CHAPTER,
        [md("word " * 900), md("Time: 10 minutes.")],
        "'Time: 05 minutes.'",
    ),
    ("a chapter fits into a lesson", CHAPTER, [md("word " * 180 * 31)], "at most 30 minutes"),
    (
        "a chapter fits into a lesson",
        CHAPTER,
        [md("## A\n\n*Second reading.* " + "word " * 180 * 53)],
        "a chapter of at most 52",
    ),
    ("a second reading says what is inside", CHAPTER, [md("## A\n\n*Second reading.*\n\nWords.")], "a few words"),
    (
        "the core needs nothing from the rest",
        CHAPTER,
        [md("## One\n\n*Second reading.*\n"), code("a = 1"), md("## Two"), code("print(a)")],
        "no use of 'a', which the second reading 'One' binds",
    ),
    ("one example runs through the first chapters", CHAPTER, [code("w_q = torch.tensor([[1.0, 2.0]])")], "w_q ="),
    ("one example runs through the first chapters", FIRST, [], "w_v ="),
    ("one example runs through the first chapters", "chapters/01_bad.ipynb", [code("x = torch.tensor([1.0])")], "x ="),
    ("one example runs through the first chapters", "chapters/02_bad.ipynb", [], "query ="),
    (
        "a statement that is checked has a source or is a question",
        CHAPTER,
        [md('> **Checked.** "It is so." It is not.')],
        "the address of the text that it quotes",
    ),
    ("a chapter has an explorer and two quizzes", CHAPTER, [code(EXPLORER), md(CHOICES)], "got 1 and 0"),
    ("every question takes an answer or says why not", CHAPTER, [md(CHOICES)], "a comment <!-- answer"),
    ("every question says why", CHAPTER, [md(f"{CHOICES}<!-- answer\nright: 1\n-->")], "a line `because:`"),
    ("every question takes an answer or says why not", CHAPTER, [md("<!-- answer\nright: 1\n-->")], "would be lost"),
    (
        "every question takes an answer or says why not",
        CHAPTER,
        [md(f"{CHOICES}<!-- answer\nright: 1\n-->"), md(f"{CHOICES}<!-- answer\n\nopen: why\n-->")],
        "at most 15 %",
    ),
    ("a reply holds no typed measurement", CHAPTER, [md(f"{CHOICES}<!-- answer\n1: It is 0.25.\n-->")], "0.25"),
    ("exercises are two or more and counted", CHAPTER, [md(EXERCISE), md("> **Exercise 3.3.** Why?")], "3.1, 3.2, got"),
    ("exercises are two or more and counted", CHAPTER, [md(EXERCISE)], "3.1, 3.2, got 3.1"),
    ("exercises are two or more and counted", CHAPTER, [md("> **Exercise.** What?")], "3.1, 3.2, got"),
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
    (
        "a solution is folded in jupyterlab as on the page",
        CHAPTER,
        [code("1", "hide-cell", jupyter={"source_hidden": False})],
        "source_hidden",
    ),
    ("exercises with a checker come first", CHAPTER, [md(EXERCISE), code("1")], "a first exercise with a checker"),
    (
        "exercises with a checker come first",
        CHAPTER,
        [
            md(EXERCISE),
            code("practice.check_it(f)"),
            md(EXERCISE),
            code("1"),
            md(EXERCISE),
            code("practice.check_it(f)"),
        ],
        "no checker after an exercise without",
    ),
    ("the first course takes at most two hours", "index.ipynb", [md("Words.")], "a table with the minutes"),
    ("the title page leads to every page", "index.ipynb", [md("Words.")], "a link to chapters/03_"),
    ("the glossary is read whole", "back_matter/glossary.md", glossary("word\n  No chapter."), "then its chapter"),
    (
        "the glossary is read whole",
        "back_matter/glossary.md",
        glossary("one\n  A. [Chapter 2](../chapters/02_no.ipynb)\n\n\nb\n  B. [Chapter 2](../chapters/02_no.ipynb)"),
        "a chapter of the book, got chapters/02_no",
    ),
    (
        "the glossary is read whole",
        "back_matter/glossary.md",
        [md("```{glossary}\none\n  A. [Chapter 2](../chapters/02_no.ipynb)\n```\n\nWords.")],
        "one empty line",
    ),
    (
        "the glossary is read whole",
        "back_matter/glossary.md",
        glossary("one\n  A. [Chapter 2](../chapters/02_no.ipynb)"),
        "an entry 'softmax'",
    ),
    (
        "the reference lists every public name",
        "back_matter/api.md",
        [md(".. autofunction:: attention_core.no")],
        "no once",
    ),
    ("the reference lists every public name", "back_matter/api.md", [md("Words.")], "softmax once"),
    *[
        (
            "a popular statement stands alone",
            "back_matter/popular_statements.ipynb",
            [md(STATEMENT.replace(part, bad)), SHOWN],
            expected,
        )
        for part, bad, expected in [
            ('"It is"', "It is", "in quotation marks"),
            ('"It is"', '"It was"', "in quotation marks"),
            ('"It is"', '"[The scale] was"', "in quotation marks"),
            ('"It is"', '"[The scale]"', "in quotation marks"),
            ("[here](https://no.no)", "by people", "with an address"),
            ("*What is right:*", "*What is wrong:*", "*What is right:*"),
            ("No: it is not.", "Rather: no.", "one verdict"),
            ("it is not", "it is not " * 6, "one verdict"),
            ("(../chapters/05_masking.ipynb)", "", "the chapter"),
        ]
    ],
    (
        "a popular statement stands alone",
        "back_matter/popular_statements.ipynb",
        [md(STATEMENT), new_code_cell("x = 1\n" * 13, outputs=SHOWN.outputs)],
        "12 lines",
    ),
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
    (
        "a second reading says what is inside",
        CHAPTER,
        [md("*Second reading.* As in [chapter 4](04_multi_head_attention.ipynb).")],
        "no link in the line",
    ),
    ("a chapter ends with its questions", CHAPTER, [md("## What people ask\n\n- None.")], "website.asked.lists"),
    ("a title and exercises have the number of the file", CHAPTER, [md("# 4 · Bad")], "begins with 3"),
    (
        "a title and exercises have the number of the file",
        CHAPTER,
        [md("# 3 · Bad"), md("> **Exercise 4.1.** Do it.")],
        "got Exercise 4.1",
    ),
    (
        "the contents are in the order of the numbers",
        "index.ipynb",
        [md("- **0 · [Another title](chapters/00_attention_in_five_minutes.ipynb)**: it.")],
        "Another title",
    ),
    ("questions stand below what a reader sees", ASKED, [md("## Chapter 5 · Masks")], "headings that are symptoms"),
    *[
        ("a question that people ask has an answer a cell and askers", ASKED, cells, expected)
        for *cells, expected in [
            (md("### It is."), "an answer that begins with a line in bold"),
            (md(SAID.format("It is.", "not", "", ADDRESS)), "a question, asked once"),
            (md(SAID.format("What is it?", "not", "", "*Asked on* a page.")), "with addresses"),
            (md(f"### What is it?\n\nIt is not.\n\n{ADDRESS}{NOTED}"), "a line in bold"),
            (md(SAID.format("What is it?", "[not](https://no.no)", "", ADDRESS)), "without a link"),
            (md(SAID.format("What is it?", "word " * 25, "", ADDRESS)), "at most 25 words"),
            (md(SAID.format("What is it?", "not", "word " * 91, ADDRESS)), "at most 90 words"),
            (md(SAID.format("What is it?", "not", "", ADDRESS)), code("x = 1\n" * 13), "at most 12 lines"),
            (md(SAID.format("What is it?", "not", "", ADDRESS)), code("x"), code("y"), "one cell"),
            (md(SAID.format("What is it?", "not", "", ADDRESS).replace("chapters", "parts")), "a note"),
        ]
    ],
]


@pytest.mark.parametrize(("rule", "path", "cells", "expected"), BAD)
def test_a_rule_notices_a_page_that_breaks_it(rule, path, cells, expected):
    found = [fault for fault in rules.faults_of(rules.Page(ROOT / path, cells)) if fault.rule == rule]
    assert any(expected in fault.expected for fault in found), found


@pytest.mark.parametrize("heading", ['"It […] so"', '"[The scale] is so"', '"It is [like this]"'])
def test_a_heading_may_leave_words_out_or_add_some_in_brackets(heading):
    text = STATEMENT.replace('"It is"', heading)
    page = rules.Page(ROOT / "back_matter" / "popular_statements.ipynb", [md(text), SHOWN])
    assert list(rules.a_popular_statement_stands_alone(page)) == []


def test_an_entry_that_nothing_cites_is_noticed(monkeypatch):
    monkeypatch.setattr(rules, "entries", lambda: {"nobody1900"})
    (fault,) = rules.faults(ROOT / "back_matter" / "bibliography.md")
    assert "nobody1900" in fault.expected


def test_every_rule_has_a_page_that_breaks_it():
    shown = {rule for rule, *_ in BAD} | {"entries are cited"}
    assert shown == {name.replace("_", " ") for name in rules.RULES}
