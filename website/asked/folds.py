"""Questions that people ask: chapters are folded, an open one shows answers in one line, and a field finds questions.

In the notebook, an answer begins with that line, in bold. The folds need no script; asked.js needs one for the field.
Behind an answer a comment may hold what people type who have this question, and what they see:

    <!-- found by: Rubbish or repetition; rope longer text; beyond the training length -->

A question that names a symptom before all else comes first among those of its button.
"""

import re
from html import escape

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

PAGE = "back_matter/questions_people_ask"
# What a reader sees. A question names those that it answers, among other words that it is found by.
SYMPTOMS = [
    "NaN or infinity",
    "Error about a shape",
    "Error about a mask",
    "Too slow",
    "Out of memory",
    "Loss too low",
    "Loss does not fall",
    "Output changes with the batch",
    "Rubbish or repetition",
    "Odd attention map",
]
LONGEST = 300  # letters that a reader can look for
SCRIPT_LOST = "If nothing is found, a script could not be loaded. Load the page again."
FOUND_BY = re.compile(r"<!-- found by: (.*?) -->", re.DOTALL)


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
        self.env.metadata[PAGE]["tocdepth"] = 2  # the list of contents names chapters, not hundreds of questions
        # MyST's record of the places on a page, for links such as `questions_people_ask.ipynb#chapter-5`
        places = self.env.metadata[PAGE].setdefault("myst_slugs", {})
        for chapter in chapters:
            ident = "-".join(chapter[0].astext().lower().split()[:2])
            places[ident] = (chapter.line, ident, chapter[0].astext())
            chapter["ids"].append(ident)
            questions = [part for part in chapter if isinstance(part, nodes.section)]
            for section in questions:
                self.fold(section)
            fold_chapter(chapter, len(questions))
        page.insert(1, nodes.raw("", field(), format="html"))  # after the title

    def fold(self, section):
        title, asked, answer, *rest = section
        words = [node for node in answer if node.astext()]  # the parser begins some paragraphs with an empty text
        if not isinstance(answer, nodes.paragraph) or not isinstance(words[0], nodes.strong):
            raise ExtensionError(f"the answer to {title.astext()!r} must begin with one line in bold")
        line, *more = words
        matches = {node: FOUND_BY.fullmatch(node.astext().strip()) for node in rest}
        found_by = escape("; ".join(match[1] for match in matches.values() if match))
        rest = [node for node in rest if not matches[node]]
        section["classes"].append("asked")
        section[1:] = [
            nodes.raw("", '<details class="fold"><summary><span>', format="html"),
            nodes.inline("", "", *line),
            nodes.raw("", "</span></summary>", format="html"),
            *([nodes.paragraph("", "", *more)] if more else []),
            *rest,
            asked,
            nodes.raw("", f'<span class="asked-words" hidden>{found_by}</span></details>', format="html"),
        ]


def fold_chapter(chapter, count):
    """Fold all but the title."""
    line = f"{count} question{'s' if count > 1 else ''}"
    chapter["classes"] += ["asked-chapter", "fold-row"]
    chapter.insert(1, nodes.raw("", f'<details class="fold"><summary>{line}</summary>', format="html"))
    chapter.append(nodes.raw("", "</details>", format="html"))


def field():
    buttons = (f'<button type="button" class="toggle">{escape(name)}</button>' for name in SYMPTOMS)
    return f"""<form class="asked-field" role="search">
<label for="asked-words">Find a question: type words, or choose what you see</label>
<input type="search" id="asked-words" autocomplete="off" spellcheck="false" maxlength="{LONGEST}"
 placeholder="such as: index out of range" />
<div role="group" aria-label="What you see">{"".join(buttons)}</div>
<output for="asked-words"><span class="script-lost">{SCRIPT_LOST}</span></output>
</form>
<div class="asked-found"></div>"""
