"""Why do rotary positions get worse by 256 words, and later: many keys, or distances absent from training?"""

import torch

CHAPTER = "positions"
STEPS = 250
SEEDS = range(10)
LONGER = (1024, 4096)
TODO = [(STEPS, seed) for seed in SEEDS] + [(8 * STEPS, seed) for seed in SEEDS[:3]]


def run(chapter, steps, seed):
    _, model, layer, texts = chapter["train_and_test"]("rotary", seed, range(steps))
    generator = torch.Generator().manual_seed(1000 + seed)
    longer = [torch.randint(16, (32, length), generator=generator) for length in LONGER]
    row = {"steps": steps, "seed": seed}

    def add(name, text, control):
        right, weight = chapter["control"](model, layer, text, *chapter["CONTROLS"][control])
        row[name] = {"right": round(right, 4), "weight of the word before": round(weight, 4)}

    for name in chapter["CONTROLS"]:
        add(name, texts[-1], name)
    for text in longer:  # no new distance, and more and more keys
        add(f"far as if near, {text.shape[1]}", text, "far as if near")
    return row
