"""Reading times: which section counts for what, and where pages say so."""

import re

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from website.reading import times

NOTEBOOK = new_notebook(
    cells=[
        new_markdown_cell("# Title\n\n" + "word " * 149),
        new_markdown_cell("## First\n\n*Second reading.* A sentence.\n\n" + "word " * 295),
        new_code_cell("line\n\n" * 15),
        new_code_cell("show(figure)", metadata={"tags": ["hide-input"]}),
        new_markdown_cell("### Its subsection\n\n" + "word " * 148),
        new_markdown_cell("## Second\n\n" + "word " * 149 + "\n\n## Third\n\n*Second reading.*\n\n" + "word " * 147),
    ]
)


def test_a_second_reading_counts_with_its_subsections_and_not_in_the_core():
    assert [round(minutes, 2) for minutes in times.second_readings(NOTEBOOK)] == [4.67, 1]
    assert [round(minutes, 2) for minutes in times.reading_time(NOTEBOOK)] == [7.67, 2]


def test_rows_of_a_table_count_beside_its_words():
    table = new_markdown_cell("| a | b |\n|---|---|\n| c | d |\n| e | f |")
    assert times.counts(table) == {"words": 6, "rows": 3, "questions": 0}


def test_the_minutes_stand_before_what_a_chapter_needs_and_after_a_link_to_its_core():
    text = times.with_minutes(f"{times.AIMS}\n\n- read\n  twice.\n\nYou need sums.\n\nMore.", NOTEBOOK, "It runs.")
    time = "Time: 10 minutes, or 0 without the sections marked *Second reading*."
    assert text.endswith(f"\n\n{time} You need sums. It runs.\n\nMore.")
    row = "| [chapter 0](chapters/00_attention_in_five_minutes.ipynb#first-reading) | How? |"
    assert re.search(r"#first-reading\), \d+\u00a0minutes \| How", times.with_minutes(row, NOTEBOOK))
    assert times.with_minutes("You need sums.", NOTEBOOK) == "You need sums."
