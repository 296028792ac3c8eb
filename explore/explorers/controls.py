"""The values of one parameter of an explorer, and the control that chooses among them."""

import html
import json
import re
import sys
from numbers import Integral, Real
from typing import NamedTuple

import ipywidgets
import numpy as np

from languages import of_picture, say

MAX_FRAMES = 240


class Wrapped(NamedTuple):
    """The values of a control that has a label of its own, or is folded away."""

    values: object
    label: str = ""
    is_rare: bool = False


def rare(values):
    """For ``explore``: a control that is seldom needed. It comes after all others, under *more controls*.

    @explore(sigma=number(0.1, 10), seed=rare(draws()))
    """
    return Wrapped(values, is_rare=True)


def labelled(label, values):
    """For ``explore``: a control with a label in place of its parameter's name.

    @explore(scaled=labelled("÷ √dₖ", [True, False]))
    """
    return Wrapped(values, label)


class AnyControl:
    """What controls with a list of values and those that take any value have in common: ``name``, the id of their
    parameter; ``label``, its words in English; ``expected``, which says in words what a value must be.
    """

    is_open = False
    is_rare = False

    @property
    def title(self):
        """The label, in the reader's language."""
        return of_picture(self.label)

    def still(self, start):
        """The position that is shown where no control can be moved, as on paper."""
        return start

    def for_the_page(self, start):
        """The data that live.js needs."""
        return {"name": self.name, "label": self.title, "expected": self.expected, "start": start}


class Control(AnyControl):
    """The values of one parameter, and the kind of their control. A position is the index of a value.

    Each value has an id, for links and programs, and a label, which is shown in the reader's language; so have the
    parameter, whose id is its ``name``, and its control.
    """

    def __init__(self, name, values, label=""):
        self.name, self.label = name, label or label_of(name)
        if isinstance(values, dict):
            self.kind, self.labels, self.values = "menu", list(values), list(values.values())
            if not all(isinstance(label, str) for label in self.labels):
                raise TypeError(f"the keys of {name} must be names, got {self.labels!r}")
        elif isinstance(values, (list, tuple, range)) or (isinstance(values, np.ndarray) and values.ndim == 1):
            self.values = [x.item() if isinstance(x, np.generic) else x for x in values]
            self.kind = self._kind()
            self.labels = [_id_of(x).replace("_", " ") for x in self.values]
        else:
            raise TypeError(
                f"{name} must be a list of numbers, names or booleans, a dict with names as keys, or "
                f"number(), integer(), text() or draws(), got {values!r:.80}"
            )
        if not self.values:
            raise ValueError(f"{name} has no values")
        self.ids = [_id_of(x) or label for x, label in zip(self.values, self.labels, strict=True)]
        for words in (self.ids, self.labels):
            if len(set(words)) < len(words):
                raise ValueError(f"{name} has the same value twice: {words}")

    def _kind(self):
        if all(isinstance(x, bool) for x in self.values):
            if self.values and set(self.values) != {False, True}:
                raise ValueError(f"{self.name} must hold both False and True, got {self.values}")
            return "checkbox"
        if all(isinstance(x, Real) and not isinstance(x, bool) for x in self.values):
            for x in self.values:
                if not abs(x) <= sys.float_info.max:  # infinity, NaN, 10**400
                    raise ValueError(f"{self.name} must hold finite numbers, got {x}")
            return "slider"
        if all(isinstance(x, str) for x in self.values):
            return "menu"
        raise TypeError(f"{self.name} must hold numbers only, names only or booleans only, got {self.values!r:.80}")

    def positions(self):
        return range(len(self.values))

    def value_at(self, index):
        return self.values[index]

    def in_words(self, index):
        """A value in English, as outputs are stored."""
        return self.labels[index]

    def shown(self, index):
        """A value in the reader's language."""
        return of_picture(self.in_words(index))

    def written(self, index):
        """A value as links have it."""
        return self.ids[index]

    def start(self, default):
        """The index of the value to start from: ``default``, the value nearest to it, or the first value."""
        if self.kind == "slider" and isinstance(default, Real):
            return min(range(len(self.values)), key=lambda i: abs(self.values[i] - default))
        return self._index_of(default) or 0

    def position_for(self, value):
        """The index of exactly this value; otherwise a ``ValueError`` lists the possible values."""
        index = self._index_of(value)
        if index is None:
            raise ValueError(f"{self.expected}, got {value!r:.80}")
        return index

    @property
    def expected(self):
        return say("{label} must be one of {values}", label=self.title, values=", ".join(self.ids))

    def _index_of(self, wanted):
        for i, (ident, x) in enumerate(zip(self.ids, self.values, strict=True)):
            # Not == for arrays and tensors: it compares them element by element.
            if x is wanted or (isinstance(wanted, (str, Real)) and isinstance(x, (str, Real)) and x == wanted):
                return i
            if self.kind == "menu" and isinstance(wanted, str) and ident == wanted:
                return i
        return None

    def move_widget(self, widget, position):
        """Set the control's widget to this position."""
        widget.value = self.values[position] if self.kind == "checkbox" else position

    def position_of(self, widget_value):
        return self.values.index(widget_value) if self.kind == "checkbox" else widget_value

    def widget(self, start):
        options = dict(description=self.title, style={"description_width": "initial"})
        if self.kind == "checkbox":
            return ipywidgets.Checkbox(value=self.values[start], indent=False, layout={"width": "auto"}, **options)
        # The widget's value is the index, because labels may be rounded, and a menu's values may be of any kind.
        options |= dict(options=[(self.shown(i), i) for i in self.positions()], value=start)
        return ipywidgets.SelectionSlider(**options) if self.kind == "slider" else ipywidgets.Dropdown(**options)

    def to_html(self, uid, start):
        """The control for a page. A browser that builds the page again must leave it at its start, as the picture is:
        ``autocomplete="off"``.
        """
        ident = f"{uid}-{self.name}"
        label, words = label_html(ident, self.title), [self.shown(i) for i in self.positions()]
        if self.kind == "checkbox":
            # The positions of False and True in the list of values; usually False comes first.
            positions = f'data-unchecked="{self.values.index(False)}" data-checked="{self.values.index(True)}"'
            checked = " checked" if self.values[start] else ""
            field = f'<input type="checkbox" id="{ident}" autocomplete="off" {positions}{checked}>'
        elif self.kind == "slider":
            labels = html.escape(json.dumps(words, ensure_ascii=False))
            now = html.escape(words[start])
            width = max(map(len, words))
            field = (
                f'<input type="range" id="{ident}" autocomplete="off" min="0" max="{len(self.values) - 1}" step="1" '
                f'value="{start}" aria-valuetext="{now}" data-labels="{labels}">'
                f'<output for="{ident}" aria-live="off" style="min-width: {width}ch">{now}</output>'
            )
        else:
            options = "".join(
                f'<option value="{html.escape(ident)}"{" selected" if i == start else ""}>{html.escape(text)}</option>'
                for i, (ident, text) in enumerate(zip(self.ids, words, strict=True))
            )
            field = f'<select id="{ident}" autocomplete="off">{options}</select>'
        return f'<div class="explorer-control explorer-{self.kind}" data-control="{self.name}">{label}{field}</div>'

    def for_the_page(self, start):
        """Numbers, booleans and text as they are, and the id of any other value."""
        pairs = zip(self.values, self.ids, strict=True)
        plain = [x if isinstance(x, (bool, int, float, str)) else ident for x, ident in pairs]
        words = [self.shown(i) for i in self.positions()]
        return super().for_the_page(plain[start]) | {"options": plain, "ids": self.ids, "words": words}


def _id_of(value):
    """Text and numbers as links have them; nothing for a value of another kind."""
    if isinstance(value, (Integral, str)):
        return str(value)
    return f"{float(value):g}" if isinstance(value, Real) else ""


GREEK = {"sigma": "σ", "mu": "μ", "alpha": "α", "beta": "β", "rho": "ρ", "tau": "τ", "sqrt": "√"}


def label_of(name):
    """``sigma_q`` as σ_q, ``d_k`` as d_k, ``scaling_rule`` as scaling rule."""
    head, _, tail = name.partition("_")
    head = GREEK.get(head, head)
    return f"{head}_{tail}" if tail and len(head) == 1 else " ".join([head, *tail.split("_")]).strip()


def label_markup(label):
    """A label with its index as a subscript."""
    return re.sub(r"_(\w+)$", r"<sub>\1</sub>", html.escape(label))


def label_html(ident, label):
    """A label for the element ``ident``."""
    return f'<label for="{ident}">{label_markup(label)}</label>'


def name_html(label):
    """A label for several elements, each of which has its own name for screen readers."""
    return f'<span class="explorer-name">{html.escape(label)}</span>'
