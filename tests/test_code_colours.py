"""Code in fewer elements: each character keeps its colour in both themes."""

import json

import code_colours
import pytest
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.styles import get_style_by_name

from conftest import ROOT

STYLES = [get_style_by_name(f"a11y-high-contrast-{theme}") for theme in ("light", "dark")]


def looks(tokens):
    """How each visible character looks, in both themes. (A blank has no colour.)"""
    return [
        (letter, [style.style_for_token(kind) for style in STYLES])
        for kind, text in tokens
        for letter in text
        if not letter.isspace()
    ]


@pytest.mark.parametrize("path", [*sorted(ROOT.glob("chapters/*.ipynb"))[::3], ROOT / "attention_core.py"])
def test_characters_keep_their_colours(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
    for language in code_colours.LEXERS:
        plain = get_lexer_by_name(language, **code_colours.LEXERS[language])
        ours = code_colours.lexer(language, STYLES)
        assert looks(ours.get_tokens(text)) == looks(plain.get_tokens(text))
        many, few = (highlight(text, lexer, HtmlFormatter()).count("<span") for lexer in (plain, ours))
        assert few < many / 2
