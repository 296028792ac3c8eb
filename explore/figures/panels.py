"""Where a figure can be cut into panels; a narrow page stacks them, and a wide page puts them side by side again."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

WIDEST = 4.7  # inches; a phone with 390 pixels shows all of it, with letters at three quarters of their size


class Panel(NamedTuple):
    """A rectangle in a figure, in points from the upper left corner."""

    left: float
    top: float
    width: float
    height: float

    def holds(self, artist):
        """Whether the middle of ``artist`` is in this panel."""
        (x0, y0), (x1, y1) = artist.get_window_extent().get_points() / artist.figure.dpi * 72
        x, y = (x0 + x1) / 2 - self.left, 72 * artist.figure.get_figheight() - (y0 + y1) / 2 - self.top
        return 0 <= x < self.width and 0 <= y < self.height


def panels_of(fig):
    """The panels of ``fig`` in rows: lists of lists of ``Panel``, which together hold everything that ``fig`` shows.

    A figure no wider than ``WIDEST`` is one panel. A wider figure is cut wherever a line from side to side,
    and then a line from top to bottom, meets no artist. The cut is halfway between the artists on both sides.
    """
    width, height = 72 * fig.get_size_inches()
    artists = parts_of(fig)
    if width <= 72 * WIDEST or not artists:
        return [[Panel(0, 0, width, height)]]
    fig.draw_without_rendering()  # a layout engine places the axes when they are drawn
    boxes = [artist.get_tightbbox().extents / fig.dpi * 72 for artist in artists]
    spans = [(left, height - top, right, height - bottom) for left, bottom, right, top in boxes]
    rows = []
    for top, bottom, inside in _cut(range(len(artists)), [(s[1], s[3]) for s in spans], height):
        columns = _cut(inside, [(s[0], s[2]) for s in spans], width)
        if len(columns) == 1:  # a panel alone in its row needs only the room that its artists take
            begin, end = min(spans[i][0] for i in inside), max(spans[i][2] for i in inside)
            columns = [(max(round(begin, 1), 0), min(round(end, 1), width), inside)]
        rows.append([Panel(a, top, b - a, bottom - top) for a, b, _ in columns])
    return rows


def parts_of(fig):
    """The visible artists of the figure itself: axes, and artists outside them."""
    return [artist for artist in fig.get_children() if artist is not fig.patch and artist.get_visible()]


def _cut(indices, intervals, end):
    """Cut 0 … ``end`` between intervals that do not meet. Each part is a triple: beginning, end, indices in it."""
    groups = []
    for i in sorted(indices, key=lambda i: intervals[i]):
        low, high = intervals[i]
        if groups and low <= groups[-1][0]:
            groups[-1] = max(high, groups[-1][0]), [*groups[-1][1], i]
        else:
            groups.append((high, [i]))
    starts = [min(intervals[i][0] for i in own) for _, own in groups]
    between = [(high + start) / 2 for (high, _), start in zip(groups[:-1], starts[1:], strict=True)]
    places = np.round([0, *between, end], 1).tolist()
    return [(a, b, own) for (a, b), (_, own) in zip(pairwise(places), groups, strict=True)]
