"""Markup that figures and explorers share on a page."""

import html

ROW = "display: flex; flex-wrap: wrap; justify-content: center; align-items: flex-start"  # of the panels of a figure


FRAME = '<div class="explorer-frame"'


def framed(picture, name, role="img"):
    """A picture with its accessible name. The first of several panels must not move when the next one arrives."""
    style = ' style="justify-content: flex-start"' if picture.count("<svg") > 1 else ""
    return f'{FRAME} role="{role}" aria-label="{html.escape(name)}"{style}>{picture}</div>\n'


def hidden_text(text):
    """A paragraph for screen readers. An explorer's script describes the frame now shown in it."""
    return f'<p class="visually-hidden explorer-text">{html.escape(text)}</p>'


def picture_in(markup):
    """The picture and the caption in the markup of a figure or an explorer; None if there is no frame."""
    frame, found, after = markup.partition(FRAME)[2].partition("</div>\n<p")
    caption = after.partition("<figcaption>")[2].partition("</figcaption>")[0]
    return (frame.partition(">")[2], html.unescape(caption)) if found else None
