"""The attentions and two controls without attention, on plain text and on text that quotes itself (chapter 10)."""

import sys

from experiments.chapters import run_all, store

CHAPTER = "10"
FORMS = ["softmax", "efficient", "linear", "local", "copy", "none"]
SEEDS = range(3)


def run(chapter, kind, form, steps, seed):
    model, losses = chapter["train"](kind, form, steps=steps, seed=seed)
    row = {"text": kind, "form": form, "steps": steps, "seed": seed, "training": round(sum(losses[-50:]) / 50, 3)}
    row |= {"curve": [round(sum(losses[i : i + 100]) / 100, 2) for i in range(0, steps, 100)]}
    return row | {name: round(loss, 3) for name, loss in chapter["held_out_losses"](kind, model).items()}


def main():
    todo = [("quoting", form, 3000, seed) for form in FORMS for seed in SEEDS]
    todo += [("plain", form, steps, seed) for form in FORMS for steps in (500, 1000) for seed in SEEDS]
    # Does more training change the answer?
    todo += [("plain", form, 2000, 0) for form in ("softmax", "copy", "none")]
    todo += [("quoting", form, 6000, 0) for form in ("softmax", "linear")]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))


if __name__ == "__main__":
    from experiments import text  # under its own name, which the processes need

    text.main()
