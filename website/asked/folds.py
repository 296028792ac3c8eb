"""On the pages of questions, an answer shows its line in bold; the rest is folded. The folds need no script."""

from html import escape

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from website.asked.questions import NOTEBOOKS, questions


def setup(app):
    app.add_transform(Folds)


class Folds(SphinxTransform):
    default_priority = 500

    def apply(self):
        name = self.env.docname.removeprefix("back_matter/")
        if name not in NOTEBOOKS:
            return
        self.env.metadata[self.env.docname]["tocdepth"] = 2  # the list of contents names symptoms, not questions
        # The third level: the page, what a reader sees, a question
        sections = [
            part for part in self.document.findall(nodes.section) if isinstance(part.parent.parent, nodes.section)
        ]
        known = [one for one in questions() if one.notebook == name]
        if len(sections) != len(known):
            raise ExtensionError(f"{name}: each question needs a line in bold, *Asked on* and a note with its chapters")
        # MyST's record of the places on a page, for links such as `questions_why.ipynb#cell-id=q741d51a`
        places = self.env.metadata[self.env.docname].setdefault("myst_slugs", {})
        for section, question in zip(sections, known, strict=True):
            ident = f"cell-id={question.ident}"
            places[ident] = (section.line, ident, question.title)
            section["ids"].append(ident)
            fold(section, "; ".join(question.found_by))


def fold(section, found_by):
    """Fold all but the title and the answer's first line, which the parser begins at times with an empty text."""
    _, answer, *rest = section
    line, *more = [node for node in answer if node.astext()]
    section["classes"].append("asked")
    section[1:] = [
        nodes.raw("", '<details class="fold"><summary><span>', format="html"),
        nodes.inline("", "", *line),
        nodes.raw("", "</span></summary>", format="html"),
        *([nodes.paragraph("", "", *more)] if more else []),
        *(node for node in rest if not isinstance(node, nodes.comment)),
        nodes.raw("", f'<span class="asked-words" hidden>{escape(found_by)}</span></details>', format="html"),
    ]
