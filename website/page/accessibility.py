"""Repairs for small accessibility faults in docutils and MyST."""

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode, depart_HideCellInput, visit_HideCellInput
from sphinx.transforms.post_transforms import SphinxPostTransform

from languages import of_picture


def setup(app):
    app.add_post_transform(EmptyCorners)
    app.add_node(HideCodeCellNode, override=True, html=(visit_folded_cell, depart_HideCellInput))
    app.add_node(nodes.citation, override=True, html=(visit_citation, depart_citation))


class EmptyCorners(SphinxPostTransform):
    """An empty cell is not a header, even in the first row of a table."""

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


def visit_folded_cell(self, node):
    """MyST-NB names every folded cell "Toggle hidden content"; the cell's own title is a better name."""
    before = len(self.body)
    for name in ("prompt_show", "prompt_hide"):
        node[name] = of_picture(node[name])
    visit_HideCellInput(self, node)
    self.body[before:] = [text.replace(' aria-label="Toggle hidden content"', "") for text in self.body[before:]]
