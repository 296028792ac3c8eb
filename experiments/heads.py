"""One head, or several with the same total width, on a task that asks for the words in four places."""

import sys

import torch

from experiments.chapters import run_all, store

CHAPTER = "multi_head_attention"
SEEDS = range(3)


def run(chapter, num_heads, steps, seed, control=None):
    model, generator = chapter["train_reporter"](num_heads, steps, seed, control)
    words, marked = chapter["examples"](2000, generator)
    about = {"control": control or "", "heads": num_heads, "steps": steps, "seed": seed}
    return about | measured(model, words, marked, chapter["marks_at"](words, marked))


@torch.no_grad()
def measured(model, words, marked, marks):
    """Shares of right answers, and the same shares with each weight replaced by the mean for its head and mark."""
    right = model(words, marked).argmax(-1) == words.gather(1, marked)

    own, kept = model.attention.attention, []

    def with_mean_weights(query, key, value, **options):
        places = torch.eye(key.shape[-2]).expand(*key.shape[:2], -1, -1)  # with these values, the output is the weights
        weights = own(query, key, places, **options)  # (N, H, 1, S)
        by_place = weights[:, :, 0].transpose(1, 2)  # (N, S, H)
        means = torch.stack([by_place[marks == mark].mean(0) for mark in range(marks.max() + 1)])  # (marks, H)
        spread = torch.stack([by_place[marks == mark].std(0) for mark in range(marks.max() + 1)])
        kept.extend([means[:, 0], spread[:, 0]])
        return means[marks].transpose(1, 2)[:, :, None] @ value

    model.attention.attention = with_mean_weights
    by_means = model(words, marked).argmax(-1) == words.gather(1, marked)
    return {
        "all four right": round(right.all(-1).float().mean().item(), 4),
        "each right": [round(share, 3) for share in right.float().mean(0).tolist()],
        "all four right, mean weights": round(by_means.all(-1).float().mean().item(), 4),
        "mean weight of each mark": [round(weight, 3) for weight in kept[0][1:].tolist()],
        "its spread": [round(weight, 3) for weight in kept[1][1:].tolist()],
    }


def main():
    todo = [(num_heads, steps, seed) for num_heads in (0, 1, 2, 4) for steps in (300, 1500, 6000) for seed in SEEDS]
    controls = [(1, "marks"), (4, "marks"), (0, "pairs")]
    todo += [(num_heads, 1500, seed, control) for num_heads, control in controls for seed in SEEDS]
    store(sys.modules[__name__], run_all(sys.modules[__name__], todo))
