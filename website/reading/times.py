"""How long it takes to read a chapter and its core: `python -m website.reading.times`.

A section with *Second reading.* as its first line is left out of the core, together with everything below it. We count
one minute for 180 words of prose (a displayed formula counts as eight), for 25 lines of code, for two questions and for
an explorer; we do not count exercises and folded code. These are assumptions; the counts are only good for comparing.
"""

import re
import sys

import nbformat

from website.places import chapters, named, read

MARK = "*Second reading.*"


def sections(nb):
    """For each section: its heading, its level, whether it is in the core, and its parts (cells, or pieces of them)."""
    found, folded = [("", 0, True, [])], 0  # folded: the level of the section that is left out, or 0
    for cell in nb.cells:
        pieces = re.split(r"^(?=#{1,3} )", cell.source, flags=re.M) if cell.cell_type == "markdown" else []
        for piece in filter(str.strip, pieces):
            if heading := re.match(r"(#+) (.+)\n*", piece):
                level = len(heading[1])
                if folded and level <= folded:
                    folded = 0
                if piece[heading.end() :].split("\n")[0] == MARK:
                    folded = folded or level
                found.append((heading[2], level, not folded, []))
            found[-1][3].append(nbformat.v4.new_markdown_cell(piece, id=cell.id))
        if cell.cell_type == "code":
            found[-1][3].append(cell)
    return found


def minutes(parts):
    words = lines = questions = explorers = 0
    for part in parts:
        if part.cell_type == "markdown":
            text = re.sub(r"<!--.*?-->|<details>.*?</details>", "", part.source, flags=re.S)
            questions += len(re.findall(r"^> \*\*(?:Predict|Quiz)\.\*\*", text, re.M))
            text = re.sub(r"\$\$.+?\$\$", " formula" * 8 + " ", text, flags=re.S)
            text = re.sub(r"\]\([^)]*\)", "]", re.sub(r"\$[^$]+\$", "x", text))
            words += len(re.findall(r"\w[\w'’.,-]*", text))
        elif "@explore(" in part.source:
            explorers += 1
        elif not {"hide-input", "hide-cell"} & set(part.metadata.get("tags", [])):
            lines += sum(bool(line.strip()) for line in part.source.splitlines())
    return words / 180 + lines / 25 + questions / 2 + explorers


def reading_time(nb):
    """Minutes for the whole chapter and for its core, both without exercises."""
    whole = core = 0.0
    for heading, _, in_core, parts in sections(nb):
        if heading == "Exercises":
            break
        whole += minutes(parts)
        core += minutes(parts) * in_core
    return whole, core


def rounded(time):
    return 5 * round(time / 5)


def main(names):
    total = [0.0, 0.0]
    for path in named(names, chapters()):
        nb = read(path)
        whole, core = reading_time(nb)
        total = [total[0] + whole, total[1] + core]
        print(f"{whole:6.1f} {core:6.1f}  {path.stem}")
        if names:
            for heading, level, in_core, parts in sections(nb):
                print(f"{minutes(parts):13.1f}  {'  ' * level}{heading}{'' if in_core else '  (second reading)'}")
    print(f"{total[0]:6.1f} {total[1]:6.1f}  minutes, whole and core")


if __name__ == "__main__":
    main(sys.argv[1:])
