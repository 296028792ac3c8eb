"""The translator of dates: its weights, stored in half precision."""

import sys

from experiments.chapters import load_weights, run_all, store_weights

CHAPTER = "a_translator"
STEPS = 1000


def run(chapter, steps, seed):
    model, _ = chapter["train_without"]("all of it", seed, steps)
    return {name: x.detach() for name, x in model.named_parameters()}


def load_translator():
    """The weights, by the name of the parameter."""
    return load_weights("translator")[0]["all of it"]


def main():
    (weights,) = run_all(sys.modules[__name__], [(STEPS, 0)])
    store_weights(sys.modules[__name__], {"all of it": weights})
