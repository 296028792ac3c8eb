"""Rules that keep a figure legible on a phone, in grey print and for readers who see fewer colours."""

from itertools import combinations

import matplotlib.text
import numpy as np
from matplotlib.collections import Collection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D

from .panels import WIDEST, panels_of

SMALLEST = 8  # points, for any text
FEWEST_STEPS = 20  # between two greys that mean different things; from black to white there are 100
WIDE_MAP = 24  # columns; a wider map may scroll


def check_legible(fig, panels=None):
    """Raise ``ValueError`` unless panels fit a phone, text is large enough, maps have the book's colours and legends
    need no colour.

    ``panels`` are the figure's panels, if they are known: to find them, the whole figure has to be laid out.
    """
    has_wide_map = any(image.get_array().shape[1] > WIDE_MAP for ax in fig.axes for image in ax.images)
    widest = max(panel.width for row in panels or panels_of(fig) for panel in row) / 72
    if widest > WIDEST + 0.01 and not has_wide_map:
        raise ValueError(f"a panel must be at most {WIDEST} inches wide, to fit a phone, got {widest:.2f}")
    for text in fig.findobj(matplotlib.text.Text):
        words, size = text.get_text().strip(), text.get_size()
        if words and text.get_visible() and size < SMALLEST and not has_wide_map:
            raise ValueError(f"text must be at least {SMALLEST} points large, got {size:g}: {words!r}")
    for ax in fig.axes:
        for artist in (*ax.images, *ax.collections):
            # Lines and points have a colour map, too; it is in use if they hold an array.
            if artist.get_array() is not None and (name := artist.get_cmap().name) != "weights":
                raise ValueError(
                    f'a map must have cmap="weights", which is the same colour in every chapter, got {name!r}'
                )
        legend = ax.get_legend()
        entries = zip(legend.legend_handles, legend.get_texts(), strict=True) if legend else ()
        for (one, name), (other, other_name) in combinations(entries, 2):
            steps = abs(lightness(_color(one)) - lightness(_color(other)))
            if _form(one) == _form(other) and steps < FEWEST_STEPS:
                raise ValueError(
                    f"{name.get_text()!r} and {other_name.get_text()!r} look the same in grey: "
                    "give one of them a different line style (LINE) or marker (MARK)"
                )


def lightness(color):
    """The CIE L* of an sRGB colour on white paper: from 0 (black) to 100 (white).

    We compute it by hand, so that readers need not install one more package; the tests compare it with a package for
    colours.
    """
    *rgb, alpha = to_rgba(color)
    rgb = alpha * np.array(rgb) + 1 - alpha
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = linear @ (0.2126, 0.7152, 0.0722)
    return 116 * np.cbrt(luminance) - 16 if luminance > 216 / 24389 else luminance * 24389 / 27


def _form(handle):
    """The part of a legend's entry that is still visible in grey print."""
    if isinstance(handle, Line2D):
        # matplotlib has no public name for the dashes of a line: get_linestyle() returns "--" for all of them.
        width = "thick" if handle.get_linewidth() > 2 else ""
        return handle.get_linestyle(), str(handle._unscaled_dash_pattern), str(handle.get_marker()), width
    return type(handle).__name__, getattr(handle, "get_hatch", str)()


def _color(handle):
    if isinstance(handle, Line2D):
        return handle.get_color()
    return handle.get_facecolor()[0] if isinstance(handle, Collection) else handle.get_facecolor()
