"""The chapter's decoder and the library's, compared on the same tokens."""

CHAPTER = "a_language_model"
SEEDS = range(3)  # each with two other texts of random tokens
TODO = [(seed,) for seed in SEEDS]


def run(chapter, seed):
    return {"seed": seed, **chapter["parity"](seed)}
