"""On the page, a chapter's aims, reading time and prerequisites become one line; a click on it unfolds them.

In a notebook they are plain text: from the paragraph *After this chapter you can* to the one that begins with *Time:*.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

from website.places import chapters, read
from website.reading import times

SUMMARY = "what you will be able to do, and what you need"


def setup(app):
    app.connect("source-read", add_minutes)
    app.add_transform(FirstScreen)


def add_minutes(app, docname, content):
    path = Path(app.env.doc2path(docname))
    if path.suffix == ".ipynb":
        nb = json.loads(content[0])
        for cell in nb["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = times.with_minutes("".join(cell["source"]), read(path))
        content[0] = json.dumps(nb)
    if docname == app.config.root_doc:  # it tells the minutes of all chapters
        app.env.dependencies[docname].update(map(str, chapters()))


class FirstScreen(SphinxTransform):
    default_priority = 499  # before second_reading.py, so that its button after the time is in this fold

    def apply(self):
        aims = next((node for node in self.document.findall(nodes.paragraph) if node.astext() == times.AIMS), None)
        said = paragraph_with_time(self.document)
        if aims and said:
            minutes = times.in_short(read(Path(self.env.doc2path(self.env.docname))))
            summary = f'<details class="aims fold"><summary>{minutes} · {SUMMARY}</summary>'
            section = said.parent
            section.insert(section.index(said) + 1, nodes.raw("", "</details>", format="html"))
            section.insert(section.index(aims), nodes.raw("", summary, format="html"))


def paragraph_with_time(document):
    """The paragraph that says how long the chapter takes, or None."""
    return next((node for node in document.findall(nodes.paragraph) if node.astext().startswith("Time: ")), None)
