"""The book's drawings: numbers as tiles, matrices as blocks to scale, arrows with an operation, models as strips.

A drawing has its own axes without ticks. One unit is a tile; x grows to the right and y *downwards*, in reading order.

    fig, ax = canvas(12, 5)
    keys = tiles(ax, key, at=(1, 1), role="key", name="keys", rows=words)
    scores = tiles(ax, query @ key.T, at=(7, 1), role="weight", name="q · k")
    arrow(ax, keys.right, scores.left, "row by row")
    show(fig, "Each key meets the query: a row of products.")

All numbers on a drawing come from the arrays that it gets. All shapes and areas come from the sizes of these arrays.
What is drawn has ``words``, in the reader's language.
"""

import itertools

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle
from matplotlib.path import Path
from matplotlib.transforms import AffineDeltaTransform

from languages import mark, of_picture, say

from . import style as _style  # noqa: F401 - sets the book's figure style
from .colours import COLOR, INK

INCHES = 0.34  # the side of a tile; the numbers on it are 9 points high
ROLES = COLOR | {"ink": INK}
DEEPEST = 0.55  # opacity; ink stays legible on it in both themes
TILE = FancyBboxPatch((0.05, 0.05), 0.9, 0.9, boxstyle="round,pad=0,rounding_size=0.14").get_path()
KINDS = {"global": mark("{count} global"), "local": mark("{count} local"), "recurrent": mark("{count} recurrent")}


def canvas(*widths, height):
    """A figure ``height`` tiles high, with one drawing for each of ``widths``: they are side by side, or stacked
    on a phone.

    >>> fig, (left, right) = canvas(8, 5, height=6)
    >>> [*map(float, left.get_xlim())], [*map(float, right.get_ylim())]
    ([0.0, 8.0], [6.0, 0.0])

    Returns the figure and its axes; for a single width, the axes themselves.

    Raises ``ValueError`` for a size that is not positive.
    """
    if not widths or min(*widths, height) <= 0:
        raise ValueError(f"a canvas needs widths and a height above 0, got widths {widths} and height {height}")
    total = sum(widths)
    fig = plt.figure(figsize=(total * INCHES, height * INCHES))
    axes, left = [], 0.0
    for width in widths:
        ax = fig.add_axes(((left + 0.01) / total, 0, (width - 0.02) / total, 1))  # a gap, where the figure can be cut
        ax.set(xlim=(0, width), ylim=(height, 0))
        ax.axis("off")
        axes.append(ax)
        left += width
    return fig, axes[0] if len(axes) == 1 else axes


class Drawn:
    """What is drawn here, of which readers hear the ``words``."""


class Edges(Drawn):
    """The middles of the edges of a matrix that has been drawn, where arrows can begin and end. ``box`` is its place:
    left, top, width, height.
    """

    @property
    def left(self):
        x, y, _, height = self.box
        return x - 0.1, y + height / 2

    @property
    def right(self):
        x, y, width, height = self.box
        return x + width + 0.1, y + height / 2

    @property
    def top(self):
        x, y, width, _ = self.box
        return x + width / 2, y - 0.1

    @property
    def bottom(self):
        x, y, width, height = self.box
        return x + width / 2, y + height + 0.1


class Tiles(Edges, PathCollection):
    """A matrix that ``tiles`` has drawn."""

    def __init__(self, ax, at, numbers, parts, **style):
        n, m = numbers.shape
        corners = [(at[0] + j, at[1] + i) for i in range(n) for j in range(m)]
        super().__init__([TILE], offsets=corners, offset_transform=ax.transData, clip_on=False, **style)
        self.set_transform(AffineDeltaTransform(ax.transData))  # one path, moved: each tile is a short line of SVG
        self.box = (*at, m, n)
        self.numbers, self._parts = numbers, parts

    @property
    def words(self):
        return _words(*self._parts)

    def tile(self, i, j):
        """The middle of a tile."""
        x, y, *_ = self.box
        return x + j + 0.5, y + i + 0.5


def tiles(
    ax, array, *, at, role, name="", shape="", rows=(), columns=(), digits=None, largest=None, lit=None, seen=None
):
    """Draw a matrix (or a vector, as one row) with its upper left corner ``at`` (x, y). Each number has a tile; the
    larger the number is compared with ``largest``, the deeper its colour. Numbers below 0 have a different hue.

    ``role`` names the colour: a key of ``COLOR``. ``rows`` and ``columns`` are words at the edges, ``name`` is
    above and ``shape`` below. Numbers have ``digits`` digits after the point. Without ``digits``, whole numbers stay
    whole, and other numbers have two or fewer, depending on the room in a tile.
    ``lit`` marks the new tiles, by row numbers or a boolean for each tile; others are faint. Where ``seen`` is False,
    a tile is dashed and without a number: a mask hides it, or a later step of a walk will fill it. ``seen=False`` hides
    all tiles, so a walk can write ``seen=step >= 2``.

    >>> _, ax = canvas(4, height=3)
    >>> drawn = tiles(ax, np.array([[1.0, -0.25]]), at=(1, 1), role="key", name="key")
    >>> drawn.words, drawn.tile(0, 1)
    ('key: 1 −0.2', (2.5, 1.5))

    Returns ``Tiles``. Raises ``ValueError`` for an array that has no rows and columns or holds NaN (the message names
    the rows, from 0), and for a role, rows, columns, lit or seen that does not fit.
    """
    numbers, color = np.atleast_2d(np.asarray(array, dtype=float)), _color_of(role)
    if numbers.ndim != 2 or not numbers.size:
        raise ValueError(f"array must have rows and columns of numbers, got shape {numbers.shape}: {array!r:.80}")
    if bad := np.flatnonzero(np.isnan(numbers).any(1)).tolist():
        which = f"row {bad[0]} has" if len(bad) == 1 else f"rows {', '.join(map(str, bad))} have"
        raise ValueError(f"array must hold numbers only, but {which} NaN: {numbers[bad].tolist()!r:.80}")
    n, m = numbers.shape
    for words, size, edge in ((rows, n, "rows"), (columns, m, "columns")):
        if len(words) not in (0, size):
            raise ValueError(f"{edge} must have {size} words, got {len(words)}: {words!r:.80}")
    is_lit, is_seen = _for_each_tile("lit", lit, numbers.shape), _for_each_tile("seen", seen, numbers.shape)
    finite = np.abs(numbers[np.isfinite(numbers) & is_seen])
    largest = largest or max(finite.max(initial=0), 1e-9)
    x, y = at
    texts = np.full(numbers.shape, "", dtype=object)
    faces, dashes, widths = [], [], []
    for i, j in np.ndindex(n, m):
        v = numbers[i, j]
        if is_seen[i, j]:
            texts[i, j] = _number(v, digits)
        hidden = not is_seen[i, j] or v == -np.inf
        strength = 0 if hidden else (0.05 + (DEEPEST - 0.05) * min(abs(v) / largest, 1)) * (1 if is_lit[i, j] else 0.3)
        faces.append(to_rgba(COLOR["theory"] if v < 0 else color, strength))
        dashes.append((0, (2, 2)) if hidden else "-")
        widths.append(0.8 if hidden else 0)
    style = {"facecolors": faces, "edgecolors": COLOR["muted"], "linestyles": dashes, "linewidths": widths}
    drawn = Tiles(ax, at, numbers, (name, rows, columns, texts), **style)
    ax.add_collection(drawn)
    for i, j in np.ndindex(n, m):
        if texts[i, j]:
            style = {"size": _size_in_tile(texts[i, j]), "alpha": 1 if is_lit[i, j] else 0.6}
            _write(ax, drawn, *drawn.tile(i, j), texts[i, j], **style)
    for i, word in enumerate(rows):
        _write(ax, drawn, x - 0.15, y + i + 0.5, word, ha="right", style="italic", alpha=1 if is_lit[i].any() else 0.6)
    for j, word in enumerate(columns):
        _write(ax, drawn, x + j + 0.5, y - 0.12, word, va="bottom", style="italic", size=9)
    above = 0.85 if len(columns) else 0.15
    style = {"weight": "bold", "color": color, "alpha": 1 if is_seen.any() else 0.6}
    _write(ax, drawn, x + m / 2, y - above, name, va="bottom", **style)
    _write(ax, drawn, x + m / 2, y + n + 0.12, shape, va="top", size=8.5, color=COLOR["muted"])
    return drawn


class Block(Edges, Rectangle):
    """A matrix that ``block`` has drawn to scale."""

    def __init__(self, at, width, height, parts, **style):
        super().__init__(at, width, height, **style)
        self.box, self._parts = (*at, width, height), parts

    @property
    def words(self):
        return ", ".join(of_picture(part) for part in self._parts if part)


def block(ax, matrix, *, at, scale, role, name="", shape=""):
    """Draw a matrix as a rectangle to scale, ``scale`` numbers to a tile, with its upper left corner ``at`` (x, y).

    ``matrix`` is an array, or its shape (rows, columns); the name is in the rectangle, or below it if there is no
    room. The shape follows the name; ``shape`` can give it in letters.

    >>> _, ax = canvas(8, height=8)
    >>> drawn = block(ax, (1024, 64), at=(1, 1), scale=256, role="query", name="Q")
    >>> drawn.get_width(), drawn.get_height(), drawn.words
    (0.25, 4.0, 'Q, 1024 × 64')

    Returns ``Block``. Raises ``ValueError`` if the shape does not have two positive sizes, if the role is unknown,
    or if ``scale`` is not positive.
    """
    size, color = tuple(getattr(matrix, "shape", matrix)), _color_of(role)
    if len(size) != 2 or min(size) <= 0 or scale <= 0:
        raise ValueError(f"a block needs rows, columns and a scale above 0, got {size} and scale {scale}")
    shape = shape or f"{size[0]} × {size[1]}"
    height, width = (float(n) / scale for n in size)
    style = {"facecolor": to_rgba(color, 0.22), "edgecolor": color, "linewidth": 1, "clip_on": False}
    drawn = Block(at, width, height, (name, shape), **style)
    ax.add_patch(drawn)
    x, y = at
    has_room = width >= 0.35 * len(name) + 0.2 and height >= 0.8
    below = y + height + 0.12
    if has_room:
        _write(ax, drawn, x + width / 2, y + height / 2, name, weight="bold", color=color)
    else:
        _write(ax, drawn, x + width / 2, below, name, va="top", weight="bold", color=color)
        below += 0.75 if name else 0
    _write(ax, drawn, x + width / 2, below, shape, va="top", size=8.5, color=COLOR["muted"])
    return drawn


class Arrow(Drawn, FancyArrowPatch):
    """An arrow that ``arrow`` has drawn; ``words`` says what it does."""

    @property
    def words(self):
        return of_picture(self.operation)


def arrow(ax, start, end, words="", *, below=False, bend=0.0):
    """An arrow from ``start`` to ``end`` with ``words`` at its middle: the operation that leads from one to the other.

    >>> _, ax = canvas(8, height=8)
    >>> arrow(ax, (1, 1), (4, 1), "softmax").words
    'softmax'
    """
    drawn = Arrow(
        start,
        end,
        arrowstyle="-|>",
        mutation_scale=11,
        color=COLOR["muted"],
        linewidth=1.2,
        shrinkA=2,
        shrinkB=2,
        clip_on=False,
        connectionstyle=f"arc3,rad={bend}",
    )
    drawn.operation = words
    ax.add_patch(drawn)
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    if abs(end[0] - start[0]) < abs(end[1] - start[1]):
        _write(ax, drawn, x + 0.25, y, words, ha="left", size=9)
    else:
        _write(ax, drawn, x, y + (0.2 if below else -0.2), words, va="top" if below else "bottom", size=9)
    return drawn


class Strip(Drawn, PathCollection):
    """A model's layers that ``strip`` has drawn."""

    @property
    def words(self):
        return _layers(self.name, self.kinds)


def strip(ax, kinds, *, at, name=""):
    """Draw a model as a row of layers, one glyph for each of ``kinds``: a full square is ``"global"`` attention, a
    square with a band is ``"local"``, a circle is ``"recurrent"``.

    >>> _, ax = canvas(8, height=3)
    >>> strip(ax, ["local", "local", "global"], at=(1, 1), name="a model").words
    'a model: 2 local, 1 global'

    Raises ``ValueError`` for a kind that has no glyph, and for no layers.
    """
    if not kinds or set(kinds) - set(KINDS):
        raise ValueError(f"kinds must be from {', '.join(KINDS)}, got {kinds!r:.80}")
    x, y = at
    step, side = 0.5, 0.42
    outlines = {}  # for each look, to be one path: a page of strips would have a thousand elements
    for k, kind in enumerate(kinds):
        left = x + step * k
        shapes = {
            "global": [(Rectangle((left, y), side, side), "weight", 0.75)],
            "local": [(Rectangle((left, y), side, side), "weight", 0.12), (_band(left, y, side), "weight", 0.75)],
            "recurrent": [(Circle((left + side / 2, y + side / 2), side / 2), "output", 0.5)],
        }[kind]
        for patch, role, strength in shapes:
            outline = patch.get_path().transformed(patch.get_patch_transform())
            outlines.setdefault((role, strength), []).append(outline)
    looks = sorted(outlines, key=lambda look: look[1])  # bands lie on their squares
    faces = [to_rgba(COLOR[role], strength) for role, strength in looks]
    edges = [COLOR[look[0]] for look in looks]
    paths = [Path.make_compound_path(*outlines[look]) for look in looks]
    drawn = Strip(paths, clip_on=False, facecolors=faces, edgecolors=edges, linewidths=0.6)
    drawn.name, drawn.kinds = name, list(kinds)
    ax.add_collection(drawn)
    _write(ax, drawn, x - 0.2, y + side / 2, name, ha="right")
    return drawn


def note(ax, x, y, words, **style):
    """A short text in a drawing, with its middle at (x, y); it may have more than one line."""
    return ax.text(x, y, words, **{"ha": "center", "va": "center", "size": 9, **style})


def _band(left, top, side):
    """The part of a square near its diagonal."""
    corners = np.array([(0, 0), (0.45, 0), (1, 0.55), (1, 1), (0.55, 1), (0, 0.45)]) * side
    return plt.Polygon(corners + np.array([left, top]))


def _write(ax, owner, x, y, words, **style):
    """A label that belongs to a drawn thing; the two are described together."""
    if words:
        text = ax.text(x, y, words, **{"ha": "center", "va": "center", **style})
        text.owner = owner


def _number(value, digits):
    """The number on a tile. Without ``digits`` it has as many as fit: a tile has room for four characters."""
    if np.isinf(value):
        return "−∞" if value < 0 else "∞"
    given = digits is not None
    digits = digits if given else 0 if value == round(value) else 2
    text = f"{value:.{digits}f}"
    while len(text) > 4 and digits and not given:
        digits -= 1
        text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")


def _size_in_tile(text):
    """9 points, or 8 for a number that would touch the edges of its tile."""
    em = sum({"−": 0.84, ".": 0.32}.get(letter, 0.64) for letter in text)  # widths in DejaVu Sans, the widest font
    return 9 if 9 * em < 0.84 * 72 * INCHES else 8


def _words(name, rows, columns, texts):
    """The numbers as a person would read them out: ``Q: I 0 0; saw 1 1``."""
    hidden = say("hidden")
    lines = [" ".join(text or hidden for text in row) for row in texts] if texts.any() else [hidden]
    if len(rows) == len(lines):
        lines = [f"{of_picture(str(word))} {line}" for word, line in zip(rows, lines, strict=True)]
    heading = of_picture(name)
    if len(columns):
        listed = ", ".join(of_picture(str(word)) for word in columns)
        heading = say("{name} (columns {columns})", name=heading, columns=listed)
    numbers = "; ".join(lines)
    return say("{name}: {numbers}", name=heading, numbers=numbers) if heading else numbers


def _layers(name, kinds):
    """The layers of a model in groups: ``a model: 2 local, 1 global``."""
    runs = [(kind, len(list(run))) for kind, run in itertools.groupby(kinds)]
    layers = ", ".join(say(KINDS[kind], count=count) for kind, count in runs)
    return say("{name}: {layers}", name=of_picture(name), layers=layers)


def _color_of(role):
    if role not in ROLES:
        raise ValueError(f"role must be one of {', '.join(ROLES)}, got {role!r}")
    return ROLES[role]


def _for_each_tile(name, given, shape):
    """A boolean for each tile. ``given`` holds row numbers, or booleans, or is one boolean for all; None means all."""
    if given is None or isinstance(given, bool):
        return np.full(shape, given is not False)
    given = np.asarray(given) if len(given) else np.zeros(0, dtype=int)
    if given.dtype == bool and given.shape == shape:
        return given
    if given.dtype.kind in "iu" and given.ndim == 1 and (given >= 0).all() and (given < shape[0]).all():
        return np.broadcast_to(np.isin(np.arange(shape[0]), given)[:, None], shape)
    raise ValueError(f"{name} must be row numbers below {shape[0]} or booleans of shape {shape}, got {given!r:.80}")
