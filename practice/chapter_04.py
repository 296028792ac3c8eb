"""Exercises: the split into heads, and multi-head attention."""

import functools

import torch
from torch.nn import functional as F

import attention_core as ac

from .attention_parts import scaled_scores
from .engine import Mistake, checks, normal, say


def _explain_split_heads(got, expected, arguments):
    if sorted(got.flatten().tolist()) == sorted(expected.flatten().tolist()):
        return "wrong-order", say(
            "all numbers are there, but in different places. Which columns of x belong to head 0?"
        )
    return "changed", say("the numbers differ from the numbers in x. Splitting only moves them.")


@checks(
    right=lambda x, h: x.unflatten(-1, (h, -1)).transpose(1, 2),
    cases=[
        ("x of (2, 5, 12) with 4 heads", (normal(2, 5, 12, seed=21), 4)),
        ("x of (2, 4, 16) with 4 heads", (normal(2, 4, 16, seed=22), 4)),
        ("one head", (normal(3, 2, 6, seed=23), 1)),
        ("heads of width 1", (normal(1, 3, 4, seed=24), 4)),
        ("a transposed x", (normal(2, 12, 5, seed=25).mT, 3)),
        ("one position", (normal(2, 1, 8, seed=26), 2)),
    ],
    explain=_explain_split_heads,
    shown=(
        "Every head holds its own D/H neighbouring columns of every position, for several shapes and numbers of "
        "heads, one head and heads of width 1 among them."
    ),
    mistakes=[
        Mistake(
            "view-without-transpose",
            "The shape is right, but the contents are not: cut in this order, a head gets whole positions instead of "
            "columns of every position. Which axis is D next to?",
            lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1),
        ),
        Mistake(
            "not-transposed",
            "The heads are cut, but they should come before the positions.",
            lambda x, h: x.unflatten(-1, (h, -1)),
        ),
        Mistake(
            "interleaved",
            "Neighbouring columns go to different heads. Head 0 should get the first D/H columns.",
            lambda x, h: x.unflatten(-1, (-1, h)).permute(0, 3, 1, 2),
        ),
        Mistake(
            "heads-as-width",
            "The number of heads and the width of a head have changed places.",
            lambda x, h: x.unflatten(-1, (-1, h)).transpose(1, 2),
        ),
        Mistake(
            "heads-before-batch",
            "The heads come before the batch.",
            lambda x, h: x.unflatten(-1, (h, -1)).permute(2, 0, 1, 3),
        ),
        Mistake(
            "merged-with-batch",
            "Batch and heads share one axis. They should be two axes.",
            lambda x, h: x.unflatten(-1, (h, -1)).transpose(1, 2).flatten(0, 1),
            lambda x, h: torch.cat(x.chunk(h, -1)),
            lambda x, h: x.reshape(x.shape[0] * h, x.shape[1], -1),
        ),
        Mistake(
            "wrong-axes-swapped",
            "The heads are cut, and then the wrong two axes change places. In which order should the four axes be?",
            *[
                lambda x, h, axes=axes: x.unflatten(-1, (h, -1)).transpose(*axes)
                for axes in [(0, 1), (0, 2), (1, 3), (2, 3)]
            ],
        ),
        Mistake(
            "last-axes-swapped",
            "In each head, positions and columns have changed places.",
            lambda x, h: x.unflatten(-1, (h, -1)).permute(0, 2, 3, 1),
        ),
        Mistake(
            "last-axes-swapped",
            "The shape is right, but the last two axes were filled in the wrong order.",
            lambda x, h: x.unflatten(-1, (h, -1)).permute(0, 2, 3, 1).reshape(x.shape[0], h, x.shape[1], -1),
        ),
        Mistake(
            "splits-positions",
            "The positions are cut into heads. Each head should see all of them.",
            lambda x, h: x.unflatten(1, (h, -1)),
        ),
        Mistake("copies", "Each head gets all columns.", lambda x, h: x[:, None].expand(-1, h, -1, -1)),
        Mistake("first-head-only", "Only one head is returned.", lambda x, h: x[..., : x.shape[-1] // h]),
        Mistake("hand-back", "The input is returned unchanged.", lambda x, h: x),
        Mistake(
            "one-position", "It works for one position only.", lambda x, h: x.view(x.shape[0], h, 1, x.shape[-1] // h)
        ),
        Mistake(
            "reversed",
            "The heads are in reverse order.",
            lambda x, h: x.unflatten(-1, (h, -1)).transpose(1, 2).flip(1),
        ),
    ],
)
def check_split_heads(answer):
    """Check ``answer(x, num_heads)``: ``(N, L, D)`` to ``(N, num_heads, L, D / num_heads)``."""


def _multi_head(
    query,
    key,
    value,
    W,
    b,
    W_o,
    b_o,
    num_heads,
    *,
    order=(0, 1, 2),
    biases=(1, 1, 1, 1),
    scale=None,
    split=ac.split_heads,
    merge=ac.merge_heads,
    weights=ac.attention_weights,
    project=F.linear,
    swap=False,
):
    """Multi-head attention with an argument for each of the mistakes below."""
    Ws, bs = W.chunk(3), [bias * used for bias, used in zip(b.chunk(3), biases, strict=False)]
    projected = [project(x, Ws[i], bs[i]) for x, i in zip((query, key, value), order, strict=True)]
    q, k, v = (split(x, num_heads) for x in projected)
    if swap:
        k, v = v, k
    output = merge(weights(q, k, scale=scale) @ v)
    return F.linear(output, W_o, b_o * biases[3])


def _multi_head_with(**changes):
    """Multi-head attention with some of its parts changed."""
    return functools.partial(_multi_head, **changes)


def _split_before_projecting(query, key, value, W, b, W_o, b_o, num_heads):
    """The inputs are split first: each head projects its own columns with its own block."""
    E = W.shape[1] // num_heads
    mask = torch.block_diag(*num_heads * [torch.ones(E, E, dtype=W.dtype)]).repeat(3, 1)
    return _multi_head(query, key, value, W * mask, b, W_o, b_o, num_heads)


def _as_one_head(*arguments):
    return _multi_head(*arguments[:7], 1)


def _mean_of_heads(query, key, value, W, b, W_o, b_o, num_heads):
    def merge(x):
        return x.mean(1).repeat(1, 1, num_heads)

    return _multi_head(query, key, value, W, b, W_o, b_o, num_heads, merge=merge)


def _split_interleaved(x, h):
    return x.unflatten(-1, (-1, h)).permute(0, 3, 1, 2)


def _without_output_projection(query, key, value, W, b, W_o, b_o, num_heads):
    return _multi_head(query, key, value, W, b, torch.eye(len(W_o), dtype=W_o.dtype), 0 * b_o, num_heads)


# All wrong orders of three stacked parts, and some in which a part occurs twice or three times.
_OTHER_ORDERS = [(1, 0, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0), (2, 0, 1)]
_REPEATED = [(0, 0, 0), (0, 1, 1), (0, 0, 2)]


def _multi_head_inputs(N, L, S, D, H, seed):
    inputs = [normal(N, n, D, seed=seed + i) for i, n in enumerate((L, S, S))]
    W, W_o = normal(3 * D, D, seed=seed + 3) * (1.5 / D**0.5), normal(D, D, seed=seed + 4) / D**0.5
    return (*inputs, W, normal(3 * D, seed=seed + 5), W_o, normal(D, seed=seed + 6), H)


@checks(
    right=_multi_head,
    cases=[
        ("N = 2, L = 3, S = 5, D = 12, four heads", _multi_head_inputs(2, 3, 5, 12, 4, 30)),
        ("L = S = 4, D = 8, two heads", _multi_head_inputs(3, 4, 4, 8, 2, 40)),
        ("one head", _multi_head_inputs(1, 3, 6, 6, 1, 50)),
        ("large scores", tuple(30 * x if i < 2 else x for i, x in enumerate(_multi_head_inputs(1, 3, 4, 8, 2, 80)))),
        ("heads of width 1", _multi_head_inputs(2, 5, 2, 3, 3, 60)),
    ],
    explain=lambda got, expected, arguments: (
        ("not-finite", say("NaN or infinite numbers.")) if not got.isfinite().all() else None
    ),
    shown=(
        "Equal to torch's multi-head attention with random biases, L ≠ S, three different inputs, several heads, one "
        "head and heads of width 1."
    ),
    mistakes=[
        Mistake("no-scale", "The scores are not scaled.", _multi_head_with(scale=1.0)),
        Mistake(
            "scale-of-model",
            "The scale comes from the width of the model. How wide are the vectors whose products are taken?",
            lambda *a: _multi_head(*a, scale=a[0].shape[-1] ** -0.5),
        ),
        Mistake(
            "no-root",
            "The scores are divided by the width of a head. Which power of it should they be divided by?",
            lambda *a: _multi_head(*a, scale=a[7] / a[0].shape[-1]),
        ),
        Mistake(
            "precedence",
            "The scores are divided by twice the width of a head: ** binds more tightly than /.",
            lambda *a: _multi_head(*a, scale=0.5 * a[7] / a[0].shape[-1]),
        ),
        Mistake(
            "scale-reversed",
            "The scores are multiplied where they should be divided.",
            lambda *a: _multi_head(*a, scale=(a[0].shape[-1] / a[7]) ** 0.5),
        ),
        Mistake(
            "scale-after-softmax",
            "The factor comes after the softmax: the weights no longer sum to 1.",
            _multi_head_with(
                weights=lambda q, k, scale: ac.attention_weights(q, k, scale=1.0) / q.shape[-1] ** 0.5,
            ),
        ),
        Mistake(
            "scale-of-heads",
            "The scale comes from the number of heads, not from their width.",
            lambda *a: _multi_head(*a, scale=a[7] ** -0.5),
        ),
        Mistake(
            "stacked-per-head",
            "in_proj_weight is cut head by head. It holds all queries, then all keys, then all values.",
            lambda q, k, v, W, b, W_o, b_o, H: _multi_head(
                q,
                k,
                v,
                W.view(H, 3, -1, W.shape[1]).transpose(0, 1).reshape(W.shape),
                b.view(H, 3, -1).transpose(0, 1).reshape(b.shape),
                W_o,
                b_o,
                H,
            ),
        ),
        Mistake(
            "overflow",
            "Right for moderate scores; for large ones an exponential overflows. How does a softmax avoid that?",
            lambda *a: _multi_head(
                *a, weights=lambda q, k, scale: (e := scaled_scores(q, k).exp()) / e.sum(-1, keepdim=True)
            ),
        ),
        Mistake(
            "causal",
            "Later keys are hidden. No mask is asked for here.",
            lambda *a: _multi_head(
                *a, weights=lambda q, k, scale: ac.attention_weights(q, k, is_causal=True, scale=scale)
            ),
        ),
        Mistake(
            "weights-transposed",
            "All matrices are multiplied from the wrong side. What does F.linear do with its weight?",
            lambda q, k, v, W, b, W_o, b_o, H: _multi_head(
                q, k, v, W, b, W_o.T, b_o, H, project=lambda x, W, b: x @ W + b
            ),
        ),
        Mistake("value-for-key", "The keys are made from the value.", lambda q, k, v, *a: _multi_head(q, v, v, *a)),
        Mistake(
            "no-biases",
            "This would be right if all biases were 0, but they are not.",
            _multi_head_with(biases=(0, 0, 0, 0)),
        ),
        Mistake("no-input-bias", "in_proj_bias has no effect.", _multi_head_with(biases=(0, 0, 0, 1))),
        Mistake("no-output-bias", "out_proj_bias has no effect.", _multi_head_with(biases=(1, 1, 1, 0))),
        Mistake("no-query-bias", "The queries get no bias.", _multi_head_with(biases=(0, 1, 1, 1))),
        # There is no "no-key-bias": it adds the same number to all scores of a query, and the softmax ignores it.
        Mistake("no-value-bias", "The values get no bias.", _multi_head_with(biases=(1, 1, 0, 1))),
        Mistake(
            "biases-swapped",
            "The parts of in_proj_bias go to the wrong projections. In which order are they stacked?",
            *[
                lambda q, k, v, W, b, W_o, b_o, H, order=order: _multi_head(
                    q, k, v, W, torch.cat([b.chunk(3)[i] for i in order]), W_o, b_o, H
                )
                for order in _OTHER_ORDERS
            ],
        ),
        Mistake(
            "projections-swapped",
            "The parts of in_proj_weight go to the wrong inputs. In which order are they stacked?",
            *[lambda *a, order=order: _multi_head(*a, order=order) for order in _OTHER_ORDERS],
            *[
                lambda q, k, v, W, *a, order=order: _multi_head(q, k, v, torch.cat([W.chunk(3)[i] for i in order]), *a)
                for order in _OTHER_ORDERS
            ],
        ),
        Mistake(
            "shared-projection",
            "One part of in_proj_weight makes two or all three of the projections. Each has its own.",
            *[_multi_head_with(order=order) for order in _REPEATED],
            *[
                lambda q, k, v, W, *a, order=order: _multi_head(q, k, v, torch.cat([W.chunk(3)[i] for i in order]), *a)
                for order in _REPEATED
            ],
        ),
        Mistake(
            "no-input-projection",
            "The inputs are split as they are: in_proj_weight has no effect.",
            _multi_head_with(project=lambda x, W, b: x),
            _multi_head_with(project=lambda x, W, b: x + b),
        ),
        Mistake(
            "weight-transposed",
            "The input matrices are multiplied from the wrong side. What does F.linear do with its weight?",
            _multi_head_with(project=lambda x, W, b: x @ W + b),
        ),
        Mistake(
            "output-weight-transposed",
            "W_O is multiplied from the wrong side. What does F.linear do with its weight?",
            lambda q, k, v, W, b, W_o, b_o, H: _multi_head(q, k, v, W, b, W_o.T, b_o, H),
        ),
        Mistake(
            "split-without-transpose",
            "The heads are cut by a view alone, so a head gets whole positions instead of columns.",
            _multi_head_with(split=lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1)),
        ),
        Mistake(
            "merge-without-transpose",
            "The heads are split correctly but merged wrongly: positions and heads have to change places first.",
            _multi_head_with(merge=lambda x: x.reshape(x.shape[0], x.shape[2], -1)),
        ),
        Mistake(
            "split-without-transpose",
            "Splitting and merging are both only views, so a head gets whole positions instead of columns.",
            _multi_head_with(
                split=lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1),
                merge=lambda x: x.reshape(x.shape[0], x.shape[2], -1),
            ),
        ),
        Mistake(
            "interleaved",
            "Neighbouring columns go to different heads. Head 0 should get the first D/H columns.",
            _multi_head_with(split=_split_interleaved, merge=lambda x: x.permute(0, 2, 3, 1).flatten(2)),
            _multi_head_with(split=_split_interleaved),
        ),
        Mistake(
            "merge-interleaved",
            "The heads are split correctly, but merged with their columns alternating.",
            _multi_head_with(merge=lambda x: x.permute(0, 2, 3, 1).flatten(2)),
        ),
        Mistake(
            "heads-attend-to-heads",
            "Positions and heads were not exchanged: in each position the heads attend to one another.",
            _multi_head_with(split=lambda x, h: x.unflatten(-1, (h, -1)), merge=lambda x: x.flatten(2)),
        ),
        Mistake(
            "split-before-projecting",
            "The inputs are split before they are projected, so a head sees only its own columns of the input.",
            _split_before_projecting,
        ),
        Mistake(
            "no-output-projection",
            "The heads are concatenated, but the matrix that mixes them is missing.",
            _without_output_projection,
        ),
        Mistake(
            "no-output-projection",
            "The output's bias is added, but W_O is missing.",
            lambda q, k, v, W, b, W_o, b_o, H: _multi_head(q, k, v, W, b, torch.eye(len(W_o), dtype=W_o.dtype), b_o, H),
        ),
        Mistake("one-head", "num_heads has no effect: this is one wide head.", _as_one_head),
        Mistake("mean-of-heads", "The heads are averaged. They should be placed side by side.", _mean_of_heads),
        Mistake(
            "softmax-over-queries",
            "The softmax runs over the queries.",
            _multi_head_with(weights=lambda q, k, scale: scaled_scores(q, k).softmax(-2)),
        ),
        Mistake(
            "softmax-over-heads",
            "The softmax runs over the heads.",
            _multi_head_with(weights=lambda q, k, scale: scaled_scores(q, k).softmax(1)),
        ),
        Mistake(
            "no-softmax", "There is no softmax.", _multi_head_with(weights=lambda q, k, scale: scaled_scores(q, k))
        ),
        Mistake(
            "key-and-value-swapped",
            "Projected values are compared and projected keys averaged.",
            _multi_head_with(swap=True),
        ),
        Mistake(
            "self-attention-only",
            "Keys and values are made from the query. There are three inputs.",
            lambda q, k, v, *a: _multi_head(q, q, q, *a),
        ),
        Mistake("key-for-value", "The values are made from the key.", lambda q, k, v, *a: _multi_head(q, k, k, *a)),
        Mistake(
            "key-and-value-swapped",
            "The inputs key and value are exchanged.",
            lambda q, k, v, *a: _multi_head(q, v, k, *a),
        ),
        Mistake(
            "wrong-batch-axis",
            "The first axis is taken for the positions, as torch does without batch_first.",
            lambda q, k, v, *a: _multi_head(*(x.transpose(0, 1) for x in (q, k, v)), *a).transpose(0, 1),
        ),
        Mistake(
            "residual",
            "The query is added to the result, but that is a block's job, not attention's.",
            lambda *a: a[0] + _multi_head(*a),
        ),
    ],
)
def check_multi_head(answer):
    """Check ``answer(query, key, value, in_proj_weight, in_proj_bias, out_proj_weight, out_proj_bias, num_heads)``.

    Inputs ``(N, L, D)``, ``(N, S, D)``, ``(N, S, D)``; parameters as in ``torch.nn.MultiheadAttention``.
    """
