"""A translator of dates, trained with some of its parts removed or replaced."""

import sys

import torch

from experiments.chapters import run_all, store

CHAPTER = "a_translator"
SEEDS = range(3)
CONTROLS = [
    "all of it",
    "no cross-attention",
    "cross-attention, equal weights",
    "no positions in the source",
    "no self-attention in the encoder",
    "no self-attention in the decoder",
    "no positions in the target",
    "neither of the last two",
    "no causal mask",
    "no padding mask",
]  # in the order of the chapter's table


def run(chapter, control, steps, seed):
    model, loss = chapter["train_without"](control, seed, steps)
    tokens, lengths, targets = chapter["held_out_texts"]()
    written, taught = chapter["share_right"](model, tokens, lengths, targets)
    texts = chapter["write"](model, tokens, lengths)
    right, wrong = texts == targets, (texts != targets).any(1)
    same_digits = (texts.sort(1).values == targets.sort(1).values).all(1)
    alone = [chapter["write"](model, x[None, :n], n[None])[0] for x, n in zip(tokens, lengths, strict=True)]
    return {
        "control": control,
        "steps": steps,
        "seed": seed,
        "loss": round(loss, 4),
        "written": round(written, 4),
        "taught": round(taught, 4),
        "written alone": round((torch.stack(alone) == targets).all(1).float().mean().item(), 4),
        "anagrams": round((same_digits & wrong).sum().item() / max(wrong.sum().item(), 1), 3),  # share of wrong texts
        "places": [round(share, 3) for share in right.float().mean(0).tolist()],
    }


def main():
    todo = [(control, 1000, seed) for control in CONTROLS for seed in SEEDS]
    # Does more training change the answer?
    todo += [(control, 4000, seed) for control in CONTROLS[2:5] for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
