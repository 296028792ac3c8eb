"""What becomes, in training without a scale, of rows of weights that are sure and wrong at the start."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "why_sqrt_dk"
AFTER = [0, 10, 100, 700]
SEEDS = range(10)


def run(chapter, d_k, after, seed):
    """A row with the number of such rows, and how many have the same pair on top, and a right one, after some steps."""
    return {"d_k": d_k, "seed": seed, "after": after} | chapter["fate_of_sure_rows"](d_k, after, seed)


def main():
    todo = [(d_k, AFTER, seed) for d_k in (64, 256) for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
