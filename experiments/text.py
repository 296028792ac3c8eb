"""The forms of attention, and two controls without attention, as language models of the same text."""

CHAPTER = "tiny_gpt"
FORMS = ["softmax", "efficient", "linear", "local", "copy", "none"]
STEPS = 3000
SEEDS = range(3)
TODO = [(form, STEPS, seed) for form in FORMS for seed in SEEDS]
# Does it last, that copying is next to softmax?
TODO += [(form, 4 * STEPS, seed) for form in ("softmax", "copy") for seed in SEEDS]


def run(chapter, form, steps, seed):
    model, _ = chapter["train"](form, steps=steps, seed=seed)
    row = {"form": form, "steps": steps, "seed": seed}
    return row | {name: round(loss, 3) for name, loss in chapter["held_out_losses"](model).items()}
