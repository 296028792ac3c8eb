"""What of a figure a program on the page may move, in the coordinates of the data: its scene; and where it lies."""

import math

from matplotlib.lines import Line2D
from matplotlib.patches import StepPatch
from matplotlib.text import Text

# Artists that a program moves have a gid. Axes whose limits it moves have a label; their axes get gids of it.


def name_axes(fig):
    """Give the axes that have a label, and their labels, the names that live.js looks for in the picture."""
    for ax in named_axes(fig):
        for letter, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
            axis.set_gid(f"{ax.get_label()}.{letter}")
            axis.label.set_gid(f"{ax.get_label()}.{letter}.label")


def named_axes(fig):
    return [ax for ax in fig.axes if not ax.get_label().startswith("_") and ax.get_label()]


def scene_of(fig):
    """``{"artists": {name: coordinates or text}, "axes": {name: limits}}``, as a program returns it."""
    return {"artists": {artist.get_gid(): _parts(artist) for _, artist in _artists(fig)}, "axes": _limits(fig)}


def layout_of(fig):
    """Where the axes lie, in points from the lower left corner, and which axes each artist belongs to."""
    width, height = (72 * x for x in fig.get_size_inches())
    axes = {}
    for index, ax in enumerate(fig.axes):
        left, bottom, w, h = ax.get_position().bounds
        box = [round(x, 4) for x in (left * width, bottom * height, w * width, h * height)]
        limits = {"xlim": list(map(float, ax.get_xlim())), "ylim": list(map(float, ax.get_ylim()))}
        axes[_name(ax, index)] = {"box": box, "xscale": ax.get_xscale(), "yscale": ax.get_yscale()} | limits
    artists = {artist.get_gid(): _name(fig.axes[index], index) for index, artist in _artists(fig)}
    return {"height": height, "axes": axes, "artists": artists}


def names_in(fig):
    """All names that the picture keeps."""
    return {artist.get_gid() for artist in fig.findobj() if artist.get_gid()}


def _name(ax, index):
    return ax.get_label() if ax.get_label() and not ax.get_label().startswith("_") else f"axes {index}"


def _artists(fig):
    for index, ax in enumerate(fig.axes):
        inside_axes = {id(part) for axis in (ax.xaxis, ax.yaxis) for part in axis.findobj()}
        for artist in ax.findobj(lambda artist: artist.get_gid()):
            if id(artist) not in inside_axes:
                yield index, artist


def _parts(artist):
    if isinstance(artist, Text):
        return {"text": artist.get_text()}
    if isinstance(artist, Line2D):
        x, y = artist.get_data()
        return {"x": list(map(float, x)), "y": list(map(float, y))}
    if isinstance(artist, StepPatch):
        data = artist.get_data()
        return {"edges": list(map(float, data.edges)), "values": list(map(float, data.values))}
    raise TypeError(f"a program moves lines, steps and text, got {type(artist).__name__} {artist.get_gid()!r}")


def _limits(fig):
    return {ax.get_label(): _limits_along(ax.xaxis) | _limits_along(ax.yaxis) for ax in named_axes(fig)}


def _limits_along(axis):
    letter = axis.axis_name
    low, high = map(float, axis.get_view_interval())
    labels = [label.get_text() for label in axis.get_ticklabels()]
    return {f"{letter}lim": [low, high], f"{letter}ticks": [list(map(float, axis.get_ticklocs())), labels]}


def nice_limit(x):
    """The smallest of 1, 2 and 5 times a power of ten that is not below ``x`` > 0: a limit that seldom moves."""
    power = 10.0 ** math.floor(math.log10(x))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= x)


def three_digits(x):
    """0.0123, 1.23, 12.3, 123, 1234."""
    return f"{x:.0f}" if abs(x) >= 100 else f"{x:#.3g}".rstrip(".")
