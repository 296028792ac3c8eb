"""Controls that take any number, any text or another draw: a slider with a field beside it."""

import copy
import html
import inspect
import math
import re
import unicodedata
from numbers import Integral, Real

import ipywidgets
import traitlets

from .controls import at_least_digits, label_html, label_of

STEPS = 400  # of a slider; a field takes what lies between
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?", re.IGNORECASE)


def number(low, high, *, log=False):
    """For ``explore``: any number from ``low`` to ``high``; on a logarithmic slider with ``log=True``.

    Raises ``TypeError`` for what is not a number, ``ValueError`` if ``low`` < ``high`` does not hold, an end is not
    finite, or ``log`` asks for ``low`` > 0.
    """
    return Number(low, high, log, whole=False)


def integer(low, high, *, log=False):
    """For ``explore``: any integer from ``low`` to ``high``. Raises what ``number`` does."""
    return Number(low, high, log, whole=True)


def draws():
    """For ``explore``: the seed of a random draw, from 0, with a button that draws again."""
    return Draws()


def text(longest=200):
    """For ``explore``: a line of at most ``longest`` characters.

    Raises ``TypeError`` if that is not an integer, ``ValueError`` if it is below 1.
    """
    return Text(longest)


class Field:
    """A control without a list of values: its positions are the values. ``check`` reads what somebody has typed."""

    is_open = True

    def named(self, name):
        """This field as the control of a parameter."""
        field = copy.copy(self)
        field.name, field.label = name, label_of(name)
        return field

    def in_words(self, value):
        return str(value)

    def value_at(self, value):
        return value

    def position_of(self, widget_value):
        return widget_value

    def start(self, default):
        """The function's default if it has one, which must be a possible value, else the first."""
        return self.first if default in (None, inspect.Parameter.empty) else self.check(self.in_words(default))


class Number(Field):
    def __init__(self, low, high, log, whole):
        for name, x in (("low", low), ("high", high)):
            if not isinstance(x, Integral if whole else Real) or isinstance(x, bool):
                raise TypeError(f"{name} must be {'an integer' if whole else 'a number'}, got {x!r:.80}")
            if not math.isfinite(x):
                raise ValueError(f"{name} must be finite, got {x}")
        if not isinstance(log, bool):
            raise TypeError(f"log must be True or False, got {log!r:.80}")
        if not low < high:
            raise ValueError(f"low must be below high, got low={low}, high={high}")
        if log and low <= 0:
            raise ValueError(f"low must be above 0 for a logarithmic slider, got {low}")
        self.low, self.high, self.log, self.whole = low, high, log, whole
        self.first = low

    def in_words(self, value):
        return str(value) if self.whole else f"{value:.12g}"

    def check(self, written):
        """The number that is ``written``; ``ValueError`` says what is wrong with it."""
        plain = unicodedata.normalize("NFKC", written).strip().replace("−", "-")
        ends = f"from {self.in_words(self.low)} to {self.in_words(self.high)}"
        what = f"{self.label} must be {'an integer' if self.whole else 'a number'} {ends}"
        if not plain:
            raise ValueError(f"{what}; the field is empty")
        if not NUMBER.fullmatch(plain):
            raise ValueError(f"{what}, got {written.strip()[:30]}")
        value = float(plain)
        if not self.low <= value <= self.high or (self.whole and not value.is_integer()):
            raise ValueError(f"{what}, got {plain[:30]}")
        return int(value) if self.whole else value

    def positions(self):
        """Where it is drawn to be checked: at its ends."""
        return [self.low, self.high]

    def widget(self, value):
        options = dict(description=self.label, style={"description_width": "initial"}, readout=False)
        if self.log:
            low, high = math.log10(self.low), math.log10(self.high)
            slider = ipywidgets.FloatLogSlider(value, min=low, max=high, step=(high - low) / STEPS, **options)
        elif self.whole:
            slider = ipywidgets.IntSlider(value, min=self.low, max=self.high, **options)
        else:
            step = (self.high - self.low) / STEPS
            slider = ipywidgets.FloatSlider(value, min=self.low, max=self.high, step=step, **options)
        return FieldWidget(self, value, [slider])

    def slider_share(self, value):
        """How far along its slider a value lies, from 0 to 1."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def to_html(self, uid, start):
        ident, now = f"{uid}-{self.name}", self.in_words(start)
        position = round(STEPS * self.slider_share(start))
        return (
            f'<div class="explorer-control explorer-field" data-control="{self.name}">{label_html(ident, self.label)}'
            f'<input type="range" id="{ident}" min="0" max="{STEPS}" value="{position}" aria-valuetext="{now}">'
            f"{self.field_html(ident, now)}</div>"
        )

    def field_html(self, ident, now):
        return (
            f'<input type="text" inputmode="decimal" autocomplete="off" aria-label="{html.escape(self.label)}, typed" '
            f'aria-describedby="{ident}-problem" value="{now}">'
            f'<span class="explorer-problem" id="{ident}-problem" role="alert"></span>'
        )

    def for_the_page(self, start):
        """What live.js needs to know."""
        about = {"low": self.low, "high": self.high, "log": self.log, "whole": self.whole}
        return {"name": self.name, "label": self.label, "start": start} | about

    def from_slider(self, x):
        """A short number near the slider's place."""
        near = round(x) if self.whole else float(at_least_digits(x, 3))
        return min(max(near, self.low), self.high)


class Draws(Number):
    def __init__(self):
        super().__init__(0, 2**32 - 1, log=False, whole=True)

    def positions(self):
        return [0, 1]  # any other is as good

    def to_html(self, uid, start):
        ident = f"{uid}-{self.name}"
        return (
            f'<div class="explorer-control explorer-field" data-control="{self.name}">{label_html(ident, self.label)}'
            f'<button type="button" id="{ident}">draw again</button>'
            f"{self.field_html(ident, self.in_words(start))}</div>"
        )

    def widget(self, value):
        again = ipywidgets.Button(description="draw again")
        widget = FieldWidget(self, value, [ipywidgets.Label(self.label), again])
        again.on_click(lambda _: widget.set(str((widget.value + 1) % 2**32)))
        return widget


class Text(Field):
    first = ""

    def __init__(self, longest):
        if not isinstance(longest, Integral) or isinstance(longest, bool):
            raise TypeError(f"longest must be an integer, got {longest!r:.80}")
        if longest < 1:
            raise ValueError(f"longest must be at least 1, got {longest}")
        self.longest = int(longest)

    def check(self, written):
        if not written.strip():
            raise ValueError(f"{self.label} must not be empty")
        if len(written) > self.longest:
            raise ValueError(f"{self.label} must have at most {self.longest} characters, got {len(written)}")
        return written

    def positions(self):
        return ["a", "a" * self.longest]

    def widget(self, value):
        return FieldWidget(self, value, [ipywidgets.Label(self.label)])


class FieldWidget(ipywidgets.VBox):
    """A field, perhaps with a slider that follows it, and under them what is wrong with what was typed."""

    value = traitlets.Any()

    def __init__(self, field, value, before):
        self._field, self._following = field, False
        is_text = isinstance(field, Text)
        width = "30em" if is_text else "7em"
        self.typed = ipywidgets.Text(field.in_words(value), continuous_update=False, layout={"width": width})
        self.message = ipywidgets.HTML()
        self.slider = next((w for w in before if hasattr(w, "readout")), None)
        super().__init__([ipywidgets.HBox([*before, self.typed]), self.message], value=value)
        self.typed.observe(lambda change: self.set(change["new"]), "value")
        if self.slider is not None:
            self.slider.observe(lambda change: self._following or self._take(field.from_slider(change["new"])), "value")

    def set(self, written):
        """What somebody types. What cannot be is said under the field; the value stays."""
        if self._following:
            return
        try:
            self._take(self._field.check(written))
        except ValueError as error:
            self.message.value = f'<span role="alert">{html.escape(str(error))}</span>'

    def _take(self, value):
        self._following = True  # slider and field follow the value, and do not lead
        try:
            self.message.value = ""
            self.typed.value = self._field.in_words(value)
            if self.slider is not None:
                self.slider.value = value
        finally:
            self._following = False
        self.value = value
