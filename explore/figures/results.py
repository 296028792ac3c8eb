"""Results with rows and columns, as a table on the page and in the notebook."""

import html

from IPython.display import display
from tabulate import tabulate

from languages import of_picture, say

from .text import on_one_line


def show_table(columns, *, digits=2, caption=""):
    """Show results as a table: ``columns`` maps the words above each column to its values, one for each row.

    Floats have ``digits`` digits after the point. ``digits`` is one number for all columns, or a dict from a column's
    words to its number.
    Integers, booleans and words stay as they are. A torch tensor counts as a list of its numbers.

    Raises ``TypeError`` if ``columns`` is not a dict or ``caption`` is not text, ``ValueError`` for columns of
    different lengths, for no columns, or if ``digits`` names a column that does not exist.
    """
    if not isinstance(columns, dict):
        raise TypeError(f"columns must map words to values, got {type(columns).__name__}")
    if not isinstance(caption, str):
        raise TypeError(f"caption must be text, got {type(caption).__name__}")
    values = {words: [x.item() if hasattr(x, "item") else x for x in column] for words, column in columns.items()}
    lengths = {words: len(column) for words, column in values.items()}
    if len(set(lengths.values())) != 1 or not max(lengths.values(), default=0):
        raise ValueError(f"columns must have the same number of rows, at least one, got {lengths}")
    of_column = digits if isinstance(digits, dict) else dict.fromkeys(values, digits)
    if unknown := set(of_column) - set(values):
        raise ValueError(f"digits names {sorted(unknown)}, which are not columns: {list(values)}")
    written = {words: [_written(x, of_column.get(words, 2)) for x in column] for words, column in values.items()}
    options = {
        "headers": list(map(of_picture, written)),
        "colalign": ["right" if all(map(_is_number, column)) else "left" for column in values.values()],
        "disable_numparse": True,  # the numbers have their digits already
    }
    rows = list(zip(*written.values(), strict=True))
    caption = of_picture(on_one_line(caption))
    note = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
    markup = f'<figure class="results" tabindex="0">{tabulate(rows, tablefmt="html", **options)}{note}</figure>'
    plain = "\n".join(filter(None, [tabulate(rows, tablefmt="simple", **options), caption]))
    display({"text/html": markup, "text/plain": plain}, raw=True)


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _written(value, digits):
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if not isinstance(value, float):
        return of_picture(str(value))
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")
