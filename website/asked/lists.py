"""`python -m website.asked.lists` writes the questions of each chapter at its end, as links to their answers."""

import nbformat

from languages import say
from website.asked.questions import most_asked
from website.grammar import PEOPLE_ASK
from website.places import chapters

HEADING = f"## {PEOPLE_ASK}"
COUNT = 8


def end_of(number):
    """The last cell of chapter ``number``: its questions with most askers."""
    links = [f"- [{one.title}](../back_matter/{one.address})" for one in most_asked(COUNT, number)]
    return "\n".join([HEADING, "", *links, "", f"[{say('All questions')}](../back_matter/questions_people_ask.md)"])


def is_end(cell):
    return cell.source.startswith(HEADING)


def main():
    for path in chapters():
        nb = nbformat.read(path, as_version=4)
        last = nb.cells[-1]
        if not is_end(last):
            raise SystemExit(f"{path.name}: the last cell must begin with {HEADING!r}, got {last.source[:40]!r}")
        last.source = end_of(int(path.stem[:2]))
        nbformat.write(nb, path)


if __name__ == "__main__":
    main()
