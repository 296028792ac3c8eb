"""The language model on texts longer than in training, and with weights that do not depend on the text (chapter 15)."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "15"
LENGTH = 12_288
STARTS = (0, 40_000, 80_000)  # of the stretches, in the manual's tokens
SEEDS = range(3)


def run(chapter, kind, seed):
    if kind == "far":
        return {"kind": kind, "seed": seed, "loss": chapter["loss_by_place"](STARTS[seed], LENGTH)}
    return {"kind": kind, "seed": seed} | chapter["rises_with_fixed_weights"](seed)


def main():
    todo = [(kind, seed) for kind in ("fixed weights", "far") for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
