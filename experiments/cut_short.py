"""What a model loses on tokens that repeat no pair if it is given only the last few tokens, as a text of their own."""

import torch

CHAPTER = "tiny_gpt"
STEPS = 3000
SEEDS = range(3)
GIVEN = (3, 16)
TODO = [("softmax", STEPS, seed) for seed in SEEDS]


@torch.no_grad()
def loss_of_others(chapter, model, given=None):
    """Nats a token from the 33rd on, where no pair came again; the model is given the last tokens, or all."""
    test = chapter["test"]
    total, others = 0.0, ~chapter["stood_before"](test)[:, 32:]
    for column, place in enumerate(range(32, 64)):
        start = 0 if given is None else place + 1 - given
        scores = model(test[:, start : place + 1])[:, -1]
        loss = torch.nn.functional.cross_entropy(scores, test[:, place + 1], reduction="none")
        total += loss[others[:, column]].sum().item()
    return total / others.sum().item()


def run(chapter, form, steps, seed):
    model, _ = chapter["train"](form, steps=steps, seed=seed)
    row = {"form": form, "steps": steps, "seed": seed, "all": round(loss_of_others(chapter, model), 3)}
    return row | {f"last {given}": round(loss_of_others(chapter, model, given), 3) for given in GIVEN}
