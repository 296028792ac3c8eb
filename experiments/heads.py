"""One head, or several with the same total width, on a task that asks for the words in four places."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "multi_head_attention"
SEEDS = range(3)


def run(chapter, num_heads, steps, seed, rate=0.003):
    share = chapter["report"](num_heads, steps, seed, rate)
    return {"heads": num_heads, "rate": rate, "steps": steps, "seed": seed, "all four right": round(share, 4)}


def main():
    todo = [(num_heads, steps, s) for num_heads in (0, 1, 2, 4) for steps in (300, 1500, 6000) for s in SEEDS]
    for rate in (0.01, 0.02, 0.04):
        todo += [(num_heads, steps, s, rate) for num_heads, steps in ((1, 500), (4, 100)) for s in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
