"""The book makes no claim without support, and the program that looks for such claims finds them."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from website.places import pages, source
from website.prose import claims

PRINTS = new_code_cell(
    "print(2 * 0.125)", id="prints", outputs=[new_output("stream", text="ratio 3.49, share 0.250, 4 of 12, 2,048\n")]
)
ASSERTS = new_code_cell("assert 1 < 2", id="asserts")
IGNORED = new_code_cell(
    "print(1)", id="ignored", outputs=[new_output("stream", text="1\n")], metadata={"tags": ["nbval-ignore-output"]}
)


@pytest.fixture
def faults_of(tmp_path):
    def write(text, *cells, name="page"):
        nb = new_notebook(cells=[new_markdown_cell(text), *cells])
        nbformat.write(nb, tmp_path / f"{name}.ipynb")
        source.cache_clear()
        return list(claims.faults(tmp_path / f"{name}.ipynb"))

    return write


@pytest.mark.parametrize("path", pages(), ids=lambda p: p.stem)
def test_every_page_supports_its_claims(path):
    assert list(map(str, claims.faults(path))) == []


@pytest.mark.parametrize(
    "held",
    [
        "A ratio of 3.49, and 3.5.",
        "It is 25 % of all, 25 per cent, 25 percent, $25\\%$, or 0.25.",
        "It takes 3.5 times the time, or about 3.3 times.",
        "Four of twelve, and 2,048 of 2048.",
        "In code: 0.125. Not measured: Exercise 2.4, torch 2.13, `0.7`, [a link](http://x.org/7.1), $x = 0.7$.",
        "> **Predict.** Is it 0.7?\n> - 0.8",
        "In float64 it holds, as in exercises 10.2 and 10.3.",
        "For example, one key gets 99 % of the weight. Suppose that it were four times as large.",
        "The first code drew matrices with a standard deviation of 0.02 {cite:p}`devlin2019`.",
        "Our guess is 0.7. Had it been 0.8, is it 0.9?",
        "Since $2.72 + 1 = 3.72$, the second gets $1 / 3.72 = 0.27$ of the weight.",
    ],
)
def test_a_number_may_come_from_an_output(faults_of, held):
    assert faults_of(held, PRINTS) == []


@pytest.mark.parametrize(
    ("false", "number"),
    [
        ("A ratio of 3.48.", "3.48"),
        ("Five times as long.", "Five times"),
        ("It takes 3.4 times the time.", "3.4 times"),
        ("It is 26 % of all.", "26 %"),
        ("It is 26 percent of all.", "26 percent"),
        ("It is $26\\%$ of all.", "26%"),
        ("Five of twelve.", "Five of twelve"),
        ("It takes 0.125 ms.", "0.125 ms"),  # it is in the code, but is not measured there
        ("The value is $0.7$.", "0.7"),
        ("> **Checked.** It is 0.7.", "0.7"),
        ("<!-- answer\nright: 1\n1: It is 0.7.\n-->", "0.7"),
    ],
)
def test_a_number_without_an_output_is_found(faults_of, false, number):
    found = faults_of(false, PRINTS)
    assert len(found) == 1, found
    assert found[0].rule == "numbers"
    assert found[0].expected.lower().startswith(f"'{number.lower()}' is in no output")


def test_a_number_is_sought_in_its_section_and_where_its_line_links(faults_of):
    text = "## One\n\nIt is 3.49."
    other = new_markdown_cell("## Two")
    assert faults_of(text, new_code_cell("pass", id="no"), other, PRINTS)
    assert not faults_of("It is 3.49 ([here](page.ipynb#cell-id=prints)).", name="other")
    assert faults_of("It is 3.48 ([here](page.ipynb#cell-id=prints)).", name="other")


def test_an_output_that_nothing_compares_needs_an_assert(faults_of):
    assert faults_of("Words.", IGNORED, PRINTS)
    assert not faults_of("Words.", IGNORED, ASSERTS)
    stored = new_code_cell("print(load_rows('x'))", id="stored", outputs=[new_output("stream", text="1\n")])
    assert faults_of("Words.", stored)
