"""Figures with a caption, and training that a reader may watch."""

import html

import matplotlib.pyplot as plt
from IPython.display import Markdown, display
from matplotlib.figure import Figure
from tqdm.auto import tqdm

from languages import of_picture

from ..mode import PAGE, in_notebook, is_checked, needs_png
from . import style  # noqa: F401 - sets the book's figure style
from .description_for_ears import say_figure
from .description_to_compare import describe_figure
from .legible import check_legible
from .markup import framed, hidden_text
from .panels import panels_of
from .png import figure_to_png
from .svg import figure_to_svg
from .text import first_sentence, on_one_line


def show(fig, caption):
    """Show a figure with its caption, which is also its accessible name: it must say what the figure shows.

    Raises ``TypeError`` if ``fig`` is not a matplotlib figure or ``caption`` is not text, ``ValueError`` for an empty
    caption.
    """
    if not isinstance(fig, Figure):
        raise TypeError(f"fig must be a matplotlib Figure, got {type(fig).__name__}")
    if not isinstance(caption, str):
        raise TypeError(f"caption must be text, got {type(caption).__name__}")
    caption = on_one_line(caption)
    if not caption:
        raise ValueError("caption must say what the figure shows, got empty text")
    shown = of_picture(caption)
    words = f"{caption}\n{describe_figure(fig, thorough=True)}".strip()
    on_the_page, caption_on_the_page = {}, {}
    if is_checked():
        panels = panels_of(fig)
        check_legible(fig, panels)
        markup = (
            f'<figure class="still">{framed(figure_to_svg(fig, caption, panels), first_sentence(shown))}'
            f"{hidden_text(say_figure(fig))}\n<figcaption>{html.escape(shown)}</figcaption></figure>"
        )
        on_the_page, caption_on_the_page = {PAGE: markup}, {PAGE: ""}  # the markup holds the caption
    png = {"image/png": figure_to_png(fig)} if needs_png() else {}
    display(png | {"text/plain": words}, metadata=on_the_page, raw=True)
    display(Markdown(f"*{shown}*"), metadata=caption_on_the_page)
    plt.close(fig)  # otherwise the notebook would show it again


def watch(steps):
    """``steps``, with a progress bar that disappears at the end, if a reader is watching in a notebook."""
    return tqdm(steps, leave=False, disable=is_checked() or not in_notebook())
