"""Exercises: softmax and its gradient."""

import functools
import math

import torch
from torch.nn import functional as F

from .attention_parts import softmax_over_everything
from .engine import Mistake, checks, normal, say


def _sums_to_one(x, dim):
    """Whether ``x`` sums to 1 along a negative ``dim``."""
    return -dim <= x.ndim and torch.allclose(x.sum(dim), torch.ones_like(x.sum(dim)), atol=1e-3)


def _explain_softmax(got, expected, arguments):
    if not got.isfinite().all():
        return "overflow", say(
            "NaN or infinite numbers. How large is exp of the largest score, and which shift is harmless?"
        )
    if (got < -1e-6).any():
        return "negative", say("some weights are negative.")
    if not _sums_to_one(got, -1):
        if any(_sums_to_one(got, dim) for dim in range(-got.ndim, -1)):
            return "wrong-axis", say("the sums along an axis other than the last are 1.")
        return "not-normalised", say("the weights along the last axis do not sum to 1.")
    if ((got.argsort(-1) != expected.argsort(-1)) & (expected > 1e-3)).any():
        return "wrong-order", say("a larger score does not always get a larger weight.")
    return "wrong-weights", say("each row sums to 1, but a softmax shares the weights out differently.")


@checks(
    right=functools.partial(torch.softmax, dim=-1),
    cases=[
        ("a matrix (3, 7)", (2 * normal(3, 7, seed=1),)),
        ("a square matrix", (2 * normal(4, 4, seed=2),)),
        ("a vector (6,)", (normal(6, seed=3),)),
        ("a tensor (2, 3, 5)", (2 * normal(2, 3, 5, seed=4),)),
        ("scores of ±10000", (torch.tensor([[1e4, -1e4, 1e4], [-1e4, -1e4 + 1, -1e4], [-1e4, 1e4, 0]]),)),
        ("a single score", (torch.tensor([[3.0]]),)),
    ],
    explain=_explain_softmax,
    shown=(
        "Equal to torch's softmax on vectors, matrices and a three-axis tensor, along the last axis, for scores up to "
        "±10000, with the input left as it was."
    ),
    mistakes=[
        Mistake(
            "overflow",
            "Right for moderate scores; for scores of 10000 it gives NaN. Softmax does not change when a constant is "
            "added to all scores: which constant keeps every exponential finite?",
            lambda x: x.exp() / x.exp().sum(-1, keepdim=True),
        ),
        Mistake(
            "overflow",
            "A shift by the smallest score makes the others larger still. Which end can overflow?",
            lambda x: (x - x.amin(-1, keepdim=True)).exp() / (x - x.amin(-1, keepdim=True)).exp().sum(-1, keepdim=True),
        ),
        Mistake(
            "overflow",
            "A shift by the mean leaves some exponents above 0. Which shift leaves none?",
            lambda x: (x - x.mean(-1, keepdim=True)).exp() / (x - x.mean(-1, keepdim=True)).exp().sum(-1, keepdim=True),
        ),
        Mistake(
            "global-maximum",
            "Right for moderate scores. A row far below the number that is subtracted underflows to 0/0: whose maximum "
            "does each row need?",
            lambda x: (x - x.max()).exp() / (x - x.max()).exp().sum(-1, keepdim=True),
        ),
        Mistake(
            "wrong-axis",
            "The first axis sums to 1, but the last one does not. Along which axis do the scores compete?",
            lambda x: x.softmax(0),
        ),
        Mistake("wrong-axis", "It runs along axis 1, which is not always the last one.", lambda x: x.softmax(1)),
        Mistake("wrong-axis", "It runs along the last axis but one.", lambda x: x.softmax(-2)),
        Mistake(
            "wrong-axis",
            "The maxima that are subtracted run along the first axis, so they differ within a row.",
            lambda x: (x - x.amax(0)).softmax(-1),
        ),
        Mistake(
            "clamped",
            "The scores are cut off at a bound. Beyond it they all look the same, but their differences should count.",
            lambda x: x.clamp(-50, 50).softmax(-1),
        ),
        Mistake(
            "divided-by-maximum",
            "The scores are divided by the largest one, which changes their differences.",
            lambda x: (x / x.amax(-1, keepdim=True)).softmax(-1),
        ),
        Mistake(
            "whole-tensor",
            "All numbers of the tensor together sum to 1. Each row should sum to 1.",
            softmax_over_everything,
        ),
        Mistake(
            "lost-axis",
            "Sums or maxima have lost their axis: they do not fit, or run along the wrong one. What does keepdim do?",
            lambda x: (x - x.amax(-1, keepdim=True)).exp() / (x - x.amax(-1, keepdim=True)).exp().sum(-1),
            lambda x: x.exp() / x.exp().sum(-1),
            lambda x: (x - x.amax(-1)).exp() / (x - x.amax(-1)).exp().sum(-1),
            lambda x: (x - x.amax(-1)).softmax(-1),
        ),
        Mistake(
            "no-exponential",
            "Scores are divided by their sum. They may be negative, and their sum may be 0: what comes first?",
            lambda x: x / x.sum(-1, keepdim=True),
            lambda x: (shifted := x - x.amax(-1, keepdim=True)) / shifted.sum(-1, keepdim=True),
        ),
        Mistake(
            "not-normalised",
            "The exponentials are there, but nothing makes them sum to 1.",
            lambda x: (x - x.amax(-1, keepdim=True)).exp(),
            torch.exp,
        ),
        Mistake("logarithm", "This is the logarithm of the softmax.", lambda x: x.log_softmax(-1)),
        Mistake("sigmoid", "Each score gets a weight on its own; scores should compete for a sum of 1.", torch.sigmoid),
        Mistake("reversed", "The smallest score gets the largest weight. Look at a sign.", lambda x: (-x).softmax(-1)),
        Mistake(
            "one-hot",
            "All weight goes to the largest score: that is the limit of a softmax, not the softmax.",
            lambda x: F.one_hot(x.argmax(-1), x.shape[-1]).float(),
        ),
        Mistake("base", "Powers of 2 instead of powers of e.", lambda x: (x * math.log(2)).softmax(-1)),
        Mistake(
            "euclidean",
            "The exponentials are divided by their Euclidean length. What should sum to 1?",
            lambda x: F.normalize((x - x.amax(-1, keepdim=True)).exp(), dim=-1),
        ),
        Mistake("absolute-value", "The sign of the scores is lost.", lambda x: x.abs().softmax(-1)),
        Mistake("squares", "Squares are positive too, but not what is asked for.", lambda x: (x * x).softmax(-1)),
        Mistake("hand-back", "The input is returned unchanged.", lambda x: x),
    ],
)
def check_softmax(answer):
    """Check ``answer(x)``, a softmax along the last axis of ``x``. Returns a ``Verdict``."""


def _softmax_vjp(p, g):
    return p * (g - (g * p).sum(-1, keepdim=True))


def _explain_softmax_vjp(got, expected, arguments):
    if got.isfinite().all() and not torch.allclose(got.sum(-1), torch.zeros_like(got.sum(-1)), atol=1e-3):
        return "rows-not-zero", say(
            "the result does not sum to 0 along each row, although the rows of J do. Is a term missing?"
        )
    return None


@checks(
    right=_softmax_vjp,
    cases=[
        (words, (torch.softmax(1.5 * normal(*shape, seed=seed), -1), normal(*shape, seed=seed + 1)))
        for seed, (words, shape) in enumerate(
            [
                ("a batch (4, 7)", (4, 7)),
                ("a square batch", (5, 5)),
                ("a vector (6,)", (6,)),
                ("three axes (2, 3, 4)", (2, 3, 4)),
            ],
            start=10,
        )
    ],
    explain=_explain_softmax_vjp,
    shown="Equal to the product with the full Jacobian for single vectors and for batches; each row sums to 0.",
    mistakes=[
        Mistake(
            "diagonal-only",
            "Only the diagonal of J is used. A score also moves the weights of the others: the sum in the chain rule "
            "runs over all of them.",
            lambda p, g: p * (1 - p) * g,
        ),
        Mistake("no-mean", "A term is missing: what should be subtracted from every g?", lambda p, g: p * g),
        Mistake(
            "plain-mean",
            "The mean of g is subtracted, with all entries counted equally. Which mean does the derivation ask for?",
            lambda p, g: p * (g - g.mean(-1, keepdim=True)),
        ),
        Mistake(
            "no-mean",
            "The plain sum of g is subtracted: its terms have no weights.",
            lambda p, g: p * (g - g.sum(-1, keepdim=True)),
        ),
        Mistake("not-weighted", "The last factor is missing.", lambda p, g: g - (g * p).sum(-1, keepdim=True)),
        Mistake("sign", "Right up to the sign.", lambda p, g: -_softmax_vjp(p, g)),
        Mistake(
            "sign", "There is a plus where a minus should be.", lambda p, g: p * (g + (g * p).sum(-1, keepdim=True))
        ),
        Mistake(
            "wrong-axis",
            "The mean is taken over the whole batch. Each row has its own.",
            lambda p, g: p * (g - (g * p).sum()),
        ),
        Mistake(
            "wrong-axis",
            "The mean does not run along the last axis.",
            lambda p, g: p * (g - (g * p).sum(0, keepdim=True)),
            lambda p, g: p * (g - (g * p).sum(-2, keepdim=True)),
        ),
        Mistake(
            "mean-for-sum",
            "The products of g and p are averaged. In the chain rule they are summed.",
            lambda p, g: p * (g - (g * p).mean(-1, keepdim=True)),
        ),
        Mistake(
            "no-diagonal",
            "A score moves its own weight differently from the others. What does the diagonal of J add?",
            lambda p, g: -p * (g * p).sum(-1, keepdim=True),
        ),
        Mistake(
            "vectors-only",
            "Right for one vector. For a batch, @ multiplies matrices, and dot fails.",
            lambda p, g: p * (g - p @ g),
            lambda p, g: p * (g - torch.dot(p, g)),
        ),
        Mistake(
            "lost-axis",
            "The means have lost their axis: they do not fit, or run along the wrong one. What does keepdim do?",
            lambda p, g: p * (g - (g * p).sum(-1)),
        ),
        Mistake(
            "logarithm",
            "This is the gradient through the logarithm of the softmax.",
            lambda p, g: g - p * g.sum(-1, keepdim=True),
        ),
        Mistake(
            "bracket",
            "The mean is subtracted too late: what does p multiply?",
            lambda p, g: p * g - (g * p).sum(-1, keepdim=True),
        ),
        Mistake("divided", "It is divided by the number of scores.", lambda p, g: _softmax_vjp(p, g) / p.shape[-1]),
        Mistake("swapped", "The roles of p and g are exchanged.", lambda p, g: g * (p - (g * p).sum(-1, keepdim=True))),
        Mistake(
            "once-more",
            "p is multiplied once too often.",
            lambda p, g: p * p * (g - (g * p).sum(-1, keepdim=True)),
            lambda p, g: p * g - p * p * (g * p).sum(-1, keepdim=True),
            lambda p, g: p * (g - (g * p * p).sum(-1, keepdim=True)),
        ),
        Mistake(
            "softmax-again",
            "p is already a softmax; here it goes through another one.",
            lambda p, g: _softmax_vjp(p.softmax(-1), g),
        ),
        Mistake("cross-entropy", "This is the gradient of a cross-entropy.", lambda p, g: p - g),
        Mistake(
            "scalar",
            "One number per row is returned; the gradient has one per score.",
            lambda p, g: (p * g).sum(-1),
            lambda p, g: (p * g).sum(-1, keepdim=True),
        ),
    ],
)
def check_softmax_vjp(answer):
    """Check ``answer(p, g)``: the gradient with respect to the scores, given weights ``p`` and upstream ``g``."""
