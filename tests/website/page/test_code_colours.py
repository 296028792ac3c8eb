"""Code with fewer elements: each character keeps its colour in both themes, but operators and numbers are plain."""

import functools
import json
import re

import pytest
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer, get_lexer_by_name
from pygments.styles import get_style_by_name
from pygments.token import Number, Operator, Text

from conftest import EVERYWHERE
from website.page import code_colours
from website.places import ROOT, chapters

NAMES = re.findall(r"^ +pygments_\w+_style: (\S+)", (ROOT / "_config.yml").read_text(encoding="utf-8"), re.M)
STYLES = [get_style_by_name(name) for name in NAMES]
SOME_CHAPTERS = chapters()[:: 4 if EVERYWHERE else 9]  # EVERYWHERE: in the workflow `weekly`


def looks(tokens):
    """The look of each visible character, in both themes. Spaces have no colour."""
    of_kind = functools.cache(lambda kind: [style.style_for_token(kind) for style in STYLES])
    return [(letter, of_kind(kind)) for kind, text in tokens for letter in text if not letter.isspace()]


def plain(kind):
    return Text if kind in Number or (kind in Operator and kind != Operator.Word) else kind


@pytest.mark.parametrize("path", [*SOME_CHAPTERS, ROOT / "attention_core.py"], ids=lambda path: path.stem)
def test_characters_keep_their_colours(path):
    assert len(STYLES) == 2
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
    pygments = {"ipython3": get_lexer_by_name("ipython3"), "python": PythonLexer(stripnl=False)}
    for language in code_colours.LEXERS:
        ours = code_colours.lexer(language, code_colours.FewerKinds(STYLES))
        expected = [(plain(kind), word) for kind, word in pygments[language].get_tokens(text)]
        assert looks(ours.get_tokens(text)) == looks(expected)
        many, few = (highlight(text, lexer, HtmlFormatter()).count("<span") for lexer in (pygments[language], ours))
        assert few < many / 4
