"""The language model on long texts, with fixed weights, and without single heads."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "a_language_model"
LENGTH = 12_288
STARTS = (0, 40_000, 80_000)  # of the stretches, in the manual's tokens
SEEDS = range(3)
KINDS = ("far", "manual", "random tokens that come twice", "one head off")


def run(chapter, kind, seed):
    row = {"kind": kind, "seed": seed}
    if kind == "far":
        text = chapter["manual"][STARTS[seed] : STARTS[seed] + LENGTH]
        near = [chapter["loss_by_part"](text[end - 2048 : end])[1] for end in range(2048, LENGTH + 1, 1024)]
        row |= {"loss": chapter["loss_by_part"](text), "near": near}
    elif kind == "manual":
        row |= chapter["rises_with_fixed_weights"](chapter["manual_passages"](seed))
    elif kind == "random tokens that come twice":
        row |= chapter["rises_with_fixed_weights"](chapter["repeated"](seed, 8, 32), first=32)
    else:
        twice = chapter["repeated"](seed)
        copying = chapter["copying"](chapter["all_weights"](twice))
        for name, shares in zip(("induction", "previous"), copying, strict=True):
            row[name] = [round(share, 3) for share in shares.flatten().tolist()]
        row["rises"] = chapter["rises_without_one_head"](twice)
    # The manual is Python's own, and changes with its version.
    return row | {"python": "{}.{}".format(*sys.version_info)}


def main():
    todo = [(kind, seed) for kind in KINDS for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
