"""Formulas typeset at build time."""

import pytest
from docutils import nodes
from sphinx.errors import ExtensionError

from website import formulas


def test_a_line_breaks_only_between_the_words_of_a_text():
    html = formulas.engine().call("formulas.typeset", r"\text{an odd one}", False)["html"]
    assert html.count('<span class="together">') == 3


def test_a_formula_that_mathjax_cannot_read_is_named():
    with pytest.raises(ExtensionError, match=r"MathJax cannot read the formula \\frac\{1\}\{: "):
        formulas.typeset(nodes.math(), r"\frac{1}{", display=False)
