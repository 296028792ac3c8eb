"""Predictions and quizzes that you answer on the page.

In a notebook they are markdown that every viewer shows: a quotation with a question, and a list of choices or a line
for a number. The right answer follows in a comment, which no viewer shows:

    > **Predict.** How large is it?
    >
    > - 1
    > - 64

    <!-- answer
    right: 2
    because: Independent variances add up.
    1: That would be right without the square.
    measured: {cell: 3368cb14, find: 'variance ([\\d.]+)', say: 'The variance is {1}.'}
    -->

`right` is the number of a choice, or a list of choices that must all be chosen. If the answer is a number, `right` is
`{unit: bits, within: 10%}`, and the number itself is the first group of what `measured` finds. `measured` quotes a
stored output of the notebook. All readers see `because`; a key that is the number of a choice holds the reply to
readers who make that choice.
"""

import json
import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from languages import mark, say, say_list
from website.formulas.letters import in_letters
from website.grammar import ANSWER, FOLD
from website.grammar.answers import COMMENT, measured_words, parsed
from website.places import cell_at, read, write_changed

KEYS = {"right", "because", "measured"}
PAGE = "back_matter/your_predictions"
ORDINALS = [mark("the first"), mark("the second"), mark("the third"), mark("the fourth"), mark("the fifth")]
ANSWERS = [mark("The first answer"), mark("The second answer"), mark("The third answer"), mark("The fourth answer")]
ANSWERS += [mark("The fifth answer")]


def setup(app):
    app.add_transform(Questions)
    app.connect("env-purge-doc", lambda app, env, docname: questions_of(env).pop(docname, None))
    app.connect("env-merge-info", lambda app, env, names, other: questions_of(env).update(questions_of(other)))
    app.connect("html-page-context", add_scripts)
    app.add_js_file("questions.js")  # on every page: the table of contents shows how many are answered
    app.add_js_file("covered.js")


def questions_of(env):
    """The questions of each page, in the order of the page."""
    if not hasattr(env, "attention_questions"):
        env.attention_questions = {}
    return env.attention_questions


def add_scripts(app, pagename, templatename, context, doctree):
    """Put every page's questions into a script for the page of all answers.

    The data is in a script, because a page opened from disk cannot fetch data.
    """
    if pagename == PAGE:
        all_questions = questions_of(app.env)
        pages = [
            {
                "page": page,
                "title": app.env.titles[page].astext(),
                "address": app.builder.get_relative_uri(PAGE, page),
                "questions": all_questions[page],
            }
            for page in sorted(all_questions)
        ]
        text = f"book.all_questions = {json.dumps(pages, ensure_ascii=False)};\n"
        write_changed(Path(app.outdir) / "_static" / "all_questions.js", text)
        app.add_js_file("all_questions.js")
        app.add_js_file("your_predictions.js")


class Questions(SphinxTransform):
    """Put the right answer and the solution, folded, into the box; questions.js opens them after an answer."""

    default_priority = 501  # after kinds.py has named the boxes

    def apply(self):
        found = []
        for comment in list(self.document.findall(nodes.raw)):
            match = COMMENT.fullmatch(comment.astext())
            if not match:
                continue
            siblings = comment.parent.children
            quote = siblings[siblings.index(comment) - 1]
            path = Path(self.env.doc2path(self.env.docname))
            ident = free_name(f"{path.stem}-{cell_at(path, quote.line)}", {one["id"] for one in found})
            question = Question(quote, match[1], path, ident)
            comment.parent.remove(comment)
            quote["classes"].append("question")
            quote["ids"].append(f"question-{question.id}")
            quote.append(nodes.raw("", question.folded(), format="html"))
            quote.extend(taken_solution(quote))
            quote.append(nodes.raw("", "</details>", format="html"))
            found.append(question.entry())
        if found:
            questions_of(self.env)[self.env.docname] = found


def taken_solution(quote):
    """The content of the fold *Answer* after a box; the fold itself is removed, so that the answer appears once."""
    siblings = quote.parent.children
    start = siblings.index(quote) + 1
    texts = [node.astext().strip() if isinstance(node, nodes.raw) else "" for node in siblings]
    if texts[start : start + 1] != [FOLD]:
        return []
    end = texts.index("</details>", start)
    solution = siblings[start + 1 : end]
    del siblings[start : end + 1]
    return solution


def free_name(name, taken):
    """``name`` itself, or with a number behind it if others in the same cell have it."""
    return next(one for one in (name, *(f"{name}-{number}" for number in range(2, 100))) if one not in taken)


class Question:
    """A box and its right answer; raises ``ExtensionError`` if they do not fit together."""

    def __init__(self, quote, text, path, ident):
        words = quote.astext() if isinstance(quote, nodes.block_quote) else ""
        self.where = f"{path.name}: the answer after {' '.join(words.split())[:60]!r}"
        if not {"callout-predict", "callout-quiz"} & set(quote.get("classes", ())):
            self.fail("does not follow a Predict or Quiz box")
        self.kind = "predict" if "callout-predict" in quote["classes"] else "quiz"
        self.answer = parsed(text)
        if not isinstance(self.answer, dict) or not {"right", "because"} <= set(self.answer):
            self.fail("needs 'right' and 'because'")
        lists = [node for node in quote.children if isinstance(node, nodes.bullet_list)]
        self.choices = [in_letters(item) for item in lists[-1]] if lists else []
        self.has_formulas = bool(lists) and any(lists[-1].findall(nodes.math))
        paragraphs = [node for node in quote.children if isinstance(node, nodes.paragraph)]
        self.text = in_letters(paragraphs[0]).partition(" ")[2]
        self.id = ident
        self.measured, self.number = "", None
        if measured := self.answer.get("measured"):
            try:
                self.measured, self.number = measured_words(measured, read(path).cells)
            except ValueError as error:
                self.fail(str(error))
        self.check()

    def fail(self, why):
        raise ExtensionError(f"{self.where} {why}")

    def check(self):
        right = self.answer["right"]
        replies = {key for key in self.answer if isinstance(key, int)}
        for key in ("because", *replies):
            if mark := re.search(r"[$`*\\]", str(self.answer[key])):
                self.fail(f"has {mark[0]} in {key!r}, which shows words as they are typed")
        if unknown := set(self.answer) - replies - KEYS:
            self.fail(f"has unknown parts: {unknown}")
        if isinstance(right, dict):
            if self.choices or replies or set(right) - {"unit", "within"}:
                self.fail("is a number, but has choices, replies or unknown parts")
            if self.number is None:
                self.fail("is a number, but none is measured")
            if not re.fullmatch(r"\d+%", str(right.get("within"))):
                self.fail("needs 'within': a percentage")
            return
        self.right = sorted(right) if isinstance(right, list) else [right]
        numbers = set(range(1, len(self.choices) + 1))
        if len(self.choices) < 2 or not numbers.issuperset({*self.right, *replies}) or not self.right:
            self.fail(f"names choice {right}, or replies to {sorted(replies)}, of {len(self.choices)}")

    def entry(self):
        """The question's entry for the page of all answers."""
        about = {"id": self.id, "kind": self.kind, "text": self.text, "choices": self.choices}
        if self.choices:
            return about | {"which": self.right, "right": [self.choices[i - 1] for i in self.right]}
        return about | self.about_number() | {"right": [self.words_of_number()]}

    def about_number(self):
        right = self.answer["right"]
        return {"number": self.number, "within": right["within"], "unit": right.get("unit", "")}

    def words_of_number(self):
        return f"{self.number:g} {self.answer['right'].get('unit', '')}".strip()

    def folded(self):
        """The beginning of the fold that opens after an answer; without JavaScript the reader opens it."""
        data = {"id": self.id}
        if self.choices:
            data["right"] = self.right
            # In the list, formulas are typeset; here a formula would appear as it was typed.
            choices = enumerate(self.choices)
            names = [say(ORDINALS[i]) if self.has_formulas else say("“{words}”", words=choice) for i, choice in choices]
            rights = say_list([names[i - 1] for i in self.right])
        else:
            data |= self.about_number()
            rights = self.words_of_number()
        lines = [f'<p class="reply-right">{escape(say("Right: {words}.", words=rights))}</p>']
        if self.measured:
            measured = say("Measured: {words}", words=self.measured)
            lines.append(f'<p class="reply-measured">{escape(measured)}</p>')
        for number, choice in enumerate(self.choices, 1):
            if number in self.answer:
                name = say(ANSWERS[number - 1]) if self.has_formulas else choice
                reply = say("{choice}: {words}", choice=f"<em>{escape(name)}</em>", words=escape(self.answer[number]))
                lines.append(f'<p class="reply-choice" data-choice="{number}">{reply}</p>')
        lines.append(f"<p>{escape(self.answer['because'])}</p>")
        attribute = escape(json.dumps(data, ensure_ascii=False), quote=True)
        return f'<details class="reply" data-question="{attribute}"><summary>{say(ANSWER)}</summary>{"".join(lines)}'
