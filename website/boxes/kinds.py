"""Block quotes that begin with a bold word, such as **Predict.**, become boxes."""

import re

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

# Each kind, and the name of its colour (explore/figures/colours.py). A number may follow the kind: **Exercise 3.1.**
KINDS = {"Predict": "weight", "Quiz": "output", "Try": "query", "Checked": "value", "Exercise": "key"}


def setup(app):
    app.add_transform(Boxes)


def style_sheet():
    """Each kind's colour as the variable `--callout` of its class."""
    return "".join(f".{class_of(kind)} {{ --callout: var(--am-{colour}); }}\n" for kind, colour in KINDS.items())


def class_of(kind):
    return f"callout-{kind.lower()}"


def kind_of(words):
    """The kind of a block quote that begins with these bold words; raises ``ValueError`` if there is no such kind."""
    match = re.fullmatch(r"(\w+)( [\d.]+)?\.", words)
    if not match or match[1] not in KINDS:
        kinds = ", ".join(f"{kind}." for kind in KINDS)
        raise ValueError(f"a quotation begins with the bold words {words!r}; expected one of {kinds}")
    return match[1]


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
