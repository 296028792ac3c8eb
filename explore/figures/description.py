"""A figure in words and numbers: for readers who cannot see it, and to compare a stored figure with a new one."""

import functools
import html
import re

import matplotlib as mpl
import numpy as np

from ..mode import is_checked
from .cells import Cells
from .drawing import Arrow, Block, Strip, Tiles


def describe_figure(fig, *, digits=3, thorough=False):
    """Axes, curves, points, bars, areas, maps, arrows and notes of a figure, in one line.

    Numbers have ``digits`` digits; with two, every machine gives the same text. ``thorough`` adds numbers that
    readers could not see in the picture (values along the way, mean, standard deviation), so that changed data gives
    different words.

    If no reader is watching (``mode.is_checked``), raises ``TypeError`` for a kind of artist that has no words here.
    """
    writer = _Writer(digits, thorough)
    axes = [writer.axes(ax) for ax in fig.axes if ax.get_visible() and ax.get_label() != "<colorbar>"]
    return on_one_line(". ".join(filter(None, [*axes, *_outside(fig, writer)])))


def _outside(fig, writer):
    """The artists outside the axes, in words."""
    return [words for artist in _own_children(fig) for words in artist_words(artist, writer)]


MOST_WORDS = 60  # read out for one panel, if grouping can make it that short
ALIKE = 2  # up to this many unnamed things of one kind are read out one by one


def say_figure(fig):
    """The words that a screen reader says after a figure's message: briefly, the numbers that a person would read off.

    Similar things are grouped: ``16 lines, 0.04 to 0.96 across, -3 to 0 up``. If a panel is still too long, more things
    are grouped.
    """
    writer = _Writer(3, thorough=False)
    panels = [_panel_in_short(writer, ax) for ax in fig.axes if ax.get_visible() and ax.get_label() != "<colorbar>"]
    forms = {re.sub(r"[-\d.]+", "", panel) for panel in panels}
    if len(panels) > 4 and len(forms) == 1:  # panels that differ only in their numbers
        panels = [panels[0], f"{len(panels) - 1} more panels like this, the last: {panels[-1]}"]
    return on_one_line(". ".join(filter(None, [*panels, *_outside(fig, writer)])))


def _panel_in_short(writer, ax):
    for level in range(3):
        text = writer.in_short(ax, level)
        if len(text.split()) <= MOST_WORDS:
            break
    return text


class _Writer:
    """Holds the format of numbers, and the axes that are being described."""

    def __init__(self, digits, thorough):
        self.digits, self.thorough = digits, thorough
        self.ax = None

    def number(self, x):
        """The number as people write it: 0, 0.0312, 1024."""
        x = float(x)
        if abs(x) < 1e7 and abs(x - round(x)) <= 1e-5 * abs(x):
            return f"{x:.0f}"
        x *= 1 + 1e-6  # halves are rounded up on every machine, even if 0.0625 came out as 0.06249999
        if not 1e-4 <= abs(x) < 1e7:
            return "0" if abs(x) < 1e-6 else f"{x:.2g}"
        return f"{float(f'{x:.{self.digits}g}'):.0f}" if abs(x) >= 10**self.digits else f"{x:.{self.digits}g}"

    def more(self, values):
        """The values themselves if they are few, otherwise some of them; nothing unless ``thorough``."""
        values = np.ravel(values)
        values = values[np.isfinite(values)]
        if not self.thorough or len(values) < 3:
            return ""
        some = values if len(values) <= 12 else values[np.linspace(0, len(values) - 1, 9).round().astype(int)]
        small = 1e-5 * np.abs(values).max()  # anything below is a rounding error of the largest value
        listed = ", ".join(self.number(0 if abs(x) < small else x) for x in some)
        if len(values) <= 12:
            return f" ({listed})"
        mean, std = (0 if abs(x) < small else x for x in (values.mean(), values.std()))
        return f" (on the way {listed}; mean {self.number(mean)}, std {self.number(std)})"

    def axes(self, ax):
        self.ax = ax
        heading, bars, counted = _heading(ax), *_bars(ax)
        artists = [artist for artist in _own_children(ax) if artist not in counted]
        notes = [artist for artist in artists if isinstance(artist, mpl.text.Text)]
        patches = [artist for artist in artists if _is_shape(artist)]
        lines = [artist for artist in artists if isinstance(artist, mpl.lines.Line2D)]
        rest = [artist for artist in artists if artist not in {*notes, *patches, *lines}]
        shown = [words for artist in lines for words in artist_words(artist, self)]
        shown += [words for container in bars for words in self.bars(container)]
        shown += self.shapes(patches)
        shown += [words for artist in rest for words in artist_words(artist, self)]
        shown += self.notes(notes)
        return letters_of_mathtext("; ".join(filter(None, [*heading, *shown])))

    def in_short(self, ax, level):
        """The axes in few words. Level 0 groups unnamed things of one kind; at level 1 named lines have only their
        first and last value; level 2 groups them, too.
        """
        self.ax = ax
        heading, bars, counted = _heading(ax), *_bars(ax)
        notes, kinds = [], {}
        for artist in [*(bar for bar in bars if len(bar)), *_own_children(ax)]:
            if isinstance(artist, mpl.text.Text):
                notes.append(artist)
            elif artist not in counted:
                kinds.setdefault(_kind(artist), []).append(artist)
        shown = [words for kind, those in kinds.items() for words in self.group(kind, those, level)]
        few = (12, 6, 3)[level]
        words = [text.get_text() for text in notes if text.get_text()]
        some = f"{len(words)} labels, such as {', '.join(words[:3])}"
        shown.append(", ".join(words) if len(words) <= few else some)
        return letters_of_mathtext("; ".join(filter(None, [*heading, *shown])))

    def group(self, kind, those, level):
        """Things of one kind, one by one or in groups."""
        named = [artist for artist in those if _name(artist)]
        for group in (named, [artist for artist in those if artist not in named]):
            if kind is None or len(group) <= ALIKE or (group is named and level == 0):
                for artist in group:
                    yield from self.one(artist, level)
            elif group is named and level == 1 and kind == "lines":
                for artist in group:
                    y = _points(artist)[:, 1]
                    first, last = y[np.isfinite(y)][[0, -1]]
                    yield f"{_name(artist)}{self.number(first)} to {self.number(last)}"
            else:
                points = np.concatenate([_points(artist) for artist in group])
                points = points[np.isfinite(points).all(1)]
                names = (
                    f" ({', '.join(_name(artist).removesuffix(': ') for artist in group)})" if group is named else ""
                )
                reach = [f"{self.number(x.min())} to {self.number(x.max())}" for x in points.T if len(x)]
                where = "".join(f", {ends} {way}" for ends, way in zip(reach, ("across", "up"), strict=False))
                yield f"{len(group)} {kind}{names}{where}"

    def one(self, artist, level):
        if isinstance(artist, mpl.container.BarContainer):
            yield from self.bars(artist)
        elif isinstance(artist, Tiles) and level:
            numbers = artist.numbers[np.isfinite(artist.numbers)]
            ends = f", {self.number(numbers.min())} to {self.number(numbers.max())}" if numbers.size else ""
            rows, columns = artist.numbers.shape
            yield f"{artist.words.partition(':')[0]}: {rows} rows and {columns} columns of numbers{ends}"
        elif _is_shape(artist):
            yield from self.shapes([artist])
        else:
            yield from artist_words(artist, self)

    def bars(self, container):
        if len(container):
            upright = container.orientation == "vertical"
            sizes = [bar.get_height() if upright else bar.get_width() for bar in container]
            few = ", ".join(map(self.number, sizes[:12])) + (" …" if len(sizes) > 12 else "")
            yield f"{_name(container)}{len(sizes)} bar{'s' if len(sizes) > 1 else ''}: {few}"

    def shapes(self, patches):
        """Rectangles, circles and other outlines: each one; for more than four of one kind, the range of all."""
        kinds = {}
        for patch in patches:
            kinds.setdefault(_shape_name(patch), []).append(patch)
        for kind, those in kinds.items():
            for group in [[patch] for patch in those] if len(those) <= 4 else [those]:
                corners = np.concatenate([_corners(patch) for patch in group])
                (left, low), (right, high) = corners.min(0), corners.max(0)
                name = f"{_name(group[0])}{kind}" if len(group) == 1 else f"{len(group)} {kind}s"
                across, up = (f"{self.number(a)} to {self.number(b)}" for a, b in ((left, right), (low, high)))
                centres = np.array([_corners(patch).mean(0) for patch in group])
                yield f"{name}, {across} across, {up} up" + (self.more(centres) if len(group) > 1 else "")

    def notes(self, texts):
        words = [text.get_text() for text in texts if text.get_text()]
        words = (
            words if len(words) <= 12 else [f"{len(words)} labels, such as {', '.join(words[:3])}", *self.all(words)]
        )
        for text in texts:
            arrow = getattr(text, "arrow_patch", None)
            if arrow is not None:
                ends = " to ".join(f"{self.number(x)}, {self.number(y)}" for x, y in (text.xyann, text.xy))
                yield f"arrow from {ends}" if text.xycoords == text.anncoords == "data" else "arrow"
        yield from words

    def all(self, words):
        return ["all: " + ", ".join(words)] if self.thorough else []


def _heading(ax):
    """The titles of the axes and the names of both directions."""
    titles = [ax.get_title(where) for where in ("left", "center", "right")]
    labels = {"across": ax.get_xlabel(), "up": ax.get_ylabel()}
    return [*titles, *(f"{name}: {label}" for name, label in labels.items() if label)]


def _bars(ax):
    """The bar charts in the axes, and all bars in them."""
    bars = [container for container in ax.containers if isinstance(container, mpl.container.BarContainer)]
    return bars, {patch for container in bars for patch in container}


def _own_children(parent):
    """The visible artists that the book's code has added: not the frame, ticks and titles of the axes."""
    if isinstance(parent, mpl.figure.Figure):
        given = {parent.patch, *parent.axes}
    else:
        titles = {child for child in parent.get_children() if isinstance(child, mpl.text.Text)} - set(parent.texts)
        given = {parent.patch, parent.xaxis, parent.yaxis, *parent.spines.values(), *titles}
    shown = (child for child in parent.get_children() if child not in given and child.get_visible())
    return [child for child in shown if not hasattr(child, "owner")]  # a text with an owner is in the owner's words


@functools.singledispatch
def artist_words(artist, writer):
    """Describe an artist, in any number of texts. Registered below for each kind of artist that the book uses."""
    if is_checked():
        raise TypeError(
            f"describe_figure has no words for a {type(artist).__name__}: "
            "register some in explore/figures/description.py"
        )
    yield f"a {type(artist).__name__}"


@artist_words.register
def _(text: mpl.text.Text, writer):  # outside the axes: a heading
    yield letters_of_mathtext(text.get_text())


@artist_words.register
def _(legend: mpl.legend.Legend, writer):  # its labels are in the words of the artists that they name
    return ()


@artist_words.register
def _(line: mpl.lines.Line2D, writer):
    x, y = (np.asarray(values, float) for values in line.get_data(orig=False))
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return
    x, y, say = x[known], y[known], writer.number
    is_line = _is_line(line)
    in_data = line.get_transform().contains_branch_seperately(writer.ax.transData) if writer.ax else (False, False)
    if not all(in_data):  # a guide across the axes
        yield f"{_name(line)}" + (f"vertical line at {say(x[0])}" if in_data[0] else f"horizontal line at {say(y[0])}")
    elif (x == x[0]).all() and (y == y[0]).all():
        yield f"{_name(line)}mark at {say(x[0])}, {say(y[0])}"
    elif (x == x[0]).all():
        kind = f"line up at {say(x[0])}" if is_line else f"{len(y)} points at {say(x[0])}"
        yield f"{_name(line)}{kind}, from {say(y.min())} to {say(y.max())}{writer.more(y)}"
    elif not is_line:
        reach = f"{say(x.min())} to {say(x.max())} across, {say(y.min())} to {say(y.max())} up"
        yield f"{_name(line)}{len(x)} points, {reach}{writer.more(y)}"
    else:
        name = _name(line).removesuffix(": ") or "line"
        peak = "" if y.max() in (y[0], y[-1]) else f", highest {say(y.max())} at {say(x[_first_largest(y)])}"
        yield f"{name} from {say(y[0])} at {say(x[0])} to {say(y[-1])} at {say(x[-1])}{peak}{writer.more(y)}"


@artist_words.register
def _(points: mpl.collections.PathCollection, writer):
    xy = np.ma.filled(np.ma.asarray(points.get_offsets(), float), np.nan)
    if len(xy):
        (x, y), (right, top) = (map(writer.number, ends) for ends in (np.nanmin(xy, 0), np.nanmax(xy, 0)))
        yield f"{_name(points)}{len(xy)} points, {x} to {right} across, {y} to {top} up{writer.more(xy[:, 1])}"


@artist_words.register
def _(lines: mpl.collections.LineCollection, writer):
    ends = np.concatenate([np.asarray(segment, float) for segment in lines.get_segments()] or [np.zeros((0, 2))])
    if len(ends):
        (x, y), (right, top) = (map(writer.number, corner) for corner in (ends.min(0), ends.max(0)))
        count = len(lines.get_segments())
        yield f"{_name(lines)}{count} lines, {x} to {right} across, {y} to {top} up{writer.more(ends[:, 1])}"


@artist_words.register
def _(drawn: Cells, writer):
    low, high = (writer.number(end) for end in (min(drawn.amounts), max(drawn.amounts)))
    filled = sum(amount != 0 for amount in drawn.amounts)
    yield f"{len(drawn.amounts)} cells, {filled} of them filled, {low} to {high}{writer.more(drawn.amounts)}"


@artist_words.register(Arrow)
@artist_words.register(Block)
@artist_words.register(Strip)
@artist_words.register(Tiles)
def _(drawn, writer):
    yield drawn.words


@artist_words.register
def _(area: mpl.collections.PolyCollection, writer):
    for path in area.get_paths():
        x, y = path.vertices.T
        across, up = (f"{writer.number(ends.min())} to {writer.number(ends.max())}" for ends in (x, y))
        yield f"{_name(area)}filled area, {across} across, {up} up{writer.more(y)}"


@artist_words.register
def _(contours: mpl.contour.ContourSet, writer):
    kind = "filled contours" if contours.filled else "contours"
    paths = [path.vertices for path in contours.get_paths() if len(path.vertices)]
    levels = ", ".join(map(writer.number, contours.levels))
    yield f"{kind} at {levels}{writer.more(np.concatenate(paths)) if paths else ''}"


@artist_words.register(mpl.image.AxesImage)
@artist_words.register(mpl.collections.QuadMesh)
def _(image, writer):
    values = np.ma.filled(np.ma.asarray(image.get_array(), float), np.nan)
    if values.ndim != 2 or not np.isfinite(values).any():
        yield "map of colours" if values.ndim == 3 else ""
        return
    say = writer.number
    text = f"map of {values.shape[0]} rows and {values.shape[1]} columns"
    low, high = np.nanmin(values), np.nanmax(values)
    if low == high and np.isfinite(values).all():
        yield f"{text}, {say(low)} everywhere"
    elif low == high:  # a mask
        filled = np.isfinite(values)
        rows = f" ({', '.join(str(n) for n in filled.sum(1))} by rows)" if writer.thorough else ""
        yield f"{text}, {filled.sum()} of {values.size} cells filled{rows}"
    else:
        places = np.argwhere(values >= high - 1e-5 * (high - low))
        where = " in several cells"
        if len(places) == 1:
            axes = (writer.ax.yaxis, writer.ax.xaxis)
            row, column = (_tick_name(axis, place) or say(place) for axis, place in zip(axes, places[0], strict=True))
            where = f" in row {row}, column {column}"
        yield f"{text}, {say(low)} to {say(high)}, the largest{where}{writer.more(values)}"


@artist_words.register
def _(steps: mpl.patches.StepPatch, writer):
    values, say = np.asarray(steps.get_data().values, float), writer.number
    ends = f"from {say(values[0])} to {say(values[-1])}"
    yield f"{_name(steps)}steps {ends}, highest {say(values.max())}{writer.more(values)}"


@artist_words.register
def _(area: mpl.patches.Polygon, writer):  # for example a histogram drawn as one area
    x, y = area.get_xy().T
    some, say = x[y > 0], writer.number
    if len(some):
        peak = f"highest {say(y.max())} at {say(x[_first_largest(y)])}"
        yield f"{_name(area)}area from {say(some.min())} to {say(some.max())}, {peak}{writer.more(y)}"


@artist_words.register
def _(arrow: mpl.patches.FancyArrowPatch, writer):
    (x, y), (right, top) = (map(writer.number, corner) for corner in arrow.get_path().get_extents().get_points())
    yield f"{_name(arrow)}arrow, {x} to {right} across, {y} to {top} up"


def _is_shape(artist):
    """Whether an outline is described by how far it reaches."""
    others = (mpl.patches.StepPatch, mpl.patches.Polygon, mpl.patches.FancyArrowPatch, Block)
    return isinstance(artist, mpl.patches.Patch) and not isinstance(artist, others)


def _is_line(line):
    return line.get_linestyle() not in ("None", "none", " ", "")


def _kind(artist):
    """The plural under which artists are grouped; None for a kind whose artists are heard one by one."""
    if isinstance(artist, mpl.container.BarContainer):
        return "bars" if len(artist) == 1 else "rows of bars"
    if isinstance(artist, mpl.lines.Line2D):
        if not all(artist.get_transform().contains_branch_seperately(artist.axes.transData)):
            return None  # a guide
        return "lines" if _is_line(artist) and len(artist.get_xdata()) > 1 else "marks"
    if isinstance(artist, (Arrow, Block, Strip, Tiles, Cells)):
        return None
    if isinstance(artist, mpl.collections.PathCollection):
        return "groups of points"
    if isinstance(artist, mpl.collections.LineCollection):
        return "groups of lines"
    if isinstance(artist, mpl.patches.FancyArrowPatch):
        return "arrows"
    return f"{_shape_name(artist)}s" if _is_shape(artist) else None


def _points(artist):
    """The points that mark the extent of an artist that ``_kind`` can group, one per row."""
    if isinstance(artist, mpl.container.BarContainer):
        return np.concatenate([_corners(bar) for bar in artist])
    if isinstance(artist, mpl.lines.Line2D):
        return np.stack([np.asarray(values, float) for values in artist.get_data(orig=False)], 1)
    if isinstance(artist, mpl.collections.LineCollection):
        return np.concatenate([np.asarray(segment, float) for segment in artist.get_segments()] or [np.zeros((0, 2))])
    if isinstance(artist, mpl.collections.PathCollection):
        return np.ma.filled(np.ma.asarray(artist.get_offsets(), float), np.nan)
    if isinstance(artist, mpl.patches.FancyArrowPatch):
        return artist.get_path().get_extents().get_points()
    return _corners(artist)


def _shape_name(patch):
    if isinstance(patch, (mpl.patches.Rectangle, mpl.patches.FancyBboxPatch)):
        return "rectangle"
    return "circle" if isinstance(patch, mpl.patches.Ellipse) else "outline"


def _corners(patch):
    """The corners of the area that a shape covers, in the coordinates that it is drawn in."""
    return patch.get_patch_transform().transform_path(patch.get_path()).get_extents().get_points()


def _name(artist):
    label = artist.get_label()
    return "" if not label or label.startswith("_") else f"{label}: "


def _first_largest(y):
    """The first place of the largest value; values that differ only by rounding count as equal."""
    return int(np.argmax(y >= y.max() - 1e-6 * (y.max() - y.min())))


def _tick_name(axis, place):
    """The name on the axis at that place, if there is one."""
    labels = dict(zip(axis.get_ticklocs(), (label.get_text() for label in axis.get_ticklabels()), strict=False))
    name = labels.get(place, "")
    return name if re.search(r"[^\W\d]", name) else ""


def letters_of_mathtext(text):
    """Mathtext as plain letters, and zeros without a sign, because that sign is a matter of chance."""
    text = re.sub(r"(?<![\w.])[-−](0(?:\.0+)?)(?![\d.])", r"\1", text)
    return re.sub(r"\\(?:mathrm|mathbf|operatorname)|[${}\\]", "", text.replace(r"\sqrt", "√"))


def text_of_markup(markup):
    """The text in a piece of HTML."""
    return on_one_line(html.unescape(re.sub(r"<[^>]*>", " ", markup)))


def first_sentence(text):
    """The message of a caption, which is its first sentence: ``Only one key wins.``"""
    return re.split(r"(?<=[.!?])\s+(?=[^\W\d_a-z])", on_one_line(text), maxsplit=1)[0]


def on_one_line(text):
    return " ".join(text.split())
