"""A head that may have nothing to find: plain, with a gate, a first token, a learned sink or an MLP."""

CHAPTER = "attention_that_ships"
SEEDS = range(5)
KINDS = ["plain", "gate", "first token", "sink", "plain, MLP"]
TODO = [(kind, steps, seed) for kind in KINDS for steps in (800, 3200) for seed in SEEDS]


def run(chapter, kind, steps, seed):
    error, without_first = chapter["trained_head"](kind, seed, range(steps))
    return {
        "kind": kind,
        "steps": steps,
        "seed": seed,
        "error": round(error, 4),
        "without the first token": round(without_first, 3),
    }
