"""Print the minutes, words, pictures and code of each chapter, or of one: `python -m tools.reading_time 03`.

If chapters are named, the minutes of each of their sections are printed, too.
"""

import sys

from website.places import chapters, named, read
from website.reading import counts, times

HEAD = "minutes  core   words pictures  words before 1st  longest cell  prints  chapter"


def row(nb):
    """A chapter's numbers, in the columns that ``HEAD`` names."""
    minutes, minutes_of_core = times.reading_time(nb)
    words, pictures, before = counts.count(nb)
    longest, prints = counts.visible_code(nb)
    return f"{minutes:7.1f}{minutes_of_core:6.1f}{words:8}{pictures:9}{before:18}{longest:14}{prints:8}"


def main(names):
    print(HEAD)
    total = [0.0, 0.0]
    for path in named(names, chapters()):
        nb = read(path)
        total = [a + b for a, b in zip(total, times.reading_time(nb), strict=True)]
        print(f"{row(nb)}  {path.stem}")
        if names:
            for heading, level, in_core, parts in times.sections(nb):
                print(f"{times.minutes(parts):13.1f}  {'  ' * level}{heading}{'' if in_core else '  (second reading)'}")
    print(f"{total[0]:7.1f}{total[1]:6.1f}  together")


if __name__ == "__main__":
    main(sys.argv[1:])
