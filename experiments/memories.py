"""What small models with different kinds of memory learn: recall of pairs, and parity."""

CHAPTER = "a_memory_that_forgets"
FORMS = ["none", "softmax", "linear", "decay", "delta", "delta, β to 2"]
STEPS = 500
SEEDS = range(3)
TODO = [(task, [form] * 2, STEPS, seed) for task in ("recall of 48", "parity") for form in FORMS for seed in SEEDS]
FEW = ["none", "softmax", "linear", "delta"]
TODO += [("48, 512 keys", [form] * 2, STEPS, seed) for form in FEW for seed in SEEDS]
# Is it the decay that hurts, or its starting value? Is it needed at all?
TODO += [("recall of 48", [form] * 2, STEPS, seed) for form in ("decay, begun at 0.98", "no decay") for seed in SEEDS]
# Is one layer of softmax enough? And is one enough without any memory?
MIXED = [["delta"] * 4, ["delta"] * 3 + ["softmax"], ["none"] * 3 + ["softmax"]]
TODO += [("recall of 48", forms, STEPS, seed) for forms in MIXED for seed in SEEDS]
# Does more training change the answer?
MORE = [("recall of 48", "decay"), ("recall of 48", "linear"), ("48, 512 keys", "linear"), ("48, 512 keys", "delta")]
MORE += [("parity", form) for form in ("softmax", "decay", "delta")]
TODO += [(task, [form] * 2, 4 * STEPS, seed) for task, form in MORE for seed in SEEDS]
TODO += [("recall of 48", ["delta"] * 4, 4 * STEPS, seed) for seed in SEEDS]
# Is it the range of β that matters for parity, or its starting value?
TODO += [("parity", ["delta, β to 2, begun at ½"] * 2, STEPS, seed) for seed in SEEDS]


def run(chapter, task, forms, steps, seed):
    shares = chapter["trained"](task, forms, steps, seed)
    accuracy, early, longer = (share if share is None else round(share, 4) for share in shares)
    row = {"task": task, "forms": forms, "steps": steps, "seed": seed}
    return row | {"accuracy": accuracy, "early": early, "longer": longer}
