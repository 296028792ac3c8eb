"""What of a figure a program on the page may move, in the coordinates of the data: its scene; and where it lies."""

import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal

import numpy as np
import torch
from matplotlib.axis import Axis
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import StepPatch
from matplotlib.text import Text

from .style import COLOR

# Artists that a program moves have a gid. Axes whose limits it moves have a label.


def name_axes(fig):
    """Give the x and y axis of what has a label, and their own labels, the names that live.js looks for."""
    for name, ax in _axes(fig):
        if name == ax.get_label():
            for letter, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
                axis.set_gid(f"{name}.{letter}")
                axis.label.set_gid(f"{name}.{letter}.label")


def scene_of(fig):
    """``{"artists": {name: coordinates or text}, "axes": {name: limits and ticks}}``, as a program returns it."""
    artists = {artist.get_gid(): _parts(artist) for _, artist in _artists(fig)}
    limits = {name: _along(ax.xaxis) | _along(ax.yaxis) for name, ax in _axes(fig) if name == ax.get_label()}
    return {"artists": artists, "axes": limits}


def layout_of(fig):
    """Where the axes lie, in points from the lower left corner, and which axes each artist belongs to."""
    width, height = (72 * x for x in fig.get_size_inches())
    axes = {}
    for name, ax in _axes(fig):
        left, bottom, w, h = ax.get_position().bounds
        box = [round(x, 4) for x in (left * width, bottom * height, w * width, h * height)]
        limits = {"xlim": list(map(float, ax.get_xlim())), "ylim": list(map(float, ax.get_ylim()))}
        axes[name] = {"box": box, "xscale": ax.get_xscale(), "yscale": ax.get_yscale()} | limits
    return {"height": height, "axes": axes, "artists": {artist.get_gid(): name for name, artist in _artists(fig)}}


def names_in(fig):
    """All names that the picture keeps. Ticks have none, and are by far the most."""
    names, waiting = set(), [fig]
    while waiting:
        artist = waiting.pop()
        names.add(artist.get_gid())
        waiting += [artist.label] if isinstance(artist, Axis) else artist.get_children()
    return names - {None}


def _axes(fig):
    """Pairs of a name, the label or else the number, and axes. (A label that begins with "_" is matplotlib's own.)"""
    for number, ax in enumerate(fig.axes):
        label = ax.get_label()
        yield (label if label and not label.startswith("_") else f"axes {number}"), ax


def _artists(fig):
    """Pairs of the axes' name and an artist with a gid."""
    for name, ax in _axes(fig):
        of_axis = {id(part) for axis in (ax.xaxis, ax.yaxis) for part in axis.findobj()}
        for artist in ax.findobj(lambda artist: artist.get_gid()):
            if id(artist) not in of_axis:
                yield name, artist


def _parts(artist):
    if isinstance(artist, Text):
        return {"text": artist.get_text()}
    if isinstance(artist, Line2D):
        x, y = artist.get_data()
        return {"x": list(map(float, x)), "y": list(map(float, y))}
    if isinstance(artist, Cells):
        return {"cells": artist.amounts}
    if isinstance(artist, StepPatch):
        data = artist.get_data()
        return {"edges": list(map(float, data.edges)), "values": list(map(float, data.values))}
    raise TypeError(f"a program moves lines, steps, cells and text, got {type(artist).__name__} {artist.get_gid()!r}")


def cells(ax, amounts, *, gid):
    """Draw a matrix of numbers from -1 to 1 as squares, row i from y = -i downwards and column j from x = j: the more
    of their colour the further from 0, negative ones in another.

    Raises ``ValueError`` for a number outside of that.
    """
    amounts = np.asarray(amounts, dtype=float)
    if not (np.abs(amounts) <= 1).all():
        raise ValueError(f"amounts must be from -1 to 1, got {amounts[~(np.abs(amounts) <= 1)][0]}")
    corners = np.array([(0, 0), (0.94, 0), (0.94, -0.94), (0, -0.94)])
    squares = [corners + np.array([j, -i]) for i, j in np.ndindex(amounts.shape)]
    # With an opacity of 0 matplotlib would write no colour at all, and a click would go through.
    colors = [to_rgba(COLOR["theory" if a < 0 else "weight"], max(abs(a), 0.001)) for a in amounts.flat]
    edges = to_rgba(COLOR["muted"], 0.5)
    artist = Cells(squares, facecolors=colors, edgecolors=[edges], linewidths=0.5, gid=gid)
    artist.amounts = amounts.ravel().tolist()
    ax.add_collection(artist)


class Cells(PolyCollection):
    """What ``cells`` has drawn; ``amounts`` are its numbers, row by row."""


def _along(axis):
    letter = axis.axis_name
    labels = [label.get_text() for label in axis.get_ticklabels()]
    ticks = [[float(place), label] for place, label in zip(axis.get_ticklocs(), labels, strict=True)]
    return {f"{letter}lim": list(map(float, axis.get_view_interval())), f"{letter}ticks": ticks}


def nice_limit(x):
    """The smallest of 1, 2 and 5 times a power of ten that is not below ``x``: a limit that seldom moves.

    Raises ``ValueError`` unless ``x`` is above 0 and finite.
    """
    if not 0 < x < math.inf:
        raise ValueError(f"x must be above 0 and finite, got {x}")
    power = math.floor(math.log10(x))
    limits = (float(f"{step}e{e}") for e in (power - 1, power, power + 1) for step in (1, 2, 5))
    return next(limit for limit in limits if limit >= x)


THREE_DIGITS = Context(prec=3, rounding=ROUND_HALF_UP)  # as JavaScript rounds


def three_digits(x):
    """1.23e-5, 0.123, 1.23, 12.3, 123, 1234, 1.23e+6, as the page writes them; 0.00 below 1e-99, whose square is 0."""
    x = Decimal(float(x)) if abs(x) > 1e-99 else Decimal(0)
    if 99.95 <= abs(x) < 1e5:
        return str(x.quantize(Decimal(1), ROUND_HALF_UP))
    x = float(THREE_DIGITS.plus(x))
    return f"{x:#.3g}" if x == 0 or 1e-3 <= abs(x) < 100 else re.sub(r"e([+-])0(\d)$", r"e\1\2", f"{x:.2e}")


def tick(x):
    """A number for an axis: all its digits, up to twelve behind the point, with a true minus."""
    return f"{x:.12f}".rstrip("0").rstrip(".").replace("-", "−")


def decades(x):
    """Exponents of the powers of ten around the numbers ``x`` above 0, at least a factor of two from each."""
    low = next(e for e in range(300, -300, -1) if float(f"1e{e}") <= min(x) / 2)
    return low, next(e for e in range(low, 300) if float(f"1e{e}") >= 2 * max(x))


def power_of_ten(exponent):
    """10⁻³, in letters."""
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def histogram(x, bins, low, high):
    """How many of ``x`` fall into each of the bins between ``low`` and ``high``, both ends included, as on the page.

    (torch.histc adds in another order, so that numbers on the edge of a bin may fall to its other side.)
    """
    x = x[(x >= low) & (x <= high)]
    return torch.bincount(((x - low) / (high - low) * bins).long().clamp_max(bins - 1), minlength=bins).double()
