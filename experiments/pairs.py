"""A table of token pairs as a language model of the text that the tiny GPTs read."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "tiny_gpt"
SEEDS = range(3)


def run(chapter, seed):
    training = chapter["training_text"]()
    losses = chapter["losses_of_pairs"](training, chapter["draw_test"](seed))
    return {"seed": seed, "tokens": len(training)} | {name: round(loss, 3) for name, loss in losses.items()}


def main():
    store(sys.modules[__name__], run_all(sys.modules[__name__], [(seed,) for seed in SEEDS]))
