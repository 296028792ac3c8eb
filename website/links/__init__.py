"""Each code cell can be linked to by its id, as in JupyterLab: `chapter.ipynb#cell-id=…`."""

from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

from languages import say
from website.places import source

CELL_ID = "cell-id="  # this, followed by a cell's id, is the id of the cell's place on a page


def setup(app):
    app.add_transform(CellIds)


class CellIds(SphinxTransform):
    default_priority = 500

    def apply(self):
        cells = source(Path(self.env.doc2path(self.env.docname))).cells
        # MyST's record of the places on a page: each one's line, its id, and the text for links without their own text.
        places = self.env.metadata[self.env.docname].setdefault("myst_slugs", {})
        for node in self.document.findall(nodes.container):
            if node.get("nb_element") != "cell_code":
                continue
            ident = f"{CELL_ID}{cells[node['cell_index']]['id']}"
            places[ident] = (node.line, ident, say("cell {number}", number=node["exec_count"]))
            node["ids"].append(ident)
