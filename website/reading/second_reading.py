"""Sections that begin with *Second reading.* are closed at first; the other sections are the core of a chapter.

In a notebook, this first line is plain text. On a page, it becomes the only visible line, with the minutes that the
section takes and the sentence that follows the mark, if there is one: *Second reading.* What dropout does to a row of
weights. The fold needs no script; second_reading.js makes a button open all such sections.
"""

from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from languages import say, say_number
from website.grammar import SECOND_READING as MARK
from website.places import source
from website.reading import times
from website.reading.first_screen import paragraph_with_time

PLACE = "first-reading"  # where a first reading begins, as in `chapter.ipynb#first-reading`


def setup(app):
    app.add_transform(SecondReading)
    app.add_js_file("second_reading.js")


class SecondReading(SphinxTransform):
    default_priority = 500

    def apply(self):
        marked = [section for section in self.document.findall(nodes.section) if is_marked(section)]
        if marked:
            of_each = times.second_readings(source(Path(self.env.doc2path(self.env.docname))))
            for section, minutes in zip(marked, of_each, strict=True):
                close(section, max(1, round(minutes)))
            self.name_the_beginning()

    def name_the_beginning(self):
        """Make the chapter's beginning a target for links, and put the button after the line with its reading time."""
        said = paragraph_with_time(self.document)
        if not said:
            raise ExtensionError(f"{self.env.docname}: a page with second readings must say how long it takes: Time: …")
        chapter = said.parent
        places = self.env.metadata[self.env.docname].setdefault("myst_slugs", {})
        places[PLACE] = (chapter.line, PLACE, "first reading")
        chapter["ids"].append(PLACE)
        chapter.insert(chapter.index(said) + 1, nodes.raw("", button(), format="html"))


def button():
    """The style sheet hides it if no script runs."""
    words = escape(say("Open all sections and answers for a second reading"))
    return f'<button type="button" class="open-all toggle">{words}</button>'


def is_marked(section):
    """Whether the title is followed by a paragraph that begins with the mark."""
    if len(section) < 2 or not isinstance(section[0], nodes.title) or not isinstance(section[1], nodes.paragraph):
        return False
    return isinstance(section[1][0], nodes.emphasis) and section[1][0].astext() == MARK


def close(section, minutes):
    """Fold all but the title, and make a summary of the paragraph with the mark."""
    title, mark = section[:2]
    about = f'<span class="visually-hidden">: {escape(title.astext())}</span>'
    time = say_number("{n} minute", "{n} minutes", minutes)
    summary = f'<details class="fold"><summary><span>{say(MARK).rstrip(".。")}{about} · {time}'
    sentence = mark.children[1:]
    section["classes"] += ["second-reading", "fold-row"]
    section.remove(mark)
    section.insert(1, nodes.raw("", summary + " ·" * bool(sentence), format="html"))
    section.insert(2, nodes.inline("", "", *sentence))
    section.insert(3, nodes.raw("", "</span></summary>", format="html"))
    section.append(nodes.raw("", "</details>", format="html"))
