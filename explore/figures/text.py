"""Texts as plain words on one line."""

import html
import re


def on_one_line(text):
    return " ".join(text.split())


def first_sentence(text):
    """The message of a caption, which is its first sentence: ``Only one key wins.``"""
    return re.split(r"(?<=[.!?])\s+(?=[^\W\d_a-z])", on_one_line(text), maxsplit=1)[0]


def text_of_markup(markup):
    """The text in a piece of HTML."""
    return on_one_line(html.unescape(re.sub(r"<[^>]*>", " ", markup)))


def letters_of_mathtext(text):
    """Mathtext as plain letters, and zeros without a sign, because that sign is a matter of chance."""
    text = re.sub(r"(?<![\w.])[-−](0(?:\.0+)?)(?![\d.])", r"\1", text)
    return re.sub(r"\\(?:mathrm|mathbf|operatorname)|[${}\\]", "", text.replace(r"\sqrt", "√"))
