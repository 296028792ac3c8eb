"""A matrix drawn as squares that a program on the page can fill and a reader can switch."""

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba

from .colours import COLOR


def cells(ax, amounts, *, gid):
    """Draw a matrix of numbers from -1 to 1 as squares, row i from y = -i downwards and column j from x = j.

    The further a number is from 0, the stronger the colour of its square; negative numbers have a different colour.

    Raises ``ValueError`` for a number outside that range.
    """
    amounts = np.asarray(amounts, dtype=float)
    if not (np.abs(amounts) <= 1).all():
        raise ValueError(f"amounts must be from -1 to 1, got {amounts[~(np.abs(amounts) <= 1)][0]}")
    corners = np.array([(0, 0), (0.94, 0), (0.94, -0.94), (0, -0.94)])
    squares = [corners + np.array([j, -i]) for i, j in np.ndindex(amounts.shape)]
    # With an opacity of 0 matplotlib would write no colour at all, and clicks would pass through the square.
    colors = [to_rgba(COLOR["theory" if a < 0 else "weight"], max(abs(a), 0.001)) for a in amounts.flat]
    edges = to_rgba(COLOR["muted"], 0.5)
    artist = Cells(squares, facecolors=colors, edgecolors=[edges], linewidths=0.5, gid=gid)
    artist.amounts = amounts.ravel().tolist()
    ax.add_collection(artist)


class Cells(PolyCollection):
    """The squares that ``cells`` has drawn; ``amounts`` are its numbers, row by row."""
