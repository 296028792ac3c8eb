"""Why do rotary positions get worse by 256 words: many keys, or distances absent from training?"""

import sys

from experiments.chapters import run_all, store

CHAPTER = "positions"
STEPS = 250
SEEDS = range(10)


def run(chapter, steps, seed):
    _, model, layer, texts = chapter["train_and_test"]("rotary", seed, range(steps))
    row = {"steps": steps, "seed": seed}
    for name, (sees, turned_by) in chapter["CONTROLS"].items():
        right, weight = chapter["control"](model, layer, texts[-1], sees, turned_by)
        row[name] = {"right": round(right, 4), "weight of the word before": round(weight, 4)}
    return row


def main():
    todo = [(STEPS, seed) for seed in SEEDS] + [(8 * STEPS, seed) for seed in SEEDS[:3]]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
