"""Small faults of docutils and MyST against the rules of accessibility."""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform


def setup(app):
    app.add_post_transform(EmptyCorners)
    app.add_node(nodes.citation, override=True, html=(visit_citation, depart_citation))


class EmptyCorners(SphinxPostTransform):
    """A cell without a word is no header, also in the first row of a table."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs):
        for head in self.document.findall(nodes.thead):
            for cell in list(head.findall(nodes.entry)):
                if not cell.astext().strip():
                    cell.replace_self(nodes.raw("", "<td></td>", format="html"))


def visit_citation(self, node):
    """Leave out docutils' roles: one has been withdrawn from the standard, and the other is for lists."""
    self.body.append(self.starttag(node, "div", CLASS="citation"))


def depart_citation(self, node):
    self.body.append("</div>\n")
