"""Words, pictures and code of a chapter, as a reader meets them; `python -m tools.reading_time` prints them."""

import ast
import re

from website.reading import times

NOT_SHOWN = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
WIDTH = re.compile(r"(?:.?[<>^=])?[-+ ]?#?0?\d")  # the beginning of a format that asks for a width, such as >8


def count(nb):
    """A chapter's words, its pictures, and its words before the first picture."""
    total = found = 0
    before = None
    for *_, parts in times.sections(nb):
        for part in parts:
            if before is None and pictures(part):
                before = total
            total += words(part)
            found += pictures(part)
    return total, found, total if before is None else before


def words(part):
    return words_in(part.source) if part.cell_type == "markdown" else 0


def words_in(text):
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"\$[^$]+\$", "x", re.sub(r"\$\$.+?\$\$", " ", text, flags=re.S))
    text = re.sub(r"<[^>]+>", " ", re.sub(r"\]\([^)]*\)", "]", text))
    return len(re.findall(r"\w[\w'’.,-]*", text))


def pictures(part):
    """The pictures in a piece of prose; for a cell, 1 if its outputs have one."""
    if part.cell_type == "markdown":
        return len(re.findall(r"!\[|<svg|```\{figure", part.source))
    return int(any(is_picture(output.get("data", {})) for output in part.outputs))


def is_picture(data):
    return "image/png" in data or "image/svg+xml" in data or "<svg" in "".join(data.get("text/html", ""))


def is_visible(cell):
    return cell.cell_type == "code" and not NOT_SHOWN & set(cell.metadata.get("tags", []))


def lines(cell):
    return [line for line in cell.source.splitlines() if line.strip()]


def visible_code(nb):
    """The number of lines in the longest visible cell, and how many visible lines call print."""
    shown = [lines(cell) for cell in nb.cells if is_visible(cell)]
    return max(map(len, shown), default=0), sum("print(" in line for cell in shown for line in cell)


def prints_in_columns(source):
    """Whether the code prints with a width, as in ``print(f"{x:8}")``: a table made of text."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    prints = [call for call in calls if getattr(call.func, "id", "") == "print"]
    return any(asks_for_width(node) for call in prints for node in ast.walk(call))


def asks_for_width(node):
    if isinstance(node, ast.Attribute):
        return node.attr in ("ljust", "rjust", "center")
    if not isinstance(node, ast.FormattedValue) or not node.format_spec:
        return False
    spec = "".join(str(part.value) if isinstance(part, ast.Constant) else "1" for part in node.format_spec.values)
    return WIDTH.match(spec) is not None
