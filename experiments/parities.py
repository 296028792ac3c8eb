"""Parity of 32 bits: for which counts of ones do trained models answer correctly?"""

import sys

from experiments.chapters import run_all, store

CHAPTER = "a_memory_that_forgets"
RUNS = [("linear", 500), ("decay", 500), ("delta", 500), ("delta, β to 2", 500), ("decay", 2000), ("delta", 2000)]
SEEDS = range(3)


def run(chapter, form, steps, seed):
    shares = chapter["parity_by_count"]([form] * 2, steps, seed)
    return {"form": form, "steps": steps, "seed": seed, "right": [round(share, 3) for share in shares]}


def main():
    todo = [(form, steps, seed) for form, steps in RUNS for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
