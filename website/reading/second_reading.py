"""Sections that begin with the line *Second reading.* can be folded; the other sections are the core of a chapter.

In a notebook the line is plain text. On a page it becomes a fold, open at first, that needs no script;
second_reading.js adds the button that folds all such sections.
"""

from html import escape

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

MARK = "Second reading."
# On the page from the start, so that nothing moves; the style sheet hides the button if no script runs.
BUTTON = '<button type="button" class="first-reading">First reading: fold the optional sections</button>'
PLACE = "first-reading"  # where a first reading begins, as in `chapter.ipynb#first-reading`


def setup(app):
    app.add_transform(SecondReading)
    app.add_js_file("second_reading.js")


class SecondReading(SphinxTransform):
    default_priority = 500

    def apply(self):
        marked = [section for section in self.document.findall(nodes.section) if is_marked(section)]
        for section in marked:
            title, mark = section[:2]
            of = f'<span class="visually-hidden">: {escape(title.astext())}</span>'
            summary = f"<summary>{MARK.rstrip('.')}{of}</summary>"
            section["classes"].append("second-reading")
            section.replace(mark, nodes.raw("", f"<details open>{summary}", format="html"))
            section.append(nodes.raw("", "</details>", format="html"))
        if marked:
            self.name_the_time()

    def name_the_time(self):
        """Give the line with the chapter's reading time its own place, for links and for the button."""
        said = [node for node in self.document.findall(nodes.paragraph) if node.astext().startswith("Time: ")]
        if not said:
            raise ExtensionError(f"{self.env.docname}: a page with second readings must say how long it takes: Time: …")
        places = self.env.metadata[self.env.docname].setdefault("myst_slugs", {})
        places[PLACE] = (said[0].line, PLACE, "first reading")
        said[0]["ids"].append(PLACE)
        said[0].parent.insert(said[0].parent.index(said[0]) + 1, nodes.raw("", BUTTON, format="html"))


def is_marked(section):
    """Whether the title is followed by a paragraph that holds only the mark."""
    if len(section) < 2 or not isinstance(section[0], nodes.title) or not isinstance(section[1], nodes.paragraph):
        return False
    return section[1].astext() == MARK and isinstance(section[1][0], nodes.emphasis)
