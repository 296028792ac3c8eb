"""The book's figure style, and its colours on light and dark pages; importing this module sets the style."""

import matplotlib as mpl
import matplotlib.pyplot as plt

# One colour for one thing in every chapter. On a page each is a CSS variable, so that it can differ in the dark.
COLOR = {
    "query": "#0a66b0",
    "key": "#b35900",
    "value": "#00785a",
    "output": "#a8327d",
    "weight": "#5b4bb5",
    "theory": "#c01f2e",
    "muted": "#6b7280",
}
INK = "#1b1f24"
# All colours of a page, by its theme: those of things, of letters, and of panels and lines beside the text.
THEMES = {
    "light": COLOR | {"panel": "#f6f7f9", "line": "#d5d9e0", "ink": INK},
    "dark": {
        "query": "#5cb0f2",
        "key": "#f2a24b",
        "value": "#3cc79a",
        "output": "#ea83c3",
        "weight": "#a99cf5",
        "theory": "#ff7d85",
        "muted": "#a3acb9",
        "panel": "#1d2127",
        "line": "#3b424d",
        "ink": "#e6e8eb",
    },
}
# And one form for the lines and points in a legend, for grey paper and for readers who see fewer colours.
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
        "image.cmap": "viridis",
        "image.interpolation": "none",  # the data's own pixels, also in SVG
        "legend.frameon": False,
        "lines.linewidth": 1.8,
        "svg.fonttype": "none",  # text stays text, in the font of the page
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
    }
)
