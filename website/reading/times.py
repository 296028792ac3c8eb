"""How long it takes to read a chapter and its core; `python -m tools.reading_time` prints these times.

A section that begins with *Second reading.* is left out of the core, together with its subsections. We count one minute
for 180 words of prose (a displayed formula counts as eight words), for 25 lines of code, for two questions, for two
pictures and for one explorer. Exercises and folded code do not count. These rates are assumptions, good only for
comparing chapters.
"""

import re

import nbformat

from website.edition.cells import SECOND_READING

MARK = f"*{SECOND_READING}*"


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


def minutes(parts):
    words = lines = questions = pictures = explorers = 0
    for part in parts:
        if part.cell_type == "markdown":
            text = re.sub(r"<!--.*?-->|<details>.*?</details>|<[^>\n]*>", "", part.source, flags=re.S)
            questions += len(re.findall(r"^> \*\*(?:Predict|Quiz)\.\*\*", text, re.M))
            text = re.sub(r"\$\$.+?\$\$", " formula" * 8 + " ", text, flags=re.S)
            text = re.sub(r"\]\([^)]*\)", "]", re.sub(r"\$[^$]+\$", "x", text))
            words += len(re.findall(r"\w[\w'’.,-]*", text))
            continue
        pictures += "show(" in part.source or "@walk(" in part.source
        if "@explore(" in part.source:
            explorers += 1
        elif not {"hide-input", "hide-cell"} & set(part.metadata.get("tags", [])):
            lines += sum(bool(line.strip()) for line in part.source.splitlines())
    return words / 180 + lines / 25 + questions / 2 + pictures / 2 + explorers


def reading_time(nb):
    """Minutes for the whole chapter and for its core, both without exercises."""
    whole = core = 0.0
    for heading, _, in_core, parts in sections(nb):
        if heading == "Exercises":
            break
        whole += minutes(parts)
        core += minutes(parts) * in_core
    return whole, core


def second_readings(nb):
    """The minutes for each marked section with its subsections, in page order."""
    found = sections(nb)
    for number, (_, level, _, parts) in enumerate(found):
        if parts and is_marked(parts[0].source):
            after = next((i for i, other in enumerate(found) if i > number and other[1] <= level), None)
            yield sum(minutes(own) for *_, own in found[number:after])


def rounded(time):
    return 5 * round(time / 5)
