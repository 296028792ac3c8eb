"""The page of popular statements begins with a table: each statement's verdict, as the page itself gives it.

Below a statement, the paragraph with the verdict begins with it in bold: **No.**, **Only if** … or **Yes,** ….
"""

from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

STATIC = Path(__file__).parent / "static"
STYLES = ["statements.css"]
PAGE = "back_matter/popular_statements"
VERDICTS = {"No": "no", "Only": "only if", "Yes": "yes"}  # by the first word


def setup(app):
    app.add_transform(Verdicts)


class Verdicts(SphinxTransform):
    default_priority = 500

    def apply(self):
        if self.env.docname == PAGE:
            (page,) = [part for part in self.document if isinstance(part, nodes.section)]
            parts = [part for part in page if isinstance(part, nodes.section)]
            statements = [section for part in parts for section in part if isinstance(section, nodes.section)]
            introduction = next(part for part in page if isinstance(part, nodes.paragraph))
            page.insert(page.index(introduction) + 1, table(statements))


def verdict(section):
    for paragraph in section.findall(nodes.paragraph):
        words = [node for node in paragraph if node.astext()]  # the parser begins some paragraphs with an empty text
        if words and isinstance(words[0], nodes.strong):
            first = words[0].astext().split()[0].strip(".,")
            if first in VERDICTS:
                return VERDICTS[first]
    raise ExtensionError(
        f"{section[0].astext()!r} needs a verdict: a paragraph that begins with No, Only or Yes in bold"
    )


def table(statements):
    rows = [row(["Verdict"], ["Statement"])]
    for section in statements:
        word = verdict(section)
        badge = nodes.inline("", word, classes=["verdict", f"verdict-{word.split()[0]}"])
        words = [node.deepcopy() for node in section[0]]
        rows.append(row([badge], [nodes.reference("", "", *words, refid=section["ids"][0], internal=True)]))
    group = nodes.tgroup(
        "", nodes.colspec(), nodes.colspec(), nodes.thead("", rows[0]), nodes.tbody("", *rows[1:]), cols=2
    )
    return nodes.table("", group, classes=["verdicts"])


def row(*cells):
    made = nodes.row()
    for cell in cells:
        inside = [nodes.Text(part) if isinstance(part, str) else part for part in cell]
        made += nodes.entry("", nodes.paragraph("", "", *inside))
    return made
