"""Check prose in seconds, one line per fault: `python -m website.prose 03`; without a name, all pages."""

import sys

from website.places import ROOT, named, pages
from website.prose import claims, rules

if __name__ == "__main__":
    chosen = named(sys.argv[1:], pages())
    found = [(path, fault) for path in chosen for part in (rules, claims) for fault in part.faults(path)]
    for path, fault in found:
        print(f"{path.relative_to(ROOT)}: {fault}")
    print(f"pages read: {len(chosen)}, faults: {len(found)}")
    sys.exit(bool(found))
