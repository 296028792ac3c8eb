"""On the page, a chapter's aims, reading time and prerequisites become one line; a click on it unfolds them.

In a notebook they are plain text: from the paragraph *After this chapter you can* to the one that begins with *Time:*.
"""

import re

from docutils import nodes
from sphinx.transforms import SphinxTransform

AIMS = "After this chapter you can"
TIME = re.compile(r"Time: (\d+) minutes(?:, or (\d+) without)?")  # for the chapter, and for its core
SUMMARY = "what you will be able to do, and what you need"


def setup(app):
    app.add_transform(FirstScreen)


class FirstScreen(SphinxTransform):
    default_priority = 499  # before second_reading.py, so that its button after the time is in this fold

    def apply(self):
        aims = next((node for node in self.document.findall(nodes.paragraph) if node.astext() == AIMS), None)
        said = paragraph_with_time(self.document)
        if aims and said:
            time, core = TIME.match(said.astext()).groups()
            minutes = f"{core} to {time} minutes" if core else f"{time} minutes"
            summary = f'<details class="aims fold"><summary>{minutes} · {SUMMARY}</summary>'
            section = said.parent
            section.insert(section.index(said) + 1, nodes.raw("", "</details>", format="html"))
            section.insert(section.index(aims), nodes.raw("", summary, format="html"))


def paragraph_with_time(document):
    """The paragraph that says how long the chapter takes, or None."""
    return next((node for node in document.findall(nodes.paragraph) if TIME.match(node.astext())), None)
