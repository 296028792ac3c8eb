"""Experiments that take longer than a chapter may. `make experiments` runs them all and stores what they find.

Each runs the very cells of its chapter that carry the tag `experiment`, so that the code that readers see is the code
that was measured; a checksum of both says when stored results are no longer theirs.
"""

import pkgutil

NAMES = [name for _, name, _ in pkgutil.iter_modules(__path__) if name not in ("__main__", "chapters")]
