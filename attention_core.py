# Some of these functions have a copy in JavaScript, for the pages: explore/explorers/page/static/attention_core.js.
# tests/explore/explorers/test_page_core.py compares the two.
"""The mathematics of attention in one file, in the order of the chapters.

Read it from top to bottom; it needs PyTorch and nothing else.

Axis letters, the same in every docstring and every chapter: ``N`` batch, ``H`` heads, ``L`` queries, ``S`` keys,
``E`` width of a query or key (the papers' d_k), ``Ev`` width of a value, ``D`` width of the model. ``...`` stands for
any number of leading batch axes, which broadcast as in torch.

Errors: a wrong type or dtype raises ``TypeError``; a wrong shape, size or range raises ``ValueError``. Both are raised
before anything is computed, and name the argument, what was given and what was expected. NaN and infinity in a tensor
are passed on, not hidden.

Precision: float16 and bfloat16 inputs of a function are computed in float32, and the result is returned in the dtype of
the input. A module's projections are computed in the dtype of its parameters.

Sources: Vaswani et al. 2017, "Attention is all you need" (attention, scale, masks); Bridle 1990 (softmax as a layer);
Shannon 1948 (entropy). The chapters cite the rest.
"""

import inspect
import math
from numbers import Integral, Real

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

__all__ = [
    "FadingState",
    "KVCache",
    "LatentAttention",
    "LinearAttentionState",
    "MultiHeadAttention",
    "attention_weights",
    "blockwise_attention",
    "causal_mask",
    "decayed_linear_attention",
    "delta_rule_attention",
    "dot_product_moments",
    "efficient_attention",
    "efficient_attention_weights",
    "elu_plus_one",
    "entropy",
    "linear_attention",
    "linear_attention_weights",
    "local_attention",
    "merge_heads",
    "padding_mask",
    "rms_norm",
    "rotary",
    "rotate_pairs",
    "scaled_dot_product_attention",
    "sinusoidal_positions",
    "sliding_window_mask",
    "soft_cap",
    "softmax",
    "softmax_jacobian",
    "split_heads",
    "to_additive",
    "top_k_mask",
]

# Softmax and the variance of its input


def softmax(x, dim=-1):
    """Turn scores into positive numbers that sum to one: ``softmax(x)_i = exp(x_i) / Σ_j exp(x_j)``.

    The largest score is subtracted first, so that no exponential can overflow; it cancels in the fraction.

    Shapes: ``x`` has at least one axis; the result has the same shape and dtype and sums to 1 along ``dim``. A row that
    holds only -inf is 0/0 and gives NaN; ``attention_weights`` says how fully masked rows are treated.

    Raises ``TypeError`` if ``x`` is not a floating-point tensor, ``ValueError`` if it has no axis ``dim``.
    Source: Bridle 1990.
    """
    _check_tensor("x", x, min_ndim=1)
    _check_dim("dim", dim, "x", x)
    wide = x.to(_compute_dtype(x))
    return _normalised_exp_(wide - _largest(wide, dim), dim).to(x.dtype)


def _largest(x, dim):
    """The largest entries along ``dim``, as constants: in a softmax their part of the gradient cancels anyway."""
    return x.detach().amax(dim, keepdim=True) if x.shape[dim] else x.detach().sum(dim, keepdim=True)


def _masked_softmax_(scores, may_attend=None, dim=-1):
    """Softmax over the keys that may be attended to, 0 if there are none. Overwrites ``scores`` if there is no mask."""
    if may_attend is None:
        return _normalised_exp_(scores.sub_(_largest(scores, dim)), dim)
    # A fully masked row would be 0/0: give it finite scores, and set its weights to 0 afterwards.
    masked = ~may_attend.any(dim, keepdim=True)
    scores = scores.masked_fill(~may_attend, -math.inf).masked_fill(masked, 0.0)
    return _normalised_exp_(scores.sub_(_largest(scores, dim)), dim).masked_fill(masked, 0.0)


def _normalised_exp_(x, dim):
    """``exp(x)`` divided by its sum along ``dim``. Overwrites ``x``."""
    exps = x.exp_()
    sums = exps.sum(dim, keepdim=True)
    return exps / sums if exps.requires_grad else exps.div_(sums)


def softmax_jacobian(p):
    """Derivative of softmax, from its output ``p``: ``J = diag(p) - p pᵀ``, so ``J_ij = ∂p_i/∂x_j = p_i (δ_ij - p_j)``.

    Shapes: ``p`` is ``(..., n)``, the result ``(..., n, n)``. ``J`` is symmetric and its rows sum to 0.

    Raises ``TypeError`` if ``p`` is not a floating-point tensor, ``ValueError`` if it has no axis.
    Source: Bridle 1990.
    """
    _check_tensor("p", p, min_ndim=1)
    wide = p.to(_compute_dtype(p))
    return (torch.diag_embed(wide) - wide.unsqueeze(-1) * wide.unsqueeze(-2)).to(p.dtype)


def entropy(p, dim=-1):
    """Entropy of a distribution in nats: ``H(p) = -Σ_i p_i ln p_i``, with ``0 ln 0 = 0``.

    It ranges from 0 (one-hot) to ``ln n`` (uniform); ``exp(H)`` is the effective number of entries.

    Shapes: ``p`` has at least one axis; the axis ``dim`` is summed away. A negative entry gives NaN. The gradient with
    respect to an entry of exactly 0 is returned as 0. If ``p`` is the output of a softmax, this gives the limit of the
    gradient with respect to the softmax's input.

    Raises ``TypeError`` if ``p`` is not a floating-point tensor, ``ValueError`` if it has no axis ``dim``.
    Source: Shannon 1948.
    """
    _check_tensor("p", p, min_ndim=1)
    _check_dim("dim", dim, "p", p)
    wide = p.to(_compute_dtype(p))
    return (0 - (wide * wide.where(wide != 0, 1).log()).sum(dim)).to(p.dtype)  # 0 - x, because -x would give -0


# Why √d_k


def dot_product_moments(d_k, *, q_mean=0.0, q_var=1.0, k_mean=0.0, k_var=1.0):
    """Exact ``(mean, variance)`` of ``q·k = Σ_i q_i k_i`` over ``d_k`` coordinates.

    Assumes that all 2·d_k coordinates are independent, that each ``q_i`` has mean ``q_mean`` and variance ``q_var``,
    and that each ``k_i`` has mean ``k_mean`` and variance ``k_var``. No distribution is assumed::

        mean     = d_k · q_mean · k_mean
        variance = d_k · (q_var · k_var + q_mean² · k_var + k_mean² · q_var)

    Returns two floats: the mean, in the unit of q times the unit of k, and the variance, in that product squared.

    Raises ``TypeError`` if an argument is not a number, ``ValueError`` if ``d_k`` < 1, a variance is negative, an
    argument is not finite, or the moments are beyond the largest float.
    Source: Vaswani et al. 2017, footnote 4, for zero means and unit variances.
    """
    d_k = _check_integer("d_k", d_k, minimum=1)
    q_mean, k_mean = _check_number("q_mean", q_mean), _check_number("k_mean", k_mean)
    q_var, k_var = _check_number("q_var", q_var, minimum=0), _check_number("k_var", k_var, minimum=0)
    mean = d_k * q_mean * k_mean
    variance = d_k * (q_var * k_var + q_mean * q_mean * k_var + k_mean * k_mean * q_var)
    if not (math.isfinite(mean) and math.isfinite(variance)):
        given = {"d_k": d_k, "q_mean": q_mean, "q_var": q_var, "k_mean": k_mean, "k_var": k_var}
        raise ValueError(f"mean and variance must be below the largest float, got {mean} and {variance} for {given}")
    return mean, variance


# Scaled dot-product attention


def attention_weights(query, key, attn_mask=None, *, is_causal=False, scale=None, softcap=None, sinks=None):
    """How much each query attends to each key: ``softmax(Q Kᵀ · scale + M)``, row by row.

    Shapes: ``query`` ``(..., L, E)``, ``key`` ``(..., S, E)``, the result ``(..., L, S)``. Its rows sum to 1 unless a
    mask or a sink takes weight from them.

    ``attn_mask`` broadcasts to ``(..., L, S)``. Boolean: True = may attend. Floating point: ``M``, added to the
    scores. ``is_causal=True`` adds ``causal_mask(L, S)``, aligned to the END of the keys; torch's flag of the same
    name is aligned to the start, so the two agree only when L = S. A mask and ``is_causal`` may be given together and
    are combined (torch's documentation forbids that; its fused routine on a CPU combines them, its plain one raises).
    ``scale`` defaults to ``1/√E``.

    Two arguments of models that ship: ``softcap`` c applies ``soft_cap(·, c)`` to the scaled scores, before the mask.
    ``sinks`` are scores of a key without a value, one per head, with a shape that broadcasts to the batch axes
    ``(...)``. A sink takes its share of each row, and the weights left in the row then sum to less than 1.

    If the inputs are finite, a row whose keys are all masked has weights 0 and passes no gradient. NaN stays visible.

    Raises ``TypeError`` for an input that is not a floating-point tensor, for dtypes that differ and for an integer
    mask; ``ValueError`` for widths, batch axes, sinks or a mask that do not fit, for a scale that is not finite in the
    precision of the computation, and for a ``softcap`` that is not above 0.
    Sources: Vaswani et al. 2017, equation 1; Gemma Team 2024 (caps); Xiao et al. 2024 and OpenAI 2025 (sinks).
    """
    _check_attention({"query": query, "key": key}, attn_mask, is_causal, scale, softcap, sinks)
    return _weights(query, key, attn_mask, is_causal, scale, softcap, sinks).to(query.dtype)


def _weights(query, key, attn_mask, is_causal, scale, softcap=None, sinks=None):
    """``attention_weights`` for checked arguments, in the precision of the computation."""
    L, S, E = query.shape[-2], key.shape[-2], query.shape[-1]
    scale = 1 / math.sqrt(E) if scale is None else float(scale)
    wide = _compute_dtype(query)
    scores = (query.to(wide) * scale) @ key.to(wide).mT  # (..., L, S)
    if softcap is not None:
        scores = softcap * (scores / softcap).tanh()

    may_attend = _lower_triangle(L, S, query.device) if is_causal else None
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            not_minus_inf = attn_mask
        else:
            scores = scores + attn_mask.to(wide)
            not_minus_inf = attn_mask != -math.inf
        may_attend = not_minus_inf if may_attend is None else may_attend & not_minus_inf
    if sinks is None:
        return _masked_softmax_(scores, may_attend)
    # One more key: every query may attend to it, and its weight is dropped.
    sinks = sinks.to(wide)[..., None, None].expand(*scores.shape[:-1], 1)
    if may_attend is not None:
        may_attend = torch.cat([may_attend.expand(scores.shape), sinks != -math.inf], -1)
    return _masked_softmax_(torch.cat([scores, sinks], -1), may_attend)[..., :-1]


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, *, dropout_p=0.0, is_causal=False, scale=None, softcap=None, sinks=None
):
    """For each query, the average of the values under its attention weights: ``softmax(Q Kᵀ · scale + M) V``.

    Shapes: ``query`` ``(..., L, E)``, ``key`` ``(..., S, E)``, ``value`` ``(..., S, Ev)``, the result ``(..., L, Ev)``.

    ``attn_mask`` and all arguments after ``dropout_p`` are the same as in ``attention_weights``. ``dropout_p`` is the
    probability with which each weight is dropped; the rest are divided by ``1 - dropout_p``. Dropout always applies:
    pass 0.0 in evaluation. It draws from torch's global generator (``torch.manual_seed``), as torch's own dropout does.

    Agrees with ``torch.nn.functional.scaled_dot_product_attention``, except for ``is_causal`` when L ≠ S (see
    ``attention_weights``). If the inputs are finite, a query whose keys are all masked gets output 0 and gradient 0.
    NaN stays visible.

    Raises what ``attention_weights`` raises, and ``ValueError`` if key and value differ in S, or if ``dropout_p`` is
    not in [0, 1]. Source: Vaswani et al. 2017, equation 1.
    """
    _check_attention({"query": query, "key": key, "value": value}, attn_mask, is_causal, scale, softcap, sinks)
    dropout_p = _check_number("dropout_p", dropout_p, minimum=0, maximum=1)
    weights = _weights(query, key, attn_mask, is_causal, scale, softcap, sinks)  # (..., L, S)
    if dropout_p > 0:
        weights = F.dropout(weights, dropout_p)
    return (weights @ value.to(weights.dtype)).to(query.dtype)  # (..., L, Ev)


# Multi-head attention


def split_heads(x, num_heads):
    """Cut the last axis into heads, and move the heads in front of the positions.

    Head ``h`` gets the columns from ``h·D/H`` to ``(h+1)·D/H - 1`` of every position.

    Shapes: ``(..., L, D)`` to ``(..., H, L, D/H)``.

    Raises ``TypeError`` if ``x`` is not a floating-point tensor or ``num_heads`` is not an integer, ``ValueError`` if
    ``num_heads`` is below 1 or does not divide D. Source: Vaswani et al. 2017, section 3.2.2.
    """
    _check_tensor("x", x, min_ndim=2)
    num_heads = _check_integer("num_heads", num_heads, minimum=1)
    D = x.shape[-1]
    if D % num_heads:
        raise ValueError(f"num_heads must divide the width D = {D} of x, shape {tuple(x.shape)}, got {num_heads}")
    return x.unflatten(-1, (num_heads, D // num_heads)).transpose(-3, -2)


def merge_heads(x):
    """Undo ``split_heads``: put the heads' columns side by side.

    Shapes: ``(..., H, L, E)`` to ``(..., L, H·E)``.

    Raises ``TypeError`` if ``x`` is not a floating-point tensor, ``ValueError`` if it has fewer than three axes.
    Source: Vaswani et al. 2017, section 3.2.2.
    """
    _check_tensor("x", x, min_ndim=3)
    return x.transpose(-3, -2).flatten(-2)


class KVCache:
    """The keys and values of all positions so far, for decoding one token after another.

    Starts empty; ``MultiHeadAttention.forward(x, is_causal=True, cache=cache)`` appends to it. One cache serves one
    layer and one batch of sequences.

    Shapes: ``cache.key`` and ``cache.value`` are ``(N, num_kv_heads, S, D/H)``, or None while the cache is
    empty. ``len(cache)`` is S, and ``cache.nbytes`` is the memory, in bytes, of the cache's
    ``2 · N · num_kv_heads · S · D/H`` numbers. ``cache.seen`` counts the positions that were ever appended; it is more
    than S once rows have been dropped.

    Raises ``ValueError`` when keys or values to be appended do not fit. Source: Shazeer 2019, section 2.4.
    """

    def __init__(self):
        self.key = self.value = None
        self.seen = 0

    def __len__(self):
        return 0 if self.key is None else self.key.shape[-2]

    @property
    def nbytes(self):
        return 0 if self.key is None else self.key.nbytes + self.value.nbytes

    def joined(self, key, value):
        """The keys and values in the cache, followed by ``key`` and ``value``. The cache stays as it is.

        Raises ``ValueError`` if their shape (except for S), dtype or device differs from the cache's.
        """
        if self.key is None:
            return key, value
        for name, new, old in (("key", key, self.key), ("value", value, self.value)):
            expected, got = ((*x.shape[:-2], "S", x.shape[-1], x.dtype, x.device) for x in (old, new))
            if got != expected:
                raise ValueError(f"{name} must be like the cache's, {expected}, got {got}")
        return torch.cat([self.key, key], -2), torch.cat([self.value, value], -2)


class MultiHeadAttention(nn.Module):
    """Attention in several subspaces at once: ``concat(head_1 … head_H) W_O + b_O``.

    Head ``h`` attends with queries, keys and values that are projections of the whole input:
    ``head_h = attention(Q_h, K_h, V_h)``, where ``Q_h`` holds the columns of head ``h`` in ``query @ W_q + b_q``.

    ``num_kv_heads`` below ``num_heads`` shares each key and value head among ``num_heads / num_kv_heads`` query heads
    (grouped-query attention; 1 is multi-query attention). ``attention`` is any function that is called like
    ``scaled_dot_product_attention``; it may be a module with its own parameters. ``dropout`` applies to the weights,
    in training only.

    ``gates`` names further arguments of ``attention`` that are computed from the input, one number per head and
    position, ``(N, H, S, 1)``: a sigmoid of a linear map, or its logarithm if the name begins with ``log_``. For
    ``delta_rule_attention`` they are ``("beta", "log_decay")``. The sigmoids start at about a half. For a decay this
    is a difficult start: the half-life is one position. A larger ``gate_proj.bias`` slows the decay.

    Shapes: ``forward`` takes ``(N, L, D)`` and ``(N, S, D)``, and returns ``(N, L, D)``.

    When ``num_kv_heads`` is None, the parameters have the names and shapes of ``torch.nn.MultiheadAttention`` without
    ``kdim``, ``vdim`` and ``add_bias_kv``, so that ``load_state_dict`` works both ways. They also start from the same
    distributions::

        in_proj_weight   (D + 2 · num_kv_heads · D/H, D)    W_qᵀ, W_kᵀ and W_vᵀ, one above the other
        in_proj_bias     (D + 2 · num_kv_heads · D/H,)      absent with bias=False
        out_proj.weight  (D, D)                             W_Oᵀ
        out_proj.bias    (D,)                               absent with bias=False
        gate_proj.weight (H · number of gates, D)           and its bias; absent without gates

    Raises ``TypeError`` for sizes that are not integers, ``ValueError`` if ``num_heads`` does not divide ``embed_dim``
    or ``num_kv_heads`` does not divide ``num_heads``, if ``dropout`` is not in [0, 1], or is above 0 for an
    ``attention`` without ``dropout_p``, and for gates that ``attention`` does not take.
    Sources: Vaswani et al. 2017, section 3.2.2; Shazeer 2019; Ainslie et al. 2023.
    """

    def __init__(
        self,
        embed_dim,
        num_heads,
        *,
        bias=True,
        dropout=0.0,
        num_kv_heads=None,
        attention=scaled_dot_product_attention,
        gates=(),
    ):
        super().__init__()
        self.embed_dim = _check_integer("embed_dim", embed_dim, minimum=1)
        self.num_heads = _check_integer("num_heads", num_heads, minimum=1)
        if embed_dim % num_heads:
            raise ValueError(f"num_heads must divide embed_dim = {embed_dim}, got {num_heads}")
        num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
        self.num_kv_heads = _check_integer("num_kv_heads", num_kv_heads, minimum=1)
        if num_heads % num_kv_heads:
            raise ValueError(f"num_kv_heads must divide num_heads = {num_heads}, got {num_kv_heads}")
        self.dropout = _check_number("dropout", dropout, minimum=0, maximum=1)
        _check_flag("bias", bias)
        _check_function("attention", attention)
        if self.dropout > 0 and not _takes(attention, "dropout_p"):
            raise ValueError(f"dropout must be 0 for an attention without the argument dropout_p, got {dropout}")
        self.attention = attention
        if not isinstance(gates, (tuple, list)):
            raise TypeError(f"gates must be a tuple of names, got {_what_came(gates)}")
        for name in gates:
            if not isinstance(name, str) or not _takes(attention, name):
                raise ValueError(f"gates must name arguments of attention, got {name!r}")
        self.gates = tuple(gates)

        self.widths = [embed_dim] + 2 * [num_kv_heads * (embed_dim // num_heads)]  # of queries, keys, values
        self.in_proj_weight = nn.Parameter(torch.empty(sum(self.widths), embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(sum(self.widths))) if bias else None
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.gate_proj = nn.Linear(embed_dim, len(gates) * num_heads) if gates else None
        # As in torch: Xavier's rule for the stacked matrices, biases of 0, and W_O as nn.Linear initialises it.
        nn.init.xavier_uniform_(self.in_proj_weight)
        if bias:
            nn.init.zeros_(self.out_proj.bias)

    def extra_repr(self):
        return f"embed_dim={self.embed_dim}, num_heads={self.num_heads}, num_kv_heads={self.num_kv_heads}"

    def forward(self, query, key=None, value=None, attn_mask=None, *, is_causal=False, cache=None):
        """The output, ``(N, L, D)``, for ``query`` ``(N, L, D)`` and ``key``, ``value`` ``(N, S, D)``.

        ``key`` defaults to ``query`` (self-attention), ``value`` to ``key``. ``attn_mask`` goes to the attention
        function; its shape is ``(L, S)`` or ``(N or 1, H or 1, L, S)``, so a ``padding_mask`` fits. Three axes are
        refused, because the first one could be N or H.

        With a ``cache``, the keys and values of ``query`` are appended to it, and S counts all positions in it. The
        cache is a ``KVCache`` or the state of a linear form: a ``LinearAttentionState`` for ``linear_attention``, a
        ``FadingState`` for ``delta_rule_attention`` or ``decayed_linear_attention``. A state takes no mask.

        Raises ``TypeError`` for an input that is not a floating-point tensor of the parameters' dtype, ``ValueError``
        for shapes that do not fit, for a ``key`` or ``value`` together with a ``cache``, for the state of a function
        other than ``attention``, and for a ``KVCache`` together with gates, because it does not store them.
        """
        if cache is not None:
            if not isinstance(cache, (KVCache, LinearAttentionState, FadingState)):
                raise TypeError(f"cache must be a KVCache or the state of a linear form, got {_what_came(cache)}")
            if key is not None or value is not None:
                raise ValueError("key and value must be left out if a cache is given, because it holds those of query")
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = self._project({"query": query, "key": key, "value": value}, attn_mask)
        gates = self._gates(key)
        if isinstance(cache, (LinearAttentionState, FadingState)):
            if self.attention is not cache.attention:
                raise ValueError(
                    f"cache must be a state of the attention {self.attention}, got a state of {cache.attention}"
                )
            if attn_mask is not None or not is_causal:
                raise ValueError("attn_mask must be None and is_causal True if the cache is a state")
            k, v = self._shared(k, v)
            return self.out_proj(merge_heads(cache.attend(q, k, v, **gates)))
        if cache is not None:
            if gates:
                raise ValueError("cache must be a state, such as a FadingState, if there are gates; got a KVCache")
            k, v = cache.joined(k, v)
        output = self._attend(q, k, v, attn_mask, is_causal, self.dropout if self.training else 0.0, gates)
        if cache is not None:  # only after the attention has accepted its arguments
            cache.key, cache.value = k, v
            cache.seen += query.shape[1]
        return self.out_proj(merge_heads(output))  # (N, L, D)

    def weights(self, query, key=None, attn_mask=None, *, is_causal=False):
        """The weights of every head, ``(N, H, L, S)``, without dropout. Arguments as in ``forward``."""
        key = query if key is None else key
        q, k, _ = self._project({"query": query, "key": key, "value": key}, attn_mask)
        # This works for any attention: if the values are the identity, the output is the weights.
        identity = _identity(k).expand(*k.shape[:-2], -1, -1)
        return self._attend(q, k, identity, attn_mask, is_causal, 0.0, self._gates(key))

    def _gates(self, key):
        """The arguments of the attention that are computed from the input, ``(N, H, S, 1)`` each, by name."""
        if not self.gates:
            return {}
        values = self.gate_proj(key).mT.unflatten(-2, (len(self.gates), self.num_heads)).unsqueeze(-1).unbind(1)
        return {
            name: F.logsigmoid(x) if name.startswith("log_") else x.sigmoid()
            for name, x in zip(self.gates, values, strict=True)
        }

    def _project(self, inputs, attn_mask):
        """Check the inputs; return queries ``(N, H, L, E)``, and keys and values ``(N, num_kv_heads, S, E)``."""
        for name, x in inputs.items():
            _check_tensor(name, x, min_ndim=3)
            if x.ndim != 3 or x.shape[-1] != self.embed_dim:
                raise ValueError(f"{name} must be (N, length, embed_dim = {self.embed_dim}), got {tuple(x.shape)}")
            if x.dtype != self.in_proj_weight.dtype:
                raise TypeError(f"{name} must have the parameters' dtype {self.in_proj_weight.dtype}, got {x.dtype}")
            if x.device != self.in_proj_weight.device:
                raise ValueError(f"{name} must be on the device {self.in_proj_weight.device}, got {x.device}")
        shapes = {name: tuple(x.shape) for name, x in inputs.items()}
        if len({N for N, _, _ in shapes.values()}) > 1:
            raise ValueError(f"query, key and value must have the same batch size N, got {shapes}")
        if shapes["key"] != shapes["value"]:
            raise ValueError(f"key and value must have the same number of positions S, got {shapes}")
        if isinstance(attn_mask, torch.Tensor) and attn_mask.ndim not in (2, 4):
            raise ValueError(
                f"attn_mask must be (L, S) or (N or 1, H or 1, L, S), got {tuple(attn_mask.shape)}; "
                "three axes could mean (N, L, S) or (H, L, S): insert an axis of size 1"
            )
        matrices = self.in_proj_weight.split(self.widths)
        biases = [None] * 3 if self.in_proj_bias is None else self.in_proj_bias.split(self.widths)
        heads = (self.num_heads, self.num_kv_heads, self.num_kv_heads)
        return [
            split_heads(F.linear(x, W, b), H)
            for x, W, b, H in zip(inputs.values(), matrices, biases, heads, strict=True)
        ]

    def _attend(self, q, k, v, attn_mask, is_causal, dropout_p, gates):
        k, v = self._shared(k, v)
        dropout = {"dropout_p": dropout_p} if dropout_p > 0 else {}
        return self.attention(q, k, v, attn_mask=attn_mask, is_causal=is_causal, **dropout, **gates)

    def _shared(self, k, v):
        """Keys and values with each head repeated for its group of query heads."""
        group = self.num_heads // self.num_kv_heads
        return (k, v) if group == 1 else (k.repeat_interleave(group, -3), v.repeat_interleave(group, -3))


def _identity(key):
    """The identity as values: the value of key j is 1 in column j and 0 elsewhere."""
    return torch.eye(key.shape[-2], dtype=key.dtype, device=key.device)  # (S, S)


# Masks. Boolean, True = may attend; combine them with `&`.


def causal_mask(L, S=None, *, device=None):
    """No query sees a later key: entry ``(i, j)`` is True when ``j ≤ i + (S - L)``.

    Aligned to the end: the last query sees all S keys, as a decoder with a cache requires. ``S`` defaults to ``L``;
    then this is the lower triangle. With S < L the first L - S queries see nothing. All S keys count, padding at
    the end, too: where L ≠ S, cut a buffer to the keys that it holds.

    Shape ``(L, S)``, boolean. Raises ``TypeError`` for a size that is not an integer, ``ValueError`` for a negative
    one, and for a ``device`` that this machine does not have. Source: Vaswani et al. 2017, section 3.2.3.
    """
    L = _check_integer("L", L, minimum=0)
    S = L if S is None else _check_integer("S", S, minimum=0)
    return _lower_triangle(L, S, _check_device("device", device))


def _lower_triangle(L, S, device):
    """``causal_mask`` for checked arguments."""
    return torch.ones(L, S, dtype=torch.bool, device=device).tril(S - L)


def padding_mask(lengths, S):
    """No query sees the padding after a sequence: entry ``(n, 0, 0, j)`` is True when ``j < lengths[n]``.

    ``lengths`` holds N integers from 0 to S, as a tensor ``(N,)`` or a list. Shape ``(N, 1, 1, S)``, boolean, which
    broadcasts over heads and queries; for ``(N, L, S)`` without a head axis use ``padding_mask(lengths, S)[:, 0]``.

    Raises ``TypeError`` for lengths that are not integers, ``ValueError`` for a length below 0 or above S.
    """
    S = _check_integer("S", S, minimum=0)
    if not isinstance(lengths, torch.Tensor):
        if not isinstance(lengths, (list, tuple)) or not all(_is_integer(length) for length in lengths):
            raise TypeError(f"lengths must be a tensor or a list of integers, got {lengths!r}")
        if not all(0 <= length <= S for length in lengths):
            raise ValueError(f"lengths must be between 0 and S = {S}, got {lengths!r}")
        lengths = torch.tensor(lengths, dtype=torch.int64)
    if lengths.is_floating_point() or lengths.is_complex() or lengths.dtype == torch.bool:
        raise TypeError(f"lengths must be integers, got dtype {lengths.dtype}")
    _check_dense("lengths", lengths)
    if lengths.ndim != 1:
        raise ValueError(f"lengths must have shape (N,), got {tuple(lengths.shape)}")
    lengths = lengths.long()  # in a small integer type, a larger S would wrap around
    if ((lengths < 0) | (lengths > S)).any():
        raise ValueError(f"lengths must be between 0 and S = {S}, got {lengths.tolist()}")
    positions = torch.arange(S, device=lengths.device)
    return (positions < lengths[:, None])[:, None, None, :]  # (N, 1, 1, S)


def sliding_window_mask(L, window, S=None, *, device=None):
    """Each query sees ``window`` positions on each side: entry ``(i, j)`` is True when ``|i + (S - L) - j| ≤ window``.

    Aligned to the end, like ``causal_mask``; ``S`` defaults to ``L``. Combined with ``causal_mask`` by ``&``, it looks
    only back. Distances are counted in rows: those of a cache from which rows have been dropped need a mask of their
    own, made from the positions.

    Shape ``(L, S)``, boolean. Raises ``TypeError`` for a size that is not an integer, ``ValueError`` for a negative
    size, a window below 1, and a ``device`` that this machine does not have. Source: Beltagy et al. 2020.
    """
    L = _check_integer("L", L, minimum=0)
    window = _check_integer("window", window, minimum=1)
    S = L if S is None else _check_integer("S", S, minimum=0)
    device = _check_device("device", device)
    offset = torch.arange(L, device=device)[:, None] + (S - L) - torch.arange(S, device=device)  # (L, S)
    return offset.abs() <= window


def to_additive(mask, dtype):
    """The same mask as numbers to add to the scores: 0 where ``mask`` is True (may attend), -inf where it is False.

    Shape as ``mask``. Raises ``TypeError`` for a ``mask`` that is not a boolean tensor and a ``dtype`` that is not
    floating-point.
    """
    if not isinstance(mask, torch.Tensor) or mask.dtype != torch.bool:
        raise TypeError(f"mask must be a boolean tensor, got {_what_came(mask)}")
    _check_dense("mask", mask)
    _check_dtype("dtype", dtype)
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~mask, -math.inf)


# Positions


def sinusoidal_positions(length, dim, *, base=10_000.0, dtype=None):
    """A vector for each position ``p``, from sines and cosines of ``dim/2`` frequencies ``ω_i = base^(-2i/dim)``::

        PE[p, 2i] = sin(ω_i p)        PE[p, 2i + 1] = cos(ω_i p)

    Even columns hold sines, odd columns cosines. ``PE[p + k]`` is ``PE[p]`` with each pair turned by ``-ω_i k``:
    that is ``rotary(PE[[p]], torch.tensor([-k]))``, because the point (sin, cos) moves clockwise as p grows.

    Shape ``(length, dim)``, computed in float64 and returned in ``dtype``, which defaults to torch's default.

    Raises ``TypeError`` for sizes that are not integers and for a ``dtype`` that is not floating-point,
    ``ValueError`` for a negative length, a ``dim`` that is odd or below 2, or a ``base`` that is not above 0.
    Source: Vaswani et al. 2017, section 3.5.
    """
    length = _check_integer("length", length, minimum=0)
    dim = _check_integer("dim", dim, minimum=2)
    frequencies = _frequencies("dim", dim, base)
    dtype = torch.get_default_dtype() if dtype is None else _check_dtype("dtype", dtype)
    angles = torch.arange(length, dtype=torch.float64)[:, None] * frequencies  # (length, dim/2)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2).to(dtype)


def rotary(x, positions, *, base=10_000.0):
    """Turn each pair of coordinates ``(x_2i, x_2i+1)`` by the angle ``ω_i p``, with ``ω_i = base^(-2i/E)``.

    If queries and keys are rotated before their product, their score depends on positions only through the difference.
    The lengths of the vectors do not change. Two rotations add, so a key is rotated once: before it is cached, or each
    time it is used.

    Shapes: ``x`` and the result ``(..., L, E)``, ``positions`` ``(L,)``, integers or floats.

    Raises ``TypeError`` if ``x`` is not a floating-point tensor or ``positions`` is not a tensor of numbers;
    ``ValueError`` for an odd E, positions that are not ``(L,)``, or a ``base`` that is not above 0.
    Source: Su et al. 2021.
    """
    _check_tensor("x", x, min_ndim=2)
    L, E = x.shape[-2:]
    _check_positions("positions", positions, L, "x", x)
    # In float64: at position 100,000 float32 would get the faster angles wrong by thousandths of a radian.
    angles = positions.double()[:, None] * _frequencies("the width E of x", E, base).to(x.device)  # (L, E/2)
    return rotate_pairs(x, angles.cos(), angles.sin())


def rotate_pairs(x, cos, sin):
    """Turn each pair of coordinates ``(x_2i, x_2i+1)`` by the angle with this cosine and sine, as ``rotary`` does.

    Use it for other angles: for positions that differ between the sequences of a batch, or for scaled frequencies.

    Shapes: ``x`` and the result ``(..., L, E)``; ``cos`` and ``sin`` broadcast to ``(..., L, E/2)``.

    Raises ``TypeError`` for an input that is not a floating-point tensor, ``ValueError`` for an odd E and for shapes
    that do not fit. Source: Su et al. 2021.
    """
    _check_tensor("x", x, min_ndim=2)
    if x.shape[-1] % 2:
        raise ValueError(f"the width E of x must be even, since its coordinates go in pairs, got {x.shape[-1]}")
    for name, factor in (("cos", cos), ("sin", sin)):
        _check_tensor(name, factor, min_ndim=0)
        if not _broadcasts(factor.shape, (*x.shape[:-1], x.shape[-1] // 2)):
            shape = (*x.shape[:-1], x.shape[-1] // 2)
            raise ValueError(f"{name} must broadcast to (..., L, E/2) = {shape}, got {tuple(factor.shape)}")
        if factor.device != x.device:
            raise ValueError(f"{name} must be on the device of x, {x.device}, got {factor.device}")
    wide = _compute_dtype(x)
    cos, sin = cos.to(wide), sin.to(wide)
    first, second = x.to(wide).unflatten(-1, (-1, 2)).unbind(-1)  # (..., L, E/2) each
    return torch.stack([first * cos - second * sin, first * sin + second * cos], -1).flatten(-2).to(x.dtype)


def _frequencies(name, width, base):
    """The angular speeds ``base^(-2i/width)`` of the ``width/2`` pairs, in float64."""
    if width % 2 or width < 2:
        raise ValueError(f"{name} must be even, since its coordinates go in pairs, got {width}")
    return _check_number("base", base, above=0) ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)


# Local attention


def local_attention(
    query, key, value, window, attn_mask=None, *, is_causal=False, scale=None, softcap=None, sinks=None
):
    """Attention to the ``window`` nearest positions on each side and no others, block by block.

    Equals ``scaled_dot_product_attention`` with ``sliding_window_mask(L, window, S)``; ``is_causal=True`` looks
    only back. Each block of queries meets the keys within its reach, so in the forward pass time and memory grow as
    ``L · max(window, 64)``. In the backward pass, the gradient of each block's keys is as long as the sequence.

    Shapes and the other arguments are the same as in ``scaled_dot_product_attention``. In ``MultiHeadAttention``, use
    ``functools.partial(local_attention, window=w)``.

    Raises what ``scaled_dot_product_attention`` raises, ``TypeError`` for a window that is not an integer and
    ``ValueError`` for one below 1. Source: Beltagy et al. 2020.
    """
    _check_attention({"query": query, "key": key, "value": value}, attn_mask, is_causal, scale, softcap, sinks)
    window = _check_integer("window", window, minimum=1)
    L, S, shift = query.shape[-2], key.shape[-2], key.shape[-2] - query.shape[-2]
    q, k, v = (x.to(_compute_dtype(query)) for x in (query, key, value))
    size = max(window, 64)  # smaller blocks would waste less but be slower
    outputs = []
    for start in range(0, max(L, 1), size):
        end = min(start + size, L)
        # The keys in reach of these queries; positions are aligned to the end.
        first = min(max(start + shift - window, 0), S)
        last = max(min(end + shift + (0 if is_causal else window), S), first)
        position = torch.arange(start, end, device=query.device)[:, None] + shift
        offset = position - torch.arange(first, last, device=query.device)  # (block, keys)
        may_attend = (offset.abs() <= window) & ((offset >= 0) | (not is_causal))
        if attn_mask is not None:
            may_attend = _restricted(_part(attn_mask, start, end, first, last), may_attend)
        block = q[..., start:end, :], k[..., first:last, :]
        weights = _weights(*block, may_attend, False, scale, softcap, sinks)  # (..., block, keys)
        outputs.append(weights @ v[..., first:last, :])
    return torch.cat(outputs, -2).to(query.dtype)  # (..., L, Ev)


def _part(attn_mask, start, end, first, last):
    """Rows and columns of a mask; an axis that broadcasts stays as it is."""
    if attn_mask.ndim > 1 and attn_mask.shape[-2] > 1:
        attn_mask = attn_mask[..., start:end, :]
    return attn_mask[..., first:last] if attn_mask.ndim and attn_mask.shape[-1] > 1 else attn_mask


def _restricted(attn_mask, may_attend):
    """A boolean or additive mask, further restricted by a boolean one."""
    return attn_mask & may_attend if attn_mask.dtype == torch.bool else attn_mask.where(may_attend, -math.inf)


# Linear attention


def elu_plus_one(x):
    """The feature map ``elu(x) + 1``: ``x + 1`` above 0, ``exp(x)`` below; positive until ``exp`` underflows.

    Shape as ``x``. Raises ``TypeError`` if ``x`` is not a floating-point tensor. Source: Katharopoulos et al. 2020.
    """
    _check_tensor("x", x, min_ndim=0)
    return _EluPlusOne.apply(x)


class _EluPlusOne(torch.autograd.Function):
    """``elu(x) + 1`` with its derivative written out, ``exp(min(x, 0))``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        # Not F.elu(x) + 1: below -17.33 that is 1 - 1 in float32, and above it loses digits.
        return x.clamp_max(0).exp_().add_(F.relu(x))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x.clamp_max(0).exp()

    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return tangent * x.clamp_max(0).exp()


class LinearAttentionState:
    """The memory of causal linear attention: all positions so far in one matrix per head.

    ``sums``, None at the start, is the sum of ``φ(k_j)ᵀ [v_j, 1]``. When a query reads ``sums``, the number that comes
    from the appended 1 divides the others. For a feature map that keeps the width E, as the default does, ``sums`` is
    ``(..., E, Ev + 1)``. A step costs about two products per entry of ``sums``, one to read it and one to update it,
    however many positions came before. ``attend`` takes one position or many at once.

    Shapes: as in ``linear_attention``. Raises ``TypeError`` if ``feature_map`` is not a function.
    Source: Katharopoulos et al. 2020, section 3.4.
    """

    def __init__(self, feature_map=elu_plus_one):
        self._past = _FeatureSums(_check_function("feature_map", feature_map))

    @property
    def attention(self):
        """The function that this state continues; None if its feature map is not the default."""
        return linear_attention if self.feature_map is elu_plus_one else None

    @property
    def feature_map(self):
        return self._past.feature_map

    @property
    def sums(self):
        return self._past.sums

    def append(self, key, value):
        """Take in keys and values ``(..., C, E)`` and ``(..., C, Ev)`` without queries."""
        _check_attention({"query": key, "key": key, "value": value}, None, False, None)
        wide = _compute_dtype(key)
        self._past.take_in(key.to(wide), value.to(wide))

    def attend(self, query, key, value):
        """Outputs ``(..., C, Ev)`` of C new positions, each of which attends to itself and to all before it."""
        _check_attention({"query": query, "key": key, "value": value}, None, False, None)
        if query.shape[-2] != key.shape[-2]:
            raise ValueError(f"query and key must be the same positions, got {query.shape[-2]} and {key.shape[-2]}")
        wide = _compute_dtype(query)
        return self._past.attend(query.to(wide), key.to(wide), value.to(wide)).to(query.dtype)


class _FeatureSums:
    """The past of linear attention: the sum of ``φ(k_j)ᵀ [v_j, 1]``, None at the start.

    This class and ``_RunningMaps`` have two methods for checked chunks ``(..., C, ·)`` in the precision of the
    computation: ``take_in(k, v, bias)`` for keys without queries, and ``attend(q, k, v, bias)`` for the outputs of C
    positions. These positions attend to the past, to the positions before them in the chunk, and to themselves; then
    they become part of the past. ``bias`` ``(..., C, 1)`` is an additive mask of keys, or None.
    """

    def __init__(self, feature_map):
        self.feature_map = feature_map
        self.sums = None

    def take_in(self, k, v, bias=None):
        self._add(_key_features(self.feature_map, k, bias), _with_one(v))

    def attend(self, q, k, v, bias=None):
        q, k, v = _features(self.feature_map, q), _key_features(self.feature_map, k, bias), _with_one(v)
        sums = (q @ k.mT).tril_() @ v  # (..., C, Ev + 1), within the chunk
        if self.sums is not None:  # and from all positions before the chunk
            sums.add_(q @ self.sums)
        self._add(k, v)
        return _divided(sums[..., :-1], sums[..., -1:])

    def read(self, q):
        """Outputs of queries that attend to the past alone."""
        sums = _features(self.feature_map, q) @ self.sums
        return _divided(sums[..., :-1], sums[..., -1:])

    def _add(self, k, v):
        sums = k.mT @ v
        self.sums = sums if self.sums is None else self.sums + sums


def _with_one(value):
    """Values ``[v, 1]``."""
    return F.pad(value, (0, 1), value=1.0)


def _features(feature_map, x):
    """``φ(x)``, ``(..., C, any width)``, after a check of its type and shape."""
    features = feature_map(x)
    if not isinstance(features, torch.Tensor) or features.dtype != x.dtype:
        raise TypeError(f"feature_map must return a tensor of dtype {x.dtype}, got {_what_came(features)}")
    _check_dense("the result of feature_map", features)
    if features.shape[:-1] != x.shape[:-1] or features.device != x.device:
        raise ValueError(
            f"feature_map must change nothing but the last axis of {tuple(x.shape)} on {x.device}, "
            f"got {tuple(features.shape)} on {features.device}"
        )
    return features


def _key_features(feature_map, k, bias):
    """``φ(k)``, times ``exp(bias)``: an additive mask multiplies a weight."""
    features = _features(feature_map, k)
    return features if bias is None else features * bias.exp()


def _divided(sums, total):
    """``sums / total``, or 0 where ``total`` is 0."""
    return sums / total.where(total != 0, 1)


def linear_attention(query, key, value, attn_mask=None, *, feature_map=elu_plus_one, is_causal=False, chunk_size=128):
    """Attention with weights ``φ(q_i)·φ(k_j) / Σ_j' φ(q_i)·φ(k_j')``, in time and memory linear in the length.

    The products are taken in the other order: ``φ(Q) (φ(K)ᵀ V)``. With ``is_causal=True`` the sums run over ``j ≤ i``
    (aligned to the end): within a chunk of ``chunk_size`` positions by a small triangle of weights, and over all chunks
    before it by running sums, as in ``LinearAttentionState``. ``feature_map`` φ should return positive numbers, of any
    width.

    Shapes as in ``scaled_dot_product_attention``. ``attn_mask`` may only mask keys, ``(..., 1, S)``: boolean, True =
    may be attended to, or additive. A query whose weights are all 0 gets output 0.

    Raises what ``scaled_dot_product_attention`` raises, ``ValueError`` for a mask that differs between queries, a chunk
    size below 1 and a feature map that changes more than the width, ``TypeError`` for a feature map that is not a
    function or does not return a tensor of the dtype that it gets. Source: Katharopoulos et al. 2020.
    """
    q, k, v, bias = _linear_inputs(query, key, value, attn_mask, is_causal)
    past = _FeatureSums(_check_function("feature_map", feature_map))
    chunk_size = _check_integer("chunk_size", chunk_size, minimum=1)
    if is_causal:
        return _by_chunks(past, q, k, v, bias, chunk_size=chunk_size).to(query.dtype)
    return _all_by_chunks(past, q, k, v, bias).to(query.dtype)


def linear_attention_weights(query, key, attn_mask=None, *, feature_map=elu_plus_one, is_causal=False):
    """The weights of ``linear_attention``, ``(..., L, S)``, for inspection: quadratic in time and memory.

    Shapes and arguments as in ``linear_attention``. Raises what ``linear_attention`` raises.
    Source: Katharopoulos et al. 2020.
    """
    q, k, _, bias = _linear_inputs(query, key, key, attn_mask, is_causal)
    _check_function("feature_map", feature_map)
    weights = _features(feature_map, q) @ _key_features(feature_map, k, bias).mT
    if is_causal:
        weights = weights.tril(key.shape[-2] - query.shape[-2])
    return _divided(weights, weights.sum(-1, keepdim=True)).to(query.dtype)


def efficient_attention(query, key, value, attn_mask=None, *, is_causal=False):
    """Mix E global maps: ``softmax_row(Q) (softmax_col(K)ᵀ V)``, in time and memory linear in the length.

    Column e of K, turned into a distribution over the positions, is a map; it averages the values into one vector.
    Each query, turned into a distribution over the E maps, averages these vectors. This is not an approximation of
    softmax attention but a different function: without a causal mask its matrix of weights has rank at most E.

    ``is_causal=True`` gives each query maps over the positions up to its own (aligned to the end); without it every
    output depends on every position.

    Shapes as in ``scaled_dot_product_attention``. ``attn_mask`` may only mask keys, ``(..., 1, S)``: boolean, True =
    may be attended to, or additive.

    Raises what ``scaled_dot_product_attention`` raises, and ``ValueError`` for a mask that differs between queries.
    Source: Shen et al. 2021; the causal form is this book's.
    """
    q, k, v, bias = _linear_inputs(query, key, value, attn_mask, is_causal)
    if is_causal:
        return _by_chunks(_RunningMaps(), softmax(q), k, v, bias, chunk_size=16).to(query.dtype)
    maps = softmax(k, -2) if bias is None else _masked_softmax_(k + bias, bias != -math.inf, -2)  # (..., S, E)
    return (softmax(q) @ (maps.mT @ v)).to(query.dtype)


def efficient_attention_weights(query, key, attn_mask=None, *, is_causal=False):
    """The weights of ``efficient_attention``, ``(..., L, S)``, for inspection: quadratic in time and memory.

    Shapes and arguments as in ``efficient_attention``. Raises what ``efficient_attention`` raises.
    Source: Shen et al. 2021.
    """
    _linear_inputs(query, key, key, attn_mask, is_causal)
    # This works for any attention: if the values are the identity, the output is the weights.
    return efficient_attention(query, key, _identity(key), attn_mask, is_causal=is_causal)


class _RunningMaps:
    """The past of efficient attention, with the methods of ``_FeatureSums``. For each map, over the positions so far,
    it holds the largest key, the sum of ``exp(k - largest)``, and the sum of ``exp(k - largest) v``.
    """

    def __init__(self):
        self.largest = self.total = self.value = None

    def take_in(self, k, v, bias=None):
        k = k if bias is None else k + bias
        largest = k.detach().amax(-2, keepdim=True)  # (..., 1, E); a constant, because it cancels
        largest = largest if self.largest is None else torch.maximum(largest, self.largest)
        shift = _finite(largest)
        exps = (k - shift).exp()  # (..., C, E), at most 1
        total, value = exps.sum(-2, keepdim=True), exps.mT @ v
        if self.largest is not None:
            decay = (self.largest - shift).exp()
            total, value = total + self.total * decay, value + self.value * decay.mT
        self.largest, self.total, self.value = largest, total, value

    def attend(self, q, k, v, bias=None):
        k = k if bias is None else k + bias
        largest = k.detach().cummax(-2).values  # (..., C, E)
        shift = _finite(largest if self.largest is None else torch.maximum(largest, self.largest))
        later = ~_lower_triangle(k.shape[-2], k.shape[-2], k.device).unsqueeze(-1)
        # The part of map e at j ≤ i that position i sees: exp(k_je - shift_ie), (..., C, C, E)
        exps = (k.unsqueeze(-3) - shift.unsqueeze(-2)).masked_fill(later, -math.inf).exp()
        total = exps.sum(-2)
        if self.largest is not None:
            decay = (self.largest - shift).exp()
            total = total + self.total * decay
        q = _divided(q, total)
        output = (q.unsqueeze(-2) * exps).sum(-1) @ v  # weights (..., C, C) within the chunk
        if self.largest is not None:
            output = output + q * decay @ self.value
        self.take_in(k, v)
        return output


def _finite(largest):
    """``largest``, with 0 in place of -inf, so that ``-inf - largest`` is -inf and not NaN."""
    return largest.masked_fill(largest == -math.inf, 0)


def _linear_inputs(query, key, value, attn_mask, is_causal):
    """Checked inputs in the precision of the computation, and an additive mask of keys ``(..., S, 1)``, or None."""
    _check_attention({"query": query, "key": key, "value": value}, attn_mask, is_causal, None)
    wide = _compute_dtype(query)
    bias = None
    if attn_mask is not None:
        if attn_mask.ndim > 1 and attn_mask.shape[-2] != 1:
            raise ValueError(
                "attn_mask must be the same for all queries, (..., 1, S), because linear forms have no weights per "
                f"query, got {tuple(attn_mask.shape)}; for a causal mask use is_causal=True"
            )
        bias = to_additive(attn_mask, wide) if attn_mask.dtype == torch.bool else attn_mask.to(wide)
        bias = bias.expand(*bias.shape[:-2], 1, key.shape[-2]).mT
    return query.to(wide), key.to(wide), value.to(wide), bias


def _by_chunks(past, q, k, v, *more, chunk_size):
    """Causal attention: ``past`` takes in the keys before the first query and then attends chunk by chunk.

    ``more`` holds further inputs that belong to the keys, ``(..., S, ·)`` or None; they are passed on after the values.
    """
    L, S = q.shape[-2], k.shape[-2]
    lead, blind = max(S - L, 0), max(L - S, 0)  # counts: keys that all queries see, queries that see none
    inputs = [x.split([lead, S - lead], -2) for x in (k, v, *more) if x is not None]
    if lead:
        past.take_in(*(before for before, _ in inputs))
    batch = _broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    outputs = [q.new_zeros(*batch, blind, v.shape[-1])]
    if blind < L:
        # split, not slices: the gradient of a slice is as large as the whole, and there are many chunks
        chunks = [x.split(chunk_size, -2) for x in (q[..., blind:, :], *(rest for _, rest in inputs))]
        outputs += [past.attend(*chunk) for chunk in zip(*chunks, strict=True)]
    return torch.cat(outputs, -2)


def _all_by_chunks(past, q, k, v, bias, chunk_size=512):
    """Every query attends to every key: ``past`` takes in all keys, and then the queries read it.

    Keys and queries are taken one chunk at a time, so that the intermediate results are small.
    """
    keys = [x.split(chunk_size, -2) for x in (k, v, bias) if x is not None]
    for chunk in zip(*keys, strict=True):
        past.take_in(*chunk)
    return torch.cat([past.read(chunk) for chunk in q.split(chunk_size, -2)], -2)


# Exact attention without the L × S matrix


def blockwise_attention(
    query, key, value, attn_mask=None, *, is_causal=False, scale=None, softcap=None, sinks=None, block_size=1024
):
    """Exactly ``scaled_dot_product_attention``, block by block, without holding the ``L × S`` matrix.

    For each block of queries, keys are read in blocks. The largest score, the sum of exponentials and the weighted sum
    of values so far are kept; when a larger score turns up, the sums are rescaled (online softmax). Blocks that
    ``is_causal`` hides are skipped, together with any NaN in them.

    Memory beyond inputs and output: one block of scores (two with a dense mask or a soft cap), the scaled queries, and
    the output a second time while its blocks are joined; in half precision also query, key and value in float32. If a
    gradient is needed, the backward pass computes each block of queries again, against all its keys, and holds one row
    of blocks of scores at a time.

    Shapes and arguments as in ``scaled_dot_product_attention``; ``block_size`` counts keys.

    Raises what ``scaled_dot_product_attention`` raises, ``TypeError`` for a block size that is not an integer and
    ``ValueError`` for one below 1. Sources: Milakov and Gimelshein 2018; Rabe and Staats 2021; Dao et al. 2022.
    """
    _check_attention({"query": query, "key": key, "value": value}, attn_mask, is_causal, scale, softcap, sinks)
    block_size = _check_integer("block_size", block_size, minimum=1)
    L, S, E = query.shape[-2], key.shape[-2], query.shape[-1]
    q, k, v = (x.to(_compute_dtype(query)) for x in (query, key, value))
    q = q * (1 / math.sqrt(E) if scale is None else float(scale))
    rows = max(block_size // 4, 1)
    inputs = [x for x in (query, key, value, attn_mask, sinks) if x is not None]
    needs_grad = torch.is_grad_enabled() and any(x.requires_grad for x in inputs)
    # One block of scores, reused if no gradient needs it.
    batch = _broadcast_shapes(q.shape[:-2], k.shape[:-2])
    scratch = None if needs_grad else q.new_empty(math.prod(batch) * min(rows, L) * min(block_size, S))
    outputs = []
    for start in range(0, max(L, 1), rows):
        arguments = (q, k, v, attn_mask, is_causal, softcap, sinks, start, min(start + rows, L), block_size, scratch)
        if needs_grad:
            outputs.append(checkpoint(_rows_by_blocks, *arguments, use_reentrant=False, preserve_rng_state=False))
        else:
            outputs.append(_rows_by_blocks(*arguments))
    return torch.cat(outputs, -2).to(query.dtype)  # (..., L, Ev)


def _rows_by_blocks(q, k, v, attn_mask, is_causal, softcap, sinks, start, end, block_size, scratch):
    """Output of the scaled queries from ``start`` to ``end``, by online softmax over blocks of keys."""
    S, shift = k.shape[-2], k.shape[-2] - q.shape[-2]
    q = q[..., start:end, :]
    batch = _broadcast_shapes(q.shape[:-2], k.shape[:-2])
    largest = q.new_full((*batch, end - start, 1), -math.inf)
    total = torch.zeros_like(largest)
    output = q.new_zeros((*_broadcast_shapes(batch, v.shape[:-2]), end - start, v.shape[-1]))
    reach = max(min(end + shift, S), 0) if is_causal else S  # no query of this block sees a key from here on
    for first in range(0, reach, block_size):
        last = min(first + block_size, reach)
        shape = (*batch, end - start, last - first)  # of the scores, (..., rows, block)
        out = None if scratch is None else scratch[: math.prod(shape)].view(shape)
        scores = torch.matmul(q, k[..., first:last, :].mT, out=out)
        if softcap is not None:
            scores = scores.div_(softcap).tanh_().mul(softcap)
        if attn_mask is not None:
            part = _part(attn_mask, start, end, first, last)
            scores = scores.masked_fill(~part, -math.inf) if part.dtype == torch.bool else scores + part.to(q.dtype)
        if is_causal and last > start + shift + 1:  # the diagonal runs through this block
            near = max(start + shift + 1, first)  # all earlier keys are seen by all queries of this block
            position = torch.arange(start, end, device=q.device)[:, None] + shift
            later = torch.arange(near, last, device=q.device) > position
            scores[..., near - first :].masked_fill_(later, -math.inf)
        larger = torch.maximum(largest, scores.detach().amax(-1, keepdim=True))
        base = larger.masked_fill(larger == -math.inf, 0)  # nothing seen yet: every exponential is 0
        rescale, largest = (largest - base).exp(), larger
        exps = scores.sub_(base).exp_()
        total = total.mul_(rescale).add_(exps.sum(-1, keepdim=True))
        output = output.mul_(rescale).add_(exps @ v[..., first:last, :])
    if sinks is not None:  # one more key, whose value is 0
        sinks = sinks.to(q.dtype)[..., None, None]
        base = _finite(torch.maximum(largest, sinks.detach()))
        rescale = (largest - base).exp()
        output, total = output * rescale, total * rescale + (sinks - base).exp()
    return _divided(output, total)


# Scores in range, and a small memory


def soft_cap(x, cap):
    """Squeeze numbers into [-cap, cap]: ``cap · tanh(x / cap)``, which is nearly x where ``|x|`` is far below cap.

    The order is preserved until tanh rounds to 1; the derivative is ``1 - (result / cap)²``. Shape and dtype as ``x``.

    Raises ``TypeError`` if ``x`` is not a floating-point tensor or ``cap`` is not a number, ``ValueError`` for a cap
    that is not above 0. Sources: Bello et al. 2017; Gemma Team 2024, for the scores of attention.
    """
    _check_tensor("x", x, min_ndim=0)
    wide = _compute_dtype(x)
    cap = _check_number("cap", cap, above=0, dtype=wide)
    return (cap * (x.to(wide) / cap).tanh()).to(x.dtype)


def rms_norm(x, weight=None, *, eps=1e-6):
    """Bring vectors to the same length: ``x / √(mean(x²) + eps)``, times ``weight``, along the last axis.

    Without a weight the result has length √E, minus a little because of eps. Applied to queries and keys, it bounds
    every score ``q·k/√E`` by ``√E`` times the largest ``|weight|`` of each. As in torch, numbers whose squares are
    beyond the largest float become 0.

    Shapes: ``x`` and the result ``(..., E)``; ``weight`` broadcasts to that and is usually ``(E,)``.

    Raises ``TypeError`` for a tensor that is not floating-point, an ``eps`` that is not a number and dtypes that
    differ, ``ValueError`` for a weight that does not fit and an ``eps`` below 0.
    Sources: Zhang and Sennrich 2019; Henry et al. 2020 (queries and keys).
    """
    _check_tensor("x", x, min_ndim=1)
    if weight is not None:
        _check_like("weight", weight, "x", x, x.shape, "(..., E)")
    wide = _compute_dtype(x)
    eps = _check_number("eps", eps, minimum=0, dtype=wide)
    normed = x.to(wide) * (x.to(wide).square().mean(-1, keepdim=True) + eps).rsqrt()
    return (normed if weight is None else normed * weight.to(wide)).to(x.dtype)


def top_k_mask(scores, k):
    """A mask that lets each query attend to the k keys with its largest scores; among equal scores, the first ones win.

    A score of -inf is never chosen: give it to keys that are masked already. If fewer than k other scores remain, all
    of them are chosen.

    Shapes: ``scores`` ``(..., L, S)``, the result is boolean and of the same shape. The choice has no gradient.

    Raises ``TypeError`` if ``scores`` is not a floating-point tensor or k is not an integer, ``ValueError`` for k below
    1. Source: DeepSeek-AI 2025, where the scores come from a separate small scorer (the indexer).
    """
    _check_tensor("scores", scores, min_ndim=2)
    k = _check_integer("k", k, minimum=1)
    order = scores.detach().sort(stable=True, dim=-1, descending=True).indices[..., :k]
    return torch.zeros_like(scores, dtype=torch.bool).scatter(-1, order, True) & (scores != -math.inf)


class LatentAttention(nn.Module):
    """Multi-head attention whose keys and values are made from one small vector per position: ``c = norm(x W_down)``.

    Head h has the keys ``c W_uk,h`` and the values ``c W_uv,h``; only c must be stored. A rotation between ``W_uk`` and
    the query would rule out the absorbed form below, so positions have ``rotary_dim`` separate
    coordinates: every query head has them, and a single key, rotated before it is stored, serves all heads.

    A score is ``(q_h · k_h + q_rotary,h · k_rotary) / √(head_dim + rotary_dim)``. ``base`` is the base for ``rotary``;
    with ``base=None`` nothing is rotated, and positions enter through the mask alone.

    ``absorbed=True`` computes the same result in a different order: ``W_uk`` is applied to the query, ``W_uv`` after
    the attention. All query heads then attend to the stored vectors themselves (multi-query attention).

    Shapes: ``forward`` takes and returns ``(N, L, D)``. Parameters, where C = ``latent_dim`` is the width of c, Cq =
    ``query_latent_dim``, R = ``rotary_dim``, E = ``head_dim`` and Ev = ``value_dim``; the last two default to D/H::

        key_value_down.weight  (C + R, D)          W_downᵀ above the matrix of the rotary key
        key_value_norm         (C,)                the weight of the norm
        key_value_up           (H, E + Ev, C)      W_ukᵀ and W_uvᵀ of each head, one above the other
        query_down.weight      (Cq, D)             these two only if ``query_latent_dim`` is given
        query_norm             (Cq,)
        query_up.weight        (H · (E + R), D or Cq)
        out_proj.weight        (D, H · Ev)

    Raises ``TypeError`` for sizes that are not integers, ``ValueError`` for a size below 1 (``rotary_dim``: below 0)
    and for an odd ``rotary_dim``. Source: DeepSeek-AI 2024.
    """

    def __init__(
        self,
        embed_dim,
        num_heads,
        latent_dim,
        *,
        rotary_dim=0,
        head_dim=None,
        value_dim=None,
        query_latent_dim=None,
        base=10_000.0,
        eps=1e-6,
    ):
        super().__init__()
        self.embed_dim = _check_integer("embed_dim", embed_dim, minimum=1)
        self.num_heads = _check_integer("num_heads", num_heads, minimum=1)
        self.latent_dim = _check_integer("latent_dim", latent_dim, minimum=1)
        self.rotary_dim = _check_integer("rotary_dim", rotary_dim, minimum=0)
        if rotary_dim % 2:
            raise ValueError(f"rotary_dim must be even, since its coordinates go in pairs, got {rotary_dim}")
        if embed_dim % num_heads and (head_dim is None or value_dim is None):
            raise ValueError(f"num_heads must divide embed_dim = {embed_dim} if head_dim and value_dim are not given")
        width = embed_dim // num_heads
        self.head_dim = _check_integer("head_dim", width if head_dim is None else head_dim, minimum=1)
        self.value_dim = _check_integer("value_dim", width if value_dim is None else value_dim, minimum=1)
        self.base = None if base is None else _check_number("base", base, above=0)
        self.eps = _check_number("eps", eps, minimum=0)

        self.key_value_down = nn.Linear(embed_dim, latent_dim + rotary_dim, bias=False)
        self.key_value_norm = nn.Parameter(torch.ones(latent_dim))
        self.key_value_up = nn.Parameter(torch.empty(num_heads, self.head_dim + self.value_dim, latent_dim))
        nn.init.uniform_(self.key_value_up, -(latent_dim**-0.5), latent_dim**-0.5)  # as nn.Linear does
        self.query_down = self.query_norm = None
        if query_latent_dim is not None:
            query_latent_dim = _check_integer("query_latent_dim", query_latent_dim, minimum=1)
            self.query_down = nn.Linear(embed_dim, query_latent_dim, bias=False)
            self.query_norm = nn.Parameter(torch.ones(query_latent_dim))
        width = embed_dim if query_latent_dim is None else query_latent_dim
        self.query_up = nn.Linear(width, num_heads * (self.head_dim + rotary_dim), bias=False)
        self.out_proj = nn.Linear(num_heads * self.value_dim, embed_dim, bias=False)

    def forward(self, query, attn_mask=None, *, is_causal=False, cache=None, positions=None, absorbed=False):
        """The output, ``(N, L, D)``, for ``query`` ``(N, L, D)``: self-attention.

        With a ``KVCache`` as ``cache``, earlier positions come from it, and the positions of ``query`` are appended:
        ``cache.key`` holds c, ``(N, 1, S, C)``, and ``cache.value`` the rotary keys, ``(N, 1, S, R)``. ``attn_mask`` is
        the same as in ``scaled_dot_product_attention``, for ``(N, H, L, S)``.

        ``positions`` ``(L,)`` are the places of ``query`` in the whole text, by which it is rotated. They default to
        those after the cache: ``len(cache)`` and on. That is wrong once rows have been dropped from the cache, whose
        length is then no position; so for a shortened cache they must be given.

        Raises ``TypeError`` if ``query`` is not a floating-point tensor of the parameters' dtype or ``positions`` is
        not a tensor of numbers; ``ValueError`` for shapes that do not fit, and for ``positions`` that are missing
        although something is rotated and ``len(cache)`` is not ``cache.seen``.
        """
        _check_tensor("query", query, min_ndim=3)
        if query.ndim != 3 or query.shape[-1] != self.embed_dim:
            raise ValueError(f"query must be (N, length, embed_dim = {self.embed_dim}), got {tuple(query.shape)}")
        if query.dtype != self.key_value_norm.dtype:
            raise TypeError(f"query must have the parameters' dtype {self.key_value_norm.dtype}, got {query.dtype}")
        _check_flag("absorbed", absorbed)
        if cache is not None and not isinstance(cache, KVCache):
            raise TypeError(f"cache must be a KVCache, got {_what_came(cache)}")
        past, L, turns = 0 if cache is None else len(cache), query.shape[1], self.rotary_dim and self.base is not None
        if positions is not None:
            _check_positions("positions", positions, L, "query", query)
        elif turns and cache is not None and cache.seen != past:
            raise ValueError(
                f"positions must be given, (L,) = ({L},), because the cache holds {past} positions and has seen "
                f"{cache.seen}, so that its length is not the place of query; got None"
            )
        else:
            positions = torch.arange(past, past + L, device=query.device)

        latent, k_rotary = self.key_value_down(query)[:, None].split([self.latent_dim, self.rotary_dim], -1)
        latent = rms_norm(latent, self.key_value_norm, eps=self.eps)  # (N, 1, L, C)
        q = query if self.query_down is None else rms_norm(self.query_down(query), self.query_norm, eps=self.eps)
        q, q_rotary = split_heads(self.query_up(q), self.num_heads).split([self.head_dim, self.rotary_dim], -1)
        if turns:
            q_rotary = rotary(q_rotary, positions, base=self.base)  # (N, H, L, R)
            k_rotary = rotary(k_rotary, positions, base=self.base)  # (N, 1, L, R)
        if cache is not None:
            latent, k_rotary = cache.joined(latent, k_rotary)  # (N, 1, S, C) and (N, 1, S, R)
        attend = self._absorbed if absorbed else self._plain
        output = attend(q, q_rotary, latent, k_rotary, attn_mask=attn_mask, is_causal=is_causal)  # (N, H, L, Ev)
        if cache is not None:  # only after the attention has accepted its arguments
            cache.key, cache.value = latent, k_rotary
            cache.seen += L
        return self.out_proj(merge_heads(output))

    def _plain(self, q, q_rotary, latent, k_rotary, **mask):
        """Make every head's keys and values, then attend as usual."""
        k, v = (latent @ self.key_value_up.mT).split([self.head_dim, self.value_dim], -1)  # (N, H, S, E), (N, H, S, Ev)
        query = torch.cat([q, q_rotary], -1)
        key = torch.cat([k, k_rotary.expand(*k.shape[:-1], -1)], -1)
        return scaled_dot_product_attention(query, key, v, **mask)

    def _absorbed(self, q, q_rotary, latent, k_rotary, **mask):
        """Attend to the stored vectors themselves: ``q · (W_ukᵀ c) = (W_uk q) · c``."""
        to_key, to_value = self.key_value_up.split([self.head_dim, self.value_dim], -2)  # (H, E, C), (H, Ev, C)
        query = torch.cat([q @ to_key, q_rotary], -1)  # (N, H, L, C + R)
        key = torch.cat([latent, k_rotary], -1)  # (N, 1, S, C + R), the same for all heads
        scale = 1 / math.sqrt(self.head_dim + self.rotary_dim)  # as in the plain form, though these vectors are wider
        return scaled_dot_product_attention(query, key, latent, scale=scale, **mask) @ to_value.mT


# Linear attention with a memory that can forget


CHUNK = 64  # positions: longer chunks cost more arithmetic, shorter ones more steps


def decayed_linear_attention(
    query, key, value, attn_mask=None, *, is_causal=True, scale=None, log_decay=None, chunk_size=CHUNK
):
    """Linear attention whose memory fades: ``S_t = a_t S_{t-1} + k_tᵀ v_t``, read by ``o_t = scale · q_t S_t``.

    So the weight of position j for query i is ``scale · q_i·k_j · a_{j+1} … a_i``. It can be negative. The weights of
    a query are not normalised, because their sum can be near 0.

    Shapes as in ``scaled_dot_product_attention``. ``log_decay`` is ``ln a``, at most 0: ``(..., S, 1)``, one number per
    position, or ``(..., S, E)``, one per position and coordinate of the key; with None, nothing fades. ``scale``
    defaults to ``1/√E``. ``attn_mask`` may only mask keys, ``(..., 1, S)``, and must be boolean: at a masked position
    nothing is written and nothing fades. Positions are aligned to the end; a query before the first key gets output 0.

    Raises what ``scaled_dot_product_attention`` raises, ``ValueError`` for a ``log_decay`` that does not fit or is
    above 0, for ``is_causal=False`` (a memory is written in order), for a mask that differs between queries, and for a
    chunk size below 1. Sources: Sun et al. 2023 (one fixed decay per head); Dao and Gu 2024 (one per position); Yang,
    Wang et al. 2024 (one per position and coordinate).
    """
    inputs = _memory_inputs(query, key, value, attn_mask, is_causal, scale, log_decay=log_decay)
    chunk_size = _check_integer("chunk_size", chunk_size, minimum=1)
    return _by_chunks(_FadingMemory(delta_rule=False), *inputs, chunk_size=chunk_size).to(query.dtype)


def delta_rule_attention(
    query, key, value, attn_mask=None, *, is_causal=True, scale=None, beta=None, log_decay=None, chunk_size=CHUNK
):
    """Linear attention that corrects its memory: ``S_t = a_t S_{t-1} + β_t k_tᵀ (v_t - k_t a_t S_{t-1})``.

    The faded memory's answer to the key is compared with the value, and the difference is written: one step of
    gradient descent on ``½ ‖k_t S - v_t‖²`` with step size β. With keys of length 1, β = 1 replaces what was stored
    under the key, and β = 0 leaves it. With longer keys a step may overshoot; normalise them.

    Shapes and arguments as in ``decayed_linear_attention``; ``beta`` is ``(..., S, 1)``, or None for 1 everywhere.
    Within a chunk all corrections are found at once, from one triangular system of equations.

    Raises what ``decayed_linear_attention`` raises. Sources: Schlag et al. 2021; Yang, Wang, Zhang et al. 2024 (by
    chunks); Yang, Kautz and Hatamizadeh 2025 (with decay); Kimi Team 2025 (with a decay for each coordinate).
    """
    inputs = _memory_inputs(query, key, value, attn_mask, is_causal, scale, log_decay=log_decay, beta=beta)
    chunk_size = _check_integer("chunk_size", chunk_size, minimum=1)
    return _by_chunks(_FadingMemory(delta_rule=True), *inputs, chunk_size=chunk_size).to(query.dtype)


class FadingState:
    """The memory S of ``delta_rule_attention`` or, with ``delta_rule=False``, of ``decayed_linear_attention``.

    Shapes: ``memory``, None at the start, is ``(..., E, Ev)`` in the precision of the computation, and ``nbytes`` is
    its size. ``memory`` can be assigned. ``attend`` takes one position or many at once.

    Raises ``TypeError`` if ``delta_rule`` is not True or False. Sources: as for the two functions.
    """

    def __init__(self, *, delta_rule=True):
        _check_flag("delta_rule", delta_rule)
        self._past = _FadingMemory(delta_rule)

    @property
    def attention(self):
        """The function that this state continues."""
        return delta_rule_attention if self._past.delta_rule else decayed_linear_attention

    @property
    def memory(self):
        return self._past.memory

    @memory.setter
    def memory(self, memory):
        _check_tensor("memory", memory, min_ndim=2)
        self._past.memory = memory

    @property
    def nbytes(self):
        return 0 if self.memory is None else self.memory.nbytes

    def attend(self, query, key, value, *, scale=None, beta=None, log_decay=None):
        """Outputs ``(..., C, Ev)`` of C new positions; each reads the memory after its own key and value are written.

        ``beta`` and ``log_decay`` are the same as in ``delta_rule_attention``, with C in place of S.
        """
        if beta is not None and not self._past.delta_rule:
            raise ValueError("beta must be None without the delta rule; scale the value instead")
        inputs = _memory_inputs(query, key, value, None, True, scale, log_decay=log_decay, beta=beta)
        if query.shape[-2] != key.shape[-2]:
            raise ValueError(f"query and key must be the same positions, got {query.shape[-2]} and {key.shape[-2]}")
        if self.memory is not None:
            _, k, v, *more = inputs
            batch = _broadcast_shapes(*(x.shape[:-2] for x in (k, v, *more)))
            expected = (*batch, k.shape[-1], v.shape[-1], k.dtype, k.device)
            if (got := (*self.memory.shape, self.memory.dtype, self.memory.device)) != expected:
                raise ValueError(f"key and value must fit the memory, {got}, got inputs for a memory {expected}")
        return _by_chunks(self._past, *inputs, chunk_size=CHUNK).to(query.dtype)


class _FadingMemory:
    """The past of both functions: a matrix S, ``(..., E, Ev)``, with the methods of ``_FeatureSums``.

    After keys and values, these methods take ``log_decay`` ``(..., C, 1 or E)`` and ``beta`` ``(..., C, 1)``.
    """

    def __init__(self, delta_rule):
        self.delta_rule = delta_rule
        self.memory = None

    def take_in(self, *keys):
        for chunk in zip(*(x.split(CHUNK, -2) for x in keys), strict=True):
            self.attend(chunk[0], *chunk)

    def attend(self, q, k, v, log_decay, beta):
        faded = log_decay.cumsum(-2)  # G: by position i, the memory from before the chunk has faded by exp(G_i)
        similar, seen = self._within(q, k, faded)
        written = v
        if self.delta_rule:  # written_i = β_i (v_i - k_i e^{G_i} S - Σ_{j<i} similar_ij written_j), for all i at once
            if self.memory is not None:
                written = v - (k * faded.exp()) @ self.memory
            written = torch.linalg.solve_triangular(beta * similar, beta * written, upper=False, unitriangular=True)
        output = seen @ written
        last = faded[..., -1:, :]
        memory = (k * (last - faded).exp()).mT @ written
        if self.memory is not None:
            output = output + (q * faded.exp()) @ self.memory
            memory = memory + last.exp().mT * self.memory
        self.memory = memory
        return output

    @staticmethod
    def _within(q, k, faded):
        """``k_i·k_j`` and ``q_i·k_j`` at ``j ≤ i``, ``(..., C, C)``: what was written at j has faded by
        ``exp(G_i - G_j)``, each coordinate by its own factor.
        """
        later = ~_lower_triangle(k.shape[-2], k.shape[-2], k.device)
        if faded.shape[-1] == 1:
            decay = (faded - faded.mT).masked_fill(later, -math.inf).exp()
            return k @ k.mT * decay, q @ k.mT * decay
        decay = (faded.unsqueeze(-2) - faded.unsqueeze(-3)).masked_fill(later.unsqueeze(-1), -math.inf).exp()
        key_at = k.unsqueeze(-3) * decay  # k_j as position i sees it, (..., C, C, E)
        return (key_at @ k.unsqueeze(-1)).squeeze(-1), (key_at @ q.unsqueeze(-1)).squeeze(-1)


def _memory_inputs(query, key, value, attn_mask, is_causal, scale, *, log_decay=None, beta=None):
    """Checked inputs in the precision of the computation: scaled queries, keys, values, log-decays and betas."""
    _check_attention({"query": query, "key": key, "value": value}, attn_mask, is_causal, scale)
    if not is_causal:
        raise ValueError("is_causal must be True, because a memory is written position by position, got False")
    S, E, wide = key.shape[-2], key.shape[-1], _compute_dtype(query)
    batch = _broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    log_decay = query.new_zeros(S, 1) if log_decay is None else log_decay
    beta = query.new_ones(S, 1) if beta is None else beta
    _check_like("log_decay", log_decay, "query", query, (*batch, S, E), "(..., S, E)")
    _check_like("beta", beta, "query", query, (*batch, S, 1), "(..., S, 1)")
    for name, x in (("log_decay", log_decay), ("beta", beta)):
        if x.ndim < 2 or x.shape[-2] != S:
            raise ValueError(f"{name} must have S = {S} positions as last but one axis, got shape {tuple(x.shape)}")
    if (log_decay > 0).any():
        raise ValueError(
            f"log_decay must be at most 0, because a memory may fade but not grow, got {log_decay.max():.3g}"
        )
    k, log_decay = key.to(wide), log_decay.to(wide)
    if attn_mask is not None:
        if attn_mask.dtype != torch.bool or (attn_mask.ndim > 1 and attn_mask.shape[-2] != 1):
            raise ValueError(
                "attn_mask must be boolean and the same for all queries, (..., 1, S), because a memory has no weights "
                f"per query, got {attn_mask.dtype} of shape {tuple(attn_mask.shape)}"
            )
        seen = attn_mask.expand(*attn_mask.shape[:-2], 1, S).mT
        k, log_decay = k.masked_fill(~seen, 0), log_decay.masked_fill(~seen, 0)
    scale = 1 / math.sqrt(E) if scale is None else float(scale)
    return query.to(wide) * scale, k, value.to(wide), log_decay, beta.to(wide)


# Checks of arguments: what was given, what was expected


# Narrower floats exist (float8), but this module does not compute with them.
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def _compute_dtype(x):
    """float32 for half precision, else the dtype of ``x``."""
    return torch.promote_types(x.dtype, torch.float32)


def _what_came(x):
    return f"a tensor of dtype {x.dtype}" if isinstance(x, torch.Tensor) else f"{type(x).__name__} {x!r:.80}"


def _takes(function, name):
    """True if a function has a parameter with this name, or is written in C and does not list its parameters."""
    try:
        return name in inspect.signature(function).parameters
    except ValueError:
        return True


# Each check is called with the argument's name and the argument, in the order of the signature.


def _check_tensor(name, x, min_ndim):
    if not isinstance(x, torch.Tensor) or x.dtype not in FLOATS:
        raise TypeError(f"{name} must be a floating-point tensor, got {_what_came(x)}")
    _check_dense(name, x)
    if x.ndim < min_ndim:
        raise ValueError(f"{name} must have at least {min_ndim} axes, got shape {tuple(x.shape)}")


def _check_dense(name, x):
    if x.layout != torch.strided or x.is_nested:
        raise TypeError(f"{name} must be a dense tensor, got {'a nested tensor' if x.is_nested else x.layout}")


def _check_dtype(name, dtype):
    if dtype not in FLOATS:
        raise TypeError(f"{name} must be a floating-point torch dtype of 16, 32 or 64 bits, got {dtype!r}")
    return dtype


def _check_device(name, device):
    """The given device, once it is clear that tensors can be made on it; None stays None."""
    if not isinstance(device, (str, torch.device, type(None))):
        raise TypeError(f"{name} must be a torch.device, its name or None, got {_what_came(device)}")
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError):  # what torch raises depends on the kind of device
        raise ValueError(f"{name} must name a device of this machine, such as 'cpu', got {device!r}") from None
    return device


def _check_flag(name, x):
    if not isinstance(x, bool):
        raise TypeError(f"{name} must be True or False, got {_what_came(x)}")


def _check_function(name, x):
    if not callable(x):
        raise TypeError(f"{name} must be a function, got {_what_came(x)}")
    return x


def _is_integer(x):
    return isinstance(x, Integral) and not isinstance(x, bool)


def _check_integer(name, x, minimum):
    if not _is_integer(x):
        raise TypeError(f"{name} must be an integer, got {_what_came(x)}")
    if x < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {x}")
    if x >= 2**63:
        raise ValueError(f"{name} must be below 2**63, which is how far torch counts, got {x!r:.30}")
    return int(x)  # a NumPy integer would overflow silently


def _check_number(name, x, *, minimum=-math.inf, above=-math.inf, maximum=math.inf, dtype=torch.float64):
    """A number from ``minimum`` to ``maximum`` and greater than ``above``, finite in ``dtype``, as a float."""
    if not isinstance(x, Real) or isinstance(x, bool):
        raise TypeError(f"{name} must be a number, got {_what_came(x)}")
    try:
        number = float(x)
    except OverflowError:
        raise ValueError(f"{name} must be finite in {dtype}, got a number beyond the largest float") from None
    if isinstance(x, Integral) and abs(number) >= 2**63:
        raise ValueError(f"{name} must be below 2**63, which is how far torch counts, or a float, got {x!r:.30}")
    if not abs(number) <= torch.finfo(dtype).max:
        raise ValueError(f"{name} must be finite in {dtype}, got {x}")
    if not minimum <= number <= maximum:
        raise ValueError(f"{name} must be finite and between {minimum} and {maximum}, got {x}")
    if number <= above:
        raise ValueError(f"{name} must be above {above}, got {x}")
    return number


def _check_positions(name, positions, L, of, x):
    """Check for numbers ``(L,)`` on the device of the tensor ``x``, which the caller knows as ``of``."""
    if not isinstance(positions, torch.Tensor) or positions.dtype == torch.bool or positions.is_complex():
        raise TypeError(f"{name} must be a tensor of integers or floats, got {_what_came(positions)}")
    _check_dense(name, positions)
    if positions.shape != (L,):
        raise ValueError(f"{name} must have shape (L,) = ({L},), got {tuple(positions.shape)}")
    if positions.device != x.device:
        raise ValueError(f"{name} must be on the device of {of}, {x.device}, got {positions.device}")


def _check_dim(name, dim, of, x):
    """Check that ``dim`` names an axis of the tensor ``x``, which the caller knows as ``of``."""
    if not _is_integer(dim):
        raise TypeError(f"{name} must be an integer, got {_what_came(dim)}")
    if not -x.ndim <= dim < x.ndim:
        raise ValueError(f"{name} must name one of the {x.ndim} axes of {of}, shape {tuple(x.shape)}, got {dim}")


def _check_attention(tensors, attn_mask, is_causal, scale, softcap=None, sinks=None):
    """``tensors`` holds query, key, and value if there is one, by name."""
    query, key = tensors["query"], tensors["key"]
    for name, x in tensors.items():
        _check_tensor(name, x, min_ndim=2)
        if x.dtype != query.dtype:
            raise TypeError(f"{name} must have the dtype of query, {query.dtype}, got {x.dtype}")
    if attn_mask is not None:
        _check_mask_dtype(attn_mask, _compute_dtype(query))
    for name, x in (tensors | ({} if attn_mask is None else {"attn_mask": attn_mask})).items():
        if x.device != query.device:
            raise ValueError(f"{name} must be on the device of query, {query.device}, got {x.device}")
    _check_flag("is_causal", is_causal)
    if scale is not None:
        _check_number("scale", scale, dtype=_compute_dtype(query))
    if softcap is not None:
        _check_number("softcap", softcap, above=0, dtype=_compute_dtype(query))

    shapes = {name: tuple(x.shape) for name, x in tensors.items()}
    if key.shape[-1] != query.shape[-1] or query.shape[-1] == 0:
        raise ValueError(f"query and key must have the same width E >= 1 as their last axis, got {shapes}")
    if "value" in tensors and tensors["value"].shape[-2] != key.shape[-2]:
        raise ValueError(f"key and value must have the same number of positions S as last but one axis, got {shapes}")
    try:
        _broadcast_shapes(*(shape[:-2] for shape in shapes.values()))
    except RuntimeError:
        raise ValueError(f"the leading (batch) axes of {', '.join(shapes)} must broadcast, got {shapes}") from None
    if attn_mask is not None:
        shape = (*_broadcast_shapes(query.shape[:-2], key.shape[:-2]), query.shape[-2], key.shape[-2])
        if not _broadcasts(attn_mask.shape, shape):
            given = tuple(attn_mask.shape)
            raise ValueError(f"attn_mask must broadcast to the shape of the weights (..., L, S) = {shape}, got {given}")
    if sinks is not None:
        _check_like("sinks", sinks, "query", query, _broadcast_shapes(query.shape[:-2], key.shape[:-2]), "(...)")


def _check_like(name, x, of, other, shape, axes):
    """Check that ``x`` is a floating-point tensor that broadcasts to ``shape``, with the dtype and device of ``other``.

    The caller knows ``other`` as ``of``.
    """
    _check_tensor(name, x, min_ndim=0)
    if x.dtype != other.dtype:
        raise TypeError(f"{name} must have the dtype of {of}, {other.dtype}, got {x.dtype}")
    if x.device != other.device:
        raise ValueError(f"{name} must be on the device of {of}, {other.device}, got {x.device}")
    if not _broadcasts(x.shape, shape):
        raise ValueError(f"{name} must broadcast to {axes} = {tuple(shape)}, got {tuple(x.shape)}")


def _check_mask_dtype(mask, wide):
    if not isinstance(mask, torch.Tensor):
        raise TypeError(f"attn_mask must be a tensor, got {_what_came(mask)}")
    if mask.dtype != torch.bool and (mask.dtype not in FLOATS or torch.promote_types(mask.dtype, wide) != wide):
        raise TypeError(
            f"attn_mask must be boolean (True = may attend) or floating point up to {wide} (added to the scores), "
            f"got dtype {mask.dtype}"
        )
    _check_dense("attn_mask", mask)


def _broadcast_shapes(*shapes):
    """The shape that these broadcast to, as from ``torch.broadcast_shapes``; ``RuntimeError`` if they do not.

    That function's first call loads a package for algebra, which takes longer than all of a chapter's attention.
    """
    return torch.broadcast_tensors(*(torch.empty(shape, device="meta") for shape in shapes))[0].shape


def _broadcasts(shape, to):
    try:
        return _broadcast_shapes(shape, to) == torch.Size(to)
    except RuntimeError:
        return False
