"""The words of a markdown cell, paragraph by paragraph, apart from the marks and the markup around them.

What a paragraph is, markdown-it says, with the extensions that the pages use. A paragraph, a heading, an item, a cell
of a table, a note, a fold's title, an entry of the glossary, and each reply of an answer are texts of their own.
So is what a displayed formula says in words: a remark beside a line, as ``because $x = 1$``. Formulas themselves, code
and the marks of the grammar are in none.
"""

import functools
import re

import yaml
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from website.grammar import ANSWER, SYMPTOMS, VERDICTS, without_mark
from website.grammar.answers import COMMENT, parsed

# What a translation leaves as it is: formulas, code, tags, addresses, citations, marks of notes, values, verdicts
KEPT = re.compile(
    r"\$[^$]+\$|(?P<ticks>`+)[^`]+(?P=ticks)|<[^>]*>|\]\([^)]*\)|\{cite:[pt]\}`[^`]+`|\[\^[\w-]+\]|\{\w*\}|https?://\S+"
    rf"|(?<=^\*\*)(?:{'|'.join(VERDICTS)})"
)
ROW = re.compile(r"(.*?)(?:( && )(.*?))?((?: \\\\)?)")  # of a displayed formula, the remark beside it, its end
IN_FORMULA = re.compile(r"(?<!_)\\text\{( ?)([^{}]*?)( ?)\}")
HAS_WORDS = re.compile(r"[^\W\d_]{2}")


@functools.cache
def parser():
    """A parser of blocks only: the texts in them stay as they are written."""
    made = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin).use(footnote_plugin)
    made.core.ruler.enableOnly(["normalize", "block"])
    return made


def has_words(text):
    return bool(HAS_WORDS.search(KEPT.sub(" ", text)))


def replaced(text, say):
    """A cell's ``text`` with ``say(words)`` in place of the words of each paragraph.

    Words for which ``say`` has None stay English. Where they are plain words, programs that read aloud are told so.
    """
    lines = text.split("\n")
    done = [0] * len(lines)  # in each line, what stands before this has been replaced
    before = ""
    for token in parser().parse(text):
        first, end = token.map or (0, 0)
        if token.type == "inline":
            words = without_mark(token.content)
            if has_words(words):
                is_plain = words[0].isalnum() and before == "paragraph_open"
                english = f'<span lang="en">{words}</span>' if is_plain else words
                put(lines, done, range(first, end), words, say(words) or english)
        before = token.type
        if before in ("math_block", "html_block", "fence"):
            replace = formula_replaced if before == "math_block" else block_replaced
            made = replace("\n".join(lines[first:end]), lambda words: say(words) or words)
            lines[first:end] = [made, *[None] * (end - first - 1)]
    return "\n".join(line for line in lines if line is not None)


def put(lines, done, numbers, words, said):
    """Put ``said`` in place of ``words`` in the lines with these ``numbers``; a paragraph becomes one line."""
    head, *more = words.split("\n")
    head = head if any(head in lines[number] for number in numbers) else head.replace("|", r"\|")  # in a table
    number = next(number for number in numbers if lines[number] and head in lines[number][done[number] :])
    start = lines[number].index(head, done[number])
    lines[number] = lines[number][:start] + said + ("" if more else lines[number][start + len(head) :])
    done[number] = start + len(said)
    lines[number + 1 : number + 1 + len(more)] = [None] * len(more)


def formula_replaced(block, say):
    def with_fragments(text):
        return IN_FORMULA.sub(fragment, text)

    def fragment(found):
        before, words, after = found.groups()
        return f"\\text{{{before}{say(words)}{after}}}" if re.search("[a-z]{2}", words) else found[0]

    def remark(text):
        parts = IN_FORMULA.sub(lambda found: f"${''.join(found.groups())}$", text).split("$")  # formula, words, …
        words = "".join(f"${part.strip()}$" if i % 2 == 0 and part.strip() else part for i, part in enumerate(parts))
        if not has_words(words) or (said := say(words)) == words:
            return text
        return "".join(part if i % 2 else f"\\text{{{part}}}" for i, part in enumerate(said.split("$")) if part)

    rows = (ROW.fullmatch(line).groups() for line in block.split("\n"))
    return "\n".join(
        with_fragments(row) + (between or "") + remark(beside or "") + end for row, between, beside, end in rows
    )


def block_replaced(block, say):
    """A block that is no paragraph: an answer, a note on a question, a fold's title, the glossary, raw HTML."""

    def part(found):
        return say(found[0]) if has_words(found[0]) and found[0] not in (ANSWER, *SYMPTOMS) else found[0]

    if answer := COMMENT.fullmatch(block):
        return block.replace(answer[1], answer_replaced(answer[1], say))
    if block.startswith("<!--"):
        return re.sub(r"(?<=\nfound by: ).+", lambda line: re.sub(r"[^;\s][^;]*", part, line[0]), block)
    if block.startswith("```{glossary}"):
        return re.sub(r"(?<=\n)(?!```)(?: {2})?(.+)", lambda line: line[0].replace(line[1], say(line[1])), block)
    if block.startswith("```{raw}"):
        return re.sub(r"(?<=<p>)[^<]+|(?<=\"script-lost\">)[^<]+", part, block)
    return block if block.startswith("```") else re.sub(r"(?<=<summary>).+?(?=</summary>)", part, block)


def answer_replaced(text, say):
    answer = parsed(text)
    said = {key: say(words) if key == "because" or isinstance(key, int) else words for key, words in answer.items()}
    for key, name in (("measured", "say"), ("right", "unit")):
        if isinstance(said.get(key), dict) and name in said[key]:
            said[key] = said[key] | {name: say(said[key][name])}
    return text if said == answer else yaml.safe_dump(said, allow_unicode=True, sort_keys=False, width=10**6)
