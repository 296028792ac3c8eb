"""A figure as SVG inside a page: with CSS variables for colours, short numbers, and ids that no other figure has."""

import contextlib
import functools
import io
import math
import re

import matplotlib as mpl
import matplotlib.ticker
import numpy as np
from matplotlib.axis import Axis

from .colours import COLOR, INK, variable
from .markup import ROW
from .numbers import power_of_ten
from .panels import panels_of, parts_of

LEAST = 0.74  # no panel is narrower than this share of its width on paper


def _room(points, widest, total):
    """The style of a panel ``points`` wide; the figure's widest panel is ``widest`` wide, its widest row ``total``.

    All panels of a figure have the same scale. If every row can have three quarters of its width, rows stay rows;
    otherwise the widest panel takes the whole width.
    """
    natural = points * 4 / 3  # CSS pixels
    least = round(LEAST * natural)
    too_narrow = f"(100% - {_least_row(total):.0f}px) * -999"  # above 0 if a row does not fit
    in_row = f"100% * {0.999 * points / total:.4f} + max(0px, {too_narrow})"
    width = f"min({1.2 * natural:.0f}px, 100% * {points / widest:.4f}, {in_row})"
    return f"flex: none; width: {width}; min-width: {least}px"


def _least_row(points):
    """The CSS pixels in which a row of panels that is ``points`` wide stays a row."""
    return LEAST * points * 4 / 3


def least_width(panels):
    """The CSS pixels in which all rows of ``panels`` stay rows."""
    return _least_row(max(sum(panel.width for panel in row) for row in panels))


def figure_to_svg(fig, salt, panels=None):
    """The markup of ``fig``, which is not changed: an ``svg`` for each of its panels, in rows.

    An artist with a gid becomes a group with that name as its ``data-artist``. Figures with different ``salt`` share no
    id. For figures that follow each other in the same place, ``panels`` are the panels of the first figure.
    """
    markup = []
    with _set_for_a_page(fig):
        rows = panels or panels_of(fig)
        for artist in parts_of(fig):
            if sum(panel.holds(artist) for row in rows for panel in row) != 1:
                raise ValueError(
                    f"{artist} must be in exactly one panel; every frame is cut where the first frame was empty"
                )
        names = names_in(fig)
        sizes = [[panel.width for panel in row] for row in rows]
        room = functools.partial(_room, widest=max(map(max, sizes)), total=max(map(sum, sizes)))
        for i, row in enumerate(rows):
            drawn = [
                _panel_to_svg(fig, panel, names, f"{salt} {i} {j}", room(panel.width)) for j, panel in enumerate(row)
            ]
            markup += [f'<div style="{ROW}; flex: 0 0 100%">', *drawn, "</div>"] if len(rows) > 1 else drawn
    return "\n".join(markup)


def _panel_to_svg(fig, panel, names, salt, room):
    buffer = io.StringIO()
    with _only(fig, panel), mpl.rc_context({"svg.hashsalt": salt}):
        fig.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :].rstrip()
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<style.*?</style>", "", svg, flags=re.DOTALL)
    referred = set(re.findall(r'(?:url\(#|href="#)([^")]+)', svg))
    svg = re.sub(
        r' id="([^"]*)"',
        lambda i: i[0] if i[1] in referred else f' data-artist="{i[1]}"' if i[1] in names else "",
        svg,
    )
    svg = re.sub(r"font-family: [^;\"]*Mono[^;\"]*", "font-family: monospace", svg)
    own = r"font-family: (?!monospace)[^;\"]*;? ?"  # every font except monospace is the page's
    svg = re.sub(rf'<path d="[^"]*" style="fill: none"/>| transform="rotate\(-0 [^"]*"|{own}', "", svg)
    svg = _without_bare_groups(re.sub(r"<[^>]*>", _shortened_tag, svg))
    svg = re.sub(
        r"<svg [^>]*>",
        f'<svg viewBox="{panel.left:g} {panel.top:g} {panel.width:g} {panel.height:g}" style="{room}" '
        'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" aria-hidden="true">',
        svg,
        count=1,
    )
    return "\n".join(line.strip() for line in svg.split("\n") if line.strip())


@contextlib.contextmanager
def _only(fig, panel):
    """While the figure is saved, show only the artists in the panel."""
    others = [artist for artist in parts_of(fig) if not panel.holds(artist)]
    for artist in others:
        artist.set_visible(False)
    try:
        yield
    finally:
        for artist in others:
            artist.set_visible(True)


@contextlib.contextmanager
def _set_for_a_page(fig):
    """While the figure is saved: fewer ticks, powers of ten as plain text, and every part kept in its place."""
    with contextlib.ExitStack() as stack:
        if engine := fig.get_layout_engine():  # it would move the remaining parts when a part is hidden
            fig.draw_without_rendering()
            fig.set_layout_engine("none")
            stack.callback(fig.set_layout_engine, engine)
        for ax in fig.axes:
            for axis in (ax.xaxis, ax.yaxis):
                stack.enter_context(_plain_powers(axis))
                locator = axis.get_major_locator()
                if type(locator) is mpl.ticker.AutoLocator:
                    locator.set_params(nbins=6)  # instead of ten, to leave room for the digits on a phone
                    stack.callback(locator.set_params, nbins="auto")
            for image in ax.images:
                if image.get_cmap().name == "weights" and image.get_gid() is None:
                    image.set_gid("weights-map")  # its pixels do not follow the theme: figures.css makes them lighter
                    stack.callback(image.set_gid, None)
        yield


@contextlib.contextmanager
def _plain_powers(axis):
    """10⁻³ as plain text in the page's font: mathtext would take as long as the rest of the drawing.

    An axis with many decades loses its minor ticks as well: these were half of all elements of a page.
    """
    formatter, minor = axis.get_major_formatter(), axis.get_minor_locator()
    default = axis.isDefault_majfmt, axis.isDefault_minloc
    if not isinstance(formatter, mpl.ticker.LogFormatterSciNotation):
        yield
        return

    def power(x, position):
        exponent = math.log10(x) if x > 0 else math.nan
        if not exponent.is_integer():
            return formatter(x, position)
        return power_of_ten(int(exponent))

    low, high = np.log10(np.abs(axis.get_view_interval()))
    if high - low >= 3:
        axis.set_minor_locator(mpl.ticker.NullLocator())
    if getattr(formatter, "_base", 10) == 10:
        axis.set_major_formatter(power)
    try:
        yield
    finally:
        axis.set_major_formatter(formatter)
        axis.set_minor_locator(minor)
        axis.isDefault_majfmt, axis.isDefault_minloc = default


def _without_bare_groups(svg):
    """``svg`` without the groups that have lost their ids and have no other use: a third of all elements."""
    kept = []

    def tag(match):
        if match[0].endswith("/>"):  # empty
            return ""
        if match[0] == "</g>":
            return match[0] if kept.pop() else ""
        kept.append(match[0] != "<g>")
        return match[0] if kept[-1] else ""

    return re.sub(r"<g\b[^>]*>|</g>", tag, svg)


def _shortened_tag(tag):
    """The tag with coordinates rounded to a hundredth of a point and the page's colours; factors and opacities stay."""
    text = re.sub(r"(?:matrix|scale)\([^)]*\)|opacity: [\d.]+|-?\d+\.\d{3,}", _shortened_number, tag[0])
    text = text.replace(INK, "currentColor")
    for name, colour in COLOR.items():
        text = text.replace(colour, variable(name))
    return text


def _shortened_number(match):
    if not match[0][-1].isdigit() or match[0].startswith("opacity"):
        return match[0]
    number = f"{float(match[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if number == "-0" else number


def names_in(fig):
    """All names that the picture keeps. Ticks have none and are skipped: they are by far the most numerous artists."""
    names, waiting = set(), [fig]
    while waiting:
        artist = waiting.pop()
        names.add(artist.get_gid())
        waiting += [artist.label] if isinstance(artist, Axis) else artist.get_children()
    return names - {None}
