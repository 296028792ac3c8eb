"""Exercises: heads that look at the token after the same one."""

import torch

from .engine import Mistake, checks


def _weights(*shape, seed):
    """Rows that sum to 1 and see no later keys."""
    scores = torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) * 3
    seen = torch.ones(shape[-2:]).tril().bool()
    return scores.masked_fill(~seen, -torch.inf).softmax(-1)


def _right(weights, half):
    i = torch.arange(half, 2 * half - 1)
    return weights[..., i, i - half + 1].mean(-1)


def _shifted(by):
    def answer(weights, half):
        i = torch.arange(half, 2 * half - 1)
        return weights[..., i, i - half + by].mean(-1)

    return answer


@checks(
    right=_right,
    cases=[
        ("one head, five tokens twice", (_weights(10, 10, seed=501), 5)),
        ("three layers of four heads", (_weights(3, 4, 12, 12, seed=502), 6)),
        ("a text that goes on after the second copy", (_weights(2, 20, 20, seed=503), 7)),
        ("two tokens twice", (_weights(5, 4, 4, seed=504), 2)),
    ],
    shown="One number per head: the mean weight on the token after the same one.",
    mistakes=[
        Mistake(
            "same-token",
            "This is the weight on the same token one copy ago. What comes next is one place further.",
            _shifted(0),
        ),
        Mistake(
            "one-before",
            "This is the weight on the token before the same one.",
            _shifted(-1),
        ),
        Mistake(
            "all-queries",
            "The sum has been divided by all positions of the text, not by the queries from half to 2 half - 2.",
            lambda weights, half: _right(weights, half) * (half - 1) / weights.shape[-1],
        ),
        Mistake(
            "not-per-head",
            "The heads have been averaged, too. Each head needs a number of its own.",
            lambda weights, half: _right(weights, half).mean(),
        ),
        Mistake(
            "transposed",
            "Rows are queries: the first of the two axes is the token that looks, the second the one looked at.",
            lambda weights, half: _right(weights.transpose(-1, -2), half),
        ),
    ],
)
def check_induction(function):
    """Check ``my_induction(weights, half)``: the mean weight on the token after the same one, one number per head."""
