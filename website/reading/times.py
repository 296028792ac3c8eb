"""How long it takes to read a chapter and its core. The site and the edition say so; the sources hold no minutes.

A section that begins with *Second reading.* is left out of the core, together with its subsections.
Exercises, notes and folded code do not count, and a displayed formula counts as eight words. The rates in
``IN_A_MINUTE`` are such that strict readers, who made every prediction and timed the first readings of chapters 0 to 7,
needed about as long as these say; a table's rows were added after readings of chapters 8 to 15.
"""

import re
from collections import Counter
from itertools import takewhile

import nbformat

from languages import say, say_number
from website.grammar import AIMS, EXERCISES, QUESTIONS, SECOND_READING
from website.notes import MARK as MARK_OF_NOTE
from website.notes import NOTE
from website.places import ROOT, source

MARK = f"*{SECOND_READING}*"
IN_A_MINUTE = {"words": 150, "rows": 5, "lines": 15, "questions": 1, "pictures": 1.5, "explorers": 0.5}
NEEDS = re.compile(rf"(^{AIMS}$\n\n(?:[- ] .*\n)+\n)(.*)", re.MULTILINE)  # the minutes stand before what it needs
CORE = re.compile(r"\((chapters/\w+\.ipynb)#first-reading\)")


def sections(nb):
    """For each section: its heading, its level, whether it is in the core, and its parts (cells, or pieces of them)."""
    found, folded = [("", 0, True, [])], 0  # folded: the level of the section being left out, or 0
    for cell in nb.cells:
        pieces = re.split(r"^(?=#{1,3} )", cell.source, flags=re.M) if cell.cell_type == "markdown" else []
        for piece in filter(str.strip, pieces):
            if heading := re.match(r"(#+) (.+)\n*", piece):
                level = len(heading[1])
                if folded and level <= folded:
                    folded = 0
                if is_marked(piece):
                    folded = folded or level
                found.append((heading[2], level, not folded, []))
            found[-1][3].append(nbformat.v4.new_markdown_cell(piece, id=cell.id))
        if cell.cell_type == "code":
            found[-1][3].append(cell)
    return found


def is_marked(piece):
    return re.match(r"#+ .+\n+" + re.escape(MARK), piece) is not None


def before_exercises(nb):
    return takewhile(lambda section: section[0] != EXERCISES, sections(nb))


def counts(part):
    """What there is to read in a part, by the names in ``IN_A_MINUTE``."""
    if part.cell_type == "markdown":
        text = NOTE.sub("", MARK_OF_NOTE.sub("", part.source))
        text = re.sub(r"<!--.*?-->|<details>.*?</details>|<[^>\n]*>", "", text, flags=re.S)
        questions = re.findall(QUESTIONS, text, re.M)
        rows = re.findall(r"^\|(?!-)", text, re.M)  # of tables
        return Counter(words=words_in(text), rows=len(rows), questions=len(questions))
    explorer, picture = "@explore(" in part.source, "show(" in part.source or "@walk(" in part.source
    is_read = not explorer and not {"hide-input", "hide-cell"} & set(part.metadata.get("tags", []))
    lines = sum(bool(line.strip()) for line in part.source.splitlines()) if is_read else 0
    return Counter(lines=lines, pictures=int(picture), explorers=int(explorer))


def words_in(text):
    text = re.sub(r"\$\$.+?\$\$", " formula" * 8 + " ", text, flags=re.S)
    text = re.sub(r"\]\([^)]*\)", "]", re.sub(r"\$[^$]+\$", "x", text))
    return len(re.findall(r"\w[\w'’.,-]*", text))


def minutes(parts):
    return sum(count / IN_A_MINUTE[name] for part in parts for name, count in counts(part).items())


def reading_time(nb):
    """Minutes for the whole chapter and for its core, both without exercises."""
    times = [(minutes(parts), in_core) for _, _, in_core, parts in before_exercises(nb)]
    return sum(time for time, _ in times), sum(time for time, in_core in times if in_core)


def rounded(nb):
    """These two numbers as pages say them. In all languages they are those of the ``source``."""
    return [5 * round(time / 5) for time in reading_time(nb)]


def in_short(nb):
    whole, core = rounded(nb)
    if core < whole:
        return say("{core} to {whole} minutes", core=core, whole=whole)
    return say_number("{n} minute", "{n} minutes", whole)


def with_minutes(text, nb, costs=""):
    """The text of a cell with the minutes of its chapter (and a sentence on the chapter's ``costs`` after what it
    needs), and with those of each core to which it leads.
    """

    def around_what_it_needs(found):
        whole, core = rounded(nb)
        if core == whole:
            time = say_number("Time: {n} minute.", "Time: {n} minutes.", whole)
        else:
            time = say(
                "Time: {whole} minutes, or {core} without the sections marked *{mark}*.",
                whole=whole,
                core=core,
                mark=say(SECOND_READING).rstrip(".。"),
            )
        before = say("{sentence} {next}", sentence=time, next=found[2])
        return found[1] + (say("{sentence} {next}", sentence=before, next=costs) if costs else before)

    def with_core(link):
        return link[0] + say(", {core}\u00a0minutes", core=rounded(source(ROOT / link[1]))[1])

    return CORE.sub(with_core, NEEDS.sub(around_what_it_needs, text))


def second_readings(nb):
    """The minutes for each marked section with its subsections, in page order."""
    found = sections(nb)
    for number, (_, level, _, parts) in enumerate(found):
        if parts and is_marked(parts[0].source):
            after = next((i for i, other in enumerate(found) if i > number and other[1] <= level), None)
            yield sum(minutes(own) for *_, own in found[number:after])
