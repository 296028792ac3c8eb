"""What a screen reader says for a figure after its message: briefly, the numbers that a person would read off.

Each thing and each name ends a line, so that ``markup.with_words`` can say them again one by one. The words for a thing
are also in stored outputs, through ``description_to_compare.py``.
"""

import functools
import re

import matplotlib as mpl
import numpy as np

from languages import mark, of_picture, say, say_number

from ..mode import is_checked
from .cells import Cells
from .drawing import Drawn, Tiles
from .text import letters_of_mathtext, on_one_line


def number_with(digits, x):
    """The number as people write it: 0, 0.0312, 1024."""
    x = float(x)
    if abs(x) < 1e7 and abs(x - round(x)) <= 1e-5 * abs(x):
        return f"{x:.0f}"
    x *= 1 + 1e-6  # halves are rounded up on every machine, even if 0.0625 came out as 0.06249999
    if not 1e-4 <= abs(x) < 1e7:
        return "0" if abs(x) < 1e-6 else f"{x:.2g}"
    return f"{float(f'{x:.{digits}g}'):.0f}" if abs(x) >= 10**digits else f"{x:.{digits}g}"


NUMBER = functools.partial(number_with, 3)
MOST_WORDS = 60  # read out for one panel, if grouping can make it that short
ALIKE = 2  # up to this many unnamed things of one kind are read out one by one


def say_figure(fig):
    """The words for a figure.

    Similar things are grouped: ``16 lines, 0.04 to 0.96 across, -3 to 0 up``. If a panel is still too long, more things
    are grouped.
    """
    panels = [_panel(ax) for ax in described(fig)]
    forms = {re.sub(r"[-\d.]+", "", panel) for panel in panels}
    if len(panels) > 4 and len(forms) == 1:  # panels that differ only in their numbers
        n = len(panels) - 1
        more = say_number("{n} more panel like this, the last", "{n} more panels like this, the last", n)
        panels = [panels[0], f"{more}:\n{panels[-1]}"]
    outside = [words for artist in own_children(fig) for words in _one(artist, 0)]
    return ".\n".join(filter(None, [*panels, *outside]))


def _panel(ax):
    for level in range(3):
        text = letters_of_mathtext(";\n".join(filter(None, [*heading(ax), *_things(ax, level)])))
        if len(text.split()) <= MOST_WORDS:
            break
    return text


def _things(ax, level):
    """What is in the axes. Level 0 groups unnamed things of one kind; at level 1 named lines have only their first and
    last value; level 2 groups them, too.
    """
    labels, kinds = [], {}
    for artist in own_children(ax):
        if isinstance(artist, mpl.text.Text):
            labels += filter(None, [on_one_line(of_picture(artist.get_text()))])
        else:
            kinds.setdefault(_kind(artist), []).append(artist)
    for kind, those in kinds.items():
        yield from _group(kind, those, level)
    if len(labels) > (12, 6, 3)[level]:
        some = ", ".join(labels[:3])
        labels = [say_number("{n} label, such as {some}", "{n} labels, such as {some}", len(labels), some=some)]
    yield ",\n".join(labels)


def _group(kind, those, level):
    """Things of one kind, one by one or in groups."""
    with_names = [artist for artist in those if _name(artist)]
    for group in (with_names, [artist for artist in those if artist not in with_names]):
        if kind is None or len(group) <= ALIKE or (group is with_names and level == 0):
            for artist in group:
                yield from _one(artist, level)
        elif group is with_names and level == 1 and kind == "line":
            for artist in group:
                y = extent(artist)[:, 1]
                first, last = map(NUMBER, y[np.isfinite(y)][[0, -1]])
                yield _named(artist, say("{first} to {last}", first=first, last=last))
        else:
            points = np.concatenate([extent(artist) for artist in group])
            points = points[np.isfinite(points).all(1)]
            what = counted(kind, len(group))
            if group is with_names:
                what = say("{what} ({names})", what=what, names=", ".join(map(_name, group)))
            yield reach(what, points, NUMBER) if len(points) else what


def _one(artist, level):
    if isinstance(artist, Tiles) and level and np.isfinite(artist.numbers).any():
        numbers, (rows, columns) = artist.numbers[np.isfinite(artist.numbers)], artist.numbers.shape
        about = {"rows": rows, "columns": columns, "low": NUMBER(numbers.min()), "high": NUMBER(numbers.max())}
        words = say("{rows} rows and {columns} columns of numbers, {low} to {high}", **about)
        yield f"{re.split('[:：]', artist.words)[0]}:\n{words}"
    else:
        yield from (words for words, _ in artist_words(artist, NUMBER))


def described(fig):
    """The axes that are described."""
    return [ax for ax in fig.axes if ax.get_visible() and ax.get_label() != "<colorbar>"]


def heading(ax):
    """The titles of the axes and the names of both directions."""
    titles = [ax.get_title(where) for where in ("left", "center", "right")]
    labels = {say("across"): ax.get_xlabel(), say("up"): ax.get_ylabel()}
    return [*map(of_picture, titles), *(f"{name}:\n{of_picture(label)}" for name, label in labels.items() if label)]


def own_children(parent):
    """The visible artists that the book's code has added, with bar charts in place of their bars: not the frame, ticks
    and titles of the axes.
    """
    bars = []
    if isinstance(parent, mpl.figure.Figure):
        given = {parent.patch, *parent.axes}
    else:
        bars = [chart for chart in parent.containers if isinstance(chart, mpl.container.BarContainer) and len(chart)]
        titles = {child for child in parent.get_children() if isinstance(child, mpl.text.Text)} - set(parent.texts)
        given = {parent.patch, parent.xaxis, parent.yaxis, *parent.spines.values(), *titles}.union(*bars)
    shown = (child for child in parent.get_children() if child not in given and child.get_visible())
    # A text with an owner is in the owner's words.
    return [*bars, *(child for child in shown if not hasattr(child, "owner"))]


@functools.singledispatch
def artist_words(artist, number):
    """Describe an artist, where ``number`` writes numbers: texts, each with the numbers that it leaves out. Registered
    below for each kind of artist that the book uses.
    """
    if is_checked():
        raise TypeError(f"describe_figure has no words for a {type(artist).__name__}: register some in {__name__}")
    yield f"a {type(artist).__name__}", ()


@artist_words.register
def _(text: mpl.text.Text, number):  # outside the axes: a heading
    yield letters_of_mathtext(of_picture(text.get_text())), ()


@artist_words.register
def _(legend: mpl.legend.Legend, number):  # its labels are in the words of the artists that they name
    return ()


@artist_words.register
def _(bars: mpl.container.BarContainer, number):
    sizes = [bar.get_height() if bars.orientation == "vertical" else bar.get_width() for bar in bars]
    few = ", ".join(map(number, sizes[:12])) + (" …" if len(sizes) > 12 else "")
    yield _named(bars, say_number("{n} bar: {sizes}", "{n} bars: {sizes}", len(sizes), sizes=few)), ()


@artist_words.register
def _(line: mpl.lines.Line2D, number):
    x, y = (np.asarray(values, float) for values in line.get_data(orig=False))
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return
    x, y = x[known], y[known]
    at = {"x": number(x[0]), "y": number(y[0]), "right": number(x[-1]), "end": number(y[-1])}
    at |= {"low": number(y.min()), "high": number(y.max()), "where": number(x[_first_largest(y)])}
    in_data = line.get_transform().contains_branch_seperately(line.axes.transData) if line.axes else (False, False)
    if not all(in_data):  # a guide across the axes
        yield _named(line, say("vertical line at {x}", **at) if in_data[0] else say("horizontal line at {y}", **at)), ()
    elif (x == x[0]).all() and (y == y[0]).all():
        yield _named(line, say("mark at {x}, {y}", **at)), ()
    elif (x == x[0]).all():
        what = say("line up") if _is_line(line) else _points(y)
        yield _named(line, say("{what} at {x}, from {low} to {high}", what=what, **at)), y
    elif not _is_line(line):
        yield _named(line, reach(_points(y), np.stack([x, y], 1), number)), y
    else:
        at["name"] = _name(line) or say("line")
        if y.max() in (y[0], y[-1]):
            yield say("{name} from {y} at {x} to {end} at {right}", **at), y
        else:
            yield say("{name} from {y} at {x} to {end} at {right}, highest {high} at {where}", **at), y


@artist_words.register(mpl.collections.PathCollection)
@artist_words.register(mpl.collections.LineCollection)
def _(those, number):
    points, is_lines = extent(those), isinstance(those, mpl.collections.LineCollection)
    if len(points):
        what = counted("line", len(those.get_segments())) if is_lines else _points(points)
        yield _named(those, reach(what, points, number)), points[:, 1]


@artist_words.register
def _(drawn: Cells, number):
    amounts, cells = drawn.amounts, say_number("{n} cell", "{n} cells", len(drawn.amounts))
    ends = {"filled": np.count_nonzero(amounts), "low": number(min(amounts)), "high": number(max(amounts))}
    yield say("{cells}, {filled} of them filled, {low} to {high}", cells=cells, **ends), amounts


@artist_words.register
def _(drawn: Drawn, number):
    yield drawn.words, ()


@artist_words.register
def _(area: mpl.collections.PolyCollection, number):
    for path in area.get_paths():
        yield _named(area, reach(say("filled area"), path.vertices, number)), path.vertices[:, 1]


@artist_words.register
def _(contours: mpl.contour.ContourSet, number):
    levels = ", ".join(map(number, contours.levels))
    kind = say("filled contours") if contours.filled else say("contours")
    points = np.concatenate([path.vertices for path in contours.get_paths()])
    yield say("{contours} at {levels}", contours=kind, levels=levels), points


@artist_words.register(mpl.image.AxesImage)
@artist_words.register(mpl.collections.QuadMesh)
def _(image, number):
    values = np.ma.filled(np.ma.asarray(image.get_array(), float), np.nan)
    known = np.isfinite(values)
    if values.ndim != 2 or not known.any():
        yield say("map of colours") if values.ndim == 3 else "", ()
        return
    low, high = np.nanmin(values), np.nanmax(values)
    about = {"rows": values.shape[0], "columns": values.shape[1], "low": number(low), "high": number(high)}
    places = np.argwhere(values >= high - 1e-5 * (high - low))
    if low == high and known.all():
        words, values = say("map of {rows} rows and {columns} columns, {low} everywhere", **about), ()
    elif low == high:  # a mask
        about |= {"filled": known.sum(), "size": values.size}
        words = say("map of {rows} rows and {columns} columns, {filled} of {size} cells filled", **about)
        values = known.sum(1)
    elif len(places) > 1:
        words = say("map of {rows} rows and {columns} columns, {low} to {high}, the largest in several cells", **about)
    else:
        row, column = map(_tick_name, (image.axes.yaxis, image.axes.xaxis), places[0])
        about |= {"row": row or number(places[0][0]), "column": column or number(places[0][1])}
        words = say(
            "map of {rows} rows and {columns} columns, {low} to {high}, the largest in row {row}, column {column}",
            **about,
        )
    yield words, values


@artist_words.register
def _(steps: mpl.patches.StepPatch, number):
    values = np.asarray(steps.get_data().values, float)
    ends = {"first": number(values[0]), "last": number(values[-1]), "most": number(values.max())}
    yield _named(steps, say("steps from {first} to {last}, highest {most}", **ends)), values


@artist_words.register
def _(area: mpl.patches.Polygon, number):  # for example a histogram drawn as one area
    x, y = area.get_xy().T
    some = x[y > 0]
    if len(some):
        at = {"x": number(some.min()), "right": number(some.max())}
        at |= {"most": number(y.max()), "where": number(x[_first_largest(y)])}
        yield _named(area, say("area from {x} to {right}, highest {most} at {where}", **at)), y


@artist_words.register
def _(shape: mpl.patches.Patch, number):
    yield _named(shape, reach(say(shape_of(shape)), extent(shape), number)), ()


def _name(artist):
    label = artist.get_label()
    return "" if not label or label.startswith("_") else of_picture(label)


def _named(artist, words):
    name = _name(artist)
    return f"{name}:\n{words}" if name else words


def reach(what, points, number):
    """How far ``what`` reaches, whose points are the rows of ``points``."""
    (x, y), (right, top) = (map(number, ends) for ends in (np.nanmin(points, 0), np.nanmax(points, 0)))
    return say("{what}, {x} to {right} across, {y} to {top} up", what=what, x=x, right=right, y=y, top=top)


def is_shape(artist):
    """Whether an outline is described by how far it reaches."""
    others = (mpl.patches.StepPatch, mpl.patches.Polygon, mpl.patches.FancyArrowPatch, Drawn)
    return isinstance(artist, mpl.patches.Patch) and not isinstance(artist, others)


def shape_of(patch):
    if isinstance(patch, mpl.patches.FancyArrowPatch):
        return mark("arrow")
    if isinstance(patch, (mpl.patches.Rectangle, mpl.patches.FancyBboxPatch)):
        return mark("rectangle")
    return mark("circle") if isinstance(patch, mpl.patches.Ellipse) else mark("outline")


def _is_line(line):
    return line.get_linestyle() not in ("None", "none", " ", "")


def _kind(artist):
    """The kind in which artists are grouped; None for a kind whose artists are heard one by one."""
    if isinstance(artist, Drawn):
        return None
    if isinstance(artist, mpl.container.BarContainer):
        return "bar" if len(artist) == 1 else "row of bars"
    if isinstance(artist, mpl.lines.Line2D):
        if not all(artist.get_transform().contains_branch_seperately(artist.axes.transData)):
            return None  # a guide
        return "line" if _is_line(artist) and len(artist.get_xdata()) > 1 else "mark"
    if isinstance(artist, mpl.collections.PathCollection):
        return "group of points"
    if isinstance(artist, mpl.collections.LineCollection):
        return "group of lines"
    return shape_of(artist) if isinstance(artist, mpl.patches.FancyArrowPatch) or is_shape(artist) else None


def counted(kind, n):
    """``n`` artists of a kind, in words."""
    return {
        "bar": say_number("{n} bar", "{n} bars", n),
        "row of bars": say_number("{n} row of bars", "{n} rows of bars", n),
        "line": say_number("{n} line", "{n} lines", n),
        "mark": say_number("{n} mark", "{n} marks", n),
        "group of points": say_number("{n} group of points", "{n} groups of points", n),
        "group of lines": say_number("{n} group of lines", "{n} groups of lines", n),
        "arrow": say_number("{n} arrow", "{n} arrows", n),
        "rectangle": say_number("{n} rectangle", "{n} rectangles", n),
        "circle": say_number("{n} circle", "{n} circles", n),
        "outline": say_number("{n} outline", "{n} outlines", n),
    }[kind]


def extent(artist):
    """The points that mark the extent of an artist that ``_kind`` can group, one per row."""
    if isinstance(artist, mpl.container.BarContainer):
        return np.concatenate([extent(bar) for bar in artist])
    if isinstance(artist, mpl.lines.Line2D):
        return np.stack([np.asarray(values, float) for values in artist.get_data(orig=False)], 1)
    if isinstance(artist, mpl.collections.LineCollection):
        return np.concatenate([np.asarray(segment, float) for segment in artist.get_segments()] or [np.zeros((0, 2))])
    if isinstance(artist, mpl.collections.PathCollection):
        return np.ma.filled(np.ma.asarray(artist.get_offsets(), float), np.nan)
    if isinstance(artist, mpl.patches.FancyArrowPatch):
        return artist.get_path().get_extents().get_points()
    # The corners of the area that a shape covers, in the coordinates that it is drawn in.
    return artist.get_patch_transform().transform_path(artist.get_path()).get_extents().get_points()


def _points(values):
    return say_number("{n} points", "{n} points", len(values))  # also for one, as outputs have it


def _first_largest(y):
    """The first place of the largest value; values that differ only by rounding count as equal."""
    return int(np.argmax(y >= y.max() - 1e-6 * (y.max() - y.min())))


def _tick_name(axis, place):
    """The name on the axis at that place, if there is one."""
    labels = dict(zip(axis.get_ticklocs(), (label.get_text() for label in axis.get_ticklabels()), strict=False))
    name = labels.get(place, "")
    return of_picture(name) if re.search(r"[^\W\d]", name) else ""
