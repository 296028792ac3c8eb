"""Abilities of small models with different kinds of attention: recall, overwriting, copying, counting."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "a_memory_that_forgets"
TASKS = ["recall of 16", "recall of 48", "48, 512 keys", "overwriting", "copying", "counting", "parity"]
FORMS = ["none", "softmax", "window of 8", "linear", "sum", "decay", "delta", "delta, β to 2", "gated delta"]
STEPS = 500
SEEDS = range(3)


def run(chapter, task, forms, steps, seed):
    accuracy = chapter["trained"](task, forms, steps, seed)
    return {"task": task, "forms": forms, "steps": steps, "seed": seed, "accuracy": round(accuracy, 4)}


def main():
    todo = [(task, [form] * 2, STEPS, seed) for task in TASKS for form in FORMS for seed in SEEDS]
    # Is it the decay that hurts, or its starting value?
    slow = [(task, form) for task in ("recall of 16", "recall of 48", "copying") for form in ("decay", "gated delta")]
    todo += [(task, [f"{form}, slow start"] * 2, STEPS, seed) for task, form in slow for seed in SEEDS]
    # How few softmax layers restore the recall that a memory has lost? And is one enough without any memory?
    hybrids = [["delta"] * (4 - n) + ["softmax"] * n for n in (0, 1, 2, 4)] + [["none"] * 3 + ["softmax"]]
    todo += [("recall of 48", forms, STEPS, seed) for forms in hybrids for seed in SEEDS]
    # Does more training change the answer?
    longer = [("recall of 48", "delta"), ("recall of 48", "linear")]
    longer += [("48, 512 keys", form) for form in ("linear", "sum", "delta")]
    longer += [("copying", "sum"), ("copying", "delta")]
    longer += [("parity", form) for form in ("softmax", "decay", "delta", "delta, β to 2")]
    todo += [(task, [form] * 2, 4 * STEPS, seed) for task, form in longer for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
