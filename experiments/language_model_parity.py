"""The chapter's decoder and the library's, compared on the same tokens."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "a_language_model"
SEEDS = range(3)  # each with two other texts of random tokens


def run(chapter, seed):
    return {"seed": seed, **chapter["parity"](seed)}


def main():
    store(sys.modules[__name__], run_all(sys.modules[__name__], [(seed,) for seed in SEEDS]))
