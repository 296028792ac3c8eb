"""Formulas in plain letters."""

import pytest
from docutils import nodes

from website.formulas.letters import in_letters


@pytest.mark.parametrize(
    ("formula", "letters"),
    [
        (r"q \cdot k / \sqrt{d_k}", "q · k / √d_k"),
        (r"\operatorname{softmax}(QK^\top / \sqrt{d_k})\,V", "softmax(QK^T / √d_k) V"),
        (r"\sigma = 1", "σ = 1"),
        (r"\text{PE}_p", "PE_p"),
        (r"\beta", "β"),
    ],
)
def test_a_formula_is_written_in_plain_letters(formula, letters):
    assert in_letters(nodes.paragraph("", "", nodes.Text("Is "), nodes.math(text=formula))) == f"Is {letters}"
