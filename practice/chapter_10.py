"""Exercises: the online softmax."""

import functools
import math

import torch

from .engine import Mistake, checks, normal, say


def _normal_chunks(*sizes, seed, size=2.0, offset=0.0):
    return ([size * normal(n, seed=seed + i) + offset for i, n in enumerate(sizes)],)


def _correction(old, new):
    return (old - new).exp()


def _kept(largest):
    return largest


def _online_softmax_with(factor=_correction, *, add=lambda so_far, new: so_far + new, largest_of=_kept):
    """A running largest score and a running sum, corrected by ``factor(old, new)``; then the weights of all scores.

    ``add`` says how a chunk's sum joins those before it; ``largest_of`` is what is kept as the largest score. Chunks
    before the first score that may be seen change nothing.
    """

    def online_softmax(chunks):
        largest = total = None
        for chunk in chunks:
            larger = largest_of(chunk.max() if largest is None else torch.maximum(largest, chunk.max()))
            if larger != -math.inf:
                new = (chunk - larger).exp().sum()
                total = new if largest is None else add(total * factor(largest, larger), new)
                largest = larger
        return torch.cat([(chunk - largest).exp() / total for chunk in chunks])

    return online_softmax


def _zero_kept(largest):
    """0 in place of -inf."""
    return torch.where(largest == -math.inf, 0.0, largest)


def _zero_kept_for_each_chunk(chunks):
    """A hidden chunk counts as a score of 0, wherever it comes."""
    largest = torch.stack([_zero_kept(chunk.max()) for chunk in chunks]).max()
    exps = (torch.cat(chunks) - largest).exp()
    return exps / exps.sum()


def _from_minus_infinity(chunks, *, adds=True):
    """Right, if it ``adds``, unless nothing has been seen so far: -inf - (-inf) is NaN, and NaN stays in the sum."""
    largest, total = torch.tensor(-math.inf), torch.tensor(0.0)
    for chunk in chunks:
        larger = torch.maximum(largest, chunk.max())
        total = total * (largest - larger).exp() + adds * (chunk - larger).exp().sum()
        largest = larger
    return torch.cat([(chunk - largest).exp() / total for chunk in chunks])


def _each_shifted_by_its_own(chunks):
    """Right unless a chunk is hidden: each chunk has its own largest score and sum, and they are merged at the end."""
    each = torch.stack([chunk.max() for chunk in chunks])
    sums = torch.stack([(chunk - chunk.max()).exp().sum() for chunk in chunks])
    total = (sums * (each - each.max()).exp()).sum()
    return (torch.cat(chunks) - each.max()).exp() / total


def _with_sums(sums_of):
    """The right exponentials, divided by the sum of ``sums_of`` each chunk's own sum, in their order."""

    def online_softmax(chunks):
        exps = [(chunk - torch.cat(chunks).max()).exp() for chunk in chunks]
        return torch.cat(exps) / sums_of(torch.stack([e.sum() for e in exps]))

    return online_softmax


def _written_at_once(chunks):
    """Each weight relative to the largest score so far."""
    largest, exps = torch.tensor(-math.inf), []
    for chunk in chunks:
        largest = torch.maximum(largest, chunk.max())
        exps.append((chunk - largest).exp())
    return torch.cat(exps) / torch.cat(exps).sum()


def _explain_online_softmax(got, expected, arguments):
    if not got.isfinite().all() and any((chunk == -math.inf).all() for chunk in arguments[0]):
        return "hidden-chunk", say("NaN or infinite numbers: a chunk is hidden as a whole, and -inf - (-inf) is NaN.")
    if not got.isfinite().all():
        return "overflow", say("NaN or infinite numbers: which number is subtracted before exp?")
    if abs(got.sum().item() - 1) > 1e-3:
        return "not-normalised", say(
            "the weights of all scores together sum to {sum}, not to 1.", sum=f"{got.sum():.2f}"
        )
    return "wrong-weights", say("the weights sum to 1, but a softmax of all scores shares them out differently.")


_HIDDEN = torch.tensor([-math.inf, -math.inf])  # no score of this chunk may be seen


@checks(
    right=lambda chunks: torch.cat(chunks).softmax(0),
    cases=[
        ("three chunks", _normal_chunks(4, 3, 5, seed=101)),
        ("rising chunks", ([torch.tensor([0.0, 1.0]), torch.tensor([3.0, 2.0]), torch.tensor([5.0])],)),
        ("falling chunks", ([torch.tensor([5.0, 4.0]), torch.tensor([1.0]), torch.tensor([0.0, -2.0])],)),
        ("one chunk", _normal_chunks(6, seed=110)),
        ("scores in the thousands", _normal_chunks(3, 4, 3, seed=120, size=1000.0)),
        ("scores around -1000", _normal_chunks(3, 3, seed=130, offset=-1000.0)),
        ("chunks of one score", _normal_chunks(1, 1, 1, 1, seed=140)),
        ("a hidden first chunk", ([_HIDDEN, torch.tensor([-1.0, -2.0])],)),
        ("a hidden first chunk and low scores", ([_HIDDEN, torch.tensor([-200.0, -200.0])],)),
        ("hidden chunks in between", ([torch.tensor([-150.0, -math.inf]), _HIDDEN, torch.tensor([-151.0]), _HIDDEN],)),
    ],
    explain=_explain_online_softmax,
    shown=(
        "Equal to the softmax of all scores, for rising and falling chunks, chunks of one score, scores in the "
        "thousands of either sign, and chunks that are hidden as a whole."
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
            "hidden-chunk",
            "Right where every chunk shows something. If all scores so far are -inf, -inf - (-inf) is NaN. What should "
            "become of the largest score and the sum?",
            _from_minus_infinity,
            _each_shifted_by_its_own,
        ),
        Mistake(
            "stand-in-kept",
            "Right where every chunk shows something. For a hidden chunk a number takes the place of -inf and is kept "
            "as the largest score, so scores far below it underflow. Which scores have been seen?",
            _online_softmax_with(largest_of=_zero_kept),
            _zero_kept_for_each_chunk,
        ),
        Mistake(
            "chunk-not-added",
            "The sum is corrected, but what a new chunk brings is never added to it.",
            _online_softmax_with(add=lambda so_far, new: so_far),
            _with_sums(lambda sums: 0 * sums.sum()),
            functools.partial(_from_minus_infinity, adds=False),
        ),
        Mistake(
            "chunk-added-twice",
            "A chunk's own sum is added twice.",
            _with_sums(lambda sums: 2 * sums.sum()),
            _with_sums(lambda sums: sums.sum() + sums[0]),
            _with_sums(lambda sums: sums.sum() + sums[-1]),
            _with_sums(lambda sums: 2 * sums.sum() - sums[0]),
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
def check_online_softmax(answer):
    """Check ``answer(chunks)``: the softmax over all scores of a list of one-dimensional tensors, as one tensor."""
