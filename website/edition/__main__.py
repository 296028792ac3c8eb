"""Write the notebook edition: `python -m website.edition`, or into another folder: `python -m website.edition FOLDER`.

`--address https://github.com/OWNER/NAME` adds what Binder and Colab need to install the book's modules from there.
`--without-solutions` leaves out the solutions of exercises, for a class that hands its own in.
"""

import argparse
import sys
from pathlib import Path

import languages
from website.edition import FOLDER
from website.edition.folder import write
from website.places import ROOT

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m website.edition", description=__doc__.splitlines()[0])
    folder = ROOT / FOLDER / ("" if languages.is_english() else languages.language())
    parser.add_argument("folder", nargs="?", type=Path, default=folder)
    parser.add_argument("--address", default="", help="a git repository that has the book's modules")
    parser.add_argument("--without-solutions", action="store_true", help="leave out the solutions of exercises")
    chosen = parser.parse_args()
    for sentence in write(chosen.folder, chosen.address, solutions=not chosen.without_solutions):
        print(sentence, file=sys.stderr)
    print(f"The notebooks are in {chosen.folder}")
