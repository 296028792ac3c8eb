"""Run experiments by their names, or all of them: `python -m experiments heads`, `make experiments`."""

import sys
from importlib import import_module

from experiments import NAMES
from experiments.chapters import measure

if __name__ == "__main__":
    chosen = sys.argv[1:] or NAMES
    if unknown := set(chosen) - set(NAMES):
        sys.exit(f"names of experiments expected ({', '.join(NAMES)}), got {', '.join(sorted(unknown))}")
    for name in chosen:
        measure(import_module(f"experiments.{name}"))
