"""What figures and explorers have in common on a page."""

import html

ROW = "display: flex; flex-wrap: wrap; justify-content: center; align-items: flex-start"  # of the panels of a figure


def hidden_text(text):
    """A paragraph for screen readers. An explorer's script writes here what its present frame shows."""
    return f'<p class="visually-hidden explorer-text">{html.escape(text)}</p>'
