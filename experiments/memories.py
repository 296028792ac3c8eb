"""What small models with different kinds of memory learn: recall of pairs, and parity."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "a_memory_that_forgets"
FORMS = ["none", "softmax", "window of 8", "linear", "decay", "delta", "delta, β to 2"]
STEPS = 500
SEEDS = range(3)


def run(chapter, task, forms, steps, seed):
    shares = chapter["trained"](task, forms, steps, seed)
    accuracy, longer = (share if share is None else round(share, 4) for share in shares)
    return {"task": task, "forms": forms, "steps": steps, "seed": seed, "accuracy": accuracy, "longer": longer}


def main():
    todo = [(task, [form] * 2, STEPS, seed) for task in ("recall of 48", "parity") for form in FORMS for seed in SEEDS]
    few = ["none", "softmax", "linear", "delta"]
    todo += [("48, 512 keys", [form] * 2, STEPS, seed) for form in few for seed in SEEDS]
    # Is it the decay that hurts, or its starting value?
    todo += [("recall of 48", ["decay, begun at 0.98"] * 2, STEPS, seed) for seed in SEEDS]
    # Is one layer of softmax enough? And is one enough without any memory?
    mixed = [["delta"] * 4, ["delta"] * 3 + ["softmax"], ["none"] * 3 + ["softmax"]]
    todo += [("recall of 48", forms, STEPS, seed) for forms in mixed for seed in SEEDS]
    # Does more training change the answer?
    more = [("recall of 48", "linear"), ("48, 512 keys", "linear"), ("48, 512 keys", "delta")]
    more += [("parity", form) for form in ("softmax", "decay", "delta")]
    todo += [(task, [form] * 2, 4 * STEPS, seed) for task, form in more for seed in SEEDS]
    # Is it the range of β that matters for parity, or its starting value?
    todo += [("parity", ["delta, β to 2, begun at ½"] * 2, STEPS, seed) for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
