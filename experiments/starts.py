"""The number of training steps until recall is learned, from starts with and without a scale."""

import math
import sys

from experiments.chapters import run_all, store

CHAPTER = "why_sqrt_dk"
RUNS = [  # start, loss, and what keys are made of
    ("1/√dₖ", "squared error", "symbol"),
    ("none, small W", "squared error", "symbol"),
    ("none", "cross-entropy", "symbol"),
    ("none", "squared error", "symbol"),
    ("none", "squared error", "symbol and label"),
]
SEEDS = range(10)


def run(chapter, start, loss, keys, d_k, steps, seed):
    """A row with the number of steps after which the start has learned, or None if it has not."""
    pair = chapter["STARTS"][start](d_k)
    ((learned,),) = chapter["steps_to_learn"](d_k, [pair], keys, loss, range(steps + 1), [seed])
    row = {"start": start, "loss": loss, "keys": keys, "d_k": d_k, "seed": seed}
    return row | {"steps": None if learned == math.inf else learned}


def main():
    todo = [(*how, d_k, 2000, seed) for how in RUNS for d_k in (16, 64, 256) for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
