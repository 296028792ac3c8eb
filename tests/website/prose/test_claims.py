"""The book makes no claim without support, and the program that looks for such claims finds them."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from website.places import pages, read
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
        read.cache_clear()
        return list(claims.faults(tmp_path / f"{name}.ipynb"))

    return write


@pytest.mark.parametrize("path", pages(), ids=lambda p: p.stem)
def test_every_page_supports_its_claims(path):
    assert list(map(str, claims.faults(path))) == []


@pytest.mark.parametrize(
    "held",
    [
        "A ratio of 3.49, and 3.5.",
        "It is 25 % of all, 25 per cent, or 0.25.",
        "It takes 3.5 times the time, or about 3.3 times.",
        "Four of twelve, and 2,048 of 2048.",
        "In code: 0.125. Not measured: Exercise 2.4, torch 2.13, `0.7`, [a link](http://x.org/7.1), $x = 0.7$.",
        "> **Predict.** Is it 0.7?\n> - 0.8",
        "In float64 it holds.",
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
    assert not faults_of(f"{text} <!-- held: prints -->", new_code_cell("pass", id="no"), other, PRINTS)
    assert not faults_of("It is 3.49 ([here](page.ipynb#cell-id=prints)).", name="other")
    assert faults_of("It is 3.48 ([here](page.ipynb#cell-id=prints)).", name="other")


def test_a_mark_names_a_cell_or_a_reason_that_its_line_shows(faults_of):
    text = "It is 0.7."
    assert faults_of(text, PRINTS)
    assert faults_of(f"{text} <!-- held: somehow -->", PRINTS)
    assert not faults_of(f"{text} <!-- held: derived -->", PRINTS)
    assert faults_of(f"{text} <!-- held: guess -->", PRINTS), "the line does not say that it is a guess"
    assert not faults_of(f"Our guess: {text} <!-- held: guess -->", PRINTS)
    assert faults_of(f"{text} <!-- held: cited -->", PRINTS), "the line cites nothing"
    assert not faults_of(f"{text} {{cite:p}}`you2020` <!-- held: cited -->", PRINTS)


@pytest.mark.parametrize(
    "sentence",
    [
        "The exponentials would overflow for large scores, so the largest score of each row is subtracted first.",
        "A pmi is a logarithm, so its exponential is a ratio of probabilities: the right unit for a softmax.",
        "Their sum grows just as the square root of the width, since terms of both signs cancel.",
        "Exact attention does not have to: in blocks the matrix never exists as a whole.",
        "With random maps it is small, since some directions matter less; with structured inputs it is almost nothing.",
        "All one-hot vectors are equally far apart, so they say nothing about meaning.",
        "With a cache, a step is linear in the text so far, since it always reads every key.",
        "So the first layer's projections can read them off.",
        "Where the softmax is sure and wrong, hardly any gradient is left for a larger rate to multiply.",
        "Only differences of positions count, so a stored key stays right however long the text becomes.",
        "In a sharp head the word that leaks may have hardly any weight, so one word can miss the leak.",
        "The pairs are new in every example, so nothing can be learned by heart.",
        "A single linear layer reads the answer, so that nothing after the attention can make up for it.",
        "Equal weights never get anywhere, so it is attention that learns the task.",
        "A softmax does not notice a constant added to all scores of a row, so its gradient has no part along one.",
        "Raise it from 0: the average starts at the plain mean and never leaves the convex hull of the values.",
        "Everything computed so far would have to be computed again.",
        "For example, a row of scores in the hundreds gives one key 99 % of the weight.",
        "Suppose that the scores were four times as large: would *a* take more than 0.9?",
        "Why the second round is faster we have not looked.",
        "Chapter 1 warned that a one-hot softmax passes hardly any gradient, so how large is it here?",
    ],
)
def test_a_sentence_that_teaches_is_no_claim(faults_of, sentence):
    """Sentences of purpose, reason and consequence, most of them from an older text, where rules had them deleted."""
    assert faults_of(f"## One\n\n{sentence} And it goes on.", PRINTS) == []


def test_an_output_that_nothing_compares_needs_an_assert(faults_of):
    assert faults_of("Words.", IGNORED, PRINTS)
    assert not faults_of("Words.", IGNORED, ASSERTS)
    stored = new_code_cell("print(load_rows('x'))", id="stored", outputs=[new_output("stream", text="1\n")])
    assert faults_of("Words.", stored)


def test_the_page_does_not_show_a_mark():
    assert claims.HIDDEN_MARK.sub("", 'It is so. <!-- held: cell-07, derived -->\\n"') == 'It is so.\\n"'
