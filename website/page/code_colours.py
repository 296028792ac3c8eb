"""Names, signs and numbers have the plain colour of code, without elements of their own.

Pygments puts each into an element. The chapter on √dₖ would have 17,000 elements instead of 9,000.
"""

import functools

from pygments.filter import Filter
from pygments.lexers import get_lexer_by_name
from pygments.token import Token

PLAIN = (Token.Name, Token.Operator, Token.Punctuation, Token.Text.Whitespace)  # but not built-in names, or `not`


def setup(app):
    for language in ("ipython3", "python"):  # cells and modules
        app.add_lexer(language, functools.partial(lexer, language))


def lexer(language, **options):
    made = get_lexer_by_name(language, **{"stripnl": False, **options})
    made.add_filter(Plain())
    return made


class Plain(Filter):
    def filter(self, lexer, stream):
        for kind, text in stream:
            yield Token.Text if kind in PLAIN or kind in Token.Literal.Number else kind, text
