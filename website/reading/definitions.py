"""When a chapter first uses a word from an earlier chapter, the word links there, and hovering shows its definition.

A chapter needs no markup for this: the words, their meanings and their chapters are in the glossary.
"""

import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform

from website.formulas import typeset
from website.places import read, source

GLOSSARY = "back_matter/glossary"
# These words are also everyday English, or are on every page: a link would be noise, or wrong.
TOO_COMMON = {"attention", "chunk", "control", "key", "query", "scale", "score", "softmax", "token", "value", "weight"}
NO_PLACE = (nodes.title, nodes.reference, nodes.literal, nodes.literal_block, nodes.strong, nodes.caption)
NO_PLACE += (nodes.raw, nodes.table)


def setup(app):
    app.add_transform(DependOnGlossary)
    app.add_post_transform(Definitions)
    app.add_node(defined_word, html=(visit_defined_word, depart_defined_word))
    app.add_js_file("definitions.js")


class defined_word(nodes.Inline, nodes.TextElement):
    """A word, its chapter's address, and its definition as pairs of a formula and words; one of each pair is empty."""


def entries(source):
    """For each entry in the glossary's source: its words, its definition, and the first chapter that it names."""
    for entry in re.split(r"\n\n+", re.search(r"```\{glossary\}\n(.+?)\n```", source, re.S)[1]):
        *words, definition = entry.split("\n")
        known = re.fullmatch(r"  ([^*`\[]+?) ?\[[^]]+\]\(\.\./(chapters/.+?)\.ipynb\).*", definition)
        if not known or any(word.startswith(" ") for word in words):
            raise ExtensionError(
                f"{GLOSSARY}.md: expected one line of words and formulas, then its chapter, in {entry!r}"
            )
        yield words, re.findall(r"\$(.+?)\$|([^$]+)", known[1]), known[2]


class DependOnGlossary(SphinxTransform):
    """A page is written again when the glossary has changed."""

    default_priority = 500

    def apply(self):
        if self.env.docname.startswith("chapters/"):
            self.env.note_dependency(f"{GLOSSARY}.md")


class Definitions(SphinxPostTransform):
    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs):
        if not self.env.docname.startswith("chapters/"):
            return
        (of_word, pattern), linked_words = self.glossary(), set()
        for text in sorted(self.document.findall(nodes.Text), key=is_folded):  # the core first
            if any(isinstance(parent, NO_PLACE) or is_question(parent) for parent in parents(text)):
                continue
            pieces, end = [], 0
            for match in re.finditer(pattern, text):
                word = next(word for word in of_word if re.fullmatch(in_text(word), match[0]))
                words, definition, chapter = of_word[word]
                if chapter >= self.env.docname or words[0] in linked_words:
                    continue
                linked_words.add(words[0])
                number = self.env.new_serialno("definition")
                address = self.app.builder.get_relative_uri(self.env.docname, chapter)
                linked = defined_word("", match[0], refuri=address, definition=definition, number=number)
                pieces += [nodes.Text(text[end : match.start()]), linked]
                end = match.end()
            if pieces:
                text.parent.replace(text, [*pieces, nodes.Text(text[end:])])

    def glossary(self):
        """Each word's entry, the longest words first, and the pattern that finds any of them."""
        # Read from disk, even if the glossary is not built as a page.
        path = Path(self.env.srcdir) / f"{GLOSSARY}.md"
        here, english = (entries(page.cells[0].source) for page in (read(path), source(path)))
        of_word = {
            word: entry
            for entry, (names, *_) in zip(here, english, strict=True)
            for word, name in zip(entry[0], names, strict=True)
            if name not in TOO_COMMON
        }
        of_word = {word: of_word[word] for word in sorted(of_word, key=len, reverse=True)}
        return of_word, "|".join(map(in_text, of_word))


def in_text(word):
    """The pattern for a word in a text: also in the plural, and at the beginning of a sentence."""
    if not word.isascii() and all(map(str.isalpha, word)):  # in Chinese nothing stands between two words
        return re.escape(word)
    flags = "i" if word == word.lower() else ""
    return rf"(?a:(?<![\w-]))(?{flags}:{re.escape(word)})(?:e?s)?(?a:(?![\w-]))"


def is_question(node):
    """Whether this box asks a question: there a click must choose an answer, not follow a link."""
    return not {"callout-predict", "callout-quiz"}.isdisjoint(node.get("classes", []))


def is_folded(node):
    return any("second-reading" in parent.get("classes", []) for parent in parents(node))


def parents(node):
    while node := node.parent:
        yield node


def visit_defined_word(self, node):
    number = node["number"]
    self.body.append(f'<a class="defined" href="{node["refuri"]}" aria-describedby="definition-{number}">')


def depart_defined_word(self, node):
    parts = [typeset(node, tex, display=False) if tex else escape(words) for tex, words in node["definition"]]
    box = f'<span class="definition" role="tooltip" id="definition-{node["number"]}">{"".join(parts)}</span>'
    self.body.append("</a>" + box)
