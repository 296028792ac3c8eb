"""Print the minutes of each chapter and its core, and of named ones each section: `python -m tools.reading_time 03`."""

import sys

from website.places import chapters, named, source
from website.reading import times


def main(*names):
    print("minutes  core  chapter")
    for path in named(names, chapters()):
        nb = source(path)
        print("{:7.1f}{:6.1f}  {}".format(*times.reading_time(nb), path.stem))
        if names:
            for heading, level, in_core, parts in times.sections(nb):
                print(f"{times.minutes(parts):13.1f}  {'  ' * level}{heading}{'' if in_core else '  (second reading)'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
