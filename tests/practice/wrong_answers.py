"""Readers' answers: right ones in several styles, and wrong ones with what the checker should find in each.

``RIGHT`` and ``WRONG`` map the name of an exercise to rows. A row of ``RIGHT`` is a name and a function. A row of
``WRONG`` is a name, a function, and the mistake that the checker should find, or a set of mistakes that it may find. To
add an answer, copy a row. Its name must be unique within the exercise: the test is named after both. A known mistake
needs no row here: its checker holds wrong answers that make it, and test_practice.py tries them.
"""

import math

import numpy as np
import torch
from torch.nn import functional as F

import attention_core as ac

INF = math.inf


# softmax(x)


def softmax_by_loops(x):
    rows = []
    for row in x.reshape(-1, x.shape[-1]).tolist():
        exps = [math.exp(value - max(row)) for value in row]
        rows.append([e / sum(exps) for e in exps])
    return torch.tensor(rows, dtype=x.dtype).reshape(x.shape)


def softmax_from_log(x):
    return (x - x.logsumexp(-1, keepdim=True)).exp()


def softmax_from_zero(x):
    """The largest score so far starts at 0, and so is never below it."""
    e = torch.exp(x - x.amax(-1, keepdim=True).clamp_min(0))
    return e / e.sum(-1, keepdim=True)


def softmax_from_first(x):
    e = torch.exp(x - x[..., :1])
    return e / e.sum(-1, keepdim=True)


def softmax_in_place(x):
    x -= x.max(-1, keepdim=True).values
    x.exp_()
    return x / x.sum(-1, keepdim=True)


def softmax_forgets_return(x):
    (x - x.amax()).exp()


# vjp(p, g)


def vjp_by_jacobian(p, g):
    return (ac.softmax_jacobian(p) @ g[..., None])[..., 0]


def vjp_by_autograd(p, g):
    x = p.log().requires_grad_()
    return torch.autograd.grad(torch.softmax(x, -1), x, g)[0]


# attention(query, key, value)


def attention_by_loops(query, key, value):
    out = torch.zeros(*query.shape[:-1], value.shape[-1])
    for index in np.ndindex(*query.shape[:-1]):
        keys, values = key[index[:-1]], value[index[:-1]]
        scores = torch.stack([query[index] @ k / len(k) ** 0.5 for k in keys])
        for weight, v in zip(torch.softmax(scores, 0), values, strict=True):
            out[index] += weight * v
    return out


def attention_in_float64(query, key, value):
    query, key, value = query.double(), key.double(), value.double()
    return torch.softmax(query @ key.transpose(-2, -1) * query.size(-1) ** -0.5, -1) @ value


def attention_not_contiguous(query, key, value):
    weights = torch.softmax(query @ key.mT / math.sqrt(key.shape[-1]), -1)
    return (value.mT @ weights.mT).mT


def attention_with_dropout(query, key, value):
    weights = F.dropout(torch.softmax(query @ key.mT / math.sqrt(key.shape[-1]), -1), 0.1)
    return weights @ value


def attention_with_dropout_in_place(query, key, value):
    return F.scaled_dot_product_attention(F.dropout(query, 0.1, inplace=True), key, value)


def attention_scales_in_place(query, key, value):
    query /= math.sqrt(query.shape[-1])
    return torch.softmax(query @ key.mT, -1) @ value


# split_heads(x, num_heads)


def split_by_view(x, num_heads):
    N, L, D = x.shape
    return x.reshape(N, L, num_heads, D // num_heads).permute(0, 2, 1, 3)


def split_into_a_list(x, num_heads):
    return list(x.chunk(num_heads, -1))


# multi_head(query, key, value, in_proj_weight, in_proj_bias, out_proj_weight, out_proj_bias, num_heads)


def multi_head_of_torch(query, key, value, W, b, W_o, b_o, num_heads):
    inputs = [x.transpose(0, 1) for x in (query, key, value)]
    output, _ = F.multi_head_attention_forward(
        *inputs, W.shape[1], num_heads, W, b, None, None, False, 0.0, W_o, b_o, training=False, need_weights=False
    )
    return output.transpose(0, 1)


def multi_head_by_loops(query, key, value, W, b, W_o, b_o, num_heads):
    D = W.shape[1]
    E, heads = D // num_heads, []
    for h in range(num_heads):
        rows = [slice(part * D + h * E, part * D + (h + 1) * E) for part in range(3)]
        q, k, v = (x @ W[r].T + b[r] for x, r in zip((query, key, value), rows, strict=True))
        heads.append(torch.softmax(q @ k.mT / math.sqrt(E), -1) @ v)
    return torch.cat(heads, -1) @ W_o.T + b_o


def multi_head(query, key, value, W, b, W_o, b_o, num_heads, *, heads_at=1):
    """A right answer, unless ``heads_at`` leaves the heads where they are split off, at axis 2."""
    parts = zip((query, key, value), W.chunk(3), b.chunk(3), strict=True)
    q, k, v = (F.linear(*part).unflatten(-1, (num_heads, -1)).transpose(2, heads_at) for part in parts)
    heads = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1) @ v
    return F.linear(heads.transpose(2, heads_at).flatten(2), W_o, b_o)


# causal_mask(L, S)


def causal_by_comparison(L, S):
    return torch.arange(S - L, S)[:, None] >= torch.arange(S)[None]


# masked_attention(query, key, value, attn_mask)


def masked_with_zeros_for_nothing(query, key, value, attn_mask):
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(~attn_mask, -INF)
    return torch.softmax(scores.double(), -1).nan_to_num() @ value.double()


def masked_renormalised(query, key, value, attn_mask):
    weights = torch.softmax(query @ key.mT / math.sqrt(query.shape[-1]), -1) * attn_mask
    return weights / weights.sum(-1, keepdim=True).clamp_min(1e-20) @ value


def scores_of(query, key):
    return query @ key.mT / math.sqrt(query.shape[-1])


def masked_with_minus_ten(query, key, value, attn_mask):
    weights = torch.softmax(scores_of(query, key).masked_fill(~attn_mask, -10.0), -1)
    return weights.masked_fill(~attn_mask.any(-1, keepdim=True), 0) @ value


def masked_one_for_nothing(query, key, value, attn_mask):
    return ac.scaled_dot_product_attention(query, key, value, attn_mask) + ~attn_mask.any(-1, keepdim=True)


# positions(length, dim)


def positions_by_loops(length, dim):
    table = torch.zeros(length, dim)
    for p in range(length):
        for i in range(0, dim, 2):
            table[p, i] = math.sin(p / 10_000 ** (i / dim))
            table[p, i + 1] = math.cos(p / 10_000 ** (i / dim))
    return table


def positions_stacked(length, dim, *, exponent=2, base=10_000.0):
    angles = torch.arange(length)[:, None] / base ** (exponent * torch.arange(dim // 2) / dim)
    return torch.stack([angles.sin(), angles.cos()], -1).view(length, dim)


# local_mask(L, window)


def local_by_loops(L, window):
    mask = torch.zeros(L, L, dtype=torch.bool)
    for i in range(L):
        mask[i, max(i - window, 0) : i + window + 1] = True
    return mask


# linear_attention and efficient_attention (query, key, value)


def linear_by_recurrence(query, key, value, *, kept=1):
    """A right answer, unless the memory forgets: ``kept`` is the part of it that stays."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    memory = torch.zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
    total, outputs = torch.zeros(*key.shape[:-2], key.shape[-1]), []
    for i in range(query.shape[-2]):
        q, k, v = query[..., i, :], key[..., i, :], value[..., i, :]
        memory, total = kept * memory + k[..., :, None] * v[..., None, :], kept * total + k
        outputs.append(torch.einsum("...e,...ev->...v", q, memory) / (q * total).sum(-1, keepdim=True))
    return torch.stack(outputs, -2)


def linear_by_weights(query, key, value):
    weights = (ac.elu_plus_one(query) @ ac.elu_plus_one(key).mT).tril()
    return weights / weights.sum(-1, keepdim=True) @ value


def linear_by_cumulative_sum(query, key, value):
    q, k = F.elu(query) + 1, F.elu(key) + 1
    sums = (k.unsqueeze(-1) * value.unsqueeze(-2)).cumsum(-3)
    return torch.einsum("...le,...lev->...lv", q, sums) / (q * k.cumsum(-2)).sum(-1, keepdim=True)


def efficient_by_loops(query, key, value):
    out = torch.zeros(*query.shape[:-1], value.shape[-1])
    for index in np.ndindex(*query.shape[:-1]):
        maps = torch.softmax(key[index[:-1]], 0)
        for e, share in enumerate(torch.softmax(query[index], 0)):
            out[index] += share * (maps[:, e] @ value[index[:-1]])
    return out


# online_softmax(chunks)


def online_softmax(chunks):
    largest, total = -INF, 0.0
    for chunk in chunks:
        larger = max(largest, chunk.max().item())
        if larger == -INF:
            continue
        total = total * math.exp(largest - larger) + (chunk - larger).exp().sum().item()
        largest = larger
    return torch.cat([(chunk - largest).exp() / total for chunk in chunks])


def online_shifted_by_chunks(chunks):
    """Each chunk is shifted by its own largest score, which is -inf if the chunk is hidden as a whole."""
    total = torch.cat(chunks).logsumexp(0)
    return torch.cat([(chunk - chunk.max()).exp() * (chunk.max() - total).exp() for chunk in chunks])


def online_with_a_stand_in(chunks):
    """A finite number takes the place of -inf in the subtraction only, and is not kept."""
    largest, total = chunks[0].max(), torch.zeros(())
    for chunk in chunks:
        larger = torch.maximum(largest, chunk.max())
        base = larger.masked_fill(larger == -INF, 0.0)
        total = total * (largest - base).exp() + (chunk - base).exp().sum()
        largest = larger
    return torch.cat([(chunk - largest).exp() / total for chunk in chunks])


def online_by_log_sum_exp(chunks):
    total = torch.stack([chunk.double().logsumexp(0) for chunk in chunks]).logsumexp(0)
    return torch.cat([(chunk - total).exp() for chunk in chunks])


def online_clears_the_list(chunks):
    weights = torch.softmax(torch.cat(chunks), 0)
    chunks[0] = None
    return weights


# capped_weights(scores, cap, sink)


def capped_by_numbers(scores, cap, sink):
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]).tolist():
        row = [cap * math.tanh(s / cap) for s in row]
        largest = max([*row, sink])
        exps = [math.exp(s - largest) for s in row]
        rows.append([e / (sum(exps) + math.exp(sink - largest)) for e in exps])
    return torch.tensor(rows).reshape(scores.shape)


def capped_by_log_sum_exp(scores, cap, sink):
    capped = cap * torch.tanh(scores / cap)
    total = torch.logaddexp(capped.logsumexp(-1, keepdim=True), torch.tensor(float(sink)))
    return (capped - total).exp()


def capped_overflows(scores, cap, sink):
    exps = (cap * torch.tanh(scores / cap)).exp()
    return exps / (exps.sum(-1, keepdim=True) + torch.tensor(float(sink)).exp())


# induction(weights, half)


def induction_by_indices(weights, half):
    i = torch.arange(half, 2 * half - 1)
    return weights[..., i, i - half + 1].mean(-1)


def induction_by_loop(weights, half):
    total = 0
    for i in range(half, 2 * half - 1):
        total = total + weights[..., i, i - half + 1]
    return total / (half - 1)


# delta_rule(query, key, value, beta)


def delta_rule(query, key, value, beta):
    memory = torch.zeros(key.shape[1], value.shape[1])
    outputs = []
    for i in range(len(query)):
        memory = memory + beta[i] * key[i][:, None] * (value[i] - key[i] @ memory)
        outputs.append(query[i] @ memory)
    return torch.stack(outputs)


def delta_by_projection(query, key, value, beta):
    memory, outputs = torch.zeros(key.shape[1], value.shape[1], dtype=torch.float64), []
    for q, k, v, b in zip(query.double(), key.double(), value.double(), beta.double(), strict=True):
        memory = (torch.eye(len(k)) - b * torch.outer(k, k)) @ memory + b * torch.outer(k, v)
        outputs.append(q @ memory)
    return torch.stack(outputs)


def sink_in_front(scores, cap, sink):
    capped = cap * torch.tanh(scores / cap)
    return torch.softmax(F.pad(capped, (1, 0), value=sink), -1)


# Answers that no exercise asks for.


def raises(*arguments):
    raise RuntimeError("out of ideas")


def leaves(*arguments):
    raise SystemExit


class Unspeakable(Exception):
    def __str__(self):
        raise RuntimeError


def raises_unspeakably(*arguments):
    raise Unspeakable


def recurses(*arguments):
    return recurses(*arguments)


# Precision and layout of a result are the engine's affair: one exercise, attention, tries them.
RIGHT = {
    "softmax": [
        ("by_loops", softmax_by_loops),
        ("from_the_logarithm", softmax_from_log),
        ("of_the_book", ac.softmax),
        ("module_of_torch", torch.nn.Softmax(dim=-1)),
    ],
    "softmax_vjp": [
        ("by_jacobian", vjp_by_jacobian),
        ("by_autograd", vjp_by_autograd),
        ("multiplied_out", lambda p, g: p * g - p * torch.einsum("...i,...i->...", p, g)[..., None]),
    ],
    "scale": [
        ("power", lambda d_k: d_k**-0.5),
        ("of_numpy", lambda d_k: 1 / np.sqrt(d_k)),
        ("tensor", lambda d_k: torch.tensor(d_k).rsqrt()),
        ("exponential", lambda d_k: math.exp(-math.log(d_k) / 2)),
    ],
    "dot_product_variance": [
        ("from_second_moments", lambda d, mq, vq, mk, vk: d * ((vq + mq**2) * (vk + mk**2) - (mq * mk) ** 2)),
        (
            "of_the_book",
            lambda d, mq, vq, mk, vk: ac.dot_product_moments(d, q_mean=mq, q_var=vq, k_mean=mk, k_var=vk)[1],
        ),
        (
            "sum_over_coordinates",
            lambda d, mq, vq, mk, vk: sum(np.float64(vq) * vk + mq**2 * vk + mk**2 * vq for _ in range(d)),
        ),
    ],
    "attention": [
        ("by_loops", attention_by_loops),
        ("in_float64", attention_in_float64),
        ("not_contiguous", attention_not_contiguous),
        ("of_the_book", ac.scaled_dot_product_attention),
    ],
    "split_heads": [
        ("by_view", split_by_view),
        ("of_the_book", ac.split_heads),
        ("by_einsum", lambda x, num_heads: torch.einsum("nlhe->nhle", x.unflatten(-1, (num_heads, -1))).contiguous()),
    ],
    "multi_head": [
        ("of_torch", multi_head_of_torch),
        ("by_loops", multi_head_by_loops),
        ("by_views", multi_head),
    ],
    "causal_mask": [
        ("by_comparison", causal_by_comparison),
        ("by_tril", lambda L, S: torch.ones(L, S).tril(S - L).bool()),
        ("transposed_twice", lambda L, S: ~torch.ones(S, L).bool().tril(L - S - 1).T),
    ],
    "masked_attention": [
        ("nan_to_zero", masked_with_zeros_for_nothing),
        ("renormalised", masked_renormalised),
        ("of_torch", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m)),
    ],
    "local_mask": [
        ("by_loops", local_by_loops),
        ("by_comparison", lambda L, window: (torch.arange(L)[:, None] - torch.arange(L)).abs() <= window),
        ("by_tril_and_triu", lambda L, window: torch.ones(L, L).tril(window).triu(-window).bool()),
    ],
    "linear_attention": [
        ("by_recurrence", linear_by_recurrence),
        ("by_weights", linear_by_weights),
        ("by_cumulative_sum", linear_by_cumulative_sum),
    ],
    "efficient_attention": [
        ("by_loops", efficient_by_loops),
        ("of_the_book", ac.efficient_attention),
        ("from_the_left", lambda q, k, v: torch.softmax(q, -1) @ torch.softmax(k, -2).mT @ v),
    ],
    "online_softmax": [
        ("two_passes", online_softmax),
        ("by_log_sum_exp", online_by_log_sum_exp),
        ("with_a_stand_in", online_with_a_stand_in),
        ("concatenated", lambda chunks: torch.softmax(torch.cat(chunks), 0)),
    ],
    "positions": [
        ("by_loops", positions_by_loops),
        ("of_the_book", ac.sinusoidal_positions),
        ("stacked", positions_stacked),
    ],
    "capped_weights": [
        ("by_numbers", capped_by_numbers),
        ("by_log_sum_exp", capped_by_log_sum_exp),
    ],
    "delta_rule": [
        ("one_by_one", delta_rule),
        ("by_projection", delta_by_projection),
        ("of_the_book", lambda q, k, v, b: ac.delta_rule_attention(q, k, v, beta=b, scale=1, chunk_size=2)),
    ],
    "induction": [
        ("by_indices", induction_by_indices),
        ("by_diagonal", lambda w, half: w.diagonal(1 - half, -2, -1)[..., 1:half].mean(-1)),
        ("by_loop", induction_by_loop),
    ],
    "shifted": [
        ("by_padding", lambda t, start: F.pad(t[:, :-1], (1, 0), value=start)),
        ("by_loops", lambda t, start: torch.tensor([[start, *row][:-1] for row in t.tolist()])),
        ("rolled_and_written", lambda t, start: t.roll(1, 1).index_fill(1, torch.tensor([0]), start)),
    ],
}

WRONG = {
    "softmax": [
        ("shifted_by_first", softmax_from_first, "overflow"),
        ("of_logarithms", lambda x: torch.softmax(x.log(), -1), "not-finite"),
        ("temperature", lambda x: torch.softmax(2 * x, -1), "wrong-weights"),
        ("rounded", lambda x: torch.softmax(x, -1).round(decimals=1), {"not-normalised", "wrong-weights"}),
        ("relu", lambda x: x.relu() / x.relu().sum(-1, keepdim=True), {"wrong-order", "overflow"}),
        ("in_place", softmax_in_place, "changes-its-input"),
        ("forgets_return", softmax_forgets_return, "returns-none"),
    ],
    "softmax_vjp": [
        ("jacobian_itself", lambda p, g: ac.softmax_jacobian(p), "wrong-shape"),
        ("doubled", lambda p, g: 2 * p * (g - (g * p).sum(-1, keepdim=True)), "different"),
        ("in_place", lambda p, g: g.mul_(p), "changes-its-input"),
    ],
    "scale": [
        ("rounded", lambda d_k: round(d_k**-0.5, 3), "different"),
        ("self_power", lambda d_k: d_k**d_k, {"reversed", "different"}),
        ("one_for_each_coordinate", lambda d_k: torch.ones(d_k) / d_k**0.5, "not-a-number"),
        ("string", lambda d_k: str(d_k**-0.5), "not-a-number"),
    ],
    "dot_product_variance": [
        ("pair", lambda d, mq, vq, mk, vk: (d * mq * mk, d * vq * vk), "not-a-number"),
    ],
    "attention": [
        ("shifted_by_zero_or_more", lambda q, k, v: softmax_from_zero(scores_of(q, k)) @ v, "overflow"),
        (
            "output_and_weights",
            lambda q, k, v: (torch.softmax(scores_of(q, k), -1) @ v, torch.softmax(scores_of(q, k), -1)),
            "not-a-tensor",
        ),
        ("temperature", lambda q, k, v: torch.softmax(2 * scores_of(q, k), -1) @ v, "wrong-weights"),
        ("half_precision", lambda q, k, v: (torch.softmax(scores_of(q, k), -1) @ v).half(), "wrong-dtype"),
        ("tripled", lambda q, k, v: 3 * torch.softmax(scores_of(q, k), -1) @ v, "not-an-average"),
        ("transposed", lambda q, k, v: v.mT @ torch.softmax(scores_of(q, k), -1).mT, "transposed"),
        ("with_dropout", attention_with_dropout, "random"),
        ("with_dropout_in_place", attention_with_dropout_in_place, "changes-its-input"),
        ("scales_in_place", attention_scales_in_place, "changes-its-input"),
    ],
    "split_heads": [
        (
            "transposed_too_early",
            lambda x, h: x.transpose(1, 2).view(x.shape[0], h, x.shape[1], -1),
            {"last-axes-swapped", "raises"},
        ),
        ("list_of_heads", split_into_a_list, "not-a-tensor"),
        ("doubled", lambda x, h: 2 * ac.split_heads(x, h), "changed"),
        ("columns_reversed", lambda x, h: ac.split_heads(x, h).flip(-1), "wrong-order"),
        ("whole_numbers", lambda x, h: ac.split_heads(x, h).long(), "wrong-dtype"),
    ],
    "multi_head": [
        ("no_transpose", lambda *a: multi_head(*a, heads_at=2), {"raises", "heads-attend-to-heads"}),
        ("plus_one", lambda *a: multi_head(*a) + 1, "different"),
    ],
    "causal_mask": [
        ("floats", lambda L, S: torch.ones(L, S).tril(S - L), "not-boolean"),
        ("window_of_one", lambda L, S: ac.sliding_window_mask(L, 1, S) & ac.causal_mask(L, S), "hides-the-past"),
        ("integers", lambda L, S: ac.causal_mask(L, S).int(), "not-boolean"),
    ],
    "masked_attention": [
        (
            "causal_of_torch",
            lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, is_causal=True),
            {"always-causal", "wrong-weights"},
        ),
        (
            "minus_three",
            lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(~m, -3.0), -1) @ v,
            "wrong-weights",
        ),
        ("minus_ten", masked_with_minus_ten, {"mask-too-weak", "wrong-weights"}),
        (
            "two_columns",
            lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m)[..., :2],
            "wrong-shape",
        ),
        ("one_for_nothing", masked_one_for_nothing, "empty-row-not-zero"),
        (
            "mask_inverted_in_place",
            lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m.logical_not_()),
            "changes-its-input",
        ),
    ],
    "local_mask": [
        ("floats", lambda L, window: local_by_loops(L, window).float(), "not-boolean"),
        ("fixed_window", lambda L, window: local_by_loops(L, 2), {"sees-too-far", "sees-too-little"}),
    ],
    "linear_attention": [
        ("resets", lambda q, k, v: linear_by_recurrence(q, k, v, kept=0), {"wrong-weights", "not-an-average"}),
        ("transposed", lambda q, k, v: linear_by_weights(q, k, v).mT, "transposed"),
        ("last_output_only", lambda q, k, v: linear_by_cumulative_sum(q, k, v)[..., -1, :], "wrong-shape"),
    ],
    "efficient_attention": [
        ("shifted_by_zero_or_more", lambda q, k, v: softmax_from_zero(q) @ (k.softmax(-2).mT @ v), "overflow"),
        ("keys_shifted_by_zero_or_more", lambda q, k, v: q.softmax(-1) @ (softmax_from_zero(k.mT) @ v), "overflow"),
        ("transposed", lambda q, k, v: efficient_by_loops(q, k, v).mT, "transposed"),
        ("query_doubled", lambda q, k, v: ac.efficient_attention(2 * q, k, v), "wrong-weights"),
    ],
    "online_softmax": [
        ("hidden_chunk_shifted_by_itself", online_shifted_by_chunks, "hidden-chunk"),
        ("list_of_chunks", lambda chunks: [chunk.softmax(0) for chunk in chunks], "not-a-tensor"),
        ("in_place", lambda chunks: online_softmax([chunk.sub_(chunk.max()) for chunk in chunks]), "changes-its-input"),
        ("clears_the_list", online_clears_the_list, "changes-its-input"),
        ("last_chunk_forgotten", lambda chunks: online_softmax(chunks[:-1]), {"raises", "wrong-shape"}),
    ],
    "positions": [
        ("base_500", lambda length, dim: positions_stacked(length, dim, base=500.0), "wrong-frequencies"),
        ("exponent_negative", lambda length, dim: positions_stacked(length, dim, exponent=-2), "rising-frequencies"),
        (
            "numbers_of_positions",
            lambda length, dim: torch.arange(length)[:, None].expand(-1, dim),
            {"wrong-dtype", "out-of-range"},
        ),
        ("numpy_array", lambda length, dim: positions_by_loops(length, dim).numpy(), "not-a-tensor"),
    ],
    "capped_weights": [
        (
            "shifted_by_zero_or_more",
            lambda s, c, k: softmax_from_zero(F.pad(c * torch.tanh(s / c), (0, 1), value=k))[..., :-1],
            "overflow",
        ),
        ("overflows", capped_overflows, "overflow"),
        ("logarithms", lambda s, c, k: sink_in_front(s, c, k).log()[..., 1:], {"logarithm", "overflow"}),
        ("transposed", lambda s, c, k: capped_by_log_sum_exp(s, c, k).mT, "transposed"),
    ],
    "delta_rule": [
        ("transposed", lambda q, k, v, b: delta_rule(q, k, v, b).T, "transposed"),
    ],
    "induction": [
        ("nothing", lambda w, half: None, "returns-none"),
    ],
    "shifted": [
        ("two_starts", lambda t, start: F.pad(t, (2, -2), value=start), "shifted-twice"),
        ("transposed", lambda t, start: F.pad(t[:, :-1], (1, 0), value=start).T, "transposed"),
        ("with_fractions", lambda t, start: F.pad(t[:, :-1], (1, 0), value=start).float(), "wrong-dtype"),
        ("truth_values", lambda t, start: F.pad(t[:, :-1], (1, 0), value=start) > 0, "wrong-dtype"),
    ],
}

# Answers that no exercise asks for, in rows of the same form, with the mistake that every checker finds.
BROKEN = [
    ("raises", raises, "raises"),
    ("leaves", leaves, "raises"),
    ("raises_unspeakably", raises_unspeakably, "raises"),
    ("recurses", recurses, "raises"),
    ("takes_no_argument", lambda: None, "raises"),
    ("returns_nothing", lambda *arguments: None, "returns-none"),
    ("string", "softmax", "not-a-function"),
    ("tensor", torch.zeros(3), "not-a-function"),
]
