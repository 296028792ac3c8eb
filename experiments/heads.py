"""One head, or several with the same total width, on a task that asks for the words in four places."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "multi_head_attention"
SEEDS = range(3)


def run(chapter, num_heads, steps, seed):
    share = chapter["report"](num_heads, steps, seed)
    return {"heads": num_heads, "steps": steps, "seed": seed, "all four right": round(share, 4)}


def main():
    todo = [(num_heads, steps, seed) for num_heads in (0, 1, 2, 4) for steps in (300, 1500, 6000) for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
