"""Print what there is to read in each chapter, or in one: `python -m tools.reading_time 03`.

If chapters are named, the minutes of each of their sections are printed, too.
"""

import sys
from itertools import takewhile

from website.places import chapters, named, read
from website.reading import times

HEAD = "minutes  core  words  lines  questions  pictures  explorers  words before 1st  longest cell  chapter"


def row(nb):
    """A chapter's numbers, in the columns that ``HEAD`` names; exercises do not count."""
    counts = [times.counts(part) for *_, parts in times.before_exercises(nb) for part in parts]
    numbers = [sum(count[name] for count in counts) for name in times.IN_A_MINUTE]
    before = takewhile(lambda count: not count["pictures"] and not count["explorers"], counts)
    numbers += [sum(count["words"] for count in before), max(count["lines"] for count in counts)]
    return "{:7.1f}{:6.1f}{:7}{:7}{:11}{:10}{:11}{:18}{:14}".format(*times.reading_time(nb), *numbers)


def main(*names):
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
    main(*sys.argv[1:])
