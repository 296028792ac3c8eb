"""A figure in English words and numbers, to compare a stored figure with a new one."""

import functools

import matplotlib as mpl
import numpy as np

from languages import in_english

from .description_for_ears import (
    artist_words,
    counted,
    described,
    extent,
    heading,
    is_shape,
    number_with,
    own_children,
    reach,
    shape_of,
)
from .text import letters_of_mathtext, on_one_line

NUMBER = functools.partial(number_with, 2)  # with two digits, every machine gives the same text


@in_english()
def describe_figure(fig, *, thorough=False):
    """Axes, curves, points, bars, areas, maps, arrows and notes of a figure, in one line.

    ``thorough`` adds numbers that readers could not see in the picture (values along the way, mean, standard
    deviation), so that changed data gives different words.

    If no reader is watching (``mode.is_checked``), raises ``TypeError`` for a kind of artist that has no words.
    """
    more = _more if thorough else lambda values: ""
    axes = [_axes(ax, more) for ax in described(fig)]
    return on_one_line(". ".join(filter(None, [*axes, *_each(own_children(fig), more)])))


def _each(artists, more):
    return [f"{words}{more(values)}" for artist in artists for words, values in artist_words(artist, NUMBER)]


def _axes(ax, more):
    artists = own_children(ax)
    kinds = (mpl.lines.Line2D, mpl.container.BarContainer, mpl.text.Text)
    lines, bars, notes = ([artist for artist in artists if isinstance(artist, kind)] for kind in kinds)
    shapes = [artist for artist in artists if is_shape(artist)]
    rest = [artist for artist in artists if artist not in {*lines, *bars, *notes, *shapes}]
    shown = [*_each([*lines, *bars], more), *_shapes(shapes, more), *_each(rest, more), *_notes(notes, more)]
    return letters_of_mathtext("; ".join(filter(None, [*heading(ax), *shown])))


def _shapes(patches, more):
    """Each one; for more than four of one kind, the range of all."""
    kinds = {}
    for patch in patches:
        kinds.setdefault(shape_of(patch), []).append(patch)
    for kind, those in kinds.items():
        if len(those) <= 4:
            yield from _each(those, more)
        else:
            corners = np.array([extent(patch) for patch in those])
            words = reach(counted(kind, len(those)), np.concatenate(corners), NUMBER)
            yield words + more(corners.mean(1))


def _notes(texts, more):
    for text in texts:
        if getattr(text, "arrow_patch", None) is not None:
            ends = " to ".join(f"{NUMBER(x)}, {NUMBER(y)}" for x, y in (text.xyann, text.xy))
            yield f"arrow from {ends}" if text.xycoords == text.anncoords == "data" else "arrow"
    words = [text.get_text() for text in texts if text.get_text()]
    if len(words) > 12:
        yield f"{len(words)} labels, such as {', '.join(words[:3])}"
        words = ["all: " + ", ".join(words)] if more is _more else []
    yield from words


def _more(values):
    """The values themselves if they are few, otherwise some of them. Integers are counts of a mask's cells."""
    values = np.ravel(values)
    if values.dtype.kind == "i":
        return f" ({', '.join(map(str, values))} by rows)"
    values = values[np.isfinite(values)]
    if len(values) < 3:
        return ""
    some = values if len(values) <= 12 else values[np.linspace(0, len(values) - 1, 9).round().astype(int)]
    small = 1e-5 * np.abs(values).max()  # anything below is a rounding error of the largest value
    listed, mean, std = (
        ", ".join(NUMBER(0 if abs(x) < small else x) for x in those)
        for those in (some, [values.mean()], [values.std()])
    )
    return f" ({listed})" if len(values) <= 12 else f" (on the way {listed}; mean {mean}, std {std})"
