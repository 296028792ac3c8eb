"""Experiments that take too long for a chapter. `make experiments` runs them all and stores their results.

Each experiment runs its chapter's own cells with the tag `experiment`, so that readers see the code that was measured.
A checksum of the experiment and these cells shows when stored results no longer belong to them.
"""

import pkgutil

SHARED = "__main__", "chapters", "python_texts"  # modules that are no experiment
NAMES = [name for _, name, _ in pkgutil.iter_modules(__path__) if name not in SHARED]
