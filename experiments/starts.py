"""The number of training steps until recall is learned, from starts with and without a scale, at two rates."""

import math

CHAPTER = "why_sqrt_dk"
RUNS = [  # start and loss
    ("1/√dₖ", "squared error"),
    ("none, small W", "squared error"),
    ("none", "cross-entropy"),
    ("none", "squared error"),
]
RATES = {0.001: 2000, 0.01: 400}  # of Adam, and the most steps
SEEDS = range(10)
TODO = [
    (*how, rate, d_k, steps, seed)
    for rate, steps in RATES.items()
    for how in RUNS
    for d_k in (16, 64, 256)
    for seed in SEEDS
]


def run(chapter, start, loss, rate, d_k, steps, seed):
    """A row with the number of steps after which the start has learned, or None if it has not."""
    pair = chapter["STARTS"][start](d_k)
    ((learned,),) = chapter["steps_to_learn"](d_k, [pair], loss, range(steps + 1), [seed], rate)
    row = {"start": start, "loss": loss, "rate": rate, "d_k": d_k, "seed": seed}
    return row | {"steps": None if learned == math.inf else learned}
