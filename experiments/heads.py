"""One head or several of the same total width, on a task that asks for four places (chapter 4)."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "04"
SEEDS = range(3)


def run(chapter, num_heads, steps, seed):
    shares = chapter["report"](num_heads, steps=steps, seed=seed)
    return {"heads": num_heads, "steps": steps, "seed": seed, "all four right": round(shares, 4)}


def main():
    todo = [(num_heads, steps, seed) for num_heads in (0, 1, 2, 4) for steps in (300, 1500, 6000) for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))


if __name__ == "__main__":
    from experiments import heads  # under its own name, which the processes need

    heads.main()
