"""What becomes, in training without a scale, of rows of weights that are sure and wrong at the start."""

CHAPTER = "why_sqrt_dk"
AFTER = [0, 10, 100, 700]
SEEDS = range(10)
TODO = [(d_k, AFTER, seed) for d_k in (64, 256) for seed in SEEDS]


def run(chapter, d_k, after, seed):
    """A row with the number of such rows, and how many have the same pair on top, and a right one, after some steps."""
    return {"d_k": d_k, "seed": seed, "after": after} | chapter["fate_of_sure_rows"](d_k, after, seed)
