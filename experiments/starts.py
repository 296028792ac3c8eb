"""The number of training steps until recall is learned, from starts with and without a scale."""

import math
import sys

from experiments.chapters import run_all, store

CHAPTER = "why_sqrt_dk"
TASKS = [("cross-entropy", "symbol"), ("squared error", "symbol"), ("squared error", "symbol and label")]
STARTS = ["1/√dₖ", "1/dₖ", "none", "none, small W"]
OPTIMIZERS = ["SGD 0.01", "SGD 0.1", "SGD 1", "Adam 0.001"]
SEEDS = range(10)


def run(chapter, loss, keys, d_k, starts, optimizer, steps, seed):
    """A row with the number of steps after which each start has learned, or None if it has not."""
    pairs = [chapter["STARTS"][start](d_k) for start in starts]
    how = chapter["OPTIMIZERS"][optimizer]
    found = chapter["steps_to_learn"](d_k, pairs, keys, loss, *how, range(steps + 1), [seed])
    learned = {start: None if x == math.inf else x for start, (x,) in zip(starts, found, strict=True)}
    row = {"loss": loss, "keys": keys, "d_k": d_k, "optimizer": optimizer, "steps": steps, "seed": seed}
    return row | {"learned": learned}


def main():
    widths = (16, 64, 256)
    todo = [
        (*task, d_k, STARTS, optimizer, 200, seed)
        for task in TASKS for d_k in widths for optimizer in OPTIMIZERS for seed in SEEDS[:3]
    ]  # fmt: skip
    # Are the starts that have not learned after 200 steps lost, or only slow?
    todo += [(*task, d_k, ["none"], "Adam 0.001", 2000, seed) for task in TASKS[1:] for d_k in widths for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
