"""The page of popular statements begins with a table: each statement, its verdict and why, as the page gives them.

Below a statement, the paragraph with the verdict begins with both in bold: **No: …**, **Only if …** or **Yes, …**.
"""

import re

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from languages import say
from website.grammar import VERDICTS

STYLES = ["statements.css"]
PAGE = "back_matter/popular_statements"
VERDICT = re.compile("|".join(VERDICTS))


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
    """The verdict in a word or two, and what follows it in bold."""
    for paragraph in section.findall(nodes.paragraph):
        words = [node for node in paragraph if node.astext()]  # the parser begins some paragraphs with an empty text
        if words and isinstance(words[0], nodes.strong) and (match := VERDICT.match(words[0].astext())):
            first, *others = (node.deepcopy() for node in words[0] if node.astext())
            return VERDICTS[match[0]], [nodes.Text(first.astext()[match.end() :]), *others]
    raise ExtensionError(
        f"{section[0].astext()!r} needs a verdict: a paragraph that begins with No: …, Only if … or Yes, … in bold"
    )


def table(statements):
    rows = [row([say("They say")], [say("Verdict")], [say("because")])]
    for section in statements:
        word, because = verdict(section)
        badge = nodes.inline("", say(word), classes=["verdict", f"verdict-{word.split()[0]}"])
        words = [node.deepcopy() for node in section[0]]
        link = nodes.reference("", "", *words, refid=section["ids"][0], internal=True)
        rows.append(row([link], [badge], because))
    columns = [nodes.colspec() for _ in rows[0]]
    group = nodes.tgroup("", *columns, nodes.thead("", rows[0]), nodes.tbody("", *rows[1:]), cols=3)
    return nodes.table("", group, classes=["verdicts"])


def row(*cells):
    made = nodes.row()
    for cell in cells:
        inside = [nodes.Text(part) if isinstance(part, str) else part for part in cell]
        made += nodes.entry("", nodes.paragraph("", "", *inside))
    return made
