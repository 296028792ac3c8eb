"""The parts that a trained translator of dates needs, and the places where it looks."""

import sys

import torch

from experiments.chapters import run_all, store

CHAPTER = "a_translator"
SEEDS = range(3)
UNTRAINED = range(10)  # seeds of models whose maps are examined before any training


def run(chapter, steps, seed):
    torch.manual_seed(seed)
    model = chapter["Translator"]()
    if steps:
        chapter["train"](model, steps, seed)
    written = chapter["switched_off"](model, chapter["held_out_texts"]())
    looks, chance = chapter["looks_right"](model)
    return {
        "steps": steps,
        "seed": seed,
        "written": {name: round(share, 4) for name, share in written.items()},
        "looks": {name: round(share, 3) for name, share in looks.items()},
        "chance": {name: round(share, 3) for name, share in chance.items()},
    }


def main():
    todo = [(1000, seed) for seed in SEEDS] + [(0, seed) for seed in UNTRAINED]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
