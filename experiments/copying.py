"""Which models made only of attention layers learn to copy what came next."""

CHAPTER = "tiny_gpt"
STEPS = 2000
SEEDS = range(3)
STACKS = [["softmax"], ["softmax", "softmax"], ["copy", "softmax"], ["local", "local"], ["linear", "linear"]]
STACKS += [["copy", "linear"]]
TODO = [(layers, STEPS, seed) for layers in STACKS for seed in SEEDS]


def run(chapter, layers, steps, seed):
    model, history = chapter["learn_to_copy"](layers, range(1, steps + 1), seed)
    loss, _, _ = history[steps]
    shares = {name: round(share, 3) for name, share in chapter["after_a_jump"](model).items()}
    return {"layers": layers, "steps": steps, "seed": seed, "loss": round(loss, 3)} | shares
