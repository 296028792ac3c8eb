"""Exercises: linear and efficient attention."""

import functools

import torch
from torch.nn import functional as F

import attention_core as ac

from .attention_parts import explain_attention, normal_qkv
from .engine import Mistake, checks, say


def _linear_attention(q, k, v, *, phi=ac.elu_plus_one, triangle=0, normalise=True, phi_k=None):
    """Causal linear attention, computed from its weights, with an argument for each mistake."""
    weights = phi(q) @ (phi_k or phi)(k).mT
    weights = weights if triangle is None else weights.tril(triangle)
    total = weights.sum(-1, keepdim=True)
    return (weights / total.where(total != 0, 1) if normalise else weights) @ v


def _linear_attention_with(**changes):
    """Causal linear attention with some of its parts changed."""
    return functools.partial(_linear_attention, **changes)


def _self_attention_inputs(*batch, L=7, seed):
    return normal_qkv(*batch, L=L, S=L, E=4, Ev=3, seed=seed)


def _explain_linear_attention(got, expected, arguments):
    if torch.allclose(got[..., -1, :].double(), expected[..., -1, :].double(), atol=1e-3):
        return "not-causal", say(
            "the last output is right, but earlier ones are not. Which keys does each of them see?"
        )
    return explain_attention(got, expected, arguments)


@checks(
    right=functools.partial(ac.linear_attention, is_causal=True),
    cases=[
        ("matrices", _self_attention_inputs(seed=81)),
        ("a batch", _self_attention_inputs(2, seed=82)),
        ("a batch with heads", _self_attention_inputs(2, 3, L=5, seed=83)),
        ("one position", _self_attention_inputs(L=1, seed=84)),
        ("300 positions", _self_attention_inputs(L=300, seed=85)),
    ],
    explain=_explain_linear_attention,
    shown=(
        "Equal to the quadratic form with weights φ(q)·φ(k), for matrices, batches and heads, one position and 300; "
        "no output sees a later position."
    ),
    mistakes=[
        Mistake(
            "not-causal",
            "Every output sees all positions. The sums should run over the positions up to its own.",
            _linear_attention_with(triangle=None),
        ),
        Mistake(
            "not-normalised",
            "The weights do not sum to 1: the denominator is missing.",
            _linear_attention_with(normalise=False),
        ),
        Mistake(
            "not-normalised",
            "There is no denominator, and every output sees all positions.",
            _linear_attention_with(normalise=False, triangle=None),
        ),
        Mistake(
            "hides-itself",
            "A position does not see itself: is its own key added before or after its query asks?",
            _linear_attention_with(triangle=-1),
        ),
        Mistake("sees-the-future", "Each position sees the next one.", _linear_attention_with(triangle=1)),
        Mistake(
            "no-feature-map",
            "Queries and keys are multiplied as they are, so weights may be negative.",
            _linear_attention_with(phi=lambda x: x),
        ),
        Mistake(
            "no-feature-map", "Only the queries go through the feature map.", _linear_attention_with(phi_k=lambda x: x)
        ),
        Mistake(
            "no-feature-map",
            "Only the keys go through the feature map.",
            _linear_attention_with(phi=lambda x: x, phi_k=ac.elu_plus_one),
        ),
        Mistake(
            "feature-map-on-scores",
            "The feature map is applied to products, one for each pair of positions. What should go through it?",
            lambda q, k, v: (w := ac.elu_plus_one(q @ k.mT).tril()) / w.sum(-1, keepdim=True) @ v,
        ),
        Mistake(
            "wrong-feature-map",
            "The 1 is added before elu, whose result may still be negative.",
            _linear_attention_with(phi=lambda x: F.elu(x + 1)),
        ),
        Mistake(
            "looks-ahead",
            "Each position sees itself and the later ones. The mask should be the other triangle.",
            lambda q, k, v: _linear_attention(*(x.flip(-2) for x in (q, k, v))).flip(-2),
        ),
        Mistake(
            "wrong-feature-map",
            "The feature map is relu, which has no gradient below 0. Which one is asked for?",
            _linear_attention_with(phi=torch.relu),
        ),
        Mistake(
            "wrong-feature-map",
            "The feature map is elu without the 1, which may be negative.",
            _linear_attention_with(phi=F.elu),
        ),
        Mistake(
            "wrong-feature-map", "The feature map is relu + 1.", _linear_attention_with(phi=lambda x: x.relu() + 1)
        ),
        Mistake("wrong-feature-map", "The feature map is exp.", _linear_attention_with(phi=torch.exp)),
        Mistake(
            "wrong-feature-map",
            "The feature map is a softmax of the features.",
            _linear_attention_with(phi=lambda x: x.softmax(-1)),
        ),
        Mistake(
            "scaled",
            "Queries or outputs are divided by a square root. There are no scores to scale here.",
            lambda q, k, v: _linear_attention(q / q.shape[-1] ** 0.5, k, v),
            lambda q, k, v: _linear_attention(q, k, v) / q.shape[-1] ** 0.5,
        ),
        Mistake(
            "softmax",
            "This is softmax attention.",
            lambda q, k, v: ac.scaled_dot_product_attention(q, k, v, is_causal=True),
        ),
        Mistake(
            "softmax",
            "This is softmax attention, and it is not causal.",
            lambda q, k, v: ac.scaled_dot_product_attention(q, k, v),
        ),
        Mistake(
            "softmax",
            "The products of features go through a softmax as well.",
            lambda q, k, v: ac.scaled_dot_product_attention(
                ac.elu_plus_one(q), ac.elu_plus_one(k), v, is_causal=True, scale=1.0
            ),
        ),
        Mistake(
            "whole-denominator",
            "The numerator sums over earlier positions, the denominator over all.",
            lambda q, k, v: (w := ac.elu_plus_one(q) @ ac.elu_plus_one(k).mT).tril() / w.sum(-1, keepdim=True) @ v,
        ),
        Mistake(
            "denominator-without-sum",
            "The denominator is made from the query's own position. Over which keys does the numerator sum?",
            lambda q, k, v: (
                _linear_attention(q, k, v, normalise=False)
                / (ac.elu_plus_one(q) * ac.elu_plus_one(k)).sum(-1, keepdim=True)
            ),
        ),
        Mistake(
            "denominator-without-features",
            "In the denominator a query or a key is used without its feature map.",
            *[
                lambda q, k, v, f=f, g=g: (
                    _linear_attention(q, k, v, normalise=False) / (f(q) * g(k).cumsum(-2)).sum(-1, keepdim=True)
                )
                for f, g in [(torch.clone, ac.elu_plus_one), (ac.elu_plus_one, torch.clone), (torch.clone, torch.clone)]
            ],
        ),
        Mistake(
            "normalised-over-queries",
            "The weights of a key over all queries sum to 1. The weights of a query over its keys should sum to 1.",
            lambda q, k, v: (w := (ac.elu_plus_one(q) @ ac.elu_plus_one(k).mT).tril()) / w.sum(-2, keepdim=True) @ v,
        ),
        Mistake(
            "denominator-without-query",
            "The denominator sums features of keys, but the query belongs in it too.",
            lambda q, k, v: (
                (ac.elu_plus_one(q) @ ac.elu_plus_one(k).mT).tril()
                @ v
                / ac.elu_plus_one(k).cumsum(-2).sum(-1, keepdim=True)
            ),
        ),
        Mistake(
            "mean",
            "The sum is divided by the number of positions.",
            lambda q, k, v: (
                (ac.elu_plus_one(q) @ ac.elu_plus_one(k).mT).tril() @ v / torch.arange(1, q.shape[-2] + 1)[:, None]
            ),
        ),
        Mistake("efficient", "This is Efficient Attention.", ac.efficient_attention),
        Mistake(
            "sums-over-batch",
            "The sums run along the first axis, which is the batch.",
            lambda q, k, v: (
                _linear_attention(q, k, v)
                if q.ndim == 2
                else _linear_attention(*(x.transpose(0, -2) for x in (q, k, v))).transpose(0, -2)
            ),
        ),
    ],
)
def check_linear_attention(answer):
    """Check ``answer(query, key, value)``: causal linear attention with the feature map elu + 1."""


def _large_negative(seed):
    """Queries and keys whose rows are far below 0, each row at a level of its own."""
    q, k, v = normal_qkv(E=4, Ev=2, seed=seed)
    return q - torch.tensor([300.0, 900.0, 600.0])[:, None], k - 300, v


@checks(
    right=lambda q, k, v: ac.efficient_attention(q, k, v),
    cases=[
        ("matrices with L = 3, S = 5", normal_qkv(E=4, Ev=2, seed=91)),
        ("a batch", normal_qkv(2, E=4, Ev=2, seed=92)),
        ("a batch with heads", normal_qkv(2, 3, L=4, E=4, Ev=2, seed=93)),
        ("square matrices", normal_qkv(L=4, S=4, E=4, Ev=4, seed=94)),
        ("large numbers", normal_qkv(E=4, Ev=2, size=300.0, seed=95)),
        ("one key", normal_qkv(S=1, E=4, Ev=2, seed=96)),
        ("large negative numbers", _large_negative(seed=97)),
    ],
    explain=explain_attention,
    shown=(
        "Equal to the definition for L ≠ S, batches and heads, large numbers of either sign and one key; rows of the "
        "weights sum to 1."
    ),
    mistakes=[
        Mistake(
            "keys-by-row",
            "The keys are normalised along their features. A map is a distribution over positions.",
            lambda q, k, v: q.softmax(-1) @ (k.softmax(-1).mT @ v),
        ),
        Mistake(
            "queries-by-column",
            "The queries are normalised along the positions. A query mixes maps.",
            lambda q, k, v: q.softmax(-2) @ (k.softmax(-2).mT @ v),
        ),
        Mistake(
            "exchanged",
            "The two softmaxes are exchanged: which one runs along the positions?",
            lambda q, k, v: q.softmax(-2) @ (k.softmax(-1).mT @ v),
        ),
        Mistake(
            "queries-not-normalised",
            "The queries are used as they are, so the outputs are not averages.",
            lambda q, k, v: q @ (k.softmax(-2).mT @ v),
        ),
        Mistake(
            "keys-not-normalised",
            "The keys are used as they are, so the maps do not sum to 1.",
            lambda q, k, v: q.softmax(-1) @ (k.mT @ v),
        ),
        Mistake("no-softmax", "There is no softmax at all.", lambda q, k, v: q @ (k.mT @ v)),
        Mistake("softmax", "This is softmax attention.", F.scaled_dot_product_attention),
        Mistake(
            "softmax",
            "This is softmax attention, without a scale.",
            lambda q, k, v: ac.scaled_dot_product_attention(q, k, v, scale=1.0),
        ),
        Mistake(
            "scaled",
            "The queries are divided by a square root first. There are no scores to scale here.",
            lambda q, k, v: ac.efficient_attention(q / q.shape[-1] ** 0.5, k, v),
        ),
        Mistake(
            "scaled",
            "Keys, or queries and keys, are divided by a square root first. There are no scores to scale here.",
            lambda q, k, v: ac.efficient_attention(q / q.shape[-1] ** 0.5, k / q.shape[-1] ** 0.5, v),
            lambda q, k, v: ac.efficient_attention(q, k / q.shape[-1] ** 0.5, v),
        ),
        Mistake(
            "scaled",
            "The output is divided by a square root. There is nothing to scale here.",
            lambda q, k, v: ac.efficient_attention(q, k, v) / q.shape[-1] ** 0.5,
        ),
        Mistake(
            "fixed-axes",
            "The keys are normalised along axis 0, which is the axis of positions for matrices only.",
            lambda q, k, v: q.softmax(-1) @ (k.softmax(0).mT @ v),
        ),
        Mistake(
            "fixed-axes", "The keys are normalised along axis 1.", lambda q, k, v: q.softmax(-1) @ (k.softmax(1).mT @ v)
        ),
        Mistake(
            "fixed-axes",
            "The queries are normalised along a fixed axis, 0 or 1. Count the axes from the end.",
            lambda q, k, v: q.softmax(0) @ (k.softmax(-2).mT @ v),
            lambda q, k, v: q.softmax(1) @ (k.softmax(-2).mT @ v),
        ),
        Mistake(
            "fixed-axes",
            "The softmaxes name no axis, and torch guesses: the first axis of three, the second of four.",
            lambda q, k, v: q.softmax(axis := 0 if q.ndim == 3 else 1) @ (k.softmax(axis).mT @ v),
        ),
        Mistake(
            "softmax-too-late",
            "A softmax runs over products of keys and values. What should sum to 1 before values are averaged?",
            lambda q, k, v: q.softmax(-1) @ (k.mT @ v).softmax(-2),
            lambda q, k, v: q.softmax(-1) @ (k.mT @ v).softmax(-1),
        ),
        Mistake(
            "matrices-only",
            "Right for matrices, but it fails for a batch. How are axes counted from the end?",
            lambda q, k, v: q.softmax(-1) @ (k.softmax(-2).T @ v) if q.ndim == 2 else 1 / 0,
        ),
        Mistake(
            "causal",
            "Later positions are hidden. No mask is asked for here.",
            lambda q, k, v: ac.efficient_attention(q, k, v, is_causal=True),
        ),
        Mistake("linear", "This is linear attention with the feature map elu + 1.", ac.linear_attention),
        Mistake(
            "returns-maps",
            "The averages of the maps are returned; the queries have yet to mix them.",
            lambda q, k, v: k.softmax(-2).mT @ v,
        ),
        Mistake(
            "returns-weights",
            "The weights are returned; the values are still to be averaged.",
            lambda q, k, v: q.softmax(-1) @ k.softmax(-2).mT,
        ),
        Mistake(
            "overflow",
            "Right for moderate numbers, NaN for large ones.",
            lambda q, k, v: (
                (a := q.exp()) / a.sum(-1, keepdim=True) @ (((b := k.exp()) / b.sum(-2, keepdim=True)).mT @ v)
            ),
        ),
        Mistake(
            "key-and-value-swapped",
            "Keys and values are exchanged.",
            lambda q, k, v: q.softmax(-1) @ (v.softmax(-2).mT @ k),
        ),
    ],
)
def check_efficient_attention(answer):
    """Check ``answer(query, key, value)``: Efficient Attention, not causal, for any number of batch axes."""
