"""Heads, the multi-head module and its cache, against torch's module and against loops over the heads."""

import functools
import math

import pytest
import torch
from compare import max_error, rand, randn
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F

from attention_core import (
    KVCache,
    MultiHeadAttention,
    attention_weights,
    causal_mask,
    merge_heads,
    padding_mask,
    scaled_dot_product_attention,
    sliding_window_mask,
    split_heads,
    to_additive,
)

N, L, S, D, H = 3, 5, 7, 12, 4


def randomise(module, seed=1):
    """Make every parameter random and different from zero, so that a dropped or swapped bias shows."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(0, D**-0.5, generator=generator)
    return module


def pair(dtype=torch.float64, bias=True):
    """Torch's module and ours with the same random parameters."""
    torchs = randomise(nn.MultiheadAttention(D, H, bias=bias, batch_first=True, dtype=dtype))
    ours = MultiHeadAttention(D, H, bias=bias).to(dtype)
    ours.load_state_dict(torchs.state_dict(), strict=True)
    return torchs, ours


# Heads


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 4), st.lists(st.integers(0, 3), max_size=2))
def test_split_heads_equals_slices_and_merge_undoes_it(num_heads, length, width, batch):
    x = randn(*batch, length, num_heads * width)
    heads = split_heads(x, num_heads)
    assert heads.shape == (*batch, num_heads, length, width)
    for h in range(num_heads):
        assert torch.equal(heads[..., h, :, :], x[..., h * width : (h + 1) * width])
    assert torch.equal(merge_heads(heads), x)
    assert merge_heads(split_heads(x.bfloat16(), num_heads)).dtype == torch.bfloat16


# The module against torch's

MASKS = {
    "none": None,
    "boolean": sliding_window_mask(L, 3, S),
    "float": randn(L, S, seed=5),
    "padding": padding_mask([7, 2, 4], S),
    "per head": rand(N, H, L, S, seed=6) < 0.8,
    "causal": causal_mask(L, S),
}
MASKS["per head"][..., 0] = True  # for a query without keys torch returns NaN


def for_torch(mask):
    """The mask for torch's module, where True means masked and one axis holds batch and heads."""
    if mask is None:
        return {}
    if mask.shape == (N, 1, 1, S):
        return {"key_padding_mask": ~mask[:, 0, 0]}
    mask = ~mask if mask.dtype == torch.bool else mask
    return {"attn_mask": mask.flatten(0, 1) if mask.ndim == 4 else mask}


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 1e-5)])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", MASKS)
def test_module_equals_torch(dtype, tolerance, bias, kind):
    torchs, ours = pair(dtype, bias)
    query, key, value = (randn(N, n, D, seed=i, dtype=dtype) for i, n in enumerate((L, S, S)))
    mask = MASKS[kind] if kind != "float" else MASKS[kind].to(dtype)
    expected, per_head = torchs(query, key, value, average_attn_weights=False, **for_torch(mask))
    _, averaged = torchs(query, key, value, **for_torch(mask))
    output = ours(query, key, value, mask)
    assert max_error(output, expected) <= tolerance
    weights = ours.weights(query, key, mask)
    assert max_error(weights, per_head) <= tolerance
    assert max_error(weights.mean(1), averaged) <= tolerance

    upstream = randn(N, L, D, seed=9, dtype=dtype)
    expected.backward(upstream)
    output.backward(upstream)
    theirs = dict(torchs.named_parameters())
    assert [name for name, _ in ours.named_parameters()] == list(theirs)
    for name, parameter in ours.named_parameters():
        assert max_error(parameter.grad, theirs[name].grad) <= tolerance, name


@pytest.mark.parametrize("bias", [True, False])
def test_parameters_load_both_ways(bias):
    torchs, ours = pair(bias=bias)
    randomise(ours, seed=2)
    torchs.load_state_dict(ours.state_dict(), strict=True)
    x = randn(N, L, D)
    assert max_error(ours(x), torchs(x, x, x)[0]) <= 1e-12


def test_self_attention_is_the_default_and_is_causal_equals_the_mask():
    torchs, ours = pair()
    x, y = randn(N, L, D), randn(N, S, D, seed=1)
    assert torch.equal(ours(x), ours(x, x, x))
    assert torch.equal(ours(x, y), ours(x, y, y))
    assert torch.equal(ours(x, is_causal=True), ours(x, attn_mask=causal_mask(L)))
    assert torch.equal(ours(x, y, is_causal=True), ours(x, y, attn_mask=causal_mask(L, S)))
    causal = nn.Transformer.generate_square_subsequent_mask(L, dtype=torch.float64)
    assert max_error(ours(x, is_causal=True), torchs(x, x, x, attn_mask=causal, is_causal=True)[0]) <= 1e-12
    assert max_error(ours(x, attn_mask=to_additive(causal_mask(L), torch.float64)), ours(x, is_causal=True)) <= 1e-14
    assert torch.equal(ours.weights(x), ours.weights(x, x))
    assert ours.weights(x, is_causal=True).triu(1).abs().max() == 0


def test_dropout_applies_in_training_only_and_never_to_the_weights():
    module = MultiHeadAttention(D, H, dropout=0.5).double()
    x = randn(N, L, D)
    without = MultiHeadAttention(D, H).double()
    without.load_state_dict(module.state_dict())
    assert torch.equal(module.eval()(x), without.train()(x))
    torch.manual_seed(0)
    assert max_error(module.train()(x), without(x)) > 0.01
    assert torch.equal(module.weights(x), without.weights(x))


@pytest.mark.parametrize("name", ["in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"])
def test_initial_distributions_equal_torchs(name):
    """Over 60 modules, extremes, mean and spread are the same, as for uniform distributions of the same width."""
    torch.manual_seed(0)
    ours, torchs = (
        torch.stack([dict(module().named_parameters())[name].detach() for _ in range(60)])
        for module in (lambda: MultiHeadAttention(16, 4), lambda: nn.MultiheadAttention(16, 4))
    )
    assert ours.abs().max().item() == pytest.approx(torchs.abs().max().item(), rel=0.01)
    assert ours.std().item() == pytest.approx(torchs.std().item(), rel=0.03)
    assert abs(ours.mean().item()) <= 0.005


def test_any_attention_can_be_passed_in_and_the_weights_are_its_own():
    def mean_of_values(query, key, value, attn_mask=None, *, is_causal=False, scale=None):
        return value.mean(-2, keepdim=True).expand(*value.shape[:-2], query.shape[-2], -1)

    module = randomise(MultiHeadAttention(D, H, attention=mean_of_values)).double()
    x = randn(N, S, D)
    assert max_error(module.weights(x), torch.full((N, H, S, S), 1 / S, dtype=torch.float64)) <= 1e-15
    W_v, b_v = module.in_proj_weight[2 * D :], module.in_proj_bias[2 * D :]
    expected = module.out_proj(F.linear(x, W_v, b_v).mean(1, keepdim=True).expand(N, S, D))
    assert max_error(module(x), expected) <= 1e-12
    fused = MultiHeadAttention(D, H, attention=F.scaled_dot_product_attention, dropout=0.1).eval().double()
    assert fused(x).shape == (N, S, D)
    scaled = functools.partial(scaled_dot_product_attention, scale=2.0)
    sharp = MultiHeadAttention(D, H, attention=scaled, dropout=0.1).double().eval()
    q, k, _ = F.linear(x, sharp.in_proj_weight, sharp.in_proj_bias).chunk(3, -1)
    expected = attention_weights(split_heads(q, H), split_heads(k, H), scale=2.0)
    assert max_error(sharp.weights(x), expected) <= 1e-14


# Shared key and value heads


@pytest.mark.parametrize("num_kv_heads", [1, 2, 4])
def test_shared_heads_equal_torchs_gqa(num_kv_heads):
    E = D // H
    module = randomise(MultiHeadAttention(D, H, num_kv_heads=num_kv_heads)).double()
    assert module.in_proj_weight.shape == (D + 2 * num_kv_heads * E, D)
    query, key, value = randn(N, L, D), randn(N, S, D, seed=1), randn(N, S, D, seed=2)
    q, k, v = (
        F.linear(x, W, b).unflatten(-1, (-1, E)).transpose(1, 2)
        for x, W, b in zip(
            (query, key, value),
            module.in_proj_weight.split(module.widths),
            module.in_proj_bias.split(module.widths),
            strict=True,
        )
    )
    for mask in (None, causal_mask(L, S), padding_mask([7, 2, 4], S)):
        torchs = F.scaled_dot_product_attention(q, k, v, mask, enable_gqa=True)
        assert max_error(module(query, key, value, mask), module.out_proj(torchs.transpose(1, 2).flatten(2))) <= 1e-12
        expected = attention_weights(q, k.repeat_interleave(H // num_kv_heads, 1), mask)
        assert max_error(module.weights(query, key, mask), expected) <= 1e-12


# The cache


@pytest.mark.parametrize("num_kv_heads", [None, 1, 2])
@pytest.mark.parametrize("prefill", [0, 1, 4])
@pytest.mark.parametrize("chunk", [1, 3])
def test_cached_decoding_equals_the_full_pass(num_kv_heads, prefill, chunk):
    module = randomise(MultiHeadAttention(D, H, num_kv_heads=num_kv_heads)).double()
    x = randn(N, 10, D)
    full = module(x, is_causal=True)
    cache = KVCache()
    assert (len(cache), cache.nbytes) == (0, 0)
    starts = [0, *range(prefill, 10, chunk)] if prefill else range(0, 10, chunk)
    for start, end in zip(starts, [*starts[1:], 10], strict=True):
        output = module(x[:, start:end], is_causal=True, cache=cache)
        assert max_error(output, full[:, start:end]) <= 1e-12
        assert len(cache) == end
        assert cache.nbytes == 2 * N * (num_kv_heads or H) * end * (D // H) * 8


def test_a_cache_takes_masks_over_all_its_positions():
    module, cache = randomise(MultiHeadAttention(D, H)).double(), KVCache()
    x, mask = randn(N, 6, D), padding_mask([6, 3, 5], 6)
    full = module(x, attn_mask=mask, is_causal=True)
    module(x[:, :5], attn_mask=mask[..., :5], is_causal=True, cache=cache)
    assert max_error(module(x[:, 5:], attn_mask=mask, is_causal=True, cache=cache), full[:, 5:]) <= 1e-12


def test_the_module_works_on_a_different_device():
    meta = MultiHeadAttention(D, H, num_kv_heads=2).to("meta")
    assert meta(torch.zeros(N, L, D, device="meta"), is_causal=True).shape == (N, L, D)
    assert meta.weights(torch.zeros(N, L, D, device="meta")).shape == (N, H, L, L)


def test_the_module_accepts_zero_positions_and_zero_sequences():
    module = MultiHeadAttention(D, H)
    assert module(torch.zeros(N, 0, D)).shape == (N, 0, D)
    assert module(torch.zeros(0, L, D)).shape == (0, L, D)
    assert module.weights(torch.zeros(0, L, D)).shape == (0, H, L, L)
    assert math.isfinite(module(torch.zeros(N, 1, D)).sum().item())
