"""Notes: conditions that only a careful reader asks for, each behind a mark, as footnotes of MyST.

In the source, `[^label]` is the mark, and `[^label]: …` in the same cell is the text. On a page the texts of a section
stand at its end, each mark is a link to its text, and notes.js opens the text below the mark's paragraph. In readers'
notebooks (`in_notebook`) the text is a fold at its place in the source.
"""

import re

from languages import say

STYLES = ["notes.css"]
MARK = re.compile(r"\[\^([\w-]+)\](?!:)")
NOTE = re.compile(r"^\[\^([\w-]+)\]: (.+(?:\n {4}.+)*)", re.MULTILINE)
MOST = 2  # in a section


def in_notebook(text, numbers):
    """Markdown for a notebook, where nothing knows footnotes. ``numbers`` holds those of the earlier cells' notes."""
    for label in MARK.findall(text):
        numbers.setdefault(label, len(numbers) + 1)

    def fold(note):
        title = say("Note {number}", number=numbers[note[1]])
        return f"<details><summary>{title}</summary>\n\n{note[2]}\n\n</details>"

    text = NOTE.sub(fold, text)
    return MARK.sub(lambda mark: f"<sup>{say('note {number}', number=numbers[mark[1]])}</sup>", text)


def setup(app):
    from website.notes.on_page import Notes  # here, because readers have no Sphinx

    app.add_transform(Notes)
    app.connect("config-inited", lambda app, config: setattr(config, "myst_footnote_transition", False))
    app.add_js_file("notes.js")
