"""A translator of dates, trained with some of its parts removed or replaced."""

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
]  # in the order of the chapter's table
TODO = [(control, 1000, seed) for control in CONTROLS for seed in SEEDS]
# Does more training change the answer?
TODO += [(control, 4000, seed) for control in CONTROLS[2:5] for seed in SEEDS]


def run(chapter, control, steps, seed):
    model, loss = chapter["train_without"](control, seed, steps)
    tokens, lengths, targets = chapter["held_out_texts"]()
    written, taught = chapter["share_right"](model, tokens, lengths, targets)
    return {
        "control": control,
        "steps": steps,
        "seed": seed,
        "loss": round(loss, 4),
        "written": round(written, 4),
        "taught": round(taught, 4),
    }
