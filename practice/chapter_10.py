"""Exercises: the online softmax."""

import math

import torch

from .engine import Exercise, Mistake, checks, normal


def _normal_chunks(*sizes, seed, size=2.0, offset=0.0):
    return ([size * normal(n, seed=seed + i) + offset for i, n in enumerate(sizes)],)


def _online_softmax_with(factor):
    """A running largest score and a running sum, corrected by ``factor(old, new)``; then the weights of all scores."""

    def online_softmax(chunks):
        largest, total = chunks[0].max(), (chunks[0] - chunks[0].max()).exp().sum()
        for chunk in chunks[1:]:
            larger = torch.maximum(largest, chunk.max())
            total = total * factor(largest, larger) + (chunk - larger).exp().sum()
            largest = larger
        return torch.cat([(chunk - largest).exp() / total for chunk in chunks])

    return online_softmax


def _written_at_once(chunks):
    """Each weight relative to the largest score so far."""
    largest, exps = torch.tensor(-math.inf), []
    for chunk in chunks:
        largest = torch.maximum(largest, chunk.max())
        exps.append((chunk - largest).exp())
    return torch.cat(exps) / torch.cat(exps).sum()


def _explain_online_softmax(got, expected, arguments):
    if not got.isfinite().all():
        return "overflow", "NaN or infinite numbers: which number is subtracted before exp?"
    if abs(got.sum().item() - 1) > 1e-3:
        return "not-normalised", f"the weights of all scores together sum to {got.sum():.2f}, not to 1."
    return "wrong-weights", "the weights sum to 1, but a softmax of all scores shares them out differently."


ONLINE_SOFTMAX = Exercise(
    name="online_softmax",
    right=lambda chunks: torch.cat(chunks).softmax(0),
    cases=[
        ("three chunks", _normal_chunks(4, 3, 5, seed=101)),
        ("rising chunks", ([torch.tensor([0.0, 1.0]), torch.tensor([3.0, 2.0]), torch.tensor([5.0])],)),
        ("falling chunks", ([torch.tensor([5.0, 4.0]), torch.tensor([1.0]), torch.tensor([0.0, -2.0])],)),
        ("one chunk", _normal_chunks(6, seed=110)),
        ("scores in the thousands", _normal_chunks(3, 4, 3, seed=120, size=1000.0)),
        ("scores around -1000", _normal_chunks(3, 3, seed=130, offset=-1000.0)),
        ("chunks of one score", _normal_chunks(1, 1, 1, 1, seed=140)),
    ],
    explain=_explain_online_softmax,
    shown=(
        "Equal to the softmax of all scores, for rising and falling chunks, chunks of one score, and scores in the "
        "thousands."
    ),
    mistakes=[
        Mistake(
            "each-chunk",
            "Each chunk has its own softmax, but all weights together should sum to 1.",
            lambda chunks: torch.cat([c.softmax(0) for c in chunks]),
        ),
        Mistake(
            "each-chunk",
            "Each chunk has its own softmax, divided by the number of chunks.",
            lambda chunks: torch.cat([c.softmax(0) / len(chunks) for c in chunks]),
        ),
        Mistake(
            "no-correction",
            "The sum is not corrected when a larger score turns up.",
            _online_softmax_with(lambda old, new: 1.0),
        ),
        Mistake(
            "wrong-correction",
            "The sum is corrected by the inverse of the factor.",
            _online_softmax_with(lambda old, new: (new - old).exp()),
        ),
        Mistake(
            "overflow",
            "The largest score is not subtracted, so exponentials overflow.",
            lambda chunks: (e := torch.cat(chunks).exp()) / e.sum(),
        ),
        Mistake(
            "overflow",
            "The first chunk's largest score is subtracted from all scores, but a later score may be far larger.",
            lambda chunks: (e := (torch.cat(chunks) - chunks[0].max()).exp()) / e.sum(),
        ),
        Mistake(
            "last-chunk",
            "The largest score of the last chunk is taken as the largest of all.",
            lambda chunks: (e := (torch.cat(chunks) - chunks[-1].max()).exp()) / e.sum(),
        ),
        Mistake(
            "last-chunk",
            "The sum covers only the last chunk.",
            lambda chunks: (e := (torch.cat(chunks) - torch.cat(chunks).max()).exp()) / e[-len(chunks[-1]) :].sum(),
        ),
        Mistake(
            "mixed-shifts",
            "Each chunk is shifted by its own largest score, and nothing makes up for the differences.",
            lambda chunks: (e := torch.cat([(c - c.max()).exp() for c in chunks])) / e.sum(),
        ),
        Mistake(
            "mixed-shifts",
            "Weights are written down with the largest score so far, and not corrected afterwards.",
            _written_at_once,
        ),
        Mistake(
            "not-normalised",
            "The exponentials are right, but the division by their sum is missing.",
            lambda chunks: (torch.cat(chunks) - torch.cat(chunks).max()).exp(),
        ),
        Mistake(
            "returns-log-sum-exp",
            "This is the log-sum-exp. The weights are asked for.",
            lambda chunks: torch.cat(chunks).logsumexp(0),
        ),
        Mistake(
            "returns-last-chunk",
            "Only the weights of the last chunk are returned.",
            lambda chunks: torch.cat(chunks).softmax(0)[-len(chunks[-1]) :],
        ),
        Mistake(
            "logarithm", "These are the logarithms of the weights.", lambda chunks: torch.cat(chunks).log_softmax(0)
        ),
        Mistake("hand-back", "The scores are returned.", torch.cat),
    ],
)


@checks(ONLINE_SOFTMAX)
def check_online_softmax(answer):
    """Check ``answer(chunks)``: the softmax over all scores of a list of one-dimensional tensors, as one tensor."""
