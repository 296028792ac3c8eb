"""The printed row has the numbers of website/reading in the columns that the head names."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import reading_time

PICTURE = new_output("display_data", {"image/png": ""})


def test_a_row_has_all_counts_in_the_order_of_the_head():
    cells = [new_markdown_cell("word " * 180), new_code_cell("print(1)\n" * 3, outputs=[PICTURE])]
    cells += [new_markdown_cell("## More\n\n*Second reading.*\n\n" + "word " * 177)]
    row = reading_time.row(new_notebook(cells=cells)).split()
    assert row == ["2.1", "1.1", "360", "1", "180", "3", "3"]
    assert len(reading_time.HEAD.replace("words before 1st", "before").split()) == len(row) + 2
