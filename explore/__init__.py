"""Figures with words, and sliders over a drawing function: live with a kernel, a flip-book on a static page.

    @explore(scale=log_range(0.1, 10, 9), length=[8, 32, 128])
    def sorted_softmax(scale=1.0, length=32):
        \"\"\"Sorted softmax of Gaussian scores as their scale grows.\"\"\"
        ...
        return fig

With a kernel this shows ipywidgets controls that call the function. While the book is built (the Sphinx extension in
``_ext`` says so through the environment), the function is drawn once for every combination of values, and the page gets
the drawings as SVG frames with native HTML controls: ipywidgets' own static export answers no slider without a kernel.

Importing this module sets the book's figure style.
"""

import base64
import functools
import gc
import hashlib
import html
import inspect
import io
import itertools
import json
import math
import os
import re
import sys
import textwrap
import time
from numbers import Integral, Real

import ipywidgets
import matplotlib as mpl
import matplotlib.pyplot as plt
import matplotlib.ticker
import numpy as np
from IPython import get_ipython
from IPython.display import HTML, Markdown, display
from matplotlib.figure import Figure
from tqdm.auto import tqdm

__all__ = ["COLOR", "Explorer", "explore", "linear_range", "log_range", "show", "watch"]

BOOK_BUILD = "ATTENTION_MEASURED_BOOK"  # set by the Sphinx extension for the kernels that it starts
UNWATCHED = "ATTENTION_MEASURED_UNWATCHED"  # set where notebooks run to store or to compare their outputs
MAX_FRAMES = 240

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

plt.rcParams.update(
    {
        "figure.figsize": (6.6, 2.9),
        "figure.dpi": 110,
        "figure.facecolor": "white",
        "figure.subplot.left": 0.1,
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


def log_range(low, high, num):
    """``num`` numbers from ``low`` to ``high`` in equal ratios, as a list for ``explore``.

    Raises ``TypeError`` for what is not a number, ``ValueError`` for an empty or non-finite range or ``low`` ≤ 0.
    """
    low, high = _check_range(low, high, num)
    if low <= 0:
        raise ValueError(f"low must be above 0 for equal ratios, got {low}")
    return _rounded(np.geomspace(low, high, num))


def linear_range(low, high, num):
    """``num`` numbers from ``low`` to ``high`` in equal steps, as a list for ``explore``.

    Raises ``TypeError`` for what is not a number, ``ValueError`` for an empty or non-finite range.
    """
    low, high = _check_range(low, high, num)
    return _rounded(np.linspace(low, high, num))


def explore(**controls):
    """Turn a drawing function into an explorer and, in a notebook, show it.

    Each keyword names a parameter of the function and gives its values:

    - a list of numbers (``log_range`` and ``linear_range`` make some): a slider;
    - a list of names, or a dict from names to values of any kind: a menu;
    - ``[False, True]``, or one boolean to start from: a checkbox.

    It starts at the function's default for the parameter (a slider at the value nearest to it), else at the first
    value. The function returns a matplotlib ``Figure`` or HTML text; its docstring is the caption and the accessible
    name.

    Raises ``TypeError`` for values of no such type and for names that are no parameters of the function,
    ``ValueError`` for an empty list, a value that is not finite or comes twice, and for more than 240 combinations.
    """
    parsed = {name: _Control(name, values) for name, values in controls.items()}
    if not parsed:
        raise ValueError("explore needs at least one control, as in explore(scale=[0.5, 1, 2])")
    count = math.prod(len(control.values) for control in parsed.values())
    if count > MAX_FRAMES:
        sizes = " × ".join(f"{name} {len(control.values)}" for name, control in parsed.items())
        longest = max(parsed, key=lambda name: len(parsed[name].values))
        raise ValueError(
            f"explore draws every combination of values, at most {MAX_FRAMES}; "
            f"these are {count} ({sizes}): thin out {longest}"
        )

    def decorate(function):
        explorer = Explorer(function, parsed)
        if get_ipython() is not None:
            # Drawn here and not by display(), which would print an error of the function and go on.
            display(explorer._repr_mimebundle_(), raw=True)
        return explorer

    return decorate


class Explorer:
    """A drawing function with a control for each parameter. Made by ``explore``; calling it calls the function."""

    def __init__(self, function, controls):
        if not callable(function) or not hasattr(function, "__name__"):
            raise TypeError(f"explore decorates a function with a name, got {function!r:.80}")
        parameters = inspect.signature(function).parameters
        takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
        for name in controls:
            if name not in parameters and not takes_any:
                raise TypeError(
                    f"{function.__name__} has no parameter {name!r}; it takes {', '.join(parameters) or 'none'}"
                )
        for name, parameter in parameters.items():
            variadic = parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
            if name in controls and (variadic or parameter.kind is parameter.POSITIONAL_ONLY):
                raise TypeError(f"{function.__name__} must take {name!r} by name, got {parameter}")
            if name not in controls and parameter.default is parameter.empty and not variadic:
                raise TypeError(
                    f"{function.__name__} needs {name!r}: give explore its values or the parameter a default"
                )
        functools.update_wrapper(self, function)
        self.function = function
        self.caption = _plain(inspect.getdoc(function) or "")
        if not self.caption:
            raise ValueError(f"{function.__name__} needs a docstring: it is the caption and the accessible name")
        self.controls = controls
        defaults = {name: parameter.default for name, parameter in parameters.items()}
        self.start = {name: control.start(defaults.get(name)) for name, control in controls.items()}  # indices

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)

    def __repr__(self):
        sizes = ", ".join(f"{name} ({len(control.values)})" for name, control in self.controls.items())
        return f"Explorer {self.__name__}: {sizes}"

    def combinations(self):
        """Every tuple of indices into the controls' values, the last control fastest."""
        return itertools.product(*(range(len(control.values)) for control in self.controls.values()))

    def describe(self, indices):
        """The values at these indices in words: ``σ = 2, n = 32``."""
        pairs = zip(self.controls.values(), indices, strict=True)
        return ", ".join(f"{control.label} = {control.labels[i]}" for control, i in pairs)

    def draw(self, indices):
        """Call the function for one combination: ``(markup, alt, text, result)``, where ``alt`` names the picture and
        ``text`` says what it shows. An error says which combination it was.
        """
        values = {name: control.values[i] for (name, control), i in zip(self.controls.items(), indices, strict=True)}
        before = set(plt.get_fignums())
        try:
            result = self.function(**values)
        except Exception as error:
            error.add_note(f"in explorer {self.__name__} at {self.describe(indices)}")
            raise
        finally:  # or the notebook would show them once more
            for number in set(plt.get_fignums()) - before:
                plt.close(number)
        alt = f"{self.caption} ({self.describe(indices)})"
        if isinstance(result, Figure):
            text = describe(result)
            return _svg(result, salt=f"{self.__name__} {self.caption}"), alt, text, result
        if isinstance(result, str) and result.strip():
            return result, alt, "", result
        raise TypeError(
            f"{self.__name__} must return a matplotlib Figure or HTML text, got {type(result).__name__} {result!r:.80} "
            f"at {self.describe(indices)}"
        )

    def frames(self):
        """Every combination drawn: a list of ``(markup, alt, text)``, the last control fastest."""
        # A figure is thousands of small objects in cycles. The collector is to look at those, seldom, and not again and
        # again at all that a notebook has imported: a sixth of the time.
        thresholds = gc.get_threshold()
        gc.freeze()
        gc.set_threshold(50_000)
        try:
            return [self.draw(indices)[:3] for indices in self.combinations()]
        finally:
            gc.set_threshold(*thresholds)
            gc.unfreeze()

    def _repr_mimebundle_(self, include=None, exclude=None):
        if os.environ.get(BOOK_BUILD):
            return self._still() | {"text/html": self.to_html(), "text/plain": repr(self)}
        live = self.widget()._repr_mimebundle_() | {"text/plain": repr(self)}
        try:
            return self._still() | live
        except Exception:  # the widget shows it
            return live

    def _still(self):
        """The first frame, for what runs neither a kernel nor scripts: a code host's preview, a PDF."""
        markup, _, _, result = self.draw(tuple(self.start.values()))
        return {"image/png": _png(result)} if isinstance(result, Figure) else {"text/html": markup}

    def widget(self):
        """The live form: ipywidgets controls above the drawing."""
        drawing = ipywidgets.HTML()
        widgets = [control.widget(self.start[name]) for name, control in self.controls.items()]

        def update(_=None):
            indices = [control.index(w.value) for control, w in zip(self.controls.values(), widgets, strict=True)]
            try:
                markup, alt, text, _ = self.draw(indices)
            except Exception as error:  # shown where the drawing would be; moving on recovers
                where = " ".join(getattr(error, "__notes__", []))
                message = f"{type(error).__name__}: {error} {where}"
                drawing.value = f'<pre role="alert" style="color: {COLOR["theory"]}">{html.escape(message)}</pre>'
            else:
                name = f'role="{_role(markup)}" aria-label="{html.escape(f"{alt} {text}".strip())}"'
                drawing.value = f'<div {name} style="max-width: 44em">{markup}</div>'

        for widget in widgets:
            widget.observe(update, "value")
        update()
        caption = ipywidgets.HTML(f"<em>{html.escape(self.caption)}</em>")
        return ipywidgets.VBox([*widgets, drawing, caption])

    def to_html(self):
        """The static form: native controls, the first frame, and all frames as data for ``explorer.js``."""
        frames = self.frames()
        shape = [len(control.values) for control in self.controls.values()]
        first = int(np.ravel_multi_index(tuple(self.start.values()), shape))
        # Neighbouring frames share most of their lines: each distinct line is stored once.
        lines, packed = {}, []
        for markup, _, _ in frames:
            packed.append([lines.setdefault(line, len(lines)) for line in markup.split("\n")])
        _, alts, texts = map(list, zip(*frames, strict=True))
        data = {"shape": shape, "lines": list(lines), "frames": packed, "alts": alts, "texts": texts}
        payload = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        payload = payload.replace("<", "\\u003c")  # nothing that ends or changes a script
        uid = f"{re.sub(r'[^a-zA-Z0-9_]', '', self.__name__)}-{hashlib.sha256(payload.encode()).hexdigest()[:8]}"
        topic = html.escape(textwrap.shorten(self.caption, 60, placeholder=" …"))
        controls = "".join(control.to_html(uid, self.start[name]) for name, control in self.controls.items())
        markup, alt, text = frames[first]
        return (
            f'<figure class="explorer" id="{uid}">\n'
            f'<fieldset class="explorer-controls" disabled><legend>Controls: {topic}</legend>{controls}</fieldset>\n'
            "<noscript><p>The controls need JavaScript. This is the picture for the values shown.</p></noscript>\n"
            f'<div class="explorer-frame" role="{_role(markup)}" aria-label="{html.escape(alt)}">{markup}</div>\n'
            f'{_hidden(text)}<p class="visually-hidden" role="status"></p>\n'
            f"<figcaption>{html.escape(self.caption)}</figcaption>\n"
            f'<script type="application/json">{payload}</script>\n'
            "</figure>"
        )


def show(fig, caption):
    """Show a figure with its caption, which is its accessible name as well: say what there is to see in it.

    Raises ``TypeError`` if ``fig`` is not a matplotlib figure or ``caption`` not text, ``ValueError`` for an empty
    caption.
    """
    if not isinstance(fig, Figure):
        raise TypeError(f"fig must be a matplotlib Figure, got {type(fig).__name__}")
    if not isinstance(caption, str):
        raise TypeError(f"caption must be text, got {type(caption).__name__}")
    caption = _plain(caption)
    if not caption:
        raise ValueError("caption must say what there is to see in the figure, got empty text")
    svg, png = _svg(fig, salt=caption), _png(fig)
    if os.environ.get(BOOK_BUILD):
        text = html.escape(caption)
        markup = (
            f'<figure class="still"><div class="explorer-frame" role="img" aria-label="{text}">{svg}</div>\n'
            f"{_hidden(describe(fig))}\n<figcaption>{text}</figcaption></figure>"
        )
        display({"text/html": markup, "image/png": png, "text/plain": caption}, raw=True)
    else:
        display({"image/png": png, "text/plain": caption}, raw=True)
        display(Markdown(f"*{caption}*"))


def watch(steps, draw=None):
    """Go through ``steps``; where somebody watches, with a progress bar, and with ``draw()`` shown anew each second.

    ``draw`` returns a matplotlib figure of the state of affairs. Both are gone in the end: what shall stay is shown by
    the cell itself. In a book build and in a plain Python program there is nothing to watch.
    """
    if get_ipython() is None or os.environ.get(BOOK_BUILD) or os.environ.get(UNWATCHED):
        yield from steps
        return
    picture = display(HTML(""), display_id=True)
    last = time.monotonic()
    try:
        for step in tqdm(steps, leave=False):
            yield step
            if draw is not None and time.monotonic() - last > 1:
                figure = draw()
                picture.update(figure)
                plt.close(figure)
                last = time.monotonic()
    finally:  # also when the loop is left early
        picture.update(HTML(""))


class _Control:
    """The values of one parameter, their labels, and which kind of control they get."""

    def __init__(self, name, values):
        self.name, self.label = name, _label(name)
        self.default = None
        if isinstance(values, bool):
            self.default, values = values, [False, True]
        if isinstance(values, dict):
            self.kind, self.labels, self.values = "menu", list(values), list(values.values())
            if not all(isinstance(label, str) for label in self.labels):
                raise TypeError(f"the keys of {name} must be names, got {self.labels!r}")
        elif isinstance(values, (list, tuple, range)) or (isinstance(values, np.ndarray) and values.ndim == 1):
            self.values = [x.item() if isinstance(x, np.generic) else x for x in values]
            self.kind = self._kind()
            self.labels = self._labels()
        else:
            raise TypeError(
                f"{name} must be a list of numbers, names or booleans, a dict from names or one boolean, "
                f"got {values!r:.80}"
            )
        if not self.values:
            raise ValueError(f"{name} has no values")
        if len(set(self.labels)) < len(self.labels):
            raise ValueError(f"{name} has the same value twice: {self.labels}")

    def _kind(self):
        if all(isinstance(x, bool) for x in self.values):
            if self.values and set(self.values) != {False, True}:
                raise ValueError(f"{self.name} must hold both False and True, got {self.values}")
            return "checkbox"
        if all(isinstance(x, Real) and not isinstance(x, bool) for x in self.values):
            for x in self.values:
                if not abs(x) <= sys.float_info.max:  # of infinity, NaN, 10**400
                    raise ValueError(f"{self.name} must hold finite numbers, got {x}")
            return "slider"
        if all(isinstance(x, str) for x in self.values):
            return "menu"
        raise TypeError(f"{self.name} must hold numbers only, names only or booleans only, got {self.values!r:.80}")

    def _labels(self):
        if self.kind != "slider":
            return [str(x) for x in self.values]
        for digits in range(3, 18):  # as few digits as keep the values apart
            labels = [str(x) if isinstance(x, Integral) else _number(x, digits) for x in self.values]
            if len(set(labels)) == len(labels):
                break
        return labels

    def start(self, default):
        """Index of the value to start from."""
        wanted = default if self.default is None else self.default
        if self.kind == "slider" and isinstance(wanted, Real):
            return min(range(len(self.values)), key=lambda i: abs(self.values[i] - wanted))
        for i, (label, x) in enumerate(zip(self.labels, self.values, strict=True)):
            # Of arrays and tensors == means another thing.
            if x is wanted or (isinstance(wanted, (str, Real)) and isinstance(x, (str, Real)) and x == wanted):
                return i
            if self.kind == "menu" and isinstance(wanted, str) and label == wanted:
                return i
        return 0

    def index(self, widget_value):
        return self.values.index(widget_value) if self.kind == "checkbox" else widget_value

    def widget(self, start):
        options = dict(description=self.label, style={"description_width": "initial"})
        if self.kind == "checkbox":
            return ipywidgets.Checkbox(value=self.values[start], **options)
        # The widget's value is the index: labels may round, and a menu's values may be of any kind.
        options |= dict(options=[(label, i) for i, label in enumerate(self.labels)], value=start)
        return ipywidgets.SelectionSlider(**options) if self.kind == "slider" else ipywidgets.Dropdown(**options)

    def to_html(self, uid, start):
        ident = f"{uid}-{self.name}"
        text = re.sub(r"_(\w+)$", r"<sub>\1</sub>", html.escape(self.label))
        label = f'<label for="{ident}">{text}</label>'
        if self.kind == "checkbox":
            # The position of each state in the list of values, False first as a rule.
            positions = f'data-unchecked="{self.values.index(False)}" data-checked="{self.values.index(True)}"'
            checked = " checked" if self.values[start] else ""
            field = f'<input type="checkbox" id="{ident}" {positions}{checked}>'
        elif self.kind == "slider":
            labels = html.escape(json.dumps(self.labels, ensure_ascii=False))
            now = html.escape(self.labels[start])
            width = max(len(text) for text in self.labels)
            field = (
                f'<input type="range" id="{ident}" min="0" max="{len(self.values) - 1}" step="1" value="{start}" '
                f'aria-valuetext="{now}" data-labels="{labels}">'
                f'<output for="{ident}" aria-live="off" style="min-width: {width}ch">{now}</output>'
            )
        else:
            options = "".join(
                f"<option{' selected' if i == start else ''}>{html.escape(text)}</option>"
                for i, text in enumerate(self.labels)
            )
            field = f'<select id="{ident}">{options}</select>'
        return f'<div class="explorer-control explorer-{self.kind}">{label}{field}</div>'


GREEK = {"sigma": "σ", "mu": "μ", "alpha": "α", "beta": "β", "tau": "τ", "sqrt": "√"}


def _label(name):
    """``sigma_q`` as σ_q, ``d_k`` as d_k, ``scaling_rule`` as scaling rule."""
    head, _, tail = name.partition("_")
    head = GREEK.get(head, head)
    return f"{head}_{tail}" if tail and len(head) == 1 else " ".join([head, *tail.split("_")]).strip()


def _number(x, digits):
    """At least so many digits of x: 0.05, 1234 (and not 1.23e+03), 1e-06."""
    whole = len(str(int(abs(x)))) if abs(x) < 1e6 else 0
    return f"{float(x):.{max(digits, whole)}g}"


def _rounded(numbers):
    """Ten digits: the same numbers on every machine, and labels without 0.30000000000000004."""
    numbers = [float(f"{x:.10g}") for x in numbers]
    if not all(a < b < math.inf for a, b in itertools.pairwise(numbers)):
        raise ValueError(f"a range needs numbers that ten digits tell apart, got {numbers!r:.80}")
    return numbers


def _plain(text):
    return " ".join(text.split())


def _check_range(low, high, num):
    """``low`` and ``high`` as floats."""
    ends = []
    for name, x in (("low", low), ("high", high)):
        if not isinstance(x, Real) or isinstance(x, bool):
            raise TypeError(f"{name} must be a number, got {x!r}")
        if not abs(x) <= sys.float_info.max / 2:
            raise ValueError(f"{name} must be finite, got {x}")
        ends.append(float(x))
    if not isinstance(num, Integral) or isinstance(num, bool):
        raise TypeError(f"num must be an integer, got {num!r}")
    if not 2 <= num <= MAX_FRAMES or low >= high:
        raise ValueError(
            f"a range needs low < high, num >= 2 and num <= {MAX_FRAMES}, got low={low}, high={high}, num={num}"
        )
    return ends


def _role(markup):
    """A drawing is one picture; HTML text of the function's own can be read as it is."""
    return "img" if markup.startswith("<svg") else "group"


def describe(fig):
    """What a figure shows, in words and numbers, for who cannot see it: axes, curves, points, bars, maps and notes."""
    parts = []
    for ax in fig.axes:
        if ax.get_visible():
            titles = [ax.get_title(where) for where in ("left", "center", "right")]
            labels = {"across": ax.get_xlabel(), "up": ax.get_ylabel()}
            axes = [f"{name}: {label}" for name, label in labels.items() if label]
            notes = [text.get_text() for text in ax.texts if text.get_visible()]
            notes = notes if len(notes) <= 12 else [f"{len(notes)} labels, such as {', '.join(notes[:3])}"]
            shown = [*filter(None, titles), *axes, *_curves(ax), *_areas(ax), *_maps(ax), *filter(None, notes)]
            parts.append(_spoken("; ".join(shown)))
    return _plain(". ".join(filter(None, [*parts, *(text.get_text() for text in fig.texts)])))


def _curves(ax):
    for line in ax.lines:
        x, y = (np.asarray(values, float) for values in line.get_data(orig=False))
        name = line.get_label() if not line.get_label().startswith("_") else "line"
        known = np.isfinite(x) & np.isfinite(y)
        if not line.get_visible() or not known.any():
            continue
        x, y = x[known], y[known]
        if line.get_transform() != ax.transData:  # a guide across the axes
            yield f"vertical line at {_say(x[0])}" if (x == x[0]).all() else f"horizontal line at {_say(y[0])}"
        elif (x == x[0]).all() and (y == y[0]).all():
            yield f"mark at {_say(x[0])}, {_say(y[0])}"
        elif (x == x[0]).all():
            yield f"{len(y)} points at {_say(x[0])}, from {_say(y.min())} to {_say(y.max())}"
        else:
            peak = "" if y.max() in (y[0], y[-1]) else f", highest {_say(y.max())} at {_say(x[y.argmax()])}"
            yield f"{name} from {_say(y[0])} at {_say(x[0])} to {_say(y[-1])} at {_say(x[-1])}{peak}"
    for points in ax.collections:
        xy = np.ma.filled(np.ma.asarray(points.get_offsets(), float), np.nan)
        if isinstance(points, mpl.collections.PathCollection) and len(xy):
            name = "" if points.get_label().startswith("_") else f"{points.get_label()}: "
            (x, y), (right, top) = np.nanmin(xy, 0), np.nanmax(xy, 0)
            yield f"{name}{len(xy)} points, {_say(x)} to {_say(right)} across, {_say(y)} to {_say(top)} up"


def _areas(ax):
    for bars in ax.containers:
        if isinstance(bars, mpl.container.BarContainer) and len(bars):
            sizes = [bar.get_height() if bars.orientation == "vertical" else bar.get_width() for bar in bars]
            few = ", ".join(map(_say, sizes[:12])) + (" …" if len(sizes) > 12 else "")
            name = "" if bars.get_label().startswith("_") else f"{bars.get_label()}: "
            yield f"{name}{len(sizes)} bar{'s' if len(sizes) > 1 else ''}: {few}"
    for patch in ax.patches:
        if isinstance(patch, mpl.patches.StepPatch):
            values = np.asarray(patch.get_data().values, float)
            yield f"steps from {_say(values[0])} to {_say(values[-1])}, highest {_say(values.max())}"
        elif isinstance(patch, mpl.patches.Polygon):  # a histogram drawn as one area
            x, y = patch.get_xy().T
            some = x[y > 0]
            if len(some):
                peak = f"highest {_say(y.max())} at {_say(x[y.argmax()])}"
                yield f"area from {_say(some.min())} to {_say(some.max())}, {peak}"


def _maps(ax):
    for image in ax.images:
        values = np.ma.filled(np.ma.asarray(image.get_array(), float), np.nan)
        if values.ndim != 2 or not np.isfinite(values).any():
            continue
        text = f"map of {values.shape[0]} rows and {values.shape[1]} columns"
        low, high = np.nanmin(values), np.nanmax(values)
        if low == high and np.isfinite(values).all():
            yield f"{text}, {_say(low)} everywhere"
            continue
        if low == high:  # a mask
            yield f"{text}, {np.isfinite(values).sum()} of {values.size} cells filled"
            continue
        places = np.argwhere(values == high)
        where = " in several cells"
        if len(places) == 1:
            row, column = (_tick(axis, place) for axis, place in zip((ax.yaxis, ax.xaxis), places[0], strict=True))
            where = f" in row {row}, column {column}"
        yield f"{text}, {_say(low)} to {_say(high)}, the largest{where}"


def _tick(axis, place):
    """The name that stands on the axis there, else its number."""
    labels = dict(zip(axis.get_ticklocs(), (label.get_text() for label in axis.get_ticklabels()), strict=False))
    name = labels.get(place, "")
    return name if re.search(r"[^\W\d]", name) else _say(place)


def _say(x):
    """Three digits, as one would say them: 0, 0.0312, 1024."""
    if x != 0 and not 1e-4 <= abs(x) < 1e7:
        return "0" if abs(x) < 1e-6 else f"{x:.2g}"
    return f"{x:.0f}" if abs(x) >= 1000 else f"{x:.3g}"


def _spoken(text):
    """Mathtext as plain letters."""
    return re.sub(r"\\(?:mathrm|mathbf|operatorname)|[${}\\]", "", text.replace(r"\sqrt", "√"))


def _hidden(text):
    # An explorer's script writes here what its present frame shows.
    return f'<p class="visually-hidden explorer-text">{html.escape(text)}</p>'


def _png(fig):
    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", metadata={"Software": None})
    return base64.b64encode(buffer.getvalue()).decode()


def _svg(fig, salt):
    """The figure as SVG for the inside of a page: its colours as CSS variables, its numbers short, its ids its own."""
    for ax in fig.axes:
        if ax.xaxis.get_ticks_position() == "bottom":
            ax.title.set_y(1.001)  # no search for room above ticks, which is a sixth of the time
        for axis in (ax.xaxis, ax.yaxis):
            _plain_powers(axis)
            if type(axis.get_major_locator()) is mpl.ticker.AutoLocator:
                axis.get_major_locator().set_params(nbins=6)  # of ten: room for the figures on a phone
    buffer = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": salt}):
        fig.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    plt.close(fig)  # or the notebook would show it once more
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :].rstrip()
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<style.*?</style>", "", svg, flags=re.DOTALL)
    referred = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda ident: ident[0] if ident[1] in referred else "", svg)
    svg = re.sub(r'<path d="[^"]*" style="fill: none"/>| transform="rotate\(-0 [^"]*"|font-family: [^;"]*;? ?', "", svg)
    svg = _without_bare_groups(re.sub(r"<[^>]*>", _short_tag, svg))
    width, height = (72 * x for x in fig.get_size_inches())
    svg = re.sub(
        r"<svg [^>]*>",
        # Natural width in CSS pixels: a small screen shrinks it by a quarter at most and scrolls the rest.
        f'<svg viewBox="0 0 {width:g} {height:g}" style="--natural: {width * 4 / 3:.0f}px" '
        'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" aria-hidden="true">',
        svg,
        count=1,
    )
    return "\n".join(line.strip() for line in svg.split("\n") if line.strip())


def _plain_powers(axis):
    """10⁻³ in letters: the page's font sets it, and mathtext takes as long for it as for the rest of the drawing.

    An axis of many decades loses its minor ticks as well, which were half of all elements of a page.
    """
    formatter = axis.get_major_formatter()
    if not isinstance(formatter, mpl.ticker.LogFormatterSciNotation):
        return
    low, high = np.log10(np.abs(axis.get_view_interval()))
    if high - low >= 3:
        axis.set_minor_locator(mpl.ticker.NullLocator())

    def power(x, position):
        exponent = math.log10(x) if x > 0 else math.nan
        if not exponent.is_integer():
            return formatter(x, position)
        return "10" + f"{exponent:.0f}".translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))

    if getattr(formatter, "_base", 10) == 10:
        axis.set_major_formatter(power)


def _without_bare_groups(svg):
    """Groups that have lost their ids and say nothing: a third of all elements."""
    kept = []

    def tag(match):
        if match[0] == "</g>":
            return match[0] if kept.pop() else ""
        kept.append(match[0] != "<g>")
        return match[0] if kept[-1] else ""

    return re.sub(r"<g\b[^>]*>|</g>", tag, svg)


def _short_tag(tag):
    """Coordinates to a hundredth of a point; factors and opacities as they are. Colours as the page's own."""
    text = re.sub(r"(?:matrix|scale)\([^)]*\)|opacity: [\d.]+|-?\d+\.\d{3,}", _short, tag[0])
    text = text.replace(INK, "currentColor")
    for name, colour in COLOR.items():
        text = text.replace(colour, f"var(--am-{name}, {colour})")
    return text


def _short(match):
    if not match[0][-1].isdigit() or match[0].startswith("opacity"):
        return match[0]
    number = f"{float(match[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if number == "-0" else number
