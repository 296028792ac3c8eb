"""The book on paper: all chapters as one page, without buttons and without the ids that occur in several chapters, and
that page as a PDF.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from website.links import CELL_ID
from website.reading.second_reading import PLACE, button

STYLES = ["print.css"]


def setup(app):
    app.add_post_transform(OnePage)
    app.add_js_file("print.js")


class OnePage(SphinxPostTransform):
    default_priority = 900
    builders = ("singlehtml",)

    def run(self, **kwargs):
        for node in self.document.findall(lambda node: isinstance(node, (nodes.container, nodes.section))):
            node["ids"] = [ident for ident in node["ids"] if ident != PLACE and not ident.startswith(CELL_ID)]
        for found in [node for node in self.document.findall(nodes.raw) if node.astext() == button()]:
            found.parent.remove(found)
