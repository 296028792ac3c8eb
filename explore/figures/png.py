"""A figure as PNG, as notebooks store it and a kernel shows it: with its words in the reader's language."""

import base64
import contextlib
import io

from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter

from languages import is_english, say_again

from .fonts import font_of_language
from .text import letters_of_mathtext


def figure_to_png(fig):
    """The picture in base64; ``fig`` is not changed."""
    buffer = io.BytesIO()
    with _in_readers_language(fig):
        fig.savefig(buffer, format="png", metadata={"Software": None})
    return base64.b64encode(buffer.getvalue()).decode()


@contextlib.contextmanager
def _in_readers_language(fig):
    """While the figure is saved, its words are in the reader's language, if this machine has a font for them."""
    with contextlib.ExitStack() as stack:
        if not is_english() and font_of_language():
            fig.draw_without_rendering()  # axes get the labels of their ticks when they are drawn
            for axis in (axis for ax in fig.axes for axis in (ax.xaxis, ax.yaxis)):
                labels = [label.get_text() for label in axis.get_majorticklabels()]
                if labels != (said := [_said(label) for label in labels]):
                    stack.callback(setattr, axis.major, "formatter", axis.major.formatter)
                    axis.major.formatter = FixedFormatter(said)
            for text in fig.findobj(Text):
                stack.callback(text.set_text, text.get_text())
                text.set_text(_said(text.get_text()))
        yield


def _said(text):
    """Each line's own words, as on a page. A formula among words is known by its letters."""
    return "\n".join(map(_said_line, text.split("\n")))


def _said_line(line):
    letters = letters_of_mathtext(line)
    said = say_again(line), say_again(letters)
    return said[0] if said[0] != line else said[1] if said[1] != letters else line
