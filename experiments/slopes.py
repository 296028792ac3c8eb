"""What ALiBi's slopes decide: the tasks "say the word one, two or four back", with two sets of slopes."""

CHAPTER = "positions"
KINDS = ["none", "ALiBi", "ALiBi, steep", "rotary"]
STEPS = 1000
SEEDS = range(3)
TODO = [(kind, asked, STEPS, seed) for kind in KINDS for asked in (1, 2, 4) for seed in SEEDS]
TODO += [("ALiBi, steep", 1, STEPS // 4, seed) for seed in SEEDS]  # as long as in the other comparison


def run(chapter, kind, asked, steps, seed):
    shares, *_ = chapter["train_and_test"](kind, seed, range(steps), asked)
    return {"kind": kind, "asked": asked, "steps": steps, "seed": seed, "right": [round(x, 4) for x in shares]}
