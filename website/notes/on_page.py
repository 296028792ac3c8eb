"""On a page, each footnote becomes a note at the end of its section."""

from html import escape

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from languages import say


class Notes(SphinxTransform):
    default_priority = 450  # before docutils numbers footnotes, and before sections are folded

    def apply(self):
        texts = {note["names"][0]: note for note in self.document.findall(nodes.footnote)}
        for number, mark in enumerate([*self.document.findall(nodes.footnote_reference)], 1):
            note = texts.pop(mark["refname"], None)
            if note is None:
                raise ExtensionError(f"{self.env.docname}: the note [^{mark['refname']}] must have one mark and a text")
            # The whole book may be one page, so the ids hold the page's name.
            ident = f"note-{self.env.docname.rpartition('/')[2]}-{mark['refname']}".replace("_", "-")
            there, back = escape(say("note {number}", number=number)), escape(say("back to the mark"))
            link = f'<a class="note-mark" id="{ident}-mark" href="#{ident}" aria-label="{there}">{number}</a>'
            back = f'<a class="note-number" href="#{ident}-mark" aria-label="{back}">{number}</a>'
            section = section_of(mark)
            mark.replace_self(nodes.raw("", link, format="html"))
            for removed in (self.document.autofootnotes, self.document.autofootnote_refs):
                removed[:] = [node for node in removed if node not in (note, mark)]
            self.document.footnote_refs.pop(mark["refname"], None)
            note.parent.remove(note)
            box = nodes.container("", nodes.raw("", back, format="html"), *note.children, classes=["note"], ids=[ident])
            section.insert(end_of(section), box)
        if texts:
            raise ExtensionError(f"{self.env.docname}: no mark leads to the notes {', '.join(texts)}")


def section_of(node):
    while not isinstance(node, (nodes.section, nodes.document)):
        node = node.parent
    return node


def end_of(section):
    """Where a section's own text ends, and its subsections begin."""
    return next((i for i, child in enumerate(section) if isinstance(child, nodes.section)), len(section))
