"""Associative recall: right answers against the size of each attention's memory."""

CHAPTER = "tiny_gpt"
STEPS = 2000
FORMS = ["softmax", "efficient", "linear"]
WIDTHS = [2, 4, 8, 16, 32]
SEEDS = range(3)
TODO = [(form, d_k, STEPS, seed) for form in FORMS for d_k in WIDTHS for seed in SEEDS]
TODO += [("none", 8, STEPS, seed) for seed in SEEDS]


def run(chapter, form, d_k, steps, seed):
    accuracy, weight = chapter["recall"](form, d_k, pairs=32, steps=steps, seed=seed)
    size = chapter["kept_bytes"](form, d_k, pairs=32)
    return {
        "form": form, "d_k": d_k, "steps": steps, "seed": seed, "bytes": size,
        "accuracy": round(accuracy, 4), "weight": round(weight, 4),
    }  # fmt: skip
