"""Exercises of chapter 12: weights with a cap and a sink."""

import torch

import attention_core as ac

from .engine import Exercise, Mistake, checks, normal


def _beside(scores, sink):
    """Weights of the scores and, last, of the sink."""
    return torch.cat([scores, torch.full((*scores.shape[:-1], 1), float(sink))], -1).softmax(-1)


def _plain(scores, sink):
    return _beside(scores, sink)[..., :-1]


def _right(scores, cap, sink):
    return _plain(ac.soft_cap(scores, cap), sink)


CAPPED_WEIGHTS = Exercise(
    name="capped_weights",
    right=_right,
    cases=[
        (words, (size * normal(*shape, seed=seed), cap, sink))
        for words, size, shape, seed, cap, sink in [
            ("scores of size 1", 1.0, (3, 5), 301, 2.0, 0.5),
            ("large scores", 20.0, (2, 4), 311, 5.0, 3.0),
            ("a batch", 3.0, (2, 3, 4), 321, 4.0, -1.0),
            ("a sink in the hundreds", 1.0, (2, 3), 331, 3.0, 300.0),
            ("a cap in the hundreds", 300.0, (2, 3), 341, 200.0, 1.0),
        ]
    ],
    explain=lambda got, expected, arguments: (
        ("overflow", "NaN or infinite numbers: which number is subtracted before exp?")
        if not got.isfinite().all()
        else ("no-sink", "rows sum to 1: what share does the sink take?")
        if torch.allclose(got.sum(-1), torch.ones(()))
        else None
    ),
    shown="Right for small and large scores, for batches, and for a cap and a sink in the hundreds.",
    mistakes=[
        Mistake(
            "no-sink", "The rows sum to 1: the sink takes no share.", lambda s, c, k: ac.soft_cap(s, c).softmax(-1)
        ),
        Mistake(
            "no-cap",
            "The scores are not capped.",
            lambda s, c, k: _plain(s, k),
        ),
        Mistake(
            "capped-sink",
            "The sink is capped as well. It is a learned number, and stays what it is.",
            lambda s, c, k: _right(s, c, c * torch.tanh(torch.tensor(k / c))),
        ),
        Mistake("hard-cap", "The scores are cut off. The cap is soft.", lambda s, c, k: _plain(s.clamp(-c, c), k)),
        Mistake(
            "not-multiplied",
            "tanh lies in (-1, 1): it is not multiplied by the cap.",
            lambda s, c, k: _plain((s / c).tanh(), k),
        ),
        Mistake(
            "not-divided",
            "The scores enter tanh without being divided by the cap.",
            lambda s, c, k: _plain(c * s.tanh(), k),
        ),
        Mistake(
            "keeps-the-sink",
            "The sink's own weight is returned as well: one column too many.",
            lambda s, c, k: _beside(ac.soft_cap(s, c), k),
        ),
        Mistake(
            "normalised-again",
            "The weights are divided by their sum once more, and the sink's share is gone.",
            lambda s, c, k: (w := _right(s, c, k)) / w.sum(-1, keepdim=True),
        ),
        Mistake(
            "sink-not-exponentiated",
            "The sink is a score: its exponential stands in the sum.",
            lambda s, c, k: (e := ac.soft_cap(s, c).exp()) / (e.sum(-1, keepdim=True) + k),
        ),
    ],
)


@checks(CAPPED_WEIGHTS)
def check_capped_weights(answer):
    """Check ``answer(scores, cap, sink)``: weights of capped scores ``(..., n)`` beside a sink, a number."""
