"""Markup that figures and explorers share on a page."""

import html

ROW = "display: flex; flex-wrap: wrap; justify-content: center; align-items: flex-start"  # of the panels of a figure


FRAME = '<div class="explorer-frame"'


def framed(picture, name, role="img"):
    """A picture with its accessible name."""
    return f'{FRAME} role="{role}" aria-label="{html.escape(name)}">{picture}</div>\n'


def hidden_text(text):
    """A paragraph for screen readers. Here an explorer's script describes the frame that it now shows."""
    return f'<p class="visually-hidden explorer-text">{html.escape(text)}</p>'


def picture_in(markup):
    """Picture and caption of a figure or an explorer, which have the same frame; or None."""
    frame, found, after = markup.partition(FRAME)[2].partition("</div>\n<p")
    caption = after.partition("<figcaption>")[2].partition("</figcaption>")[0]
    return (frame.partition(">")[2], html.unescape(caption)) if found else None
