"""Block quotes that begin with a bold word, such as **Predict.**, become boxes."""

import re

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from website.grammar import CHECKED, EXERCISE, NUMBERED, PREDICT, QUIZ, TRY

# What each kind begins with, and the name of its colour (explore/figures/colours.py)
KINDS = {PREDICT: "weight", QUIZ: "output", TRY: "query", CHECKED: "value", EXERCISE: "key"}


def setup(app):
    app.add_transform(Boxes)


def style_sheet():
    """Each kind's colour as the variable `--callout` of its class."""
    return "".join(f".{class_of(kind)} {{ --callout: var(--am-{colour}); }}\n" for kind, colour in KINDS.items())


def class_of(kind):
    return "callout-" + re.match(r"\w+", kind)[0].lower()


def kind_of(words):
    """The kind of a block quote that begins with these bold words; raises ``ValueError`` if there is no such kind."""
    kind = EXERCISE if re.fullmatch(NUMBERED, words) else words
    if kind not in KINDS:
        raise ValueError(f"a quotation begins with the bold words {words!r}; expected one of {', '.join(KINDS)}")
    return kind


class Boxes(SphinxTransform):
    """In every notebook viewer, `> **Predict.** …` is a block quote; on a page, the quote gets its kind as a class."""

    default_priority = 500

    def apply(self):
        for quote in self.document.findall(nodes.block_quote):
            inline = quote[0].children if quote.children else []
            first = next((node for node in inline if node.astext().strip()), None)
            if isinstance(first, nodes.strong):
                try:
                    quote["classes"] += ["callout", class_of(kind_of(first.astext()))]
                except ValueError as error:
                    raise ExtensionError(f"{self.env.doc2path(self.env.docname, base=False)}: {error}") from None
