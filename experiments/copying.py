"""Which models made only of attention layers learn to copy what came next, and when."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "tiny_gpt"
STEPS = 2000
SEEDS = range(3)


def run(chapter, layers, steps, seed):
    _, history = chapter["learn_to_copy"](layers, range(1, steps + 1), seed)
    losses = {str(step): round(loss, 3) for step, (loss, _, _) in history.items()}
    _, before, came_next = history[steps]
    weights = {"before": [round(x, 3) for x in before], "came_next": [round(x, 3) for x in came_next]}
    return {"layers": layers, "steps": steps, "seed": seed, "losses": losses} | weights


def main():
    todo = [["softmax"], ["shifted keys"], ["delta"], ["copy", "copy"]]
    todo += [[form] * 2 for form in ("softmax", "local", "linear", "delta")]
    # Which form of attention does each of the two layers need?
    todo += [["copy", form] for form in ("softmax", "local", "linear", "delta")]
    todo += [["local", "softmax"]]
    # Forms without queries and keys; and a memory that only adds, with the keys of the delta rule.
    todo += [["numbers"], ["positive numbers"], ["adding"], ["adding", "adding"], ["copy", "adding"]]
    runs = [(layers, STEPS, seed) for layers in todo for seed in SEEDS]
    # Does more training change the answer?
    runs += [(layers, 4 * STEPS, 0) for layers in (["softmax"], ["local"] * 2, ["linear"] * 2)]
    runs += [(["numbers"], 4 * STEPS, seed) for seed in SEEDS] + [(["numbers"], 16 * STEPS, 0)]
    store(sys.modules[__name__], run_all(sys.modules[__name__], runs))
