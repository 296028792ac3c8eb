"""Figures in words, and controls for a drawing function: live with a kernel; on a page, a flip-book or a program.

    @explore(scale=[0.1, 0.3, 1, 3, 10], length=[8, 32, 128])
    def sorted_softmax(scale=1.0, length=32):
        \"\"\"Sorted softmax of Gaussian scores as their scale grows.\"\"\"
        ...
        return fig

With a kernel this shows ipywidgets controls that call the function. While the book is built (the Sphinx extension sets
a variable; see ``mode``), every combination of values is drawn once, and the page gets the drawings as SVG frames with
native HTML controls, because the sliders of ipywidgets' own static export do nothing without a kernel. If a control
takes any number, the combinations are endless: the page gets the first picture, and a program in
``explorers/page/static/programs`` that moves the picture's named parts.

``figures`` holds pictures and their style, and ``explorers`` holds the controls. Each name below is imported when it is
first used, because the site's extension needs little of this package and would otherwise wait for torch and matplotlib.
"""

import importlib
import os
import sys

from .mode import in_notebook

_HOMES = {
    "explorers.controls": ["labelled", "rare"],
    "explorers.explorer": ["Explorer", "explore"],
    "explorers.fields": ["draws", "integer", "number", "text"],
    "explorers.random_numbers": ["normal", "uniform"],
    "explorers.states": ["state"],
    "explorers.tables": ["point", "switches", "table"],
    "explorers.walk": ["walk"],
    "figures.cells": ["cells"],
    "figures.drawing": ["arrow", "block", "canvas", "note", "strip", "tiles"],
    "figures.figure": ["show", "watch"],
    "figures.numbers": ["decades", "histogram", "nice_limit", "power_of_ten", "three_digits", "tick"],
    "figures.colours": ["COLOR"],
    "figures.results": ["show_table"],
    "figures.style": ["LINE", "MARK"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME_OF)


def __getattr__(name):
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def _give_the_kernel_one_thread():
    """Waiting threads spin: on a busy machine or in a container with few cores, a cell took ten times as long.

    A reader who sets OMP_NUM_THREADS, or calls ``torch.set_num_threads`` later, has chosen otherwise.
    """
    if in_notebook() and "OMP_NUM_THREADS" not in os.environ:
        os.environ["OMP_NUM_THREADS"] = "1"  # for torch, if it is imported later
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(1)


_give_the_kernel_one_thread()
