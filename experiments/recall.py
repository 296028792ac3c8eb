"""Associative recall: right answers against the size of each attention's memory."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "tiny_gpt"
FORMS = ["softmax", "efficient", "linear"]
WIDTHS = [2, 4, 8, 16, 32]
OTHER_NAMES = [("softmax", 4), ("efficient", 16), ("linear", 16), ("linear", 32)]
WINDOWS = [4, 8, 16, 32, 48]
SEEDS = range(3)


def run(chapter, form, d_k, steps, seed, names=32):
    accuracy, weight = chapter["recall"](form, d_k, pairs=32, steps=steps, seed=seed, known=names)
    size = chapter["kept_bytes"](form, d_k, pairs=32)
    return {
        "form": form, "d_k": d_k, "names": names, "steps": steps, "seed": seed, "bytes": size,
        "accuracy": round(accuracy, 4), "weight": round(weight, 4),
    }  # fmt: skip


def main():
    todo = [(form, d_k, 2000, seed) for form in FORMS for d_k in WIDTHS for seed in SEEDS]
    todo += [(f"local, {window}", 8, 2000, seed) for window in WINDOWS for seed in SEEDS]
    todo += [("none", 8, 2000, seed) for seed in SEEDS]
    # Does more training change the answer?
    todo += [("linear", d_k, steps, seed) for d_k in (2, 8) for steps in (500, 8000) for seed in SEEDS]
    todo += [("softmax", 2, 8000, seed) for seed in SEEDS]
    # What if the 32 names differ from example to example?
    todo += [(form, d_k, 2000, seed, 256) for form, d_k in OTHER_NAMES for seed in SEEDS]
    todo += [("linear", 16, 8000, seed, 256) for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
