"""Quotations that begin with a bold word, such as **Predict.**, become boxes."""

from docutils import nodes
from sphinx.transforms import SphinxTransform


def setup(app):
    app.add_transform(Callouts)


class Callouts(SphinxTransform):
    """`> **Predict.** …` is a quotation in every notebook viewer; on a page it gets its kind as a class."""

    default_priority = 500
    kinds = ("predict", "quiz", "try", "checked", "exercise")

    def apply(self):
        for quote in self.document.findall(nodes.block_quote):
            inline = quote[0].children if quote.children else []
            first = next((node for node in inline if node.astext().strip()), None)
            words = first.astext().split() if isinstance(first, nodes.strong) else []
            word = words[0].rstrip(".:").lower() if words else ""
            if word in self.kinds:
                quote["classes"] += ["callout", f"callout-{word}"]
