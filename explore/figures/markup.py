"""Markup that figures and explorers share on a page."""

import html

ROW = "display: flex; flex-wrap: wrap; justify-content: center; align-items: flex-start"  # of the panels of a figure


def hidden_text(text):
    """A paragraph for screen readers. Here an explorer's script describes the frame that it now shows."""
    return f'<p class="visually-hidden explorer-text">{html.escape(text)}</p>'
