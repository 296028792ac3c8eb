"""Figures with words, and controls over a drawing function: live with a kernel, a flip-book or a program on a page.

    @explore(scale=log_range(0.1, 10, 9), length=[8, 32, 128])
    def sorted_softmax(scale=1.0, length=32):
        \"\"\"Sorted softmax of Gaussian scores as their scale grows.\"\"\"
        ...
        return fig

With a kernel this shows ipywidgets controls that call the function. While the book is built (the Sphinx extension in
``_ext`` says so through the environment), the function is drawn once for every combination of values, and the page gets
the drawings as SVG frames with native HTML controls: ipywidgets' own static export answers no slider without a kernel.
Where a control takes any number there is no end of combinations: the page gets the first picture, and a program in
``_ext/static/programs`` that moves its named parts.

``controls`` holds controls with a list of values, ``fields`` those that take any number or text, ``explorer`` the
explorers, ``figures`` figures with a caption, ``svg`` pictures for pages, ``panels`` where a phone may cut them,
``legible`` what they must keep, ``scenes`` what programs on a page may move in them, ``words`` what a figure shows in
words, ``random_numbers`` draws that page and kernel share, ``style`` the colours, ``surroundings`` who is looking,
``int8`` the weights of a model that runs on a page.

Importing this module sets the book's figure style.
"""

from .explorers.controls import linear_range, log_range
from .explorers.explorer import Explorer, explore
from .explorers.fields import draws, integer, number, text
from .explorers.random_numbers import normal, uniform
from .explorers.tables import point, switches, table
from .figures.cells import cells
from .figures.figure import show, watch
from .figures.numbers import decades, histogram, nice_limit, power_of_ten, three_digits, tick
from .figures.style import COLOR, LINE, MARK

__all__ = [
    "COLOR",
    "LINE",
    "MARK",
    "Explorer",
    "cells",
    "decades",
    "draws",
    "explore",
    "histogram",
    "integer",
    "linear_range",
    "log_range",
    "nice_limit",
    "normal",
    "number",
    "point",
    "power_of_ten",
    "show",
    "switches",
    "table",
    "text",
    "three_digits",
    "tick",
    "uniform",
    "watch",
]
