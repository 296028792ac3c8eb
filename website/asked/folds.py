"""Questions that people ask: in sight is the answer in one line, the rest is folded, and a field finds questions.

In the notebook, an answer begins with that line, in bold. The folds need no script; asked.js needs one for the field.
"""

from html import escape

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

PAGE = "back_matter/questions_people_ask"
# What a reader sees, and the words to look for. (`|` stands between words that mean the same here.)
SYMPTOMS = {
    "NaN or infinity": "nan|infinity|overflow",
    "Error about a shape": "shape|batch_first",
    "Too slow": "slow|slower|faster",
    "Out of memory": "memory",
    "Loss too low": "future|labels",
    "Loss does not fall": "training loss",
    "Output changes with the batch": "padding|padded|batch",
    "All weights alike": "nearly same weight",
}


def setup(app):
    app.add_transform(Folds)
    app.connect("html-page-context", add_script)


def add_script(app, pagename, templatename, context, doctree):
    if pagename == PAGE:
        app.add_js_file("asked.js")


class Folds(SphinxTransform):
    default_priority = 500

    def apply(self):
        if self.env.docname != PAGE:
            return
        (page,) = [part for part in self.document if isinstance(part, nodes.section)]
        chapters = [part for part in page if isinstance(part, nodes.section)]
        # MyST's record of the places on a page, for links such as `questions_people_ask.ipynb#chapter-5`
        places = self.env.metadata[PAGE].setdefault("myst_slugs", {})
        for chapter in chapters:
            ident = "-".join(chapter[0].astext().lower().split()[:2])
            places[ident] = (chapter.line, ident, chapter[0].astext())
            chapter["ids"].append(ident)
            for section in [part for part in chapter if isinstance(part, nodes.section)]:
                self.fold(section)
        page.insert(1, nodes.raw("", field(), format="html"))  # after the title

    def fold(self, section):
        title, asked, answer, *rest = section
        words = [node for node in answer if node.astext()]  # the parser begins some paragraphs with an empty text
        if not isinstance(answer, nodes.paragraph) or not isinstance(words[0], nodes.strong):
            raise ExtensionError(f"the answer to {title.astext()!r} must begin with one line in bold")
        line, *more = words
        section["classes"].append("asked")
        section[1:] = [
            nodes.raw("", '<details class="fold"><summary><span>', format="html"),
            nodes.inline("", "", *line),
            nodes.raw("", "</span></summary>", format="html"),
            *([nodes.paragraph("", "", *more)] if more else []),
            *rest,
            asked,
            nodes.raw("", "</details>", format="html"),
        ]


def field():
    button = '<button type="button" class="toggle" value="{}">{}</button>'
    buttons = (button.format(escape(words), escape(name)) for name, words in SYMPTOMS.items())
    return f"""<form class="asked-field" role="search">
<label for="asked-words">Find a question: type words, or choose what you see</label>
<input type="search" id="asked-words" autocomplete="off" spellcheck="false" />
<div role="group" aria-label="What you see">{"".join(buttons)}</div>
<output for="asked-words"></output>
</form>
<div class="asked-found"></div>"""
