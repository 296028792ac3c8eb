"""Controls that take any number, any text or a new draw; on the page, fields.js does the same.

The page gets what a control expects in words; the messages around it stand here and there.
"""

import copy
import html
import inspect
import math
import re
import sys
import unicodedata
from numbers import Integral, Real

import ipywidgets
import numpy as np
import traitlets

from languages import mark, say

from .controls import AnyControl, label_html, label_markup, label_of, name_html

STEPS = 400  # steps of a slider; a field also takes the values in between
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?", re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")


def number(low, high, *, log=False):
    """For ``explore``: any number from ``low`` to ``high``; on a logarithmic slider with ``log=True``.

    Raises ``TypeError`` if an end is not a number, ``ValueError`` if an end is not finite, ``low`` is not below
    ``high``, or, with ``log``, ``low`` is not above 0.
    """
    return Number(low, high, log, whole=False)


def integer(low, high, *, log=False):
    """For ``explore``: any integer from ``low`` to ``high``. Raises the same errors as ``number``."""
    return Number(low, high, log, whole=True)


def draws():
    """For ``explore``: the seed of a random draw, 0 or more, with a button that draws again."""
    return Draws()


def text(longest, *, optional=False):
    """For ``explore``: a line of at most ``longest`` characters, which may be empty if it is ``optional``; it starts
    with the function's default.

    Raises ``TypeError`` if ``longest`` is not an integer, ``ValueError`` if it is below 1.
    """
    if not isinstance(longest, Integral) or isinstance(longest, bool):
        raise TypeError(f"longest must be an integer, got {longest!r:.80}")
    if longest < 1:
        raise ValueError(f"longest must be at least 1, got {longest}")
    ends = ["" if optional else "a", "a" * longest]
    expected = mark("{label} must have at most {longest} characters")
    return Text(longest, "" if optional else r"\S", expected, ends)


def refused(expected, written):
    """The error for a text that a control does not take: what is expected, and what came."""
    if shown := written.strip()[:30]:
        return ValueError(say("{expected}, got {written}", expected=expected, written=shown))
    return ValueError(say("{expected}; the field is empty", expected=expected))


class Field(AnyControl):
    """A control without a list of values: its positions are the values. ``check`` reads the text typed into it."""

    is_open = True
    classes = "explorer-control explorer-field"

    def named(self, name, label=""):
        """This field as the control of a parameter."""
        field = copy.copy(self)
        field.name, field.label = name, label or label_of(name)
        return field

    def in_words(self, value):
        return str(value)

    def shown(self, value):
        return self.in_words(value)

    def written(self, value):
        return self.in_words(value)

    def value_at(self, value):
        return value

    def position_of(self, widget_value):
        return widget_value

    def start(self, default):
        """The function's default, which must be a possible value; without a default, the first value, if any."""
        if default not in (None, inspect.Parameter.empty):
            return self.check(default if isinstance(default, str) else self.in_words(default))
        if self.first is None:
            raise ValueError(f"{self.name} needs a default to start from")
        return self.first

    def position_for(self, value):
        """This value, if the control can take it."""
        if value is None:
            raise TypeError(f"{self.label} must have a value, got None")
        return self.start(value)

    def move_widget(self, widget, value):
        widget.take(value)

    def to_html(self, uid, start):
        ident = f"{uid}-{self.name}"
        return (
            f'<div class="{self.classes}" data-control="{self.name}">{self.form_html(ident, start)}'
            f'<span class="explorer-problem" id="{ident}-problem" role="alert"></span></div>'
        )


class Number(Field):
    def __init__(self, low, high, log, whole):
        for name, x in (("low", low), ("high", high)):
            if not isinstance(x, Integral if whole else Real) or isinstance(x, bool):
                raise TypeError(f"{name} must be {'an integer' if whole else 'a number'}, got {x!r:.80}")
            if not abs(x) <= sys.float_info.max / 2:  # infinity, NaN, 10**400
                raise ValueError(f"{name} must be finite, got {x!r:.80}")
        if not low < high:
            raise ValueError(f"low must be below high, got low={low}, high={high}")
        if log and low <= 0:
            raise ValueError(f"low must be above 0 for a logarithmic slider, got {low}")
        kind = int if whole else float
        self.low, self.high, self.log, self.whole = kind(low), kind(high), log, whole
        self.first = self.low

    def in_words(self, value):
        """The shortest text that reads back as this number."""
        if not isinstance(value, Real):
            raise TypeError(f"{self.label} must be a number, got {value!r:.80}")
        return str(int(value)) if value == int(value) else np.format_float_positional(value, trim="-")

    @property
    def expected(self):
        words = {"label": self.title, "low": self.in_words(self.low), "high": self.in_words(self.high)}
        if self.whole:
            return say("{label} must be an integer from {low} to {high}", **words)
        return say("{label} must be a number from {low} to {high}", **words)

    def check(self, written):
        """The number in the text ``written``; a ``ValueError`` says what is wrong with it."""
        plain = unicodedata.normalize("NFKC", written).strip().replace("−", "-")
        if DECIMAL_COMMA.fullmatch(plain):
            raise refused(say("{expected}, with a decimal point and not a comma", expected=self.expected), written)
        value = float(plain) + 0.0 if NUMBER.fullmatch(plain) else math.nan  # no negative zero
        if not self.low <= value <= self.high or (self.whole and not value.is_integer()):
            raise refused(self.expected, written)
        return int(value) if self.whole else value

    def positions(self):
        """The positions that are drawn to check an explorer: both ends of the range."""
        return [self.low, self.high]

    def slider_values(self):
        """The values of a slider's positions: short numbers, and no integer twice, or a key would do nothing."""
        count = min(self.high - self.low, STEPS) if self.whole and not self.log else STEPS
        decimals = 0 if self.whole else max(math.ceil(-math.log10((self.high - self.low) / STEPS)), 0)
        values = []
        for share in (i / count for i in range(count + 1)):
            x = self.low * (self.high / self.low) ** share if self.log else self.low + (self.high - self.low) * share
            if self.log and not self.whole:
                x = float(f"{x:.3g}")
            else:
                x = math.floor(x * 10**decimals + 0.5) / 10**decimals
            x = min(max(x, self.low), self.high)
            values.append(int(x) if self.whole else x)
        return list(dict.fromkeys(values))

    def widget(self, value):
        return TypedWidget(self, value, places=self.slider_values())

    def form_html(self, ident, start):
        if self.log:
            share = math.log(start / self.low) / math.log(self.high / self.low)
        else:
            share = (start - self.low) / (self.high - self.low)
        return (  # a script sets the slider to the number's own place
            f'{label_html(ident, self.title)}<input type="range" id="{ident}" autocomplete="off" min="0" '
            f'max="{STEPS}" value="{round(STEPS * share)}" aria-valuetext="{self.in_words(start)}">'
            f"{self.typed_html(ident, start)}"
        )

    def typed_html(self, ident, start):
        # In countries that use a decimal comma, numeric keyboards have no point.
        keyboard = ' inputmode="numeric"' if self.whole and self.low >= 0 else ""
        name = html.escape(say("{label}, typed", label=self.title))
        return (
            f'<input type="text"{keyboard} autocomplete="off" aria-label="{name}" '
            f'aria-describedby="{ident}-problem" value="{self.in_words(start)}">'
        )

    def for_the_page(self, start):
        about = {"low": self.low, "high": self.high, "log": self.log, "whole": self.whole}
        return super().for_the_page(start) | about


class Draws(Number):
    def __init__(self):
        super().__init__(0, 2**32 - 1, log=False, whole=True)

    def positions(self):
        return [0, 1]  # any other draw would do as well

    def form_html(self, ident, start):
        again = html.escape(say("draw again"))
        return f'{name_html(self.title)}{self.typed_html(ident, start)}<button type="button">{again}</button>'

    def widget(self, value):
        again = ipywidgets.Button(description=say("draw again"))
        widget = TypedWidget(self, value, button=again)
        again.on_click(lambda _: widget.take((widget.value + 1) % 2**32))
        return widget


class Text(Field):
    """A line of text in which ``pattern``, a regular expression of Python and JavaScript, is found; ``expected`` says
    what ``{label}`` must have or be, with at most ``{longest}`` characters; ``ends`` are drawn to check an explorer.
    """

    def __init__(self, longest, pattern, expected, ends):
        self.longest, self.pattern, self.message, self.ends = longest, pattern, expected, ends
        self.first = "" if re.search(pattern, "") else None

    @property
    def expected(self):
        return say(self.message, label=self.title, longest=self.longest)

    def check(self, written):
        if not re.search(self.pattern, written):
            raise refused(self.expected, written)
        if len(written) > self.longest:
            raise refused(self.expected, str(len(written)))
        return written

    def positions(self):
        return self.ends

    def form_html(self, ident, start):
        return (
            f'{label_html(ident, self.title)}<input type="text" class="explorer-sentence" id="{ident}" '
            f'autocomplete="off" aria-describedby="{ident}-problem" value="{html.escape(start)}">'
        )

    def for_the_page(self, start):
        return super().for_the_page(start) | {"longest": self.longest, "pattern": self.pattern}

    def widget(self, value):
        return TypedWidget(self, value, width="30em")


class FieldWidget(ipywidgets.VBox):
    """The live form: what ``show(value)`` sets, and below it a message if a reader's text is not accepted."""

    value = traitlets.Any()

    def __init__(self, field, form, value, **options):
        self._field, self._following = field, False
        self.message = ipywidgets.HTML()
        super().__init__([form, self.message], value=value, **options)

    def read(self, written):
        """Take the value in a text. If it is not possible, the message says why, and the old value stays."""
        if self._following:
            return
        try:
            self.take(self._field.check(written))
        except ValueError as error:
            self.message.value = f'<span role="alert">{html.escape(str(error))}</span>'

    def take(self, value):
        """Set the form to the value."""
        self._following = True
        try:
            self.message.value = ""
            self.show(value)
        finally:
            self._following = False
        self.value = value


class TypedWidget(FieldWidget):
    """A field, perhaps with a slider that follows it."""

    def __init__(self, field, value, places=(), button=None, width="7em"):
        self._places = places
        label, self.slider = None, None
        options = {"description": field.title, "style": {"description_width": "initial"}}
        if places:
            # A widget of its own, because a description is text only: d_k in place of dₖ.
            label = ipywidgets.HTML(label_markup(field.title), layout={"margin": "2px 10px 2px 2px"})
            # A slider of numbers would go to its nearest step when a browser shows it, and send that back.
            room = {"width": "200px"}  # beside the label and the field, where the controls are beside the picture
            self.slider = ipywidgets.IntSlider(
                self._place_of(value), 0, len(places) - 1, readout=False, tooltip=field.title, layout=room
            )
            self.slider.observe(lambda change: self._following or self.take(places[change["new"]]), "value")
            options = {"tooltip": say("{label}, typed", label=field.title)}
        layout = {"width": width if places else f"calc({width} + 8em)", "max_width": "calc(100% - 4px)"}
        self.typed = ipywidgets.Text(field.in_words(value), continuous_update=False, layout=layout, **options)
        row = [part for part in (label, self.slider, self.typed, button) if part is not None]
        row = ipywidgets.Box(row, layout={"flex_flow": "row wrap"})
        super().__init__(field, row, value, layout={"max_width": "100%"})
        self.typed.observe(lambda change: self.read(change["new"]), "value")

    def _place_of(self, value):
        """The slider's position nearest to the value."""
        return min(range(len(self._places)), key=lambda i: abs(self._places[i] - value))

    def show(self, value):
        self.typed.value = self._field.in_words(value)
        if self.slider is not None:
            self.slider.value = self._place_of(value)
