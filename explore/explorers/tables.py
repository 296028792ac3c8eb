"""Controls for several numbers: a point to drag, a table to edit, switches. On the page: tables.js and handles.js.

In text, spaces or commas separate numbers, and semicolons separate rows: ``1 0; 0 1``.
"""

import html
import inspect

import ipywidgets

from languages import of_picture, say, say_number

from .controls import label_html, label_markup, name_html
from .fields import Field, FieldWidget, Number, refused


def point(reach):
    """For ``explore``: a pair of numbers from ``-reach`` to ``reach``. On the page you can drag its mark."""
    return Point([""], ["x", "y"], -reach, reach)


def table(rows, columns, low, high):
    """For ``explore``: numbers from ``low`` to ``high``, one for each pair of a row and a column."""
    return Table(rows, columns, low, high)


def switches(rows, columns, shown_as=None):
    """For ``explore``: yes or no for each pair of a row and a column.

    On the page the switches are a table, or, with ``shown_as``, the cells of this artist: a filled cell means yes.
    """
    return Switches(rows, columns, shown_as)


class Table(Field):
    kind = "table"
    classes = "explorer-control explorer-table"
    whole = False

    def __init__(self, rows, columns, low, high):
        for name, names in (("rows", rows), ("columns", columns)):
            if not isinstance(names, (list, tuple)) or not names or not all(isinstance(x, str) for x in names):
                raise TypeError(f"{name} must be a list of names, got {names!r:.80}")
        self.rows, self.columns = list(rows), list(columns)
        self.entry = Number(low, high, log=False, whole=self.whole)
        self.first = self._filled_with(self.entry.low)

    def _filled_with(self, x):
        return ((x,) * len(self.columns),) * len(self.rows)

    def named(self, name, label=""):
        field = super().named(name, label)
        field.entry = self.entry.named(name, label)
        return field

    def start(self, default):
        if default is None or default is inspect.Parameter.empty:
            return self.first
        if not isinstance(default, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in default):
            raise TypeError(f"{self.label} must be rows of numbers, got {default!r:.80}")
        return self.check(self.in_words(default))

    def in_words(self, value):
        return "; ".join(" ".join(self.entry.in_words(x) for x in row) for row in value)

    def check(self, written):
        """The rows of numbers; a ``ValueError`` says what is wrong with them."""
        rows = [row.replace(",", " ").split() for row in written.split(";")]
        if [len(row) for row in rows] != [len(self.columns)] * len(self.rows):
            raise refused(self.expected, written)
        return tuple(tuple(self.entry.check(x) for x in row) for row in rows)

    @property
    def expected(self):
        words, columns = {"label": self.title, "rows": len(self.rows)}, len(self.columns)
        if len(self.rows) == 1:
            return say_number("{label} must have {n} number", "{label} must have {n} numbers", columns, **words)
        return say_number(
            "{label} must have {rows} rows and {n} number in each row",
            "{label} must have {rows} rows and {n} numbers in each row",
            columns,
            **words,
        )

    def positions(self):
        """The positions that are drawn to check an explorer: all numbers at their low end, or all at their high end."""
        return [self._filled_with(self.entry.low), self._filled_with(self.entry.high)]

    def form_html(self, ident, start):
        rows = "".join(
            f"<tr><th>{html.escape(of_picture(name))}</th>{self._cells(ident, i, row)}</tr>"
            for i, (name, row) in enumerate(zip(self.rows, start, strict=True))
        )
        head = "".join(f"<th>{html.escape(of_picture(name))}</th>" for name in self.columns)
        table = f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>"
        return f"{name_html(self.title)}{table}"

    def name_of(self, i, j):
        return " ".join(filter(None, [self.title, of_picture(self.rows[i]), of_picture(self.columns[j])]))

    def _cells(self, ident, i, row):
        return "".join(
            f'<td><input type="text" autocomplete="off" aria-label="{html.escape(self.name_of(i, j))}" '
            f'aria-describedby="{ident}-problem" value="{self.entry.in_words(x)}"></td>'
            for j, x in enumerate(row)
        )

    def for_the_page(self, start):
        size = {"kind": self.kind, "rows": len(self.rows), "columns": len(self.columns)}
        entry = self.entry.for_the_page([x for row in start for x in row])
        return entry | size | {"expected": self.expected, "entry_expected": entry["expected"]}

    def widget(self, value):
        return TableWidget(self, value)


class Point(Table):
    kind = "point"
    classes = Field.classes

    def start(self, default):
        return super().start([default] if isinstance(default, (list, tuple)) else default)

    def value_at(self, position):
        return position[0]

    def form_html(self, ident, start):
        name = html.escape(say("move {label} with the arrow keys", label=self.title))
        return (
            f"{label_html(ident, self.title)}"
            f'<button type="button" class="explorer-mover" aria-label="{name}">✥</button>'
            f'<input type="text" id="{ident}" autocomplete="off" aria-describedby="{ident}-problem" '
            f'value="{self.in_words(start)}">'
        )


class Switches(Table):
    kind = "switches"
    whole = True

    def __init__(self, rows, columns, shown_as):
        super().__init__(rows, columns, 0, 1)
        self.shown_as = shown_as
        if shown_as is not None:
            self.classes = "explorer-control"

    def value_at(self, position):
        return [[bool(x) for x in row] for row in position]

    def _cells(self, ident, i, row):
        return "".join(
            f'<td><button type="button" aria-pressed="false" aria-label="{html.escape(self.name_of(i, j))}"></button>'
            "</td>"
            for j in range(len(row))
        )

    def form_html(self, ident, start):
        if self.shown_as is None:
            return super().form_html(ident, start)
        return f"{name_html(self.title)}<span>{html.escape(say('click cells in the picture'))}</span>"

    def for_the_page(self, start):
        about = super().for_the_page(start)
        if self.shown_as is None:
            return about
        pairs = [(of_picture(row), of_picture(column)) for row in self.rows for column in self.columns]
        names = [" ".join(filter(None, pair)) for pair in pairs]
        return about | {"shown_as": self.shown_as, "names": names}


class TableWidget(FieldWidget):
    """A number or a switch for each entry, with the names of rows and columns."""

    def __init__(self, field, value):
        kind, kept, width = (
            (ipywidgets.ToggleButton, bool, "2.4em")
            if isinstance(field, Switches)
            else (ipywidgets.FloatText, float, "4.1em")
        )
        columns = len(field.columns)
        middle = {"display": "flex", "justify_content": "center"}
        parts = [
            ipywidgets.HTML(label_markup(field.title)),
            *(ipywidgets.Label(of_picture(name), layout=middle) for name in field.columns),
        ]
        self.cells = []
        for i, row in enumerate(value):
            cells = [kind(kept(x), tooltip=field.name_of(i, j), layout={"width": width}) for j, x in enumerate(row)]
            self.cells += cells
            parts += [ipywidgets.Label(of_picture(field.rows[i])), *cells]
        layout = {
            "grid_template_columns": f"repeat({columns + 1}, max-content)",
            "max_width": "100%",
            "overflow": "auto",
        }
        super().__init__(field, ipywidgets.GridBox(parts, layout=layout), value)
        for cell in self.cells:
            cell.observe(lambda _: self.read(self._written()), "value")

    def _written(self):
        numbers = [str(int(cell.value) if self._field.whole else cell.value) for cell in self.cells]
        columns = len(self._field.columns)
        return "; ".join(" ".join(numbers[i : i + columns]) for i in range(0, len(numbers), columns))

    def show(self, value):
        for cell, x in zip(self.cells, (x for row in value for x in row), strict=True):
            cell.value = bool(x) if isinstance(cell, ipywidgets.ToggleButton) else x
