"""Where folded code stands on a page: after the output that it makes, or with its neighbours in one quiet line.

MyST-NB folds a cell's input above its output, in a bar with the cell's title, `Code of the picture: windows as bands`.
Here the fold follows the output in the document itself, so that the keys meet a picture's controls before its code. Its
summary is the word *code* on the last line of the caption; the title is read to those who do not see. Code without an
output, such as imports, shows its title. Solutions (`hide-cell`) stay as MyST-NB has them (accessibility.py).
"""

import re
from html import escape

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode, depart_HideCellInput
from sphinx.transforms.post_transforms import SphinxPostTransform

from languages import of_picture, say

ENDS_WITH_A_CAPTION = re.compile(r"</figcaption>\s*</figure>\s*$")


def setup(app):
    app.add_post_transform(CodeAfterOutput)
    app.add_node(CodeFold, html=(visit_code_fold, depart_HideCellInput))


class CodeFold(nodes.Element):
    """Folded code with its `title`; `follows` an output or stands alone."""


class CodeAfterOutput(SphinxPostTransform):
    default_priority = 200  # after MyST-NB's HideInputCells, 199
    formats = ("html",)

    def run(self, **kwargs):
        for cell in self.document.findall(nodes.container):
            if cell.get("hide_mode") == "input" and cell.children and isinstance(cell[0], HideCodeCellNode):
                fold = cell.pop(0)
                cell.append(CodeFold("", *fold.children, title=fold["prompt_show"], follows=len(cell) > 0))
                cell["classes"].append("folded-code" if len(cell) > 1 else "only-code")
                if ENDS_WITH_A_CAPTION.search(cell[0].astext()):  # with `:has()`, each change of a page would cost time
                    cell["classes"].append("captioned")


def visit_code_fold(self, node):
    title = escape(of_picture(node["title"]))
    if node["follows"]:
        word = f'<span aria-hidden="true">{escape(say("code"))}</span>'
        title = f'{word}<span class="visually-hidden">{title}</span>'
    self.body.append(f'<details class="code-fold"><summary>{title}</summary>\n')
