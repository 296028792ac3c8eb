"""The parts that a trained translator of dates needs, and the places where it looks."""

import torch

CHAPTER = "a_translator"
SEEDS = range(10)  # of the models, which are examined before training as well
TODO = [(steps, seed) for steps in (1000, 0) for seed in SEEDS]


def run(chapter, steps, seed):
    torch.manual_seed(seed)
    model = chapter["Translator"]()
    if steps:
        chapter["train"](model, steps, seed)
    written = chapter["switched_off"](model, chapter["held_out_texts"]())
    looks = chapter["looks_right"](model)
    return {
        "steps": steps,
        "seed": seed,
        "written": {name: round(share, 4) for name, share in written.items()},
        "looks": {name: {digit: round(share, 3) for digit, share in of.items()} for name, of in looks.items()},
    }
