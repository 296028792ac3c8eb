"""Each cell of code can be linked to by its id, as in JupyterLab: `chapter.ipynb#cell-id=…`."""

import json
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform


def setup(app):
    app.add_transform(CellIds)
    app.add_post_transform(OnePage)


class CellIds(SphinxTransform):
    default_priority = 500

    def apply(self):
        path = Path(self.env.doc2path(self.env.docname))
        if path.suffix != ".ipynb":
            return
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        # What MyST knows of a page's places: the line, the id, and words for a link that has none.
        places = self.env.metadata[self.env.docname].setdefault("myst_slugs", {})
        for node in self.document.findall(nodes.container):
            if node.get("nb_element") != "cell_code":
                continue
            ident = f"cell-id={cells[node['cell_index']]['id']}"
            places[ident] = (node.line, ident, f"cell {node['exec_count']}")
            node["ids"].append(ident)


class OnePage(SphinxPostTransform):
    """Where all chapters are on one page, ids of different chapters would be alike."""

    default_priority = 900
    builders = ("singlehtml",)

    def run(self, **kwargs):
        for node in self.document.findall(nodes.container):
            node["ids"] = [ident for ident in node["ids"] if not ident.startswith("cell-id=")]
