"""The language model with one thing changed: hidden tokens, other values, a window, heads off, a factor on scores."""

import sys

import torch

from experiments.chapters import run_all, store

CHAPTER = "a_language_model"
SEEDS = range(3)  # each with four other passages of the manual and five other texts of random tokens
KINDS = ("length", "hidden", "worth", "alone", "cost", "window", "off", "factor")


def run(chapter, kind, seed):
    tokens = passages(chapter, 96, seed)
    if kind == "length":
        lengths = (32, 96, 512)
        found = {str(L): chapter["on_first_token"](passages(chapter, L, seed)) for L in lengths}
    elif kind == "hidden":
        found = {name: chapter["when_hidden"](tokens, *case) for name, case in chapter["CASES"].items()}
    elif kind == "worth":
        found = chapter["worth_of_values"](tokens)
    elif kind == "alone":
        found = {name: chapter["on_40"](tokens, few) for name, few in chapter["FEW"].items()}
    elif kind == "cost":  # the same sentences for each seed
        found = {way: chapter["chances"](way) for way in chapter["WAYS"]}
    elif kind == "window":
        late_loss = chapter["late_loss"]
        found = {name: [late_loss(tokens, w, kept) for w in (4, 16, 32)] for name, kept in chapter["KEPT"].items()}
    elif kind == "off":
        found = chapter["measures_without"](chapter["repeated"](seed), tokens)
    else:
        scores = map(chapter["spread_and_keys_in_use"], chapter["scores_of_layers"](tokens))
        spread, in_use = zip(*scores, strict=True)
        losses = [chapter["loss_with_factor"](tokens, factor) for factor in chapter["FACTORS"]]
        found = {"losses": losses, "spread": spread, "in use": in_use}
    # The manual is Python's own, and changes with its version.
    return {"kind": kind, "seed": seed, "python": "{}.{}".format(*sys.version_info), "found": rounded(found)}


def passages(chapter, length, seed):
    """Four passages of the manual; for seed 0 the chapter's own, for others the same moved on."""
    manual = chapter["manual"]
    step = (len(manual) - length) // 4
    return torch.stack([manual[k * step + 2000 * seed :][:length] for k in range(4)])


def rounded(found):
    if isinstance(found, dict):
        return {name: rounded(x) for name, x in found.items()}
    return round(found, 4) if isinstance(found, float) else [rounded(x) for x in found]


def main():
    todo = [(kind, seed) for kind in KINDS for seed in (SEEDS if kind != "cost" else [0])]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
