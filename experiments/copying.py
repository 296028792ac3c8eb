"""Which models made only of attention layers learn to copy what came next."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "tiny_gpt"
STEPS = 2000
SEEDS = range(3)
STACKS = [["softmax"], ["softmax", "softmax"], ["copy", "softmax"], ["local", "local"], ["linear", "linear"]]
STACKS += [["copy", "linear"]]


def run(chapter, layers, steps, seed):
    model, history = chapter["learn_to_copy"](layers, range(1, steps + 1), seed)
    loss, _, _ = history[steps]
    shares = {name: round(share, 3) for name, share in chapter["after_a_jump"](model).items()}
    return {"layers": layers, "steps": steps, "seed": seed, "loss": round(loss, 3)} | shares


def main():
    runs = [(layers, STEPS, seed) for layers in STACKS for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], runs))
