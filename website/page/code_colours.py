"""Code in fewer elements: adjacent tokens of the same colour share one, and text in the plain colour needs none.

Pygments puts every name, comma and number into its own element. Operators and numbers have the plain colour here,
because their letters tell what they are, and they would be two elements of three.
"""

import functools

from pygments.filter import Filter
from pygments.lexers import get_lexer_by_name
from pygments.styles import get_style_by_name
from pygments.token import Token

LEXERS = {"ipython3": {}, "python": {"stripnl": False}}  # for cells and for modules, with Sphinx's options


def setup(app):
    app.connect("builder-inited", use_fewer_kinds)


def use_fewer_kinds(app):
    names = [app.config.html_theme_options[f"pygments_{theme}_style"] for theme in ("light", "dark")]
    fewer_kinds = FewerKinds([get_style_by_name(name) for name in names])
    for language in LEXERS:
        app.add_lexer(language, functools.partial(lexer, language, fewer_kinds))


def lexer(language, fewer_kinds, **options):
    made = get_lexer_by_name(language, **(LEXERS[language] | options))
    made.add_filter(fewer_kinds)
    return made


def is_plain(kind):
    """Whether tokens of this kind have no colour of their own: numbers, and operators that are not words."""
    return kind in Token.Literal.Number or (kind in Token.Operator and kind is not Token.Operator.Word)


class FewerKinds(Filter):
    """Replaces each kind of token by plain text, or by the most general kind, that looks the same in all ``styles``."""

    def __init__(self, styles):
        super().__init__()
        self.styles = styles
        self.widened = {}  # what each kind has become

    def filter(self, lexer, stream):
        for kind, text in stream:
            if kind not in self.widened:
                self.widened[kind] = self.widen(kind)
            yield self.widened[kind], text

    def widen(self, kind):
        if is_plain(kind) or self.look(kind) == self.look(Token.Text):
            return Token.Text
        while kind.parent is not None and self.look(kind.parent) == self.look(kind):
            kind = kind.parent
        return kind

    def look(self, kind):
        return [style.style_for_token(kind) for style in self.styles]
