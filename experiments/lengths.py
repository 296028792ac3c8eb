"""The task "say the word before" with five kinds of positions, on texts longer than those in training."""

CHAPTER = "positions"
KINDS = ["none", "learned", "sinusoidal", "rotary", "ALiBi"]
WINDOWED = ["learned", "sinusoidal", "rotary"]  # these also read texts through a window of 32 words
STEPS = 250
SEEDS = range(10)
TODO = [(kind, STEPS, seed) for kind in KINDS for seed in SEEDS]
# Does more training change the answer?
TODO += [(kind, 8 * STEPS, seed) for kind in KINDS for seed in SEEDS[:3]]


def run(chapter, kind, steps, seed):
    shares, model, _, texts = chapter["train_and_test"](kind, seed, range(steps))
    near = chapter["measure"](model, texts, 31) if kind in WINDOWED else []
    right = {"right": [round(x, 4) for x in shares], "right within 32": [round(x, 4) for x in near]}
    return {"kind": kind, "steps": steps, "seed": seed} | right
