"""Counts of words, pictures and code: what a reader sees."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from website.reading import counts

PICTURE = [new_output("display_data", {"text/html": "<figure><svg></svg></figure>"})]
NOTEBOOK = new_notebook(
    cells=[
        new_markdown_cell("# Three more words $x + y$\n\n$$not = counted$$ <!-- not counted -->"),
        new_code_cell("a\n\nprint(b)", outputs=PICTURE),
        new_code_cell("print(c)\n" * 9, outputs=PICTURE, metadata={"tags": ["hide-input"]}),
        new_markdown_cell("## More\n\n*Second reading.*\n\nSix [words](address.html)."),
        new_code_cell("d", outputs=PICTURE),
    ]
)


def test_words_and_pictures_and_the_words_before_the_first_picture():
    assert counts.count(NOTEBOOK) == (9, 3, 4)


def test_folded_code_is_not_visible():
    assert counts.visible_code(NOTEBOOK) == (2, 1)


@pytest.mark.parametrize("source", ['print(f"{x:.2f}")', 'print(f"{x[1:3]}")', 'f"{x:8}"', 'print(f"{x:.{n}f} {y:,}")'])
def test_a_print_without_a_width_makes_no_table(source):
    assert not counts.prints_in_columns(source)
