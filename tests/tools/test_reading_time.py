"""The printed row has the numbers of website/reading in the columns that the head names."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools import reading_time


def test_a_row_has_all_counts_in_the_order_of_the_head():
    cells = [new_markdown_cell("word " * 180), new_code_cell("show(1)\n\n" * 5)]
    cells += [new_markdown_cell("## More\n\n*Second reading.*\n\n" + "word " * 177)]
    row = reading_time.row(new_notebook(cells=cells)).split()
    assert row == ["2.7", "1.7", "360", "5", "0", "1", "0", "180", "5"]
    assert len(reading_time.HEAD.replace("words before 1st", "before").split()) == len(row) + 2
