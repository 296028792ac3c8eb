"""The book's figure style; importing this module sets it."""

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.colors import LinearSegmentedColormap, to_rgba

from languages import is_english

from .colours import COLOR, INK
from .fonts import font_of_language

# Each colour has its own line style and marker, so that a legend is clear in grey print and to readers who see fewer
# colours.
LINE = {
    "query": (0, (4, 1.2)),
    "key": (0, (1.2, 1)),
    "value": (0, (6, 1.2, 1, 1.2)),
    "output": (0, (6, 1.2, 1, 1.2, 1, 1.2)),
    "weight": "-",
    "theory": "-",
    "muted": (0, (1, 2.5)),
}
MARK = {"query": "o", "key": "s", "value": "^", "output": "D", "weight": "v", "theory": "X", "muted": "P"}

# cmap="weights": from transparent to the colour of weights, so that a weight of 0 looks like the page in both themes.
shades = [to_rgba(COLOR["weight"], opacity) for opacity in (0, 1)]
mpl.colormaps.register(LinearSegmentedColormap.from_list("weights", shades), force=True)

plt.rcParams.update(
    {
        "figure.figsize": (4.7, 2.9),
        "figure.dpi": 110,
        "figure.facecolor": "white",
        "figure.subplot.left": 0.14,
        "figure.subplot.right": 0.98,
        "figure.subplot.bottom": 0.19,
        "figure.subplot.top": 0.87,
        "figure.subplot.wspace": 0.3,
        "axes.facecolor": "none",
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "axes.linewidth": 0.8,
        "axes.prop_cycle": mpl.cycler(color=list(COLOR.values())),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 10,
        "axes.titlelocation": "left",
        "font.size": 10,
        "image.cmap": "weights",
        "image.interpolation": "none",  # the data's own pixels, in SVG too
        "legend.frameon": False,
        "lines.linewidth": 1.8,
        "patch.edgecolor": INK,  # hatching too
        "svg.fonttype": "none",  # text stays text, in the page's font
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
    }
)
if not is_english() and (font := font_of_language()):
    plt.rcParams["font.family"] = ["sans-serif", font]
