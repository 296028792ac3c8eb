"""Code in fewer elements: what the colours show alike is one piece, and what they show as plain text is none.

Pygments puts every name, comma and number into an element of its own, which were two of five elements of a chapter.
"""

import functools

from pygments.filter import Filter
from pygments.lexers import get_lexer_by_name
from pygments.styles import get_style_by_name
from pygments.token import Token

# As Sphinx and MyST-NB have them, with these options.
LEXERS = {"ipython3": {}, "python": {"stripnl": False}}


def setup(app):
    app.connect("builder-inited", use_fewer_kinds)


def use_fewer_kinds(app):
    names = [app.config.html_theme_options[f"pygments_{theme}_style"] for theme in ("light", "dark")]
    for language in LEXERS:
        app.add_lexer(language, functools.partial(lexer, language, [get_style_by_name(name) for name in names]))


def lexer(language, styles, **options):
    made = get_lexer_by_name(language, **LEXERS[language], **options)
    made.add_filter(FewerKinds(styles))
    return made


class FewerKinds(Filter):
    """Each kind of token becomes plain text, or the most general kind, if that looks the same in all ``styles``."""

    def __init__(self, styles):
        super().__init__()
        self.look = functools.cache(lambda kind: [style.style_for_token(kind) for style in styles])
        self.widened = functools.cache(self.widened)

    def filter(self, lexer, stream):
        for kind, text in stream:
            yield self.widened(kind), text

    def widened(self, kind):
        look = self.look(kind)
        if look == self.look(Token.Text):
            return Token.Text
        while kind.parent is not None and self.look(kind.parent) == look:
            kind = kind.parent
        return kind
