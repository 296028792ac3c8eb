"""Controls for a drawing function. With a kernel the function draws live; on a page it is a flip-book or a program."""

import asyncio
import contextlib
import copy
import functools
import html
import inspect
import itertools
import math
import traceback
from typing import NamedTuple

import ipywidgets
import matplotlib.pyplot as plt
from IPython.display import display
from matplotlib.figure import Figure

from languages import is_english, of_picture, say, say_again

from ..figures import style  # noqa: F401 - sets the book's figure style
from ..figures.colours import COLOR
from ..figures.description_for_ears import say_figure
from ..figures.description_to_compare import describe_figure
from ..figures.legible import check_legible
from ..figures.panels import panels_of
from ..figures.png import figure_to_png
from ..figures.svg import ROW, figure_to_svg, least_width
from ..figures.text import first_sentence, on_one_line, text_of_markup
from ..mode import PAGE, in_notebook, is_checked, needs_png
from .controls import MAX_FRAMES, Control, Wrapped
from .fields import Field
from .markup import page_markup, role_of, said
from .messages import handle_between_cells
from .scenes import name_axes
from .states import StatesWidget, check_states, positions_of

LIT = 1.2  # seconds: how long a control that a state has changed stays lit
READABLE = "44em"  # the width of a drawing that is text
MOST_STACKED = 3  # panels in a row; a live picture with more does not stack them, but scrolls sideways
BESIDE = "31em"  # the width of the controls beside a drawing: a slider with its field
SOON = 0.02  # seconds: time for a kernel to receive the values that a slider sent while the kernel was drawing


def explore(*states, **controls):
    """Turn a drawing function into an explorer and, in a notebook, show it.

    Each keyword names a parameter of the function and gives its values:

    - a list of numbers: a slider;
    - a list of names, or a dict from words to values of any kind: a menu. The function gets the value, and the reader
      sees the words, which for a list are the names (``delta_rule`` is shown as *delta rule*);
    - ``[False, True]``: a checkbox;
    - ``number(low, high)``, ``integer(low, high)``, ``text()`` or ``draws()``: any number, any text, or a new draw;
    - ``rare(values)``, with any of these: the control is under *more controls*, after all others;
    - ``labelled(words, values)``: the control has these words in place of the parameter's name.

    A control starts at the function's default for the parameter (a slider at the value nearest to it), or else at the
    first value. ``state(name, sentence, …)`` before the keywords makes a button that sets all controls and says what to
    notice. The function returns a matplotlib ``Figure`` or HTML text; its docstring is the caption and the
    accessible name.

    Raises ``TypeError`` for values of any other type and for names that are not parameters of the function,
    ``ValueError`` for an empty list, a value that is not finite or occurs twice, a default that its field does not
    take, and, if all controls are lists, for more than 240 combinations.
    """
    states = check_states(states)
    controls = [_control(name, values) for name, values in controls.items()]
    parsed = {control.name: control for control in sorted(controls, key=lambda control: control.is_rare)}
    if not parsed:
        raise ValueError("explore needs at least one control, as in explore(scale=[0.5, 1, 2])")
    is_open = any(control.is_open for control in parsed.values())
    if not is_open and math.prod(len(control.values) for control in parsed.values()) > MAX_FRAMES:
        count = math.prod(len(control.values) for control in parsed.values())
        sizes = " × ".join(f"{name} {len(control.values)}" for name, control in parsed.items())
        longest = max(parsed, key=lambda name: len(parsed[name].values))
        raise ValueError(
            f"explore draws every combination of values, at most {MAX_FRAMES}; "
            f"got {count} ({sizes}): thin out {longest}"
        )

    def decorate(function):
        explorer = Explorer(function, parsed, states)
        if in_notebook():
            # Drawn here and not by display(), which would print an error raised by the function and go on.
            data, metadata = explorer._repr_mimebundle_()
            display(data, metadata=metadata, raw=True)
        return explorer

    return decorate


def _control(name, values, label=""):
    if isinstance(values, Wrapped):
        control = _control(name, values.values, values.label or label)
        control.is_rare |= values.is_rare
        return control
    if isinstance(values, Field):
        return values.named(name, label)
    return values if isinstance(values, Control) else Control(name, values, label)


class Frame(NamedTuple):
    """One combination, drawn: the picture's markup, its name, its description in words, the same description with
    numbers that every machine reproduces, and the drawing that the function returned.
    """

    markup: str
    alt: str
    text: str
    summary: str
    drawing: object


class Explorer:
    """A drawing function with a control for each parameter. Made by ``explore``; calling it calls the function."""

    def __init__(self, function, controls, states=()):
        if not callable(function) or not hasattr(function, "__name__"):
            raise TypeError(f"explore decorates a function with a name, got {function!r:.80}")
        signature = inspect.signature(function)
        try:
            signature.bind(**controls)
        except TypeError as error:
            raise TypeError(f"{function.__name__}{signature} cannot take the controls by name: {error}") from None
        functools.update_wrapper(self, function)
        self.function = function
        self.ident = getattr(function, "ident", function.__name__)  # its id on pages; two explorers can share a program
        self.caption = on_one_line(inspect.getdoc(function) or "")
        if not self.caption:
            raise ValueError(f"{function.__name__} needs a docstring: it is the caption and the accessible name")
        self.controls = controls
        self.is_open = any(control.is_open for control in controls.values())
        defaults = {name: parameter.default for name, parameter in signature.parameters.items()}
        self.start = {name: control.start(defaults.get(name)) for name, control in controls.items()}
        self.still = {name: control.still(self.start[name]) for name, control in controls.items()}
        self.states = [(given, positions_of(given, controls, self.start)) for given in states]

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)

    def at(self, **values):
        """This explorer, begun with other values, which may be written as in a link: ``bench.at(d_k=32, n=64)``.

        Raises ``TypeError`` for a control that it does not have, ``ValueError`` for a value that the control does not
        take.
        """
        for name, value in values.items():
            if name not in self.controls:
                raise TypeError(f"{self.__name__} has no control {name!r}; it has {', '.join(self.controls)}")
            control = self.controls[name]
            is_written = isinstance(value, str) and isinstance(control, Field)
            values[name] = control.check(value) if is_written else control.position_for(value)
        begun = copy.copy(self)
        begun.start = self.start | values
        begun.still = {name: control.still(begun.start[name]) for name, control in self.controls.items()}
        return begun

    def __repr__(self):
        sizes = ", ".join(
            f"{name} ({'any' if control.is_open else len(control.values)})" for name, control in self.controls.items()
        )
        return f"Explorer {self.__name__}: {sizes}"

    def combinations(self):
        """Tuples of positions that are drawn when the explorer is checked: all, with the last control changing fastest.

        An open explorer (one with a control that takes any value) has endless combinations. Only some of them are
        drawn: the start, each control moved alone, the states, and all controls moved at once. A control with a long
        list moves to the first, a middle and the last value.
        """
        positions = [control.positions() for control in self.controls.values()]
        if not self.is_open:
            return list(itertools.product(*positions))
        positions = [[own[0], own[len(own) // 2], own[-1]] if len(own) > 5 else own for own in positions]
        start = tuple(self.start.values())
        moved = [(*start[:k], position, *start[k + 1 :]) for k, own in enumerate(positions) for position in own]
        corners = [tuple(own[0] for own in positions), tuple(own[-1] for own in positions)]
        return list(dict.fromkeys([start, *moved, *corners, *(positions for _, positions in self.states)]))

    def values_in_words(self, positions):
        """The values at these positions in English, as outputs are stored: ``σ = 2, n = 32``."""
        pairs = zip(self.controls.values(), positions, strict=True)
        return ", ".join(f"{control.label} = {control.in_words(position)}" for control, position in pairs)

    def values_shown(self, positions):
        """The same in the reader's language."""
        pairs = zip(self.controls.values(), positions, strict=True)
        return ", ".join(f"{control.title} = {control.shown(position)}" for control, position in pairs)

    def draw(self, positions, *, in_words=False):
        """Call the function for one combination and return a ``Frame``; ``in_words`` leaves out the picture's markup.

        An error names the combination.
        """
        pairs = zip(self.controls.items(), positions, strict=True)
        values = {name: control.value_at(position) for (name, control), position in pairs}
        where = self.values_in_words(positions)
        before = set(plt.get_fignums())
        try:
            drawing = self.function(**values)
            if not isinstance(drawing, Figure) and not (isinstance(drawing, str) and drawing.strip()):
                raise TypeError(
                    f"{self.__name__} must return a matplotlib Figure or HTML text, "
                    f"got {type(drawing).__name__} {drawing!r:.80} at {where}"
                )
            caption = first_sentence(of_picture(self.caption))
            alt = say("{caption} ({values})", caption=caption, values=self.values_shown(positions))
            if isinstance(drawing, str) and self.is_open:
                raise TypeError(f"{self.__name__} takes any number, so it must return a Figure, got {type(drawing)}")
            if isinstance(drawing, str):
                return Frame(_said(drawing), alt, "", text_of_markup(drawing), drawing)
            if self.is_open:
                name_axes(drawing)
            if is_checked() and tuple(positions) in (tuple(self.start.values()), tuple(self.still.values())):
                check_legible(drawing, self.panels)
            markup = "" if in_words else figure_to_svg(drawing, f"{self.__name__} {self.caption}", self.panels)
            return Frame(_said(markup), alt, say_figure(drawing), describe_figure(drawing), drawing)
        except Exception as error:
            error.add_note(f"in explorer {self.__name__} at {where}")
            raise
        finally:  # otherwise the notebook would show the figures again
            for number in set(plt.get_fignums()) - before:
                plt.close(number)

    @functools.cached_property
    def panels(self):
        """Where the figure is cut at the start. Every frame is cut there; otherwise panels would jump."""
        fig = self.function(**{name: control.value_at(self.start[name]) for name, control in self.controls.items()})
        return panels_of(fig)

    def frames(self):
        """A list with a ``Frame`` for every combination, with the last control changing fastest.

        Only the frames at ``start`` and ``still`` hold a drawing. The page of an open explorer shows only the start, so
        pictures are made only there, with all controls at one end or all at the other, and in each state.
        """
        start, combinations = tuple(self.start.values()), self.combinations()
        kept = {start, tuple(self.still.values())}
        shown = {start, *combinations[-2 - len(self.states) :]} if self.is_open else set(combinations)
        drawn = (self.draw(positions, in_words=positions not in shown) for positions in combinations)
        return [
            frame if positions in kept else frame._replace(drawing=None)
            for positions, frame in zip(combinations, drawn, strict=True)
        ]

    def _repr_mimebundle_(self, include=None, exclude=None):
        if is_checked():
            frames = self.frames()
            first = frames[self.combinations().index(tuple(self.start.values()))]
            still = frames[self.combinations().index(tuple(self.still.values()))]
            words = {"text/plain": self._summary(first, frames)}
            live = self.widget(first)._repr_mimebundle_()
            return _still(still) | live | words, {PAGE: page_markup(self, frames, first)}
        live = self.widget()._repr_mimebundle_() | {"text/plain": repr(self)}
        try:
            return _still(self.draw(tuple(self.still.values()))) | live, {}
        except Exception:  # the widget shows the error
            return live, {}

    def _summary(self, first, frames):
        """The words that are compared in place of pictures: for the first frame, for each control moved alone, and for
        each state, with its sentence.
        """
        start = tuple(self.start.values())
        is_figure = isinstance(first.drawing, Figure)
        words = describe_figure(first.drawing, thorough=True) if is_figure else first.summary
        lines = [repr(self), f"{self.values_in_words(start)}: {words}"]
        for positions, frame in zip(self.combinations(), frames, strict=True):
            moved = [k for k, (i, j) in enumerate(zip(positions, start, strict=True)) if i != j]
            for given in (given for given, at in self.states if at == positions):
                lines.append(f"{given.name} ({self.values_in_words(positions)}): {given.sentence} {frame.summary}")
            if len(moved) == 1:
                control = list(self.controls.values())[moved[0]]
                lines.append(f"{control.label} = {control.in_words(positions[moved[0]])}: {frame.summary}")
        return "\n".join(lines)

    def _line_of(self, error):
        """The line of the function's cell or file where ``error`` was last; nothing if it was never there."""
        file = getattr(getattr(inspect.unwrap(self.function), "__code__", None), "co_filename", None)
        here = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        return [f"line {here[-1].lineno}: {here[-1].line}"] if here else []

    def widget(self, first=None):
        """The live form: ipywidgets controls and the drawing, which begins with the ``first`` frame if given.

        The drawing is beside the controls, so that both are in sight. Where there is no room for it, it is below them.
        If the figure has a label, it is above the picture.
        """
        drawing = ipywidgets.HTML(layout={"flex": f"100 1 {READABLE}", "min_width": "0"})
        widgets = [control.widget(self.start[name]) for name, control in self.controls.items()]
        waiting = False

        def update(frame=None):
            nonlocal waiting
            waiting = False
            pairs = zip(self.controls.values(), widgets, strict=True)
            positions = [control.position_of(widget.value) for control, widget in pairs]
            states.press(positions)
            try:
                frame = frame or self.draw(positions)
            except Exception as error:  # shown where the drawing would be; moving a control draws again
                lines = [f"{type(error).__name__}: {error}", *getattr(error, "__notes__", []), *self._line_of(error)]
                style = f"color: {COLOR['theory']}; white-space: pre-wrap"
                message = html.escape("\n".join(lines))
                drawing.value = f'<pre role="alert" style="{style}">{message}</pre>'
            else:
                name = html.escape(f"{frame.alt} {frame.text}".strip())
                role = role_of(frame.markup)
                style = f"{ROW}; justify-content: flex-start" if role == "img" else f"max-width: {READABLE}"
                above = ""
                if isinstance(frame.drawing, Figure):
                    least = least_width(self.panels)
                    drawing.layout.flex = f"100 1 {least + 8:.0f}px"  # 8: margins
                    if max(map(len, self.panels)) > MOST_STACKED:
                        style += f"; min-width: {least:.0f}px"
                    above = said_above(frame.drawing.get_label())
                picture = f'<div role="{role}" aria-label="{name}" style="{style}">{frame.markup}</div>'
                drawing.value = f'{above}<div style="overflow-x: auto; width: 0; min-width: 100%">{picture}</div>'

        def update_soon(_):
            """Update once for all values that have arrived; values that a slider has already passed are not drawn."""
            nonlocal waiting
            try:
                loop = asyncio.get_running_loop()
            except RuntimeError:  # no kernel, so no more values can arrive
                update()
            else:
                if not waiting:
                    waiting = True
                    loop.call_later(SOON, update)

        def take(positions):
            triples = list(zip(self.controls.values(), widgets, positions, strict=True))
            light([widget for control, widget, position in triples if control.position_of(widget.value) != position])
            for control, widget, position in triples:
                control.move_widget(widget, position)
            with contextlib.suppress(RuntimeError):  # no kernel, so no reader sees the light
                asyncio.get_running_loop().call_later(LIT, light, [])

        def light(changed):
            for widget in widgets:
                widget.layout.border = f"2px solid {COLOR['query']}" if widget in changed else None

        states = StatesWidget(self.states, take)
        for widget in widgets:
            widget.observe(update_soon, "value")
        common = [
            widget for widget, control in zip(widgets, self.controls.values(), strict=True) if not control.is_rare
        ]
        more = [ipywidgets.Accordion([ipywidgets.VBox(widgets[len(common) :])], titles=[say("more controls")])]
        update(first)
        wrapped = {"flex_flow": "row wrap", "align_content": "flex-start", "min_width": "0", "grid_gap": "0 10px"}
        busy = ipywidgets.HTML(layout={"flex": "1 0 100%", "display": "none"})

        def tell(is_busy):
            words = html.escape(say("A cell is running: the picture follows when it has ended."))
            busy.value = f'<span role="status">{words}</span>' if is_busy else ""
            busy.layout.display = None if is_busy else "none"

        controls = [*common, *(more if widgets[len(common) :] else []), busy]
        beside = [ipywidgets.Box(controls, layout=wrapped | {"flex": f"1 1 {BESIDE}"}), drawing]
        caption = ipywidgets.HTML(f"<em>{html.escape(of_picture(self.caption))}</em>")
        whole = ipywidgets.VBox([*([states] if self.states else []), ipywidgets.Box(beside, layout=wrapped), caption])
        handle_between_cells(whole, tell)
        return whole


def _said(markup):
    """A drawing with its words in the reader's language. The page says a stored one, which is English, again."""
    return markup if is_english() else said(markup, say_again)


def said_above(label):
    """Sentences above a live picture, one a line, which leave it where it is while they grow: a figure's label."""
    lines = "<br>".join(html.escape(say_again(line)) for line in label.split("\n"))
    return label and f'<p role="status" style="line-height: 1.4; min-height: 4.2em; margin: 4px">{lines}</p>'


def _still(frame):
    """A frame for places that run neither a kernel nor scripts: a code host's preview, a PDF."""
    if not isinstance(frame.drawing, Figure):
        return {"text/html": frame.markup}
    return {"image/png": figure_to_png(frame.drawing)} if needs_png() else {}
