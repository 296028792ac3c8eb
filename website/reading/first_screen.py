"""On the page, a chapter's aims, reading time and prerequisites become one line; a click on it unfolds them.

In a notebook they are plain text: from the paragraph *After this chapter you can* to the one after the list.
"""

import json
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

from languages import say
from website.grammar import AIMS
from website.places import chapters, source
from website.reading import times


def setup(app):
    app.connect("source-read", add_minutes)
    app.add_transform(FirstScreen)


def add_minutes(app, docname, content):
    path = Path(app.env.doc2path(docname))
    if path.suffix == ".ipynb":
        nb = json.loads(content[0])
        for cell in nb["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = times.with_minutes("".join(cell["source"]), source(path))
        content[0] = json.dumps(nb)
    if docname == app.config.root_doc:  # it tells the minutes of all chapters
        app.env.dependencies[docname].update(map(str, chapters()))


class FirstScreen(SphinxTransform):
    default_priority = 499  # before second_reading.py, so that its button after the time is in this fold

    def apply(self):
        aims, said = aims_of(self.document), paragraph_with_time(self.document)
        if aims and said:
            minutes = times.in_short(source(Path(self.env.doc2path(self.env.docname))))
            words = say("{minutes} · what you will be able to do, and what you need", minutes=minutes)
            summary = f'<details class="aims fold"><summary>{escape(words)}</summary>'
            section = said.parent
            section.insert(section.index(said) + 1, nodes.raw("", "</details>", format="html"))
            section.insert(section.index(aims), nodes.raw("", summary, format="html"))


def aims_of(document):
    """The paragraph that leads to the list of aims, or None."""
    return next((node for node in document.findall(nodes.paragraph) if node.astext() == AIMS), None)


def paragraph_with_time(document):
    """The paragraph that says how long the chapter takes, which is the one after the list of aims, or None."""
    aims = aims_of(document)
    return aims and next(aims.findall(nodes.paragraph, descend=False, siblings=True, include_self=False))
