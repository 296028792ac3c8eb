"""Sections that begin with the line *Second reading.* can be folded; what is left is the core of a chapter.

In a notebook the line is read as it stands. On a page it becomes a fold, open at first, that needs no program;
second_reading.js adds the button that folds all of them.
"""

from html import escape

from docutils import nodes
from sphinx.transforms import SphinxTransform

MARK = "Second reading."
PLACE = "first-reading"


def setup(app):
    app.add_transform(SecondReading)
    app.add_js_file("second_reading.js")


class SecondReading(SphinxTransform):
    default_priority = 500

    def apply(self):
        for section in list(self.document.findall(nodes.section)):
            title, mark = [*section.children[:2], None, None][:2]
            if not (isinstance(mark, nodes.paragraph) and mark.astext() == MARK):
                continue
            if not isinstance(mark[0], nodes.emphasis) or not isinstance(title, nodes.title):
                continue
            of = f'<span class="visually-hidden">: {escape(title.astext())}</span>'
            summary = f"<summary>{MARK.rstrip('.')}{of}</summary>"
            section["classes"].append("second-reading")
            section.replace(mark, nodes.raw("", f"<details open>{summary}", format="html"))
            section.append(nodes.raw("", "</details>", format="html"))
            self.name_the_time()

    def name_the_time(self):
        """A first reading begins at the line that says how long the chapter takes: `chapter.ipynb#first-reading`."""
        time = next(node for node in self.document.findall(nodes.paragraph) if node.astext().startswith("Time: "))
        places = self.env.metadata[self.env.docname].setdefault("myst_slugs", {})
        places[PLACE] = (time.line, PLACE, "first reading")
        if (
            PLACE not in time["ids"] and self.app.builder.name != "singlehtml"
        ):  # where there are many chapters on a page
            time["ids"].append(PLACE)
