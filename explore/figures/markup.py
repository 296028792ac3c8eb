"""Markup that figures and explorers share on a page."""

import html
import json
import re

ROW = "display: flex; flex-wrap: wrap; justify-content: center; align-items: flex-start"  # of the panels of a figure
FRAME = '<div class="explorer-frame"'


def framed(picture, name, role="img"):
    """A picture with its accessible name. The first of several panels must not move when the next one arrives."""
    style = ' style="justify-content: flex-start"' if picture.count("<svg") > 1 else ""
    return f'{FRAME} role="{role}" aria-label="{html.escape(name)}"{style}>{picture}</div>\n'


def hidden_text(text):
    """A paragraph for screen readers. An explorer's script describes the frame now shown in it."""
    return f'<p class="visually-hidden explorer-text">{html.escape(text)}</p>'


# A style or a script, which has no words for readers; text between tags; attributes that are read, or that scripts read
PART = re.compile(
    r"(?P<none><(?P<tag>style|script)\b.*?</(?P=tag)>)"
    r"|(?<=>)(?P<text>[^<>]+)(?=<)"
    r'|(?P<name> (?:alt|aria-label|aria-valuetext|data-lost|data-sentence|placeholder|title)=")(?P<words>[^"]+)'
    r'|(?P<data> data-(?:labels|live|opening)=")(?P<json>[^"]+)',
    re.DOTALL,
)
WORDS = ("alts", "caption", "entry_expected", "expected", "label", "sentence", "sentences", "texts", "title", "words")
LINE = re.compile(r"(.+?)([:;.,]\n|\Z)", re.DOTALL)  # of what is heard of a figure


def with_words(markup, say):
    """The markup of an output with ``say(words)`` in place of all words that a reader of the page may see or hear."""

    def part(found):
        if found["text"] and (words := found["text"].strip()):
            return found["text"].replace(words, html.escape(_each_line(html.unescape(words), say), quote=False))
        if found["words"]:
            return found["name"] + html.escape(say(html.unescape(found["words"])))
        if found["json"]:
            data = json.loads(html.unescape(found["json"]))
            return found["data"] + html.escape(as_json(data_with_words(data, say, isinstance(data, list))))
        return found[0]

    return PART.sub(part, markup)


def data_with_words(data, say, is_words=False):
    """The same for data: a list is of words only; in an object the keys in ``WORDS`` are."""
    if isinstance(data, dict):
        return {key: data_with_words(value, say, key in WORDS) for key, value in data.items()}
    if isinstance(data, list):
        return [data_with_words(value, say, is_words) for value in data]
    return _each_line(data, say) if is_words and isinstance(data, str) else data


def _each_line(text, say):
    return LINE.sub(lambda found: say(found[1]) + found[2], text)


def as_json(data):
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def picture_in(markup):
    """The picture and the caption in the markup of a figure or an explorer; None if there is no frame."""
    frame, found, after = markup.partition(FRAME)[2].partition("</div>\n<p")
    caption = after.partition("<figcaption>")[2].partition("</figcaption>")[0]
    return (frame.partition(">")[2], html.unescape(caption)) if found else None
