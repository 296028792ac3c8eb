"""The forms of attention, and two controls without attention, as language models of the same text."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "tiny_gpt"
FORMS = ["softmax", "efficient", "linear", "local", "copy", "none"]
STEPS = 3000
SEEDS = range(3)


def run(chapter, form, steps, seed):
    model, _ = chapter["train"](form, steps=steps, seed=seed)
    row = {"form": form, "steps": steps, "seed": seed}
    return row | {name: round(loss, 3) for name, loss in chapter["held_out_losses"](model).items()}


def main():
    todo = [(form, STEPS, seed) for form in FORMS for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
