"""Exercises: weights with a cap and a sink."""

import torch

import attention_core as ac

from .attention_parts import softmax_over_everything
from .engine import Mistake, checks, normal, say


def _with_own_weight(scores, sink):
    """The weights of the scores and, last, the sink's own weight."""
    return _with_sink(scores, sink).softmax(-1)


def _with_sink(scores, sink):
    return torch.cat([scores, torch.full((*scores.shape[:-1], 1), float(sink))], -1)


def _plain(scores, sink):
    return _with_own_weight(scores, sink)[..., :-1]


def _right(scores, cap, sink):
    return _plain(ac.soft_cap(scores, cap), sink)


def _along(softmax):
    """The right weights, except for the ``softmax`` of the scores and the sink."""
    return lambda scores, cap, sink: softmax(_with_sink(ac.soft_cap(scores, cap), sink))[..., :-1]


def _low_and_high(seed):
    """One row of scores far below 0, and one far above."""
    return 20 * normal(2, 4, seed=seed) + torch.tensor([-300.0, 300.0])[:, None]


def _exponentials(scores, cap, *, shifted=False):
    capped = ac.soft_cap(scores, cap)
    return (capped - capped.amax(-1, keepdim=True) * shifted).exp()


@checks(
    right=_right,
    cases=[
        (words, (size * normal(*shape, seed=seed), cap, sink))
        for words, size, shape, seed, cap, sink in [
            ("scores of size 1", 1.0, (3, 5), 301, 2.0, 0.5),
            ("large scores", 20.0, (2, 4), 311, 5.0, 3.0),
            ("a batch", 3.0, (2, 3, 4), 321, 4.0, -1.0),
            ("a sink in the hundreds", 1.0, (2, 3), 331, 3.0, 300.0),
            ("a cap in the hundreds", 300.0, (2, 3), 341, 200.0, 1.0),
            ("a square matrix", 1.0, (3, 3), 351, 2.0, 0.0),
            ("a single row", 2.0, (1, 4), 361, 3.0, -0.5),
        ]
    ]
    + [("a low row, a high row and a low sink", (_low_and_high(seed=371), 200.0, -250.0))],
    explain=lambda got, expected, arguments: (
        ("overflow", say("NaN or infinite numbers: which number is subtracted before exp?"))
        if not got.isfinite().all()
        else ("no-sink", say("rows sum to 1, so what share does the sink take?"))
        if torch.allclose(got.sum(-1), torch.ones(()))
        else None
    ),
    shown=(
        "Right for small and large scores, for batches, for a cap in the hundreds, and for sinks in the hundreds of "
        "either sign."
    ),
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
            "The sink is capped as well. It is a learned number and should stay as it is.",
            lambda s, c, k: _right(s, c, c * torch.tanh(torch.tensor(k / c))),
        ),
        Mistake(
            "hard-cap",
            "The scores are cut off. The cap is soft.",
            lambda s, c, k: _plain(s.clamp(-c, c), k),
            lambda s, c, k: _plain(s.clamp(max=c), k),
        ),
        Mistake(
            "not-multiplied",
            "tanh is between -1 and 1, and it is not multiplied by the cap.",
            lambda s, c, k: _plain((s / c).tanh(), k),
        ),
        Mistake(
            "not-divided",
            "The scores enter tanh without being divided by the cap.",
            lambda s, c, k: _plain(c * s.tanh(), k),
            lambda s, c, k: _plain(s.tanh(), k),
        ),
        Mistake(
            "multiplied-first",
            "The scores are multiplied by the cap before tanh, which makes large scores even larger.",
            lambda s, c, k: _plain((c * s).tanh() / c, k),
            lambda s, c, k: _plain(c * (c * s).tanh(), k),
        ),
        Mistake(
            "caps-the-weights",
            "The weights are capped. They never exceed 1; which numbers can grow without bound?",
            lambda s, c, k: ac.soft_cap(_plain(s, k), c),
        ),
        Mistake(
            "keeps-the-sink",
            "The sink's own weight is returned as well: one column too many.",
            lambda s, c, k: _with_own_weight(ac.soft_cap(s, c), k),
        ),
        Mistake(
            "normalised-again",
            "The weights are divided by their sum once more, and the sink's share is gone.",
            lambda s, c, k: (w := _right(s, c, k)) / w.sum(-1, keepdim=True),
        ),
        Mistake(
            "sink-not-exponentiated",
            "The sink is a score: its exponential belongs in the sum.",
            lambda s, c, k: (e := _exponentials(s, c)) / (e.sum(-1, keepdim=True) + k),
            lambda s, c, k: (e := _exponentials(s, c, shifted=True)) / (e.sum(-1, keepdim=True) + k),
        ),
        Mistake(
            "sink-not-shifted",
            "The largest score is subtracted from the scores before exp, but not from the sink.",
            lambda s, c, k: (
                (e := _exponentials(s, c, shifted=True)) / (e.sum(-1, keepdim=True) + torch.tensor(float(k)).exp())
            ),
        ),
        Mistake(
            "sink-of-zero",
            "The sink has the score 0, whatever the third argument is.",
            lambda s, c, k: _right(s, c, 0),
        ),
        Mistake(
            "sink-reversed",
            "The sink has the wrong sign: the higher it is, the less it gets.",
            lambda s, c, k: _right(s, c, -k),
        ),
        Mistake(
            "too-many-sinks",
            "Each row has as many sinks as scores. How many columns does one sink need?",
            lambda s, c, k: torch.cat([ac.soft_cap(s, c), torch.full_like(s, k)], -1).softmax(-1)[..., : s.shape[-1]],
        ),
        Mistake(
            "wrong-column-cut",
            "The sink's own weight is returned, and the weight of a score is cut off. At which end is the sink?",
            lambda s, c, k: _with_own_weight(ac.soft_cap(s, c), k)[..., 1:],
            lambda s, c, k: _with_own_weight(ac.soft_cap(s, c), k).roll(1, -1)[..., :-1],
        ),
        Mistake(
            "wrong-axis",
            "The softmax does not run along the last axis. Which scores does the sink compete with?",
            _along(lambda x: x.softmax(0)),
            _along(lambda x: x.softmax(1)),
            _along(lambda x: x.softmax(-2)),
        ),
        Mistake(
            "softmax-over-everything",
            "All scores of all rows share one sum. Each row should have its own.",
            _along(softmax_over_everything),
            lambda s, c, k: _right(s.flatten(), c, k).view(s.shape),
        ),
        Mistake(
            "lost-axis",
            "The sums have lost their axis: they do not fit, or divide along the wrong one. What does keepdim do?",
            lambda s, c, k: (e := _exponentials(s, c)) / (e.sum(-1) + torch.tensor(float(k)).exp()),
        ),
        Mistake(
            "not-normalised",
            "The exponentials are there, but nothing divides them by a sum.",
            lambda s, c, k: _exponentials(s, c),
        ),
        Mistake("logarithm", "These are the logarithms of the weights.", _along(lambda x: x.log_softmax(-1))),
    ],
)
def check_capped_weights(answer):
    """Check ``answer(scores, cap, sink)``: weights of capped scores ``(..., n)`` next to a sink, which is a number."""
