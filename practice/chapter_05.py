"""Exercises: the causal mask, and attention with a mask."""

import math

import torch

import attention_core as ac

from .attention_parts import explain_attention, normal_qkv, scaled_scores
from .engine import Mistake, checks, same, say


def _explain_causal_mask(got, expected, arguments):
    L, S = arguments
    if not got.any(-1).all() and L <= S:
        return "nothing-to-see", say("a query may attend to nothing, not even to itself.")
    if not got.double().isfinite().all():
        return "not-finite", say("NaN in a mask.")
    if (got & ~expected).any():
        return "sees-the-future", say(
            "a query may attend to a later key. For L ≠ S the last query belongs to the last key."
        )
    return "hides-the-past", say("a key is hidden although it is not later than the query.")


def _mask_where(compare):
    """A mask, L × S, from a comparison of rows i and columns j."""
    return lambda L, S: compare(torch.arange(L)[:, None], torch.arange(S), L, S)


@checks(
    right=lambda L, S: ac.causal_mask(L, S),
    returns="mask",
    cases=[(f"L = {L}, S = {S}", (L, S)) for L, S in [(4, 4), (3, 5), (5, 3), (1, 6), (2, 2), (1, 1), (6, 1)]],
    explain=_explain_causal_mask,
    shown=("Right for L = S, L < S, L > S and single rows: boolean, True = may attend, the last query sees all keys."),
    mistakes=[
        Mistake(
            "inverted",
            "True marks the hidden keys. In this book True = may attend.",
            _mask_where(lambda i, j, L, S: j > i + S - L),
        ),
        Mistake(
            "aligned-to-start",
            "Right for L = S. With more keys than queries, the last query should see all keys.",
            _mask_where(lambda i, j, L, S: j <= i),
        ),
        Mistake(
            "inverted",
            "True marks the hidden keys, and for L ≠ S the mask is aligned to the start.",
            _mask_where(lambda i, j, L, S: j > i),
        ),
        Mistake(
            "hides-itself",
            "A query may not see its own position. May a word look at itself?",
            _mask_where(lambda i, j, L, S: j < i + S - L),
        ),
        Mistake(
            "hides-itself",
            "A query may not see its own position, and the mask is aligned to the start.",
            _mask_where(lambda i, j, L, S: j < i),
        ),
        Mistake(
            "sees-the-future",
            "Each query sees one key too many.",
            _mask_where(lambda i, j, L, S: j <= i + S - L + 1),
            _mask_where(lambda i, j, L, S: j <= i + 1),
        ),
        Mistake(
            "looks-ahead",
            "Queries see the future and not the past: the mask should be the other triangle.",
            _mask_where(lambda i, j, L, S: j >= i + S - L),
            _mask_where(lambda i, j, L, S: j >= i),
        ),
        Mistake(
            "transposed",
            "Rows and columns are exchanged: there should be one row per query.",
            lambda L, S: ac.causal_mask(S, L),
            lambda L, S: ac.causal_mask(L, S).T,
        ),
        Mistake("square", "The mask is L × L. There are S keys.", lambda L, S: ac.causal_mask(L)),
        Mistake("square", "The mask is S × S. There are L queries.", lambda L, S: ac.causal_mask(S)),
        Mistake(
            "cut-from-square",
            "The mask is cut out of an S × S mask. Which of its rows belong to the queries, and are there enough?",
            lambda L, S: ac.causal_mask(S)[-L:],
            lambda L, S: ac.causal_mask(S)[:L],
        ),
        Mistake("hides-nothing", "Everything may be seen.", lambda L, S: torch.ones(L, S).bool()),
        Mistake("hides-everything", "Nothing may be seen.", lambda L, S: torch.zeros(L, S).bool()),
        Mistake(
            "diagonal",
            "Each query sees its own position only.",
            _mask_where(lambda i, j, L, S: j == i + S - L),
            _mask_where(lambda i, j, L, S: j == i),
        ),
        Mistake(
            "wrong-shift",
            "The shift between queries and keys has the wrong sign.",
            _mask_where(lambda i, j, L, S: j <= i + L - S),
        ),
        Mistake(
            "additive",
            "These are numbers to be added to scores. A boolean mask is asked for, True = may attend.",
            lambda L, S: ac.to_additive(ac.causal_mask(L, S), torch.float32),
        ),
        Mistake(
            "additive",
            "These are numbers to be added to scores, and aligned to the start. Which type is asked for?",
            lambda L, S: torch.full((L, S), -math.inf).triu(1),
            lambda L, S: torch.full((L, S), -1e9).triu(1),
        ),
        Mistake(
            "additive",
            "These are numbers to be added to scores. A boolean mask is asked for.",
            lambda L, S: torch.full((L, S), -1e9).triu(S - L + 1),
        ),
    ],
)
def check_causal_mask(answer):
    """Check ``answer(L, S)``: a boolean causal mask, True = may attend, aligned to the end."""


def _masked_inputs(*batch, L=4, S=6, seed, mask, offset=0.0):
    """Inputs for masked attention; one query has scores of exactly 0."""
    q, k, v = normal_qkv(*batch, L=L, S=S, seed=seed, offset=offset)
    q[..., 1, :] = 0  # a query whose scores are all exactly 0
    return q, k, v, mask


def _far_scores(offset, seed, mask):
    """Whole numbers, whose scores are multiples of 1/2 around ``offset``: exact in float32, in whatever order."""
    q, k, v = normal_qkv(L=4, S=6, E=4, seed=seed)
    q, k = q.round(), k.round()
    q[..., 0], k[..., 0] = 16.0, offset / 8
    return q, k, v, mask


def _random_mask(*shape, seed):
    """About six keys in ten may be seen, always including the first one."""
    mask = torch.rand(*shape, generator=torch.Generator().manual_seed(seed)) < 0.6
    mask[..., 0] = True
    return mask


_WITH_AN_EMPTY_ROW = _random_mask(4, 6, seed=3)
_WITH_AN_EMPTY_ROW[2] = False


def _explain_masked_attention(got, expected, arguments):
    empty = (~arguments[3].any(-1)).expand(got.shape[:-1])
    if empty.any() and same(got[~empty], expected[~empty]):
        if got[empty].isnan().any():
            return "empty-row-nan", say("a query that may attend to nothing gets NaN. It should get 0.")
        return "empty-row-not-zero", say(
            "a query that may attend to nothing should get 0, because no value may reach it."
        )
    return explain_attention(got, expected, arguments)


@checks(
    right=ac.scaled_dot_product_attention,
    cases=[
        ("a random mask", _masked_inputs(seed=71, mask=_random_mask(4, 6, seed=1))),
        ("a causal mask", _masked_inputs(L=5, S=5, seed=72, mask=ac.causal_mask(5))),
        ("a mask for every element of a batch", _masked_inputs(2, seed=73, mask=_random_mask(2, 4, 6, seed=2))),
        ("a padding mask, with heads", _masked_inputs(2, 3, seed=74, mask=ac.padding_mask([6, 2], 6))),
        ("a mask that hides nothing", _masked_inputs(seed=75, mask=torch.ones(4, 6).bool())),
        ("scores around -100", _masked_inputs(seed=77, mask=_random_mask(4, 6, seed=5), offset=-100.0)),
        ("scores around -100,000", _far_scores(-100_000, seed=78, mask=_random_mask(4, 6, seed=6))),
        ("scores around 100,000", _far_scores(100_000, seed=79, mask=_random_mask(4, 6, seed=7))),
        ("a query that may attend to nothing", _masked_inputs(seed=76, mask=_WITH_AN_EMPTY_ROW)),
    ],
    explain=_explain_masked_attention,
    shown=(
        "Equal to torch's masked attention for masks of queries, batches and padding; rows sum to 1 over what may be "
        "seen, also if all scores are near -100,000 or 100,000; a query that may attend to nothing gets 0."
    ),
    mistakes=[
        Mistake(
            "inverted",
            "Visible and hidden keys have changed places. In this book True = may attend.",
            lambda q, k, v, m: ac.scaled_dot_product_attention(q, k, v, ~m),
            lambda q, k, v, m: scaled_scores(q, k).masked_fill(m, -math.inf).softmax(-1) @ v,
            lambda q, k, v, m: scaled_scores(q, k).masked_fill(m, -1e9).softmax(-1) @ v,
        ),
        Mistake(
            "mask-after-softmax",
            "The mask comes after the softmax: what remains of a row no longer sums to 1.",
            lambda q, k, v, m: scaled_scores(q, k).softmax(-1) * m @ v,
        ),
        Mistake(
            "scores-to-zero",
            "Masked scores are set to 0, and exp(0) = 1 is a weight like any other. Which number has exponential 0?",
            lambda q, k, v, m: (scaled_scores(q, k) * m).softmax(-1) @ v,
        ),
        Mistake(
            "scores-to-zero",
            "Masked scores are set to a tiny number, whose exponential is 1. Which number has the exponential 0?",
            lambda q, k, v, m: scaled_scores(q, k).masked_fill(~m, 1e-9).softmax(-1) @ v,
        ),
        Mistake(
            "zero-means-masked",
            "A visible score of exactly 0 is hidden as well. Who knows what is hidden: the score or the mask?",
            lambda q, k, v, m: (s := scaled_scores(q, k) * m).masked_fill(s == 0, -math.inf).softmax(-1) @ v,
            lambda q, k, v, m: (
                (s := scaled_scores(q, k) * m).masked_fill(s == 0, -math.inf).softmax(-1).nan_to_num() @ v
            ),
            lambda q, k, v, m: (s := scaled_scores(q, k) * m).masked_fill(s == 0, -1e9).softmax(-1) @ v,
        ),
        Mistake(
            "mask-added",
            "The mask is added as 0 and 1. What should be added where nothing may be seen?",
            lambda q, k, v, m: (scaled_scores(q, k) + m).softmax(-1) @ v,
        ),
        Mistake(
            "mask-too-weak",
            "Masked scores are set to -1, which is a score like any other.",
            lambda q, k, v, m: scaled_scores(q, k).masked_fill(~m, -1.0).softmax(-1) @ v,
        ),
        Mistake("mask-ignored", "The mask has no effect.", lambda q, k, v, m: ac.scaled_dot_product_attention(q, k, v)),
        Mistake(
            "empty-row-uniform",
            "Right where anything may be seen. A query that may attend to nothing gets the mean of all values instead "
            "of 0: if all scores are the same large negative number, they are equal again.",
            lambda q, k, v, m: scaled_scores(q, k).masked_fill(~m, -1e9).softmax(-1) @ v,
        ),
        Mistake(
            "empty-row-nan",
            "Right where anything may be seen. A query that may attend to nothing gets 0/0 = NaN. It should get 0.",
            lambda q, k, v, m: scaled_scores(q, k).masked_fill(~m, -math.inf).softmax(-1) @ v,
        ),
        Mistake(
            "no-scale",
            "The scores are not scaled.",
            lambda q, k, v, m: ac.scaled_dot_product_attention(q, k, v, m, scale=1.0),
        ),
        Mistake(
            "no-scale",
            "The scores are not scaled, and a query that may attend to nothing gets the mean of all values.",
            lambda q, k, v, m: (q @ k.mT).masked_fill(~m, -1e9).softmax(-1) @ v,
        ),
        Mistake(
            "no-root",
            "The scores are divided by d_k. Which power of it should they be divided by?",
            lambda q, k, v, m: ac.scaled_dot_product_attention(q, k, v, m, scale=1 / q.shape[-1]),
        ),
        Mistake(
            "returns-weights",
            "The weights are returned; the values are still to be averaged.",
            lambda q, k, v, m: ac.attention_weights(q, k, m),
        ),
        Mistake(
            "infinity-after-softmax",
            "Minus infinity belongs in the scores, before the softmax turns them into weights.",
            lambda q, k, v, m: scaled_scores(q, k).softmax(-1).masked_fill(~m, -math.inf) @ v,
        ),
        Mistake(
            "plus-infinity",
            "The infinity has the wrong sign: the hidden keys win everything.",
            lambda q, k, v, m: scaled_scores(q, k).masked_fill(~m, math.inf).softmax(-1) @ v,
        ),
        Mistake(
            "mask-after-softmax",
            "The mask comes after the softmax, and the scores are not scaled either.",
            lambda q, k, v, m: (q @ k.mT).softmax(-1) * m @ v,
        ),
        Mistake(
            "overflow",
            "Right for moderate scores; far from 0 the exponentials overflow or vanish. How does a softmax avoid that?",
            lambda q, k, v, m: (e := scaled_scores(q, k).exp() * m) / e.sum(-1, keepdim=True).clamp_min(1e-9) @ v,
            lambda q, k, v, m: (e := scaled_scores(q, k).exp() * m) / e.sum(-1, keepdim=True) @ v,
            lambda q, k, v, m: (e := scaled_scores(q, k).exp() * m) @ v / e.sum(-1, keepdim=True),
        ),
        Mistake(
            "softmax-twice",
            "There are two softmaxes. What should be masked so that one is enough?",
            lambda q, k, v, m: (scaled_scores(q, k).softmax(-1) * m).softmax(-1) @ v,
            *[
                lambda q, k, v, m, low=low: (
                    scaled_scores(q, k).softmax(-1).masked_fill(~m, low).softmax(-1).nan_to_num() @ v
                )
                for low in (-math.inf, -1e9)
            ],
        ),
        Mistake(
            "mask-too-weak",
            "Masked scores are set to a number that other scores fall below. What is below all of them?",
            *[
                lambda q, k, v, m, low=low: (
                    scaled_scores(q, k).masked_fill(~m, low).softmax(-1) * m.any(-1, keepdim=True) @ v
                )
                for low in (-20.0, -100.0, -1e4)
            ],
            *[
                lambda q, k, v, m, low=low: scaled_scores(q, k).masked_fill(~m, low).softmax(-1) @ v
                for low in (-20.0, -100.0, -1e4)
            ],
        ),
        Mistake(
            "mask-of-another-kind",
            "Each row is the plain mean of what may be seen: the scores are lost in a large number added to all of "
            "them. Is a mask of 0 and minus infinity used as one of ones and zeros?",
            lambda q, k, v, m: (scaled_scores(q, k) + (1 - ac.to_additive(m, q.dtype)) * -1e9).softmax(-1) @ v,
            lambda q, k, v, m: (m / m.sum(-1, keepdim=True)).to(v.dtype) @ v,
        ),
        Mistake(
            "no-scale",
            "The scores are not scaled, and a query that may attend to nothing gets NaN.",
            lambda q, k, v, m: (q @ k.mT).masked_fill(~m, -math.inf).softmax(-1) @ v,
        ),
        Mistake(
            "always-causal",
            "The mask has no effect; a causal mask is applied instead.",
            lambda q, k, v, m: ac.scaled_dot_product_attention(q, k, v, is_causal=True),
        ),
        Mistake(
            "softmax-over-queries",
            "The softmax runs over the queries.",
            lambda q, k, v, m: scaled_scores(q, k).masked_fill(~m, -math.inf).softmax(-2) @ v,
            lambda q, k, v, m: scaled_scores(q, k).masked_fill(~m, -math.inf).softmax(-2).nan_to_num() @ v,
        ),
        Mistake(
            "no-softmax",
            "The scores themselves are the weights.",
            lambda q, k, v, m: scaled_scores(q, k).masked_fill(~m, 0) @ v,
        ),
        Mistake(
            "multiplied-by-infinity",
            "0 · ∞ is NaN: a mask of numbers cannot be made by multiplying by infinity.",
            lambda q, k, v, m: (scaled_scores(q, k) + (~m).float() * -math.inf).softmax(-1) @ v,
        ),
        Mistake(
            "mask-transposed",
            "The mask is transposed.",
            lambda q, k, v, m: ac.scaled_dot_product_attention(q, k, v, m.mT),
        ),
    ],
)
def check_masked_attention(answer):
    """Check ``answer(query, key, value, attn_mask)``: attention with a boolean mask, True = may attend.

    The mask broadcasts to ``(..., L, S)``; a query that may attend to nothing gets 0.
    """
