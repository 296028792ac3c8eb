"""Readers' answers: right ones in several styles, and wrong ones with the name of the mistake in each.

``RIGHT`` and ``WRONG`` map the name of an exercise to rows. A row of ``RIGHT`` is a name and a function. A row of
``WRONG`` is a name, a function, and the mistake that the checker should find, or a set of mistakes that it may find. To
add an answer, copy a row. Its name must be unique within the exercise: the test is named after both.
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


def softmax_not_contiguous(x):
    return torch.softmax(x, -1).mT.clone().mT if x.ndim > 1 else torch.softmax(x, -1)


def softmax_overflows(x):
    e = torch.exp(x)
    return e / e.sum(dim=-1, keepdim=True)


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


# attention(query, key, value)


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


def attention_with_dropout_in_place(query, key, value):
    return F.scaled_dot_product_attention(F.dropout(query, 0.1, inplace=True), key, value)


def attention_scales_in_place(query, key, value):
    query /= math.sqrt(query.shape[-1])
    return torch.softmax(query @ key.mT, -1) @ value


# split_heads(x, num_heads)


def split_by_slices(x, num_heads):
    width = x.shape[-1] // num_heads
    return torch.stack([x[:, :, h * width : (h + 1) * width] for h in range(num_heads)], 1)


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


def multi_head_by_einsum(query, key, value, W, b, W_o, b_o, num_heads):
    D = W.shape[1]
    W, b = W.view(3, num_heads, -1, D).double(), b.view(3, num_heads, 1, -1).double()
    q, k, v = (torch.einsum("nld,hed->nhle", x.double(), W[i]) + b[i] for i, x in enumerate((query, key, value)))
    p = torch.softmax(torch.einsum("nhle,nhse->nhls", q, k) / math.sqrt(D // num_heads), -1)
    return torch.einsum("nhls,nhse,dhe->nld", p, v, W_o.view(D, num_heads, -1).double()) + b_o


def multi_head(query, key, value, W, b, W_o, b_o, num_heads, *, wrong=""):
    """A right answer, unless ``wrong`` names a mistake to make."""
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
    if wrong == "one weight":
        W_k = W_v = W_q
    q = F.linear(query, W_q, b_q)
    k, v = F.linear(key, W_k, b_k), F.linear(value, W_v, b_v)
    if wrong == "no input projection":
        q, k, v = query, key, value
    if wrong == "view only":
        q, k, v = q.view(N, num_heads, L, E), k.view(N, num_heads, S, E), v.view(N, num_heads, S, E)
    elif wrong == "no transpose":
        q, k, v = (x.view(N, -1, num_heads, E) for x in (q, k, v))
    else:
        q, k, v = (x.view(N, -1, num_heads, E).transpose(1, 2) for x in (q, k, v))
    scale = math.sqrt(D if wrong == "scale of the model" else E)
    softmax = softmax_overflows if wrong == "naive softmax" else torch.nn.Softmax(-1)
    heads = softmax(q @ k.mT) / scale @ v if wrong == "scaled late" else softmax(q @ k.mT / scale) @ v
    if wrong == "merged by columns":
        return F.linear(torch.einsum("nhle->nleh", heads).reshape(N, L, D), W_o, b_o)
    if wrong == "heads averaged":
        return F.linear(heads.mean(1).repeat(1, 1, num_heads), W_o, b_o)
    merged = heads.reshape(N, L, D) if wrong == "merge without transpose" else heads.transpose(1, 2).reshape(N, L, D)
    return merged if wrong == "no output projection" else F.linear(merged, W_o, b_o)


def multi_head_wrong(wrong):
    return lambda *arguments: multi_head(*arguments, wrong=wrong)


# causal_mask(L, S)


def causal_by_loops(L, S):
    mask = torch.zeros(L, S, dtype=torch.bool)
    for i in range(L):
        for j in range(S):
            mask[i, j] = j <= i + (S - L)
    return mask


def causal_by_comparison(L, S):
    return torch.arange(S - L, S)[:, None] >= torch.arange(S)[None]


# masked_attention(query, key, value, attn_mask)


def masked_by_selection(query, key, value, attn_mask):
    """For each query, only the keys that it may see are selected; the others are not used at all."""
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
    """Mistakes every score of 0 for a masked one."""
    scores = scores_of(query, key) * attn_mask
    return torch.softmax(scores.masked_fill(scores == 0, -INF), -1).nan_to_num() @ value


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


def positions_divided_too_late(length, dim):
    rows = [
        [wave(p) / 10_000 ** (i / dim) for i in range(0, dim, 2) for wave in (np.sin, np.cos)] for p in range(length)
    ]
    return torch.tensor(rows, dtype=torch.float32)


# local_mask(L, window)


def local_by_loops(L, window):
    mask = torch.zeros(L, L, dtype=torch.bool)
    for i in range(L):
        mask[i, max(i - window, 0) : i + window + 1] = True
    return mask


def local_by_slices(L, window, lowest=0, end=1):
    mask = torch.zeros(L, L, dtype=torch.bool)
    for i in range(L):
        mask[i, max(i - window, lowest) : i + window + end] = True
    return mask


# linear_attention and efficient_attention (query, key, value)


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


def linear_by_parts(q, k, value, below=None):
    """Linear attention with the queries and keys as given, divided by the products of the two tensors ``below``."""
    below = below or (q, k.cumsum(-2))
    return torch.einsum("...le,...lev->...lv", q, outer_sums(k, value)) / (below[0] * below[1]).sum(-1, keepdim=True)


def outer_sums(k, value):
    return torch.einsum("...le,...lv->...lev", k, value).cumsum(-3)


def features(*tensors):
    return tuple(F.elu(x) + 1 for x in tensors)


def linear_with_features_of_scores(query, key, value):
    weights = F.elu(query @ key.mT) + 1
    weights = weights.masked_fill(~ac.causal_mask(query.shape[-2]), 0)
    return F.normalize(weights, p=1, dim=-1) @ value


def linear_with_columns_of_one(query, key, value):
    q, k = features(query, key)
    return F.normalize((q @ k.mT).tril(), p=1, dim=-2) @ value


def linear_of_the_future(query, key, value):
    q, k = features(query, key)
    return F.normalize((q @ k.mT).triu(), p=1, dim=-1) @ value


def efficient_by_loops(query, key, value):
    out = torch.zeros(*query.shape[:-1], value.shape[-1])
    for index in np.ndindex(*query.shape[:-1]):
        maps = torch.softmax(key[index[:-1]], 0)
        for e, share in enumerate(torch.softmax(query[index], 0)):
            out[index] += share * (maps[:, e] @ value[index[:-1]])
    return out


# online_softmax(chunks)


def online_softmax(chunks, *, wrong=""):
    largest, total = -INF, 0.0
    for chunk in chunks:
        larger = max(largest, chunk.max().item())
        if wrong == "zero kept" and larger == -INF:
            larger = 0.0
        if larger == -INF and wrong != "hidden chunk":
            continue
        factor = 1.0 if wrong == "no factor" else math.exp(largest - larger)
        total = total * factor + (wrong != "left out") * (chunk - larger).exp().sum().item()
        largest = larger
    return torch.cat([(chunk - largest).exp() / total for chunk in chunks])


def online_with_a_stand_in(chunks, *, first_twice=False):
    """A finite number takes the place of -inf in the subtraction only, and is not kept."""
    largest, total = chunks[0].max(), torch.zeros(())
    for chunk in [chunks[0], *chunks] if first_twice else chunks:
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


def induction_by_indices(weights, half, back=0):
    i = torch.arange(half, 2 * half - 1)
    return weights[..., i, (i - half + 1 - back) % weights.shape[-1]].mean(-1)


def induction_by_loop(weights, half):
    total = 0
    for i in range(half, 2 * half - 1):
        total = total + weights[..., i, i - half + 1]
    return total / (half - 1)


# delta_rule(query, key, value, beta)


def delta_rule(query, key, value, beta, *, wrong=""):
    memory = torch.zeros(key.shape[1], value.shape[1])
    outputs = []
    for i in range(len(query)):
        answer = key[i] @ memory
        if wrong == "reads early":
            outputs.append(query[i] @ memory)
        memory = memory + beta[i] * key[i][:, None] * (value[i] - (0 if wrong == "plain" else answer))
        if wrong != "reads early":
            outputs.append(query[i] @ memory)
    return torch.stack(outputs)


def delta_by_projection(query, key, value, beta):
    memory, outputs = torch.zeros(key.shape[1], value.shape[1], dtype=torch.float64), []
    for q, k, v, b in zip(query.double(), key.double(), value.double(), beta.double(), strict=True):
        memory = (torch.eye(len(k)) - b * torch.outer(k, k)) @ memory + b * torch.outer(k, v)
        outputs.append(q @ memory)
    return torch.stack(outputs)


def delta_by_columns(step, read=torch.matmul):
    """A memory with one row per coordinate of the values; ``step`` returns the next memory."""

    def rule(query, key, value, beta):
        memory, outputs = torch.zeros(value.shape[1], key.shape[1]), []
        for i in range(len(key)):
            memory = step(memory, query[i], key[i], value[i], beta[i].item())
            outputs.append(read(memory, query[i]))
        return torch.stack(outputs)

    return rule


def delta_step(M, q, k, v, b):
    return M + b * (v - M @ k)[:, None] * k


def delta_writes_then_corrects(M, q, k, v, b):
    M = M + b * v[:, None] * k
    return M - b * (M @ k)[:, None] * k


def delta_with_old_answers(query, key, value, beta):
    written = []
    for i in range(len(key)):
        answer = sum((b * (key[i] @ k) * v for k, v, b in zip(key[:i], value, beta, strict=False)), torch.zeros(()))
        written.append(beta[i] * (value[i] - answer))
    return (query @ key.mT).tril() @ torch.stack(written)


def sink_in_front(scores, cap, sink):
    capped = cap * torch.tanh(scores / cap)
    return torch.softmax(F.pad(capped, (1, 0), value=sink), -1)


def sink_at_the_end(scores, cap, sink, dim=-1):
    return torch.softmax(F.pad(cap * torch.tanh(scores / cap), (0, 1), value=sink), dim)


def capped_with_unshifted_sink(scores, cap, sink):
    capped = cap * torch.tanh(scores / cap)
    exps = torch.exp(capped - capped.max(-1, keepdim=True).values)
    return exps / (exps.sum(-1, keepdim=True) + math.exp(sink))


def shifted_by_a_greedy_loop(targets, start):
    out = targets.clone()
    out[:, 0] = start
    for i in range(1, out.shape[1]):
        out[:, i] = out[:, i - 1]
    return out


# Answers that no exercise asks for.


def raises(*arguments):
    raise RuntimeError("out of ideas")


def leaves(*arguments):
    raise SystemExit


def recurses(*arguments):
    return recurses(*arguments)


RIGHT = {
    "softmax": [
        ("by_loops", softmax_by_loops),
        ("from_the_logarithm", softmax_from_log),
        ("not_contiguous", softmax_not_contiguous),
        ("of_the_book", ac.softmax),
        ("in_float64", lambda x: torch.softmax(x.double(), -1)),
        ("module_of_torch", torch.nn.Softmax(dim=-1)),
    ],
    "softmax_vjp": [
        ("by_jacobian", vjp_by_jacobian),
        ("by_loops", vjp_by_loops),
        ("by_autograd", vjp_by_autograd),
        ("multiplied_out", lambda p, g: p * g - p * torch.einsum("...i,...i->...", p, g)[..., None]),
        (
            "in_float64_not_contiguous",
            lambda p, g: (
                (p.double() * (g - (p.double() * g).sum(-1, keepdim=True))).mT.contiguous().mT
                if p.ndim > 1
                else p * (g - p @ g)
            ),
        ),
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
        (
            "tensor",
            lambda d, mq, vq, mk, vk: torch.tensor(d * (vq * vk + mq**2 * vk + mk**2 * vq), dtype=torch.float64),
        ),
    ],
    "attention": [
        ("by_einsum", attention_by_einsum),
        ("by_loops", attention_by_loops),
        ("in_float64", attention_in_float64),
        ("not_contiguous", attention_not_contiguous),
        ("of_torch", F.scaled_dot_product_attention),
        ("of_the_book", ac.scaled_dot_product_attention),
    ],
    "split_heads": [
        ("by_slices", split_by_slices),
        ("by_view", split_by_view),
        ("of_the_book", ac.split_heads),
        ("by_einsum", lambda x, num_heads: torch.einsum("nlhe->nhle", x.unflatten(-1, (num_heads, -1))).contiguous()),
        ("in_float64", lambda x, num_heads: split_by_view(x.double(), num_heads)),
    ],
    "multi_head": [
        ("of_torch", multi_head_of_torch),
        ("by_loops", multi_head_by_loops),
        ("by_einsum", multi_head_by_einsum),
        ("by_views", multi_head),
    ],
    "causal_mask": [
        ("by_loops", causal_by_loops),
        ("by_comparison", causal_by_comparison),
        ("of_the_book", ac.causal_mask),
        ("by_tril", lambda L, S: torch.ones(L, S).tril(S - L).bool()),
        ("transposed_twice", lambda L, S: ~torch.ones(S, L).bool().tril(L - S - 1).T),
    ],
    "masked_attention": [
        ("by_selection", masked_by_selection),
        ("nan_to_zero", masked_with_zeros_for_nothing),
        ("renormalised", masked_renormalised),
        ("of_the_book", ac.scaled_dot_product_attention),
        ("of_torch", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m)),
    ],
    "local_mask": [
        ("by_loops", local_by_loops),
        ("by_comparison", lambda L, window: (torch.arange(L)[:, None] - torch.arange(L)).abs() <= window),
        ("by_tril_and_triu", lambda L, window: torch.ones(L, L).tril(window).triu(-window).bool()),
        ("of_the_book", ac.sliding_window_mask),
    ],
    "linear_attention": [
        ("by_recurrence", linear_by_recurrence),
        ("by_weights", linear_by_weights),
        ("by_cumulative_sum", linear_by_cumulative_sum),
        (
            "of_the_book_in_float64",
            lambda q, k, v: ac.linear_attention(q.double(), k.double(), v.double(), is_causal=True),
        ),
        ("not_contiguous", lambda q, k, v: linear_by_weights(q, k, v).mT.contiguous().mT),
    ],
    "efficient_attention": [
        ("by_loops", efficient_by_loops),
        ("of_the_book", ac.efficient_attention),
        ("from_the_left", lambda q, k, v: torch.softmax(q, -1) @ torch.softmax(k, -2).mT @ v),
        (
            "by_einsum",
            lambda q, k, v: torch.einsum("...le,...se,...sv->...lv", q.softmax(-1), k.double().softmax(-2).float(), v),
        ),
    ],
    "online_softmax": [
        ("two_passes", online_softmax),
        ("by_log_sum_exp", online_by_log_sum_exp),
        ("with_a_stand_in", online_with_a_stand_in),
        ("concatenated", lambda chunks: torch.softmax(torch.cat(chunks), 0)),
        ("in_float64", lambda chunks: torch.cat(chunks).double().softmax(-1)),
    ],
    "positions": [
        ("by_loops", positions_by_loops),
        ("by_slices", positions_by_slices),
        ("of_the_book", ac.sinusoidal_positions),
        ("stacked", positions_wrong()),  # with nothing wrong
        ("in_float64_not_contiguous", lambda length, dim: positions_by_loops(length, dim).double().T.contiguous().T),
    ],
    "capped_weights": [
        ("by_numbers", capped_by_numbers),
        ("by_log_sum_exp", capped_by_log_sum_exp),
        ("in_float64", lambda s, c, k: capped_by_log_sum_exp(s.double(), c, k)),
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
        ("overflows", softmax_overflows, "overflow"),
        ("shifted_by_first", softmax_from_first, "overflow"),
        ("axis_0", lambda x: torch.softmax(x, 0), "wrong-axis"),
        ("shifted_by_global_maximum", lambda x: softmax_overflows(x - x.max()), "global-maximum"),
        ("not_divided", lambda x: (x - x.max(-1, keepdim=True).values).exp(), "not-normalised"),
        ("flattened", lambda x: torch.softmax(x.flatten(), 0).view(x.shape), "whole-tensor"),
        ("logarithm", lambda x: torch.log_softmax(x, -1), "logarithm"),
        ("sum_without_keepdim", lambda x: (e := (x - x.amax(-1, keepdim=True)).exp()) / e.sum(-1), "lost-axis"),
        ("sign", lambda x: torch.softmax(-x, -1), "reversed"),
        ("of_logarithms", lambda x: torch.softmax(x.log(), -1), "not-finite"),
        ("temperature", lambda x: torch.softmax(2 * x, -1), "wrong-weights"),
        ("rounded", lambda x: torch.softmax(x, -1).round(decimals=1), {"not-normalised", "wrong-weights"}),
        ("relu", lambda x: x.relu() / x.relu().sum(-1, keepdim=True), {"wrong-order", "overflow"}),
        ("clamped", lambda x: softmax_overflows(torch.clamp(x, -80, 80)), "clamped"),
        ("divided_by_maximum", lambda x: softmax_overflows(x / x.max(-1, keepdim=True)[0]), "divided-by-maximum"),
        ("in_place", softmax_in_place, "changes-its-input"),
        ("forgets_return", softmax_forgets_return, "returns-none"),
    ],
    "softmax_vjp": [
        ("sign", lambda p, g: p * ((g * p).sum(-1, keepdim=True) - g), "sign"),
        ("jacobian_itself", lambda p, g: ac.softmax_jacobian(p), "wrong-shape"),
        ("doubled", lambda p, g: 2 * p * (g - (g * p).sum(-1, keepdim=True)), "different"),
        ("outer_product_only", lambda p, g: -torch.einsum("...i,...j,...j->...i", p, p, g), "no-diagonal"),
        ("matrix_product", lambda p, g: p * g - p * (p @ g), "vectors-only"),
        ("p_twice_in_the_sum", lambda p, g: p * g - p * (p**2 * g).sum(-1, keepdim=True), "once-more"),
        ("sums_only", lambda p, g: torch.einsum("...i,...i->...", p, g)[..., None], "scalar"),
        ("in_place", lambda p, g: g.mul_(p), "changes-its-input"),
    ],
    "scale": [
        ("root", lambda d_k: math.sqrt(d_k), "reversed"),
        ("one", lambda d_k: 1.0, "no-scale"),
        ("one_eighth", lambda d_k: 0.125, "fixed"),
        ("floor_division", lambda d_k: 1 // d_k**0.5, "truncated"),
        ("sign", lambda d_k: -(d_k**-0.5), "sign"),
        ("rounded", lambda d_k: round(d_k**-0.5, 3), "different"),
        ("self_power", lambda d_k: d_k**d_k, {"reversed", "different"}),
        ("whole_root", lambda d_k: 1 / int(d_k**0.5), "rounded-root"),
        ("one_for_each_coordinate", lambda d_k: torch.ones(d_k) / d_k**0.5, "not-a-number"),
        ("string", lambda d_k: str(d_k**-0.5), "not-a-number"),
    ],
    "dot_product_variance": [
        ("no_factor_d", lambda d, mq, vq, mk, vk: vq * vk + mq**2 * vk + mk**2 * vq, "one-coordinate"),
        ("root", lambda d, mq, vq, mk, vk: (d * (vq * vk + mq**2 * vk + mk**2 * vq)) ** 0.5, "standard-deviation"),
        ("mean_of_query_only", lambda d, mq, vq, mk, vk: d * vk * (vq + mq**2), "one-mean"),
        (
            "variances_squared",
            lambda d, mq, vq, mk, vk: d * (vq**2 * vk**2 + mq**2 * vk**2 + mk**2 * vq**2),
            "squared-variances",
        ),
        ("pair", lambda d, mq, vq, mk, vk: (d * mq * mk, d * vq * vk), "not-a-number"),
        ("bracket_forgotten", lambda d, mq, vq, mk, vk: d * vq * vk + vk * mq * mq + vq * mk * mk, "bracket"),
        (
            "mean_not_squared",
            lambda d, mq, vq, mk, vk: sum((vq + mq**2) * (vk + mk**2) - mq * mk for _ in range(d)),
            "wrong-mean-subtracted",
        ),
        ("means_without_variances", lambda d, mq, vq, mk, vk: d * vq * vk + d * mq**2 + d * mk**2, "means-alone"),
        ("means_multiplied", lambda d, mq, vq, mk, vk: d * vq * vk + d * mq * mk, "product-of-means"),
    ],
    "attention": [
        ("no_scale", lambda q, k, v: torch.softmax(q @ k.mT, -1) @ v, "no-scale"),
        ("shifted_by_zero_or_more", lambda q, k, v: softmax_from_zero(scores_of(q, k)) @ v, "overflow"),
        ("divided_by_width", lambda q, k, v: torch.softmax(q @ k.mT / k.shape[-1], -1) @ v, "no-root"),
        (
            "multiplied_by_root",
            lambda q, k, v: torch.softmax(q @ k.mT * math.sqrt(k.shape[-1]), -1) @ v,
            "scale-reversed",
        ),
        ("precedence", lambda q, k, v: torch.softmax(q @ k.mT / k.shape[-1] ** 1 / 2, -1) @ v, "precedence"),
        (
            "width_of_axis_1",
            lambda q, k, v: torch.softmax(q @ k.mT / math.sqrt(k.shape[1]), -1) @ v,
            "scale-of-fixed-axis",
        ),
        ("sign", lambda q, k, v: torch.softmax(-scores_of(q, k), -1) @ v, "reversed"),
        ("sigmoid", lambda q, k, v: torch.sigmoid(scores_of(q, k)) @ v, "sigmoid"),
        ("sum_without_keepdim", lambda q, k, v: (e := scores_of(q, k).exp()) / e.sum(-1) @ v, "lost-axis"),
        ("width_of_value", lambda q, k, v: torch.softmax(q @ k.mT / math.sqrt(v.shape[-1]), -1) @ v, "scale-of-values"),
        ("softmax_over_queries", lambda q, k, v: torch.softmax(scores_of(q, k), -2) @ v, "softmax-over-queries"),
        ("no_softmax", lambda q, k, v: scores_of(q, k) @ v, "no-softmax"),
        ("weights_only", lambda q, k, v: torch.softmax(scores_of(q, k), -1), "returns-weights"),
        (
            "scaled_after_softmax",
            lambda q, k, v: torch.softmax(q @ k.mT, -1) / math.sqrt(k.shape[-1]) @ v,
            "scale-after-softmax",
        ),
        ("keys_averaged", lambda q, k, v: torch.softmax(scores_of(q, k), -1) @ k, "keys-for-values"),
        ("key_and_value_exchanged", lambda q, k, v: torch.softmax(scores_of(q, v), -1) @ k, "key-and-value-swapped"),
        (
            "transpose_of_two_axes",
            lambda q, k, v: torch.softmax(q @ k.transpose(0, 1) / q.shape[-1] ** 0.5, -1) @ v,
            "matrices-only",
        ),
        ("overflows", lambda q, k, v: softmax_overflows(scores_of(q, k)) @ v, "overflow"),
        ("not_divided", lambda q, k, v: scores_of(q, k).exp() @ v, "not-normalised"),
        (
            "output_and_weights",
            lambda q, k, v: (torch.softmax(scores_of(q, k), -1) @ v, torch.softmax(scores_of(q, k), -1)),
            "not-a-tensor",
        ),
        ("temperature", lambda q, k, v: torch.softmax(2 * scores_of(q, k), -1) @ v, "wrong-weights"),
        ("half_precision", lambda q, k, v: (torch.softmax(scores_of(q, k), -1) @ v).half(), "wrong-dtype"),
        ("tripled", lambda q, k, v: 3 * torch.softmax(scores_of(q, k), -1) @ v, "not-an-average"),
        ("divided_by_eight", lambda q, k, v: torch.softmax(q @ k.mT / 8, -1) @ v, "fixed-scale"),
        ("log_softmax", lambda q, k, v: F.log_softmax(scores_of(q, k), -1) @ v, "logarithm"),
        ("mean_over_keys", lambda q, k, v: ac.scaled_dot_product_attention(q, k, v) / v.shape[-2], "divided-again"),
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
        ("not_transposed", lambda x, h: x.reshape(*x.shape[:2], h, -1), "not-transposed"),
        ("interleaved", lambda x, h: x.reshape(*x.shape[:2], -1, h).permute(0, 3, 1, 2), "interleaved"),
        ("heads_as_width", lambda x, h: x.reshape(*x.shape[:2], -1, h).transpose(1, 2), "heads-as-width"),
        ("heads_first", lambda x, h: x.reshape(*x.shape[:2], h, -1).permute(2, 0, 1, 3), "heads-before-batch"),
        ("flattened_into_batch", lambda x, h: ac.split_heads(x, h).flatten(0, 1), "merged-with-batch"),
        ("positions_last", lambda x, h: x.reshape(*x.shape[:2], h, -1).permute(0, 2, 3, 1), "last-axes-swapped"),
        ("heads_and_columns", lambda x, h: x.reshape(*x.shape[:2], h, -1).transpose(1, 3), "wrong-axes-swapped"),
        ("list_of_heads", split_into_a_list, "not-a-tensor"),
        ("doubled", lambda x, h: 2 * ac.split_heads(x, h), "changed"),
        ("columns_reversed", lambda x, h: ac.split_heads(x, h).flip(-1), "wrong-order"),
        ("whole_numbers", lambda x, h: ac.split_heads(x, h).long(), "wrong-dtype"),
    ],
    "multi_head": [
        ("no_biases", multi_head_wrong("no biases"), "no-biases"),
        ("swapped_biases", multi_head_wrong("swapped biases"), "biases-swapped"),
        ("wrong_order", multi_head_wrong("wrong order"), "projections-swapped"),
        ("split_first", multi_head_wrong("split first"), "split-before-projecting"),
        ("view_only", multi_head_wrong("view only"), "split-without-transpose"),
        ("no_transpose", multi_head_wrong("no transpose"), {"raises", "heads-attend-to-heads"}),
        ("scale_of_the_model", multi_head_wrong("scale of the model"), "scale-of-model"),
        ("heads_averaged", multi_head_wrong("heads averaged"), "mean-of-heads"),
        ("merge_without_transpose", multi_head_wrong("merge without transpose"), "merge-without-transpose"),
        ("no_output_projection", multi_head_wrong("no output projection"), "no-output-projection"),
        ("one_head", lambda *a: multi_head(*a[:7], 1), "one-head"),
        ("naive_softmax", multi_head_wrong("naive softmax"), "overflow"),
        ("value_for_key", lambda q, k, v, *a: multi_head(q, v, v, *a), "value-for-key"),
        ("query_for_all", lambda q, k, v, *a: multi_head(q, q, q, *a), "self-attention-only"),
        ("one_weight_for_all", multi_head_wrong("one weight"), "shared-projection"),
        ("no_input_projection", multi_head_wrong("no input projection"), "no-input-projection"),
        ("merged_by_columns", multi_head_wrong("merged by columns"), "merge-interleaved"),
        ("scaled_late", multi_head_wrong("scaled late"), "scale-after-softmax"),
        (
            "output_weight_transposed",
            lambda q, k, v, W, b, W_o, b_o, H: multi_head(q, k, v, W, b, W_o.T, b_o, H),
            "output-weight-transposed",
        ),
        (
            "no_output_bias",
            lambda q, k, v, W, b, W_o, b_o, H: multi_head(q, k, v, W, b, W_o, 0 * b_o, H),
            "no-output-bias",
        ),
        (
            "no_input_bias",
            lambda q, k, v, W, b, W_o, b_o, H: multi_head(q, k, v, W, 0 * b, W_o, b_o, H),
            "no-input-bias",
        ),
        ("plus_one", lambda *a: multi_head(*a) + 1, "different"),
    ],
    "causal_mask": [
        ("inverted", lambda L, S: torch.ones(L, S).triu(S - L + 1).bool(), "inverted"),
        ("aligned_to_start", lambda L, S: torch.ones(L, S).tril().bool(), "aligned-to-start"),
        ("without_diagonal", lambda L, S: torch.ones(L, S).tril(S - L - 1).bool(), "hides-itself"),
        ("one_too_many", lambda L, S: torch.ones(L, S).tril(S - L + 1).bool(), "sees-the-future"),
        ("floats", lambda L, S: torch.ones(L, S).tril(S - L), "not-boolean"),
        ("additive", lambda L, S: torch.zeros(L, S).masked_fill(~ac.causal_mask(L, S), -INF), "additive"),
        ("transposed", lambda L, S: torch.ones(S, L).tril(L - S).bool(), "transposed"),
        ("square", lambda L, S: torch.ones(L, L).tril().bool(), "square"),
        ("last_rows_of_a_square", lambda L, S: torch.ones(S, S).tril().bool()[-L:], "cut-from-square"),
        ("other_triangle", lambda L, S: torch.ones(L, S).triu().bool(), "looks-ahead"),
        ("window_of_one", lambda L, S: ac.sliding_window_mask(L, 1, S) & ac.causal_mask(L, S), "hides-the-past"),
        ("integers", lambda L, S: ac.causal_mask(L, S).int(), "not-boolean"),
    ],
    "masked_attention": [
        ("inverted", lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(m, -INF), -1) @ v, "inverted"),
        (
            "zero_after_softmax",
            lambda q, k, v, m: torch.softmax(scores_of(q, k), -1).masked_fill(~m, 0) @ v,
            "mask-after-softmax",
        ),
        (
            "scores_to_zero",
            lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(~m, 0), -1) @ v,
            "scores-to-zero",
        ),
        ("mask_added", lambda q, k, v, m: torch.softmax(scores_of(q, k) + m.float(), -1) @ v, "mask-added"),
        (
            "large_negative_number",
            lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(~m, -1e9), -1) @ v,
            "empty-row-uniform",
        ),
        (
            "minus_infinity",
            lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(~m, -INF), -1) @ v,
            "empty-row-nan",
        ),
        ("no_mask", lambda q, k, v, m: torch.softmax(scores_of(q, k), -1) @ v, "mask-ignored"),
        ("no_scale", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m, scale=1.0), "no-scale"),
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
        ("overflows", masked_naive, "overflow"),
        (
            "masked_between_softmaxes",
            lambda q, k, v, m: torch.softmax(torch.where(m, torch.softmax(scores_of(q, k), -1), -1e9), -1) @ v,
            "softmax-twice",
        ),
        (
            "minus_a_hundred",
            lambda q, k, v, m: torch.softmax(torch.where(m, scores_of(q, k), -100.0), -1) @ v,
            "mask-too-weak",
        ),
        ("minus_ten", masked_with(-10.0), {"mask-too-weak", "wrong-weights"}),
        (
            "infinities_for_zeros",
            lambda q, k, v, m: torch.softmax(scores_of(q, k) - 1e9 * (1 - ac.to_additive(m, q.dtype)), -1) @ v,
            "mask-of-another-kind",
        ),
        (
            "infinity_after_softmax",
            lambda q, k, v, m: torch.softmax(scores_of(q, k), -1).masked_fill(~m, -INF) @ v,
            "infinity-after-softmax",
        ),
        (
            "plus_infinity",
            lambda q, k, v, m: torch.softmax(scores_of(q, k).masked_fill(~m, INF), -1) @ v,
            "plus-infinity",
        ),
        (
            "by_zero_scores",
            masked_by_zero_scores,
            "zero-means-masked",
        ),
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
        ("inverted", lambda L, window: ~local_by_loops(L, window), "inverted"),
        ("causal", lambda L, window: local_by_loops(L, window) & ac.causal_mask(L), "looks-back-only"),
        (
            "border_left_out",
            lambda L, window: (torch.arange(L)[:, None] - torch.arange(L)).abs() < window,
            "too-narrow",
        ),
        (
            "no_absolute_value",
            lambda L, window: torch.arange(L)[:, None] - torch.arange(L) <= window,
            "no-absolute-value",
        ),
        ("half_window", lambda L, window: local_by_loops(L, window // 2), "total-width"),
        ("floats", lambda L, window: local_by_loops(L, window).float(), "not-boolean"),
        ("additive", lambda L, window: torch.zeros(L, L).masked_fill(~local_by_loops(L, window), -INF), "additive"),
        ("without_diagonal", lambda L, window: local_by_loops(L, window) & ~torch.eye(L).bool(), "hides-itself"),
        ("slice_too_short", lambda L, window: local_by_slices(L, window, end=0), "uneven"),
        ("slice_from_the_end", lambda L, window: local_by_slices(L, window, lowest=-INF), "negative-index"),
        ("window_ahead", lambda L, window: torch.ones(L, L).triu().tril(window - 1).bool(), "looks-ahead-only"),
        ("fixed_window", lambda L, window: local_by_loops(L, 2), {"sees-too-far", "sees-too-little"}),
    ],
    "linear_attention": [
        ("asks_first", lambda q, k, v: linear_by_recurrence(q, k, v, wrong="asks first"), "hides-itself"),
        ("no_denominator", lambda q, k, v: linear_by_recurrence(q, k, v, wrong="no denominator"), "not-normalised"),
        ("resets", lambda q, k, v: linear_by_recurrence(q, k, v, wrong="resets"), {"wrong-weights", "not-an-average"}),
        ("exponential_features", lambda q, k, v: linear_by_recurrence(q, k, v, phi=torch.exp), "wrong-feature-map"),
        ("no_features", lambda q, k, v: linear_by_recurrence(q, k, v, phi=lambda x: x), "no-feature-map"),
        ("not_causal", lambda q, k, v: ac.linear_attention(q, k, v), "not-causal"),
        ("softmax_of_torch", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), "softmax"),
        ("features_of_scores", linear_with_features_of_scores, "feature-map-on-scores"),
        (
            "own_key_below",
            lambda q, k, v: linear_by_parts(*features(q, k), v, below=features(q, k)),
            "denominator-without-sum",
        ),
        (
            "raw_query_below",
            lambda q, k, v: linear_by_parts(*features(q, k), v, below=(q, features(k)[0].cumsum(-2))),
            "denominator-without-features",
        ),
        ("columns_sum_to_one", linear_with_columns_of_one, "normalised-over-queries"),
        ("upper_triangle", linear_of_the_future, "looks-ahead"),
        ("output_scaled", lambda q, k, v: linear_by_weights(q, k, v) / math.sqrt(k.shape[-1]), "scaled"),
        ("transposed", lambda q, k, v: linear_by_weights(q, k, v).mT, "transposed"),
        ("last_output_only", lambda q, k, v: linear_by_cumulative_sum(q, k, v)[..., -1, :], "wrong-shape"),
    ],
    "efficient_attention": [
        ("both_over_features", lambda q, k, v: torch.softmax(q, -1) @ (torch.softmax(k, -1).mT @ v), "keys-by-row"),
        (
            "both_over_positions",
            lambda q, k, v: torch.softmax(q, -2) @ (torch.softmax(k, -2).mT @ v),
            "queries-by-column",
        ),
        ("exchanged", lambda q, k, v: torch.softmax(q, -2) @ (torch.softmax(k, -1).mT @ v), "exchanged"),
        ("query_as_it_is", lambda q, k, v: q @ (torch.softmax(k, -2).mT @ v), "queries-not-normalised"),
        ("softmax_attention", lambda q, k, v: torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v, "softmax"),
        ("keys_along_axis_0", lambda q, k, v: torch.softmax(q, -1) @ (torch.softmax(k, 0).mT @ v), "fixed-axes"),
        (
            "transpose_of_two_axes",
            lambda q, k, v: torch.softmax(q, -1) @ (k.softmax(-2).T @ v) if q.ndim == 2 else k.nope,
            "matrices-only",
        ),
        ("keys_scaled", lambda q, k, v: ac.efficient_attention(q, k / math.sqrt(k.shape[-1]), v), "scaled"),
        ("shifted_by_zero_or_more", lambda q, k, v: softmax_from_zero(q) @ (k.softmax(-2).mT @ v), "overflow"),
        ("keys_shifted_by_zero_or_more", lambda q, k, v: q.softmax(-1) @ (softmax_from_zero(k.mT) @ v), "overflow"),
        ("softmax_of_the_state", lambda q, k, v: q.softmax(-1) @ torch.softmax(k.mT @ v, -1), "softmax-too-late"),
        ("transposed", lambda q, k, v: efficient_by_loops(q, k, v).mT, "transposed"),
        ("query_doubled", lambda q, k, v: ac.efficient_attention(2 * q, k, v), "wrong-weights"),
        ("overflows", lambda q, k, v: softmax_overflows(q) @ (softmax_overflows(k.mT) @ v), "overflow"),
    ],
    "online_softmax": [
        ("each_chunk_alone", lambda chunks: torch.cat([chunk.softmax(0) for chunk in chunks]), "each-chunk"),
        ("no_factor", lambda chunks: online_softmax(chunks, wrong="no factor"), "no-correction"),
        ("hidden_chunk", lambda chunks: online_softmax(chunks, wrong="hidden chunk"), "hidden-chunk"),
        ("zero_kept", lambda chunks: online_softmax(chunks, wrong="zero kept"), "stand-in-kept"),
        ("left_out", lambda chunks: online_softmax(chunks, wrong="left out"), "chunk-not-added"),
        ("first_twice", lambda chunks: online_with_a_stand_in(chunks, first_twice=True), "chunk-added-twice"),
        ("overflows", lambda chunks: softmax_overflows(torch.cat(chunks)), "overflow"),
        ("list_of_chunks", lambda chunks: [chunk.softmax(0) for chunk in chunks], "not-a-tensor"),
        ("in_place", lambda chunks: online_softmax([chunk.sub_(chunk.max()) for chunk in chunks]), "changes-its-input"),
        ("clears_the_list", online_clears_the_list, "changes-its-input"),
        ("last_chunk_forgotten", lambda chunks: online_softmax(chunks[:-1]), {"raises", "wrong-shape"}),
    ],
    "positions": [
        ("halves", positions_wrong(arrange="halves"), "halves"),
        ("cosine_first", positions_wrong(torch.cos, torch.sin), "cosine-first"),
        ("exponent_one", positions_wrong(exponent=1), "wrong-exponent"),
        ("base_1000", positions_wrong(base=1000.0), "wrong-base"),
        ("base_500", positions_wrong(base=500.0), "wrong-frequencies"),
        ("exponent_negative", positions_wrong(exponent=-2), "rising-frequencies"),
        ("no_cosines", positions_wrong(odd=lambda angles: 0 * angles), "odd-columns-empty"),
        ("divided_too_late", positions_divided_too_late, "divided-waves"),
        ("from_one", positions_wrong(first=1), "starts-at-one"),
        ("sines_only", positions_wrong(torch.sin, torch.sin), "sines-only"),
        (
            "by_parity_of_position",
            lambda length, dim: torch.where(
                torch.arange(length)[:, None] % 2 == 0,
                positions_wrong(torch.sin, torch.sin)(length, dim),
                positions_wrong(torch.cos, torch.cos)(length, dim),
            ),
            "odd-positions",
        ),
        ("transposed", lambda length, dim: positions_by_loops(length, dim).T, "transposed"),
        (
            "numbers_of_positions",
            lambda length, dim: torch.arange(length)[:, None].expand(-1, dim),
            {"wrong-dtype", "out-of-range"},
        ),
        ("numpy_array", lambda length, dim: positions_by_loops(length, dim).numpy(), "not-a-tensor"),
    ],
    "capped_weights": [
        ("overflows", capped_overflows, "overflow"),
        ("no_sink", lambda s, c, k: torch.softmax(c * torch.tanh(s / c), -1), "no-sink"),
        ("no_cap", lambda s, c, k: capped_by_log_sum_exp(s, 1e6, k), "no-cap"),
        ("clamped", lambda s, c, k: capped_by_log_sum_exp(s.clamp(-c, c), 1e6, k), "hard-cap"),
        ("tanh_alone", lambda s, c, k: capped_by_log_sum_exp(s, 1.0, k), "not-divided"),
        ("cap_inside", lambda s, c, k: capped_by_log_sum_exp(s, 1 / c, k), "multiplied-first"),
        ("capped_late", lambda s, c, k: c * torch.tanh(capped_by_log_sum_exp(s, 1e6, k) / c), "caps-the-weights"),
        ("sink_unshifted", capped_with_unshifted_sink, "sink-not-shifted"),
        (
            "shifted_by_zero_or_more",
            lambda s, c, k: softmax_from_zero(F.pad(c * torch.tanh(s / c), (0, 1), value=k))[..., :-1],
            "overflow",
        ),
        (
            "sink_as_a_number",
            lambda s, c, k: (
                (e := (t := c * torch.tanh(s / c)).sub(t.max(-1)[0][..., None]).exp()) / (e.sum(-1)[..., None] + k)
            ),
            "sink-not-exponentiated",
        ),
        ("one_below", lambda s, c, k: capped_by_log_sum_exp(s, c, 0.0), "sink-of-zero"),
        ("sink_subtracted", lambda s, c, k: sink_at_the_end(s, c, -k)[..., :-1], "sink-reversed"),
        ("sink_for_each", lambda s, c, k: capped_by_log_sum_exp(s, c, k + math.log(s.shape[-1])), "too-many-sinks"),
        ("wrong_end", lambda s, c, k: sink_in_front(s, c, k)[..., :-1], "wrong-column-cut"),
        ("axis_0", lambda s, c, k: sink_at_the_end(s, c, k, 0)[..., :-1], "wrong-axis"),
        (
            "one_sink_for_all",
            lambda s, c, k: torch.tensor(capped_by_numbers(s.reshape(1, -1), c, k).tolist()).reshape(s.shape),
            "softmax-over-everything",
        ),
        (
            "sum_without_keepdim",
            lambda s, c, k: (e := torch.exp(c * torch.tanh(s / c))) / (e.sum(-1) + math.exp(k)),
            "lost-axis",
        ),
        ("exponentials", lambda s, c, k: torch.exp(c * torch.tanh(s / c)), "not-normalised"),
        ("logarithms", lambda s, c, k: sink_in_front(s, c, k).log()[..., 1:], {"logarithm", "overflow"}),
        ("transposed", lambda s, c, k: capped_by_log_sum_exp(s, c, k).mT, "transposed"),
    ],
    "delta_rule": [
        ("plain", lambda *a: delta_rule(*a, wrong="plain"), "no-correction"),
        ("reads_early", lambda *a: delta_rule(*a, wrong="reads early"), "reads-before-it-writes"),
        ("no_beta", lambda q, k, v, b: delta_rule(q, k, v, torch.ones_like(b)), "forgets-beta"),
        ("scaled", lambda q, k, v, b: delta_rule(q, k, v, b) / q.shape[-1] ** 0.5, "scaled"),
        ("forgets_to_add", delta_by_columns(lambda M, *a: delta_step(M, *a) - M), "overwrites"),
        ("moving_average", delta_by_columns(lambda M, q, k, v, b: torch.lerp(M, torch.outer(v, k), b)), "fades"),
        ("beta_squared", lambda q, k, v, b: delta_rule(q, k, v, b**2), "beta-twice"),
        ("beta_at_the_end", lambda q, k, v, b: delta_rule(b * q, k, v, b**0), "beta-on-the-output"),
        ("share_that_stays", lambda q, k, v, b: delta_rule(q, k, v, 1 - b), "beta-reversed"),
        ("sigmoid_of_beta", lambda q, k, v, b: delta_rule(q, k, v, torch.sigmoid(b)), "beta-squashed"),
        ("new_answer", delta_by_columns(delta_writes_then_corrects), "corrects-after-writing"),
        ("old_answers", delta_with_old_answers, "uncorrected-answers"),
        ("roles_exchanged", lambda q, k, v, b: delta_rule(k, q, v, b), "query-and-key-swapped"),
        (
            "outer_exchanged",
            delta_by_columns(lambda M, q, k, v, b: M + b * torch.outer(k, v - M @ k)),
            "memory-transposed",
        ),
        ("no_key", delta_by_columns(lambda M, q, k, v, b: M + b * (v - M @ k)[:, None]), "no-outer-product"),
        (
            "all_unit_keys",
            lambda q, k, v, b: delta_rule(F.normalize(q, dim=1), F.normalize(k, dim=1), v, b),
            "normalised-keys",
        ),
        ("transposed", lambda q, k, v, b: delta_rule(q, k, v, b).T, "transposed"),
    ],
    "induction": [
        ("same_token", lambda w, half: w.diagonal(-half, -2, -1)[..., : half - 1].mean(-1), "same-token"),
        ("one_before", lambda w, half: induction_by_indices(w, half, 2), "one-before"),
        ("all_heads", lambda w, half: induction_by_indices(w, half).mean(), "not-per-head"),
        ("summed_over_all", lambda w, half: induction_by_indices(w, half) * (half - 1) / w.shape[-2], "all-queries"),
        ("keys_as_rows", lambda w, half: induction_by_indices(w.mT, half), "transposed"),
        ("nothing", lambda w, half: None, "returns-none"),
    ],
    "shifted": [
        ("copied", lambda t, start: t.clone(), "not-shifted"),
        ("flat", lambda t, start: F.pad(t.flatten()[:-1], (1, 0), value=start).view(t.shape), "first-row-only"),
        ("flat_and_round", lambda t, start: torch.roll(t.flatten(), 1).view(t.shape), "rolled"),
        ("round_the_other_way", lambda t, start: torch.cat([t[:, 1:], t[:, :1]], 1), "wrong-way"),
        ("last_cut", lambda t, start: t[:, : t.shape[1] - 1], "one-too-few"),
        ("padded_at_the_end", lambda t, start: F.pad(t[:, :-1], (0, 1), value=start), "overwrites-the-last"),
        ("two_starts", lambda t, start: F.pad(t, (2, -2), value=start), "shifted-twice"),
        ("greedy_loop", shifted_by_a_greedy_loop, "start-everywhere"),
        ("rows_rolled", lambda t, start: torch.cat([t[-1:], t[:-1]]), "shifts-the-batch"),
        ("constant_start", lambda t, start: F.pad(t[:, :-1], (1, 0), value=1), "always-one"),
        ("constant_padding", lambda t, start: F.pad(t[:, :-1], (1, 0)), "always-zero"),
        ("transposed", lambda t, start: F.pad(t[:, :-1], (1, 0), value=start).T, "transposed"),
        ("by_padding_left_alone", lambda t, start: F.pad(t, (1, 0), value=start), "one-too-many"),
        ("with_fractions", lambda t, start: F.pad(t[:, :-1], (1, 0), value=start).float(), "wrong-dtype"),
        ("truth_values", lambda t, start: F.pad(t[:, :-1], (1, 0), value=start) > 0, "wrong-dtype"),
    ],
}

# Answers that no exercise asks for, in rows of the same form, with the mistake that every checker finds.
BROKEN = [
    ("raises", raises, "raises"),
    ("leaves", leaves, "raises"),
    ("recurses", recurses, "raises"),
    ("takes_no_argument", lambda: None, "raises"),
    ("returns_nothing", lambda *arguments: None, "returns-none"),
    ("string", "softmax", "not-a-function"),
    ("tensor", torch.zeros(3), "not-a-function"),
]
