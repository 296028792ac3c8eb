"""Training steps until a model with multiplied or added scores answers questions, from several starts."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "scaled_dot_product_attention"
KINDS = ["scaled product", "product without scale", "added, w of variance 1/dₖ", "added, w of variance 1"]
SEEDS = range(3)


def run(chapter, kind, d_k, seed):
    return {"kind": kind, "d_k": d_k, "seed": seed, "steps": chapter["steps_to_learn"](kind, d_k, seed)}


def main():
    todo = [(kind, d_k, seed) for d_k in (8, 64) for kind in KINDS for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
