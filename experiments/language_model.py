"""The language model on texts longer than in training, and with weights that do not depend on the text (chapter 15)."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "15"
LENGTH = 12_288
STARTS = (0, 40_000, 80_000)  # in the manual's tokens
SEEDS = range(3)


def run(chapter, kind, number):
    if kind == "far":
        return {"kind": kind, "start": number, "loss": chapter["loss_by_place"](number, LENGTH)}
    return {"kind": kind, "seed": number} | chapter["rises_with_fixed_weights"](number)


def main():
    todo = [("fixed weights", seed) for seed in SEEDS] + [("far", start) for start in STARTS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
