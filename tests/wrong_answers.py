"""What readers hand in: right answers in several styles, and wrong ones with the name that each should get.

``RIGHT`` and ``WRONG`` map the name of an exercise to functions; a wrong one comes with the mistakes it may be called.
"""

import math

import numpy as np
import torch
from torch.nn import functional as F

import attention_core as ac

INF = math.inf


# Exercise 1.1: softmax(x)


def softmax_by_loops(x):
    rows = []
    for row in x.reshape(-1, x.shape[-1]).tolist():
        exps = [math.exp(value - max(row)) for value in row]
        rows.append([e / sum(exps) for e in exps])
    return torch.tensor(rows, dtype=x.dtype).reshape(x.shape)


def softmax_from_log(x):
    return (x - x.logsumexp(-1, keepdim=True)).exp()


def softmax_not_contiguous(x):
    return torch.softmax(x, -1).mT.clone().mT if x.ndim > 1 else torch.softmax(x, -1)


def softmax_overflows(x):
    e = torch.exp(x)
    return e / e.sum(dim=-1, keepdim=True)


def softmax_in_place(x):
    x -= x.max(-1, keepdim=True).values
    x.exp_()
    return x / x.sum(-1, keepdim=True)


def softmax_forgets_return(x):
    (x - x.amax()).exp()


def softmax_with_epsilon_sum(x):
    e = (x - x.amax(-1, keepdim=True)).exp()
    return e / (e.sum(-1, keepdim=True) + 1)


# Exercise 1.2: vjp(p, g)


def vjp_by_jacobian(p, g):
    return (ac.softmax_jacobian(p) @ g[..., None])[..., 0]


def vjp_by_loops(p, g):
    out = torch.zeros_like(p)
    for index in np.ndindex(*p.shape[:-1]):
        for j in range(p.shape[-1]):
            for i in range(p.shape[-1]):
                out[index][j] += g[index][i] * p[index][i] * (float(i == j) - p[index][j])
    return out


def vjp_by_autograd(p, g):
    x = p.log().requires_grad_()
    return torch.autograd.grad(torch.softmax(x, -1), x, g)[0]


# Exercise 3.1: attention(query, key, value)


def attention_by_einsum(query, key, value):
    scores = torch.einsum("...le,...se->...ls", query, key) / math.sqrt(query.shape[-1])
    return torch.einsum("...ls,...sv->...lv", torch.softmax(scores, -1), value)


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


def attention_scales_in_place(query, key, value):
    query /= math.sqrt(query.shape[-1])
    return torch.softmax(query @ key.mT, -1) @ value


# Exercise 4.1: split_heads(x, num_heads)


def split_by_slices(x, num_heads):
    width = x.shape[-1] // num_heads
    return torch.stack([x[:, :, h * width : (h + 1) * width] for h in range(num_heads)], 1)


def split_by_view(x, num_heads):
    N, L, D = x.shape
    return x.reshape(N, L, num_heads, D // num_heads).permute(0, 2, 1, 3)


def split_into_a_list(x, num_heads):
    return list(x.chunk(num_heads, -1))


# Exercise 4.2: multi_head(query, key, value, in_proj_weight, in_proj_bias, out_proj_weight, out_proj_bias, num_heads)


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


def multi_head_by_einsum(query, key, value, W, b, W_o, b_o, num_heads):
    D = W.shape[1]
    W, b = W.view(3, num_heads, -1, D).double(), b.view(3, num_heads, 1, -1).double()
    q, k, v = (torch.einsum("nld,hed->nhle", x.double(), W[i]) + b[i] for i, x in enumerate((query, key, value)))
    p = torch.softmax(torch.einsum("nhle,nhse->nhls", q, k) / math.sqrt(D // num_heads), -1)
    return torch.einsum("nhls,nhse,dhe->nld", p, v, W_o.view(D, num_heads, -1).double()) + b_o


def multi_head(query, key, value, W, b, W_o, b_o, num_heads, *, wrong=""):
    """A right one, with places to go wrong."""
    N, L, D = query.shape
    S, E = key.shape[1], D // num_heads
    W_q, W_k, W_v = W.chunk(3)
    b_q, b_k, b_v = b.chunk(3)
    if wrong == "swapped biases":
        b_q, b_v = b_v, b_q
    if wrong == "no biases":
        b_q, b_k, b_v, b_o = (0 * x for x in (b_q, b_k, b_v, b_o))
    if wrong == "wrong order":
        W_q, W_k = W_k, W_q
    if wrong == "split first":
        heads = []
        for h in range(num_heads):
            c = slice(h * E, (h + 1) * E)
            q, k, v = (
                x[..., c] @ w[c, c].T + bias[c]
                for x, w, bias in zip((query, key, value), (W_q, W_k, W_v), (b_q, b_k, b_v), strict=True)
            )
            heads.append(F.scaled_dot_product_attention(q, k, v))
        return F.linear(torch.cat(heads, -1), W_o, b_o)
    q = F.linear(query, W_q, b_q)
    k, v = F.linear(key, W_k, b_k), F.linear(value, W_v, b_v)
    if wrong == "view only":
        q, k, v = q.view(N, num_heads, L, E), k.view(N, num_heads, S, E), v.view(N, num_heads, S, E)
    elif wrong == "no transpose":
        q, k, v = (x.view(N, -1, num_heads, E) for x in (q, k, v))
    else:
        q, k, v = (x.view(N, -1, num_heads, E).transpose(1, 2) for x in (q, k, v))
    scale = math.sqrt(D if wrong == "scale of the model" else E)
    softmax = softmax_overflows if wrong == "naive softmax" else torch.nn.Softmax(-1)
    heads = softmax(q @ k.mT / scale) @ v
    if wrong == "heads averaged":
        return F.linear(heads.mean(1).repeat(1, 1, num_heads), W_o, b_o)
    merged = heads.reshape(N, L, D) if wrong == "merge without transpose" else heads.transpose(1, 2).reshape(N, L, D)
    return merged if wrong == "no output projection" else F.linear(merged, W_o, b_o)


def multi_head_wrong(wrong):
    return lambda *arguments: multi_head(*arguments, wrong=wrong)


# Exercise 5.1: causal_mask(L, S)


def causal_by_loops(L, S):
    mask = torch.zeros(L, S, dtype=torch.bool)
    for i in range(L):
        for j in range(S):
            mask[i, j] = j <= i + (S - L)
    return mask


def causal_by_comparison(L, S):
    return torch.arange(S - L, S)[:, None] >= torch.arange(S)[None]


# Exercise 5.2: masked_attention(query, key, value, attn_mask)


def masked_by_selection(query, key, value, attn_mask):
    """Every query sees the keys that it may, and nothing else exists."""
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    mask = attn_mask.expand(scores.shape)
    out = torch.zeros(*query.shape[:-1], value.shape[-1])
    for index in np.ndindex(*query.shape[:-1]):
        seen = mask[index]
        if seen.any():
            out[index] = torch.softmax(scores[index][seen], 0) @ value[index[:-1]][seen]
    return out


def masked_with_zeros_for_nothing(query, key, value, attn_mask):
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(~attn_mask, -INF)
    return torch.softmax(scores.double(), -1).nan_to_num() @ value.double()


def masked_renormalised(query, key, value, attn_mask):
    weights = torch.softmax(query @ key.mT / math.sqrt(query.shape[-1]), -1) * attn_mask
    return weights / weights.sum(-1, keepdim=True).clamp_min(1e-20) @ value


def scores_of(query, key):
    return query @ key.mT / math.sqrt(query.shape[-1])


def masked_naive(query, key, value, attn_mask):
    exps = scores_of(query, key).exp() * attn_mask
    return exps / exps.sum(-1, keepdim=True).clamp_min(1e-9) @ value


def masked_with(low):
    def masked(query, key, value, attn_mask):
        weights = torch.softmax(scores_of(query, key).masked_fill(~attn_mask, low), -1)
        return weights.masked_fill(~attn_mask.any(-1, keepdim=True), 0) @ value

    return masked


def masked_by_zero_scores(query, key, value, attn_mask):
    """Takes a score of 0 for a masked one."""
    scores = scores_of(query, key) * attn_mask
    return torch.softmax(scores.masked_fill(scores == 0, -INF), -1).nan_to_num() @ value


# Exercise 6.1: positions(length, dim)


def positions_by_loops(length, dim):
    table = torch.zeros(length, dim)
    for p in range(length):
        for i in range(0, dim, 2):
            table[p, i] = math.sin(p / 10_000 ** (i / dim))
            table[p, i + 1] = math.cos(p / 10_000 ** (i / dim))
    return table


def positions_by_slices(length, dim):
    table = torch.empty(length, dim)
    angles = torch.arange(length)[:, None] * torch.exp(torch.arange(0, dim, 2) * (-math.log(10_000.0) / dim))
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


def positions_wrong(even=torch.sin, odd=torch.cos, arrange="pairs", exponent=2, base=10_000.0, first=0):
    def positions(length, dim):
        angles = torch.arange(first, first + length)[:, None] / base ** (exponent * torch.arange(dim // 2) / dim)
        if arrange == "halves":
            return torch.cat([even(angles), odd(angles)], -1)
        return torch.stack([even(angles), odd(angles)], -1).view(length, dim)

    return positions


# Exercise 7.1: local_mask(L, window)


def local_by_loops(L, window):
    mask = torch.zeros(L, L, dtype=torch.bool)
    for i in range(L):
        mask[i, max(i - window, 0) : i + window + 1] = True
    return mask


# Exercises 8.1 and 8.2: linear_attention and efficient_attention (query, key, value)


def linear_by_recurrence(query, key, value, *, phi=ac.elu_plus_one, wrong=""):
    memory = torch.zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
    total, outputs = torch.zeros(*key.shape[:-2], key.shape[-1]), []
    for i in range(query.shape[-2]):
        q, k, v = phi(query[..., i, :]), phi(key[..., i, :]), value[..., i, :]
        before = memory, total
        memory, total = memory + k[..., :, None] * v[..., None, :], total + k
        used = before if wrong == "asks first" else (memory, total)
        numerator = torch.einsum("...e,...ev->...v", q, used[0])
        denominator = (q * used[1]).sum(-1, keepdim=True)
        if wrong == "resets":
            memory, total = 0 * memory, 0 * total
        outputs.append(numerator / denominator.where(denominator != 0, 1) if wrong != "no denominator" else numerator)
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


# Exercise 9.1: online_softmax(chunks)


def online_softmax(chunks, *, wrong=""):
    largest, total = -INF, 0.0
    for chunk in chunks:
        larger = max(largest, chunk.max().item())
        factor = {"no factor": 1.0}.get(wrong, math.exp(largest - larger))
        total = total * factor + (chunk - larger).exp().sum().item()
        largest = larger
    return torch.cat([(chunk - largest).exp() / total for chunk in chunks])


def online_by_log_sum_exp(chunks):
    total = torch.stack([chunk.double().logsumexp(0) for chunk in chunks]).logsumexp(0)
    return torch.cat([(chunk - total).exp() for chunk in chunks])


def raises(*arguments):
    raise RuntimeError("out of ideas")


def leaves(*arguments):
    raise SystemExit


def recurses(*arguments):
    return recurses(*arguments)


RIGHT = {
    "softmax": [
        softmax_by_loops,
        softmax_from_log,
        softmax_not_contiguous,
        ac.softmax,
        lambda x: torch.softmax(x.double(), -1),
        torch.nn.Softmax(dim=-1),
    ],
    "softmax_vjp": [
        vjp_by_jacobian,
        vjp_by_loops,
        vjp_by_autograd,
        lambda p, g: p * g - p * torch.einsum("...i,...i->...", p, g)[..., None],
        lambda p, g: (
            (p.double() * (g - (p.double() * g).sum(-1, keepdim=True))).mT.contiguous().mT
            if p.ndim > 1
            else p * (g - p @ g)
        ),
    ],
    "scale": [
        lambda d_k: d_k**-0.5,
        lambda d_k: 1 / np.sqrt(d_k),
        lambda d_k: torch.tensor(d_k).rsqrt(),
        lambda d_k: math.exp(-math.log(d_k) / 2),
    ],
    "dot_product_variance": [
        lambda d, mq, vq, mk, vk: d * ((vq + mq**2) * (vk + mk**2) - (mq * mk) ** 2),
        lambda d, mq, vq, mk, vk: ac.dot_product_moments(d, q_mean=mq, q_var=vq, k_mean=mk, k_var=vk)[1],
        lambda d, mq, vq, mk, vk: sum(np.float64(vq) * vk + mq**2 * vk + mk**2 * vq for _ in range(d)),
        lambda d, mq, vq, mk, vk: torch.tensor(d * (vq * vk + mq**2 * vk + mk**2 * vq), dtype=torch.float64),
    ],
    "attention": [
        attention_by_einsum,
        attention_by_loops,
        attention_in_float64,
        attention_not_contiguous,
        F.scaled_dot_product_attention,
        ac.scaled_dot_product_attention,
    ],
    "split_heads": [
        split_by_slices,
        split_by_view,
        ac.split_heads,
        lambda x, num_heads: torch.einsum("nlhe->nhle", x.unflatten(-1, (num_heads, -1))).contiguous(),
        lambda x, num_heads: split_by_view(x.double(), num_heads),
    ],
    "multi_head": [multi_head_of_torch, multi_head_by_loops, multi_head_by_einsum, multi_head],
    "causal_mask": [
        causal_by_loops,
        causal_by_comparison,
        ac.causal_mask,
        lambda L, S: torch.ones(L, S).tril(S - L).bool(),
        lambda L, S: ~torch.ones(S, L).bool().tril(L - S - 1).T,
    ],
    "masked_attention": [
        masked_by_selection,
        masked_with_zeros_for_nothing,
        masked_renormalised,
        ac.scaled_dot_product_attention,
        lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m),
    ],
    "local_mask": [
        local_by_loops,
        lambda L, window: (torch.arange(L)[:, None] - torch.arange(L)).abs() <= window,
        lambda L, window: torch.ones(L, L).tril(window).triu(-window).bool(),
        ac.sliding_window_mask,
    ],
    "linear_attention": [
        linear_by_recurrence,
        linear_by_weights,
        linear_by_cumulative_sum,
        lambda q, k, v: ac.linear_attention(q.double(), k.double(), v.double(), is_causal=True),
        lambda q, k, v: linear_by_weights(q, k, v).mT.contiguous().mT,
    ],
    "efficient_attention": [
        efficient_by_loops,
        ac.efficient_attention,
        lambda q, k, v: torch.softmax(q, -1) @ torch.softmax(k, -2).mT @ v,
        lambda q, k, v: torch.einsum("...le,...se,...sv->...lv", q.softmax(-1), k.double().softmax(-2).float(), v),
    ],
    "online_softmax": [
        online_softmax,
        online_by_log_sum_exp,
        lambda chunks: torch.softmax(torch.cat(chunks), 0),
        lambda chunks: torch.cat(chunks).double().softmax(-1),
    ],
    "positions": [
        positions_by_loops,
        positions_by_slices,
        ac.sinusoidal_positions,
        positions_wrong(),  # with nothing wrong
        lambda length, dim: positions_by_loops(length, dim).double().T.contiguous().T,
    ],
}

WRONG = {
    "softmax": [
        (softmax_overflows, "overflow"),
        (lambda x: torch.softmax(x, 0), "wrong-axis"),
        (lambda x: torch.softmax(x, 1), "wrong-axis"),
        (lambda x: softmax_overflows(x - x.amin()), "overflow"),
        (lambda x: softmax_overflows(x - x.max()), "global-maximum"),
        (lambda x: (x - x.max(-1, keepdim=True).values).exp(), "not-normalised"),
        (lambda x: x / x.sum(-1, keepdim=True), "no-exponential"),
        (lambda x: torch.softmax(x.flatten(), 0).view(x.shape), "whole-tensor"),
        (lambda x: torch.log_softmax(x, -1), "logarithm"),
        (lambda x: (e := (x - x.amax(-1, keepdim=True)).exp()) / e.sum(-1), "lost-axis"),
        (lambda x: torch.softmax(-x, -1), "reversed"),
        (lambda x: x.exp() / x.exp().sum(-1), "lost-axis"),
        (lambda x: x.exp() / x.exp().sum(), "whole-tensor"),
        (lambda x: (-x).exp() / (-x).exp().sum(-1, keepdim=True), "reversed"),
        (lambda x: torch.softmax(x.log(), -1), "not-finite"),
        (lambda x: torch.softmax(x, -1) + 0.001, "not-normalised"),
        (softmax_with_epsilon_sum, "not-normalised"),
        (lambda x: torch.softmax(2 * x, -1), "wrong-weights"),
        (lambda x: torch.softmax(x, -1).round(decimals=1), {"not-normalised", "wrong-weights"}),
        (lambda x: x.relu() / x.relu().sum(-1, keepdim=True), {"wrong-order", "overflow"}),
        (softmax_in_place, "changes-its-input"),
    ],
    "softmax_vjp": [
        (lambda p, g: p * (1 - p) * g, "diagonal-only"),
        (lambda p, g: p * g, "no-mean"),
        (lambda p, g: p * (g - g.mean(-1, keepdim=True)), "plain-mean"),
        (lambda p, g: g - (g * p).sum(-1, keepdim=True), "not-weighted"),
        (lambda p, g: p * (g - (g * p).sum()), "wrong-axis"),
        (lambda p, g: p * ((g * p).sum(-1, keepdim=True) - g), "sign"),
        (lambda p, g: p * (g - (g * p).sum(-1)), "lost-axis"),
        (lambda p, g: ac.softmax_jacobian(p), "wrong-shape"),
        (lambda p, g: g - p * g.sum(-1, keepdim=True), "logarithm"),
        (lambda p, g: p * g - (g * p).sum(-1, keepdim=True), "bracket"),
        (lambda p, g: 2 * p * (g - (g * p).sum(-1, keepdim=True)), "different"),
        (lambda p, g: p * (g - (g * p).mean(-1, keepdim=True)), {"rows-not-zero"}),
        (lambda p, g: g.mul_(p), "changes-its-input"),
    ],
    "scale": [
        (lambda d_k: 1 / d_k, "no-root"),
        (lambda d_k: math.sqrt(d_k), "reversed"),
        (lambda d_k: d_k**0.5, "reversed"),
        (lambda d_k: 1.0, "no-scale"),
        (lambda d_k: 0.125, "fixed"),
        (lambda d_k: 1 // d_k**0.5, "truncated"),
        (lambda d_k: -(d_k**-0.5), "sign"),
        (lambda d_k: d_k**-1 / 2, "precedence"),
        (lambda d_k: 1 / d_k**1 / 2, "precedence"),
        (lambda d_k: round(d_k**-0.5, 3), "different"),
        (lambda d_k: d_k**d_k, {"reversed", "different"}),
        (lambda d_k: 2 / math.sqrt(d_k), "different"),
        (lambda d_k: torch.ones(d_k) / d_k**0.5, "not-a-number"),
        (lambda d_k: str(d_k**-0.5), "not-a-number"),
    ],
    "dot_product_variance": [
        (lambda d, mq, vq, mk, vk: d * vq * vk, "zero-means"),
        (lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 * vq + mk**2 * vk), "crossed"),
        (lambda d, mq, vq, mk, vk: vq * vk + mq**2 * vk + mk**2 * vq, "one-coordinate"),
        (lambda d, mq, vq, mk, vk: d * (vq + mq**2) * (vk + mk**2), "mean-square"),
        (lambda d, mq, vq, mk, vk: (d * (vq * vk + mq**2 * vk + mk**2 * vq)) ** 0.5, "standard-deviation"),
        (lambda d, mq, vq, mk, vk: d * vk * (vq + mq**2), "one-mean"),
        (lambda d, mq, vq, mk, vk: d * (vq**2 * vk**2 + mq**2 * vk**2 + mk**2 * vq**2), "squared-variances"),
        (lambda d, mq, vq, mk, vk: d * (vq * vk + mq * vk + mk * vq), "not-squared"),
        (lambda d, mq, vq, mk, vk: (d * mq * mk, d * vq * vk), "not-a-number"),
        (lambda d, mq, vq, mk, vk: d * (vq + vk), "sum-of-variances"),
    ],
    "attention": [
        (lambda q, k, v: torch.softmax(q @ k.mT, -1) @ v, "no-scale"),
        (lambda q, k, v: torch.softmax(q @ k.mT / k.shape[-1], -1) @ v, "no-root"),
        (lambda q, k, v: torch.softmax(q @ k.mT * math.sqrt(k.shape[-1]), -1) @ v, "scale-reversed"),
        (lambda q, k, v: torch.softmax(q @ k.mT / k.shape[-1] ** 1 / 2, -1) @ v, "precedence"),
        (lambda q, k, v: torch.softmax(q @ k.mT / math.sqrt(k.shape[1]), -1) @ v, "scale-of-fixed-axis"),
        (lambda q, k, v: softmax_overflows(q @ k.mT) @ v, "no-scale"),
        (lambda q, k, v: torch.softmax(-scores_of(q, k), -1) @ v, "reversed"),
        (lambda q, k, v: torch.sigmoid(scores_of(q, k)) @ v, "sigmoid"),
        (lambda q, k, v: (e := scores_of(q, k).exp()) / e.sum(-1) @ v, "lost-axis"),
        (lambda q, k, v: torch.softmax(q @ k.mT / math.sqrt(v.shape[-1]), -1) @ v, "scale-of-values"),
        (lambda q, k, v: torch.softmax(scores_of(q, k), -2) @ v, "softmax-over-queries"),
        (lambda q, k, v: scores_of(q, k) @ v, "no-softmax"),
        (lambda q, k, v: torch.softmax(scores_of(q, k), -1), "returns-weights"),
        (lambda q, k, v: torch.softmax(q @ k.mT, -1) / math.sqrt(k.shape[-1]) @ v, "scale-after-softmax"),
        (lambda q, k, v: torch.softmax(scores_of(q, k), -1) @ k, "keys-for-values"),
        (lambda q, k, v: torch.softmax(scores_of(q, v), -1) @ k, "key-and-value-swapped"),
        (lambda q, k, v: torch.softmax(q @ k.transpose(0, 1) / q.shape[-1] ** 0.5, -1) @ v, "matrices-only"),
        (lambda q, k, v: softmax_overflows(scores_of(q, k)) @ v, "overflow"),
        (lambda q, k, v: scores_of(q, k).exp() @ v, "not-normalised"),
        (lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), "causal"),
        (lambda q, k, v: (torch.softmax(scores_of(q, k), -1) @ v, torch.softmax(scores_of(q, k), -1)), "not-a-tensor"),
        (lambda q, k, v: torch.softmax(2 * scores_of(q, k), -1) @ v, "wrong-weights"),
        (lambda q, k, v: (torch.softmax(scores_of(q, k), -1) @ v).half(), "wrong-dtype"),
        (lambda q, k, v: 3 * torch.softmax(scores_of(q, k), -1) @ v, "not-an-average"),
        (attention_with_dropout, "random"),
        (attention_scales_in_place, "changes-its-input"),
    ],
    "split_heads": [
        (lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1), "view-without-transpose"),
        (lambda x, h: x.view(x.shape[0], h, x.shape[1], -1), "view-without-transpose"),
        (lambda x, h: x.transpose(1, 2).view(x.shape[0], h, x.shape[1], -1), {"last-axes-swapped", "raises"}),
        (lambda x, h: x.reshape(*x.shape[:2], h, -1), "not-transposed"),
        (lambda x, h: x.reshape(*x.shape[:2], -1, h).permute(0, 3, 1, 2), "interleaved"),
        (lambda x, h: x.reshape(*x.shape[:2], -1, h).transpose(1, 2), "heads-as-width"),
        (lambda x, h: x.reshape(*x.shape[:2], h, -1).permute(2, 0, 1, 3), "heads-before-batch"),
        (lambda x, h: ac.split_heads(x, h).flatten(0, 1), "merged-with-batch"),
        (lambda x, h: x.reshape(*x.shape[:2], h, -1).permute(0, 2, 3, 1), "last-axes-swapped"),
        (split_into_a_list, "not-a-tensor"),
        (lambda x, h: 2 * ac.split_heads(x, h), "changed"),
        (lambda x, h: ac.split_heads(x, h).flip(-1), "wrong-order"),
        (lambda x, h: ac.split_heads(x, h).long(), "wrong-dtype"),
    ],
    "multi_head": [
        (multi_head_wrong("no biases"), "no-biases"),
        (multi_head_wrong("swapped biases"), "biases-swapped"),
        (multi_head_wrong("wrong order"), "projections-swapped"),
        (multi_head_wrong("split first"), "split-before-projecting"),
        (multi_head_wrong("view only"), "split-without-transpose"),
        (multi_head_wrong("no transpose"), {"raises", "heads-attend-to-heads"}),
        (multi_head_wrong("scale of the model"), "scale-of-model"),
        (multi_head_wrong("heads averaged"), "mean-of-heads"),
        (multi_head_wrong("merge without transpose"), "merge-without-transpose"),
        (multi_head_wrong("no output projection"), "no-output-projection"),
        (lambda *a: multi_head(*a[:7], 1), "one-head"),
        (multi_head_wrong("naive softmax"), "overflow"),
        (lambda q, k, v, *a: multi_head(q, v, v, *a), "value-for-key"),
        (lambda q, k, v, *a: multi_head(q, q, q, *a), "self-attention-only"),
        (lambda q, k, v, W, b, W_o, b_o, H: multi_head(q, k, v, W, b, W_o.T, b_o, H), "output-weight-transposed"),
        (lambda q, k, v, W, b, W_o, b_o, H: multi_head(q, k, v, W, b, W_o, 0 * b_o, H), "no-output-bias"),
        (lambda q, k, v, W, b, W_o, b_o, H: multi_head(q, k, v, W, 0 * b, W_o, b_o, H), "no-input-bias"),
        (lambda *a: multi_head(*a) + 1, "different"),
    ],
    "causal_mask": [
        (lambda L, S: torch.ones(L, S).triu(S - L + 1).bool(), "inverted"),
        (lambda L, S: torch.ones(L, S).tril().bool(), "aligned-to-start"),
        (lambda L, S: torch.ones(L, S).tril(S - L - 1).bool(), "hides-itself"),
        (lambda L, S: torch.ones(L, S).tril(S - L + 1).bool(), "sees-the-future"),
        (lambda L, S: torch.ones(L, S).tril(S - L), "not-boolean"),
        (lambda L, S: torch.zeros(L, S).masked_fill(~ac.causal_mask(L, S), -INF), "additive"),
        (lambda L, S: torch.ones(S, L).tril(L - S).bool(), "transposed"),
        (lambda L, S: torch.ones(L, L).tril().bool(), "square"),
        (lambda L, S: torch.ones(L, S).bool(), "hides-nothing"),
        (lambda L, S: torch.ones(L, S).triu().bool(), "looks-ahead"),
        (lambda L, S: ac.sliding_window_mask(L, 1, S) & ac.causal_mask(L, S), "hides-the-past"),
        (lambda L, S: ac.sliding_window_mask(L, 2, S), "sees-the-future"),
        (lambda L, S: ac.causal_mask(L, S).int(), "not-boolean"),
    ],
    "masked_attention": [
        (lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(m, -INF), -1) @ v, "inverted"),
        (lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(m, -INF), -1).nan_to_num() @ v, "inverted"),
        (lambda q, k, v, m: torch.softmax(scores_of(q, k), -1).masked_fill(~m, 0) @ v, "mask-after-softmax"),
        (lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(~m, 0), -1) @ v, "scores-to-zero"),
        (lambda q, k, v, m: torch.softmax(scores_of(q, k) * m, -1) @ v, "scores-to-zero"),
        (lambda q, k, v, m: torch.softmax(scores_of(q, k) + m.float(), -1) @ v, "mask-added"),
        (lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(~m, -1e9), -1) @ v, "empty-row-uniform"),
        (lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(~m, -INF), -1) @ v, "empty-row-nan"),
        (lambda q, k, v, m: torch.softmax(scores_of(q, k), -1) @ v, "mask-ignored"),
        (lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m, scale=1.0), "no-scale"),
        (
            lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, is_causal=True),
            {"always-causal", "wrong-weights"},
        ),
        (lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(~m, -3.0), -1) @ v, "wrong-weights"),
        (masked_naive, "overflow"),
        (masked_with(-10.0), {"mask-too-weak", "wrong-weights"}),
        (masked_with(-20.0), "mask-too-weak"),
        (lambda q, k, v, m: torch.softmax(scores_of(q, k), -1).masked_fill(~m, -INF) @ v, "infinity-after-softmax"),
        (lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(~m, INF), -1) @ v, "plus-infinity"),
        (lambda q, k, v, m: torch.softmax((q @ k.mT).masked_fill(~m, -1e9), -1) @ v, "no-scale"),
        (masked_by_zero_scores, {"wrong-weights", "empty-row-not-zero", "different", "not-an-average"}),
        (lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m)[..., :2], "wrong-shape"),
        (lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m.logical_not_()), "changes-its-input"),
    ],
    "local_mask": [
        (lambda L, window: ~local_by_loops(L, window), "inverted"),
        (lambda L, window: local_by_loops(L, window) & ac.causal_mask(L), "looks-back-only"),
        (lambda L, window: (torch.arange(L)[:, None] - torch.arange(L)).abs() < window, "too-narrow"),
        (lambda L, window: torch.arange(L)[:, None] - torch.arange(L) <= window, "no-absolute-value"),
        (lambda L, window: local_by_loops(L, window // 2), "total-width"),
        (lambda L, window: local_by_loops(L, window).float(), "not-boolean"),
        (lambda L, window: torch.zeros(L, L).masked_fill(~local_by_loops(L, window), -INF), "additive"),
        (lambda L, window: local_by_loops(L, window) & ~torch.eye(L).bool(), "hides-itself"),
        (lambda L, window: local_by_loops(L, 2), {"sees-too-far", "sees-too-little"}),
    ],
    "linear_attention": [
        (lambda q, k, v: linear_by_recurrence(q, k, v, wrong="asks first"), "hides-itself"),
        (lambda q, k, v: linear_by_recurrence(q, k, v, wrong="no denominator"), "not-normalised"),
        (lambda q, k, v: linear_by_recurrence(q, k, v, wrong="resets"), {"wrong-weights", "not-an-average"}),
        (lambda q, k, v: linear_by_recurrence(q, k, v, phi=torch.exp), "wrong-feature-map"),
        (lambda q, k, v: linear_by_recurrence(q, k, v, phi=lambda x: x), "no-feature-map"),
        (lambda q, k, v: ac.linear_attention(q, k, v), "not-causal"),
        (lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), "softmax"),
        (lambda q, k, v: linear_by_cumulative_sum(q, k, v)[..., -1, :], "wrong-shape"),
        (lambda q, k, v: linear_by_weights(q / 2, k, v), "scaled"),
    ],
    "efficient_attention": [
        (lambda q, k, v: torch.softmax(q, -1) @ (torch.softmax(k, -1).mT @ v), "keys-by-row"),
        (lambda q, k, v: torch.softmax(q, -2) @ (torch.softmax(k, -2).mT @ v), "queries-by-column"),
        (lambda q, k, v: torch.softmax(q, -2) @ (torch.softmax(k, -1).mT @ v), "exchanged"),
        (lambda q, k, v: q @ (torch.softmax(k, -2).mT @ v), "queries-not-normalised"),
        (lambda q, k, v: torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v, "softmax"),
        (lambda q, k, v: torch.softmax(q, -1) @ (torch.softmax(k, 0).mT @ v), "fixed-axes"),
        (lambda q, k, v: torch.softmax(q, -1) @ (k.softmax(-2).T @ v) if q.ndim == 2 else k.nope, "matrices-only"),
        (lambda q, k, v: ac.efficient_attention(2 * q, k, v), "wrong-weights"),
        (lambda q, k, v: softmax_overflows(q) @ (softmax_overflows(k.mT) @ v), "overflow"),
    ],
    "online_softmax": [
        (lambda chunks: torch.cat([chunk.softmax(0) for chunk in chunks]), "each-chunk"),
        (lambda chunks: online_softmax(chunks, wrong="no factor"), "no-correction"),
        (lambda chunks: softmax_overflows(torch.cat(chunks)), "overflow"),
        (lambda chunks: torch.cat(chunks).log_softmax(0), "logarithm"),
        (lambda chunks: torch.cat(chunks).logsumexp(0), "returns-log-sum-exp"),
        (lambda chunks: [chunk.softmax(0) for chunk in chunks], "not-a-tensor"),
        (lambda chunks: online_softmax([chunk.sub_(chunk.max()) for chunk in chunks]), "changes-its-input"),
        (lambda chunks: online_softmax(chunks[:-1]), {"raises", "wrong-shape"}),
    ],
    "positions": [
        (positions_wrong(arrange="halves"), "halves"),
        (positions_wrong(torch.cos, torch.sin), "cosine-first"),
        (positions_wrong(exponent=1), "wrong-exponent"),
        (positions_wrong(base=1000.0), "wrong-base"),
        (positions_wrong(base=500.0), "wrong-frequencies"),
        (positions_wrong(exponent=-2), {"rising-frequencies", "wrong-frequencies"}),
        (positions_wrong(first=1), "starts-at-one"),
        (positions_wrong(torch.sin, torch.sin), "sines-only"),
        (
            lambda length, dim: torch.where(
                torch.arange(length)[:, None] % 2 == 0,
                positions_wrong(torch.sin, torch.sin)(length, dim),
                positions_wrong(torch.cos, torch.cos)(length, dim),
            ),
            "odd-positions",
        ),
        (lambda length, dim: positions_by_loops(length, dim).T, "transposed"),
        (lambda length, dim: torch.arange(length)[:, None].expand(-1, dim), {"wrong-dtype", "out-of-range"}),
        (lambda length, dim: positions_by_loops(length, dim).numpy(), "not-a-tensor"),
    ],
}

# Functions that no exercise asks for, and the mistake they get in all of them.
BROKEN = [
    (raises, "raises"),
    (leaves, "raises"),
    (recurses, "raises"),
    (lambda: None, "raises"),
    (lambda *arguments: None, "returns-none"),
    ("softmax", "not-a-function"),
    (torch.zeros(3), "not-a-function"),
]
