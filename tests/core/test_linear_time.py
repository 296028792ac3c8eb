"""Local, linear, efficient and blockwise attention equal their definitions in loops, and all forms of each agree."""

import functools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core import (
    LinearAttentionState,
    MultiHeadAttention,
    blockwise_attention,
    causal_mask,
    efficient_attention,
    efficient_attention_weights,
    elu_plus_one,
    linear_attention,
    linear_attention_weights,
    local_attention,
    padding_mask,
    scaled_dot_product_attention,
    sliding_window_mask,
)


def randn(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def max_error(a, b):
    assert a.shape == b.shape
    return (a.double() - b.double()).abs().max().item() if a.numel() else 0.0


FORMS = {
    "local": functools.partial(local_attention, window=5),
    "linear": linear_attention,
    "efficient": efficient_attention,
    "blockwise": functools.partial(blockwise_attention, block_size=16),
}
every_form = pytest.mark.parametrize("name", FORMS)


@st.composite
def problems(draw):
    """query, key, value with L and S that are not multiples of any block, and batch axes that broadcast."""
    L, S = draw(st.integers(0, 70)), draw(st.integers(0, 70))
    batch = draw(st.sampled_from([(), (2,), (2, 3)]))
    other = draw(st.sampled_from([batch, (1,) * len(batch)]))
    seed = draw(st.integers(0, 2**31))
    E, Ev = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    return randn(*batch, L, E, seed=seed), randn(*other, S, E, seed=seed + 1), randn(*batch, S, Ev, seed=seed + 2)


def some_mask(kind, L, S):
    mask = torch.rand(L, S, generator=torch.Generator().manual_seed(L)) < 0.6
    return {"none": None, "boolean": mask, "float": randn(L, S).masked_fill(~mask, -math.inf)}[kind]


kinds = st.sampled_from(["none", "boolean", "float"])


@given(problems(), st.booleans(), kinds, st.integers(1, 20), st.sampled_from([None, 0.3]))
@settings(max_examples=60, deadline=None)
def test_blockwise_equals_attention(problem, is_causal, kind, block_size, scale):
    mask = some_mask(kind, problem[0].shape[-2], problem[1].shape[-2])
    expected = scaled_dot_product_attention(*problem, mask, is_causal=is_causal, scale=scale)
    ours = blockwise_attention(*problem, mask, is_causal=is_causal, scale=scale, block_size=block_size)
    assert max_error(ours, expected) <= 1e-12


@given(problems(), st.booleans(), kinds, st.sampled_from([1, 2, 7, 65, 1000]))
@settings(max_examples=60, deadline=None)
def test_local_equals_the_window_mask(problem, is_causal, kind, window):
    L, S = problem[0].shape[-2], problem[1].shape[-2]
    seen, mask = sliding_window_mask(L, window, S), some_mask(kind, L, S)
    both = seen if mask is None else mask & seen if kind == "boolean" else mask.masked_fill(~seen, -math.inf)
    expected = scaled_dot_product_attention(*problem, both, is_causal=is_causal)
    assert max_error(local_attention(*problem, window, mask, is_causal=is_causal), expected) <= 1e-12


def loop_linear(query, key, value, may_attend, kernel):
    """One number after another: weights kernel(q, k) over the keys that may be seen, normalised."""
    output = torch.zeros(len(query), value.shape[1], dtype=torch.float64)
    for i in range(len(query)):
        seen = [j for j in range(len(key)) if may_attend[i, j]]
        weights = [kernel(query[i], key[j]) for j in seen]
        for j, w in zip(seen, weights, strict=True):
            output[i] += w / sum(weights) * value[j]
    return output


def phi(x):
    return [v + 1 if v > 0 else math.exp(v) for v in x.tolist()]


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize(("L", "S"), [(5, 5), (3, 8), (8, 3), (1, 1), (20, 37)])
def test_linear_and_efficient_equal_their_definitions(L, S, is_causal):
    query, key, value = randn(L, 3), randn(S, 3, seed=1), randn(S, 2, seed=2)
    may_attend = causal_mask(L, S) if is_causal else torch.ones(L, S).bool()

    def kernel(q, k):
        return sum(a * b for a, b in zip(phi(q), phi(k), strict=True))

    expected = loop_linear(query, key, value, may_attend, kernel)
    assert max_error(linear_attention(query, key, value, is_causal=is_causal, chunk_size=4), expected) <= 1e-12

    expected = torch.zeros(L, 2, dtype=torch.float64)
    for i in range(L):
        if may_attend[i].any():
            maps = torch.softmax(key[may_attend[i]], 0)  # each column over the positions that i sees
            expected[i] = torch.softmax(query[i], 0) @ (maps.T @ value[may_attend[i]])
    assert max_error(efficient_attention(query, key, value, is_causal=is_causal), expected) <= 1e-12


@given(problems(), st.booleans(), st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_all_forms_of_linear_attention_are_equal(problem, is_causal, chunk_size):
    query, key, value = problem
    ours = linear_attention(*problem, is_causal=is_causal, chunk_size=chunk_size)
    weights = linear_attention_weights(query, key, is_causal=is_causal)
    assert max_error(ours, weights @ value) <= 1e-12
    weights = efficient_attention_weights(query, key)
    assert max_error(efficient_attention(*problem), weights @ value) <= 1e-12
    sums = weights.sum(-1)
    assert max_error(sums, torch.full_like(sums, key.shape[-2] > 0)) <= 1e-12


def test_recurrent_equals_parallel_for_one_token_or_several_at_a_time():
    query, key, value = randn(2, 3, 11, 4), randn(2, 3, 11, 4, seed=1), randn(2, 3, 11, 5, seed=2)
    full = linear_attention(query, key, value, is_causal=True)
    for sizes in ([1] * 11, [4, 1, 6], [11]):
        state, start = LinearAttentionState(), 0
        for size in sizes:
            part = slice(start, start + size)
            output = state.attend(query[..., part, :], key[..., part, :], value[..., part, :])
            assert max_error(output, full[..., part, :]) <= 1e-12
            start += size
    assert state.sums.shape == (2, 3, 4, 5 + 1)
    for dtype in (torch.float16, torch.float32):  # keys are appended and queries attend in any precision
        state, rounded = LinearAttentionState(), [x.to(dtype) for x in (query, key, value)]
        state.append(rounded[1][..., :6, :], rounded[2][..., :6, :])
        output = state.attend(*(x[..., 6:, :] for x in rounded))
        expected = linear_attention(*(x.double() for x in rounded), is_causal=True)[..., 6:, :]
        assert max_error(output, expected) <= (2e-3 if dtype == torch.float16 else 1e-5)
        assert output.dtype == dtype
    state = LinearAttentionState()
    state.append(key[..., :6, :], value[..., :6, :])
    output = state.attend(query[..., 6:, :], key[..., 6:, :], value[..., 6:, :])
    assert max_error(output, full[..., 6:, :]) <= 1e-12


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("form", [linear_attention, efficient_attention])
def test_masked_keys_are_as_if_removed(form, is_causal):
    query, key, value = randn(2, 3, 20, 4), randn(2, 3, 20, 4, seed=1), randn(2, 3, 20, 5, seed=2)
    mask = padding_mask([13, 20], 20)
    ours = form(query, key, value, mask, is_causal=is_causal)
    short = form(query[:1, :, :13], key[:1, :, :13], value[:1, :, :13], is_causal=is_causal)
    assert max_error(ours[:1, :, :13], short) <= 1e-12
    assert max_error(ours[1:], form(query[1:], key[1:], value[1:], is_causal=is_causal)) <= 1e-12
    # An additive mask multiplies a weight before normalisation: with ln 2, a key counts as if it occurred twice.
    twice = torch.zeros(20, dtype=torch.float64)
    twice[0] = math.log(2)
    first = [torch.cat([x[..., :1, :], x], -2) for x in (key, value)]
    assert (
        max_error(form(query, key, value, twice, is_causal=is_causal), form(query, *first, is_causal=is_causal))
        <= 1e-12
    )
    nothing = form(query, key, value, torch.zeros(1, 20).bool(), is_causal=is_causal)
    assert nothing.abs().max() == 0


@every_form
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("heads", [(3, 1, 1), (1, 3, 1), (1, 1, 3), (1, 3, 3)])
def test_batch_axes_that_broadcast_equal_expanded_ones(name, heads, is_causal):
    for L, S in [(30, 20), (20, 30)]:
        sizes = zip(heads, (L, S, S), (4, 4, 5), strict=True)
        inputs = [randn(2, H, length, width, seed=i) for i, (H, length, width) in enumerate(sizes)]
        expected = FORMS[name](*(x.expand(2, 3, *x.shape[2:]) for x in inputs), is_causal=is_causal)
        assert max_error(FORMS[name](*inputs, is_causal=is_causal), expected) <= 1e-12


@every_form
def test_a_thousand_sequences_equal_each_one_alone(name):
    inputs = [randn(1000, n, e, seed=n) for n, e in [(3, 2), (4, 2), (4, 1)]]
    expected = torch.stack([FORMS[name](*(x[n] for x in inputs)) for n in (0, 511, 512, 999)])
    assert max_error(FORMS[name](*inputs)[[0, 511, 512, 999]], expected) <= 1e-12


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize(("L", "S"), [(150, 90), (70, 200)])  # several blocks of each form
@pytest.mark.parametrize("form", ["blockwise", "local"])
def test_masks_that_broadcast_equal_expanded_ones(form, L, S, is_causal):
    query, key, value = randn(2, 3, L, 4), randn(2, 3, S, 4, seed=1), randn(2, 3, S, 5, seed=2)
    window = sliding_window_mask(L, 5, S) if form == "local" else torch.ones(L, S).bool()
    for shape in [(), (1,), (S,), (1, 1), (1, S), (L, 1), (3, 1, 1), (3, 1, S), (2, 1, L, 1), (2, 3, L, S)]:
        floats = torch.randn(shape, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
        for mask in (floats, floats < 0.5):
            full = mask.expand(2, 3, L, S)
            full = full & window if mask.dtype == torch.bool else full.masked_fill(~window, -math.inf)
            expected = scaled_dot_product_attention(query, key, value, full, is_causal=is_causal)
            assert max_error(FORMS[form](query, key, value, attn_mask=mask, is_causal=is_causal), expected) <= 1e-12


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize(("L", "S"), [(20, 20), (3, 40), (40, 3)])
@pytest.mark.parametrize("form", [linear_attention, efficient_attention])
def test_masks_of_keys_act_before_the_first_query_too(form, L, S, is_causal):
    query, key, value = randn(2, 3, L, 4), randn(2, 3, S, 4, seed=1), randn(2, 3, S, 5, seed=2)
    for mask in (padding_mask([2, S], S), randn(2, 1, 1, S, seed=3), randn(S, seed=4) < 0.5):
        full = (mask.double().log() if mask.dtype == torch.bool else mask).expand(2, 1, 1, S)
        # A key's weights are multiplied by exp of its mask, then normalised; efficient attention does this in each map.
        if form is linear_attention:
            products = (elu_plus_one(query) @ elu_plus_one(key).mT) * full.exp()
            expected = products.tril(S - L) if is_causal else products
            expected = expected / expected.sum(-1, keepdim=True).clamp_min(1e-300)
        else:
            seen = causal_mask(L, S) if is_causal else torch.ones(L, S).bool()
            maps = key.mT.unsqueeze(-2).exp() * full.unsqueeze(-3).exp() * seen  # (2, 3, E, L, S)
            maps = maps / maps.sum(-1, keepdim=True).clamp_min(1e-300)
            expected = torch.einsum("...ie,...eij->...ij", query.softmax(-1), maps)
        assert max_error(form(query, key, value, mask, is_causal=is_causal), expected @ value) <= 1e-12
        if not is_causal:  # the default
            assert torch.equal(form(query, key, value, mask), form(query, key, value, mask, is_causal=False))


@pytest.mark.parametrize("weights", [linear_attention_weights, efficient_attention_weights])
def test_weights_in_half_precision_are_the_float32_results_rounded_once(weights):
    query, key = randn(2, 20, 4).half(), randn(2, 30, 4, seed=1).half()
    half = weights(query, key)
    assert half.dtype == torch.float16
    assert torch.equal(half, weights(query.float(), key.float()).half())


@every_form
@pytest.mark.parametrize("is_causal", [False, True])
def test_gradient(name, is_causal):
    inputs = [randn(2, n, e, seed=e).requires_grad_() for n, e in [(9, 3), (11, 3), (11, 2)]]
    assert torch.autograd.gradcheck(lambda *x: FORMS[name](*x, is_causal=is_causal), inputs)


def test_gradients_of_blockwise_equal_those_of_attention_masks_included():
    def gradients(attention):
        inputs = [randn(2, n, e, seed=n).requires_grad_() for n, e in [(40, 4), (50, 4), (50, 3), (40, 50)]]
        output = attention(*inputs[:3], inputs[3][0], is_causal=True)
        return torch.autograd.grad(output, inputs, randn(2, 40, 3, seed=9))

    for a, b in zip(gradients(FORMS["blockwise"]), gradients(scaled_dot_product_attention), strict=True):
        assert max_error(a, b) <= 1e-12


@pytest.mark.parametrize("form", ["blockwise", "local"])
def test_fully_masked_rows_give_zero_and_gradient_zero(form):
    query, key, value = (randn(n, 4, seed=n).requires_grad_() for n in (30, 40, 40))
    mask = torch.ones(30, 40).bool()
    mask[7] = False
    output = FORMS[form](query, key, value, attn_mask=mask)
    assert output[7].abs().max() == 0
    for gradient in torch.autograd.grad(output.sum(), (query, key, value)):
        assert gradient.isfinite().all()
    assert torch.autograd.grad(FORMS[form](query, key, value, attn_mask=mask)[7].sum(), query)[0].abs().max() == 0


@every_form
@pytest.mark.parametrize("is_causal", [False, True])
def test_scores_of_10000_stay_finite(name, is_causal):
    for dtype in (torch.float64, torch.float32, torch.bfloat16):
        x = 1e4 * randn(3, 50, 4).to(dtype)
        output = FORMS[name](x, x.flip(-2), randn(3, 50, 2, seed=1).to(dtype), is_causal=is_causal)
        assert output.isfinite().all()
        assert output.dtype == dtype


@every_form
def test_half_precision_is_computed_in_float32(name):
    inputs = [randn(2, n, e, seed=e).half() for n, e in [(20, 4), (20, 4), (20, 3)]]
    for is_causal in (False, True):
        wide = FORMS[name](*(x.float() for x in inputs), is_causal=is_causal)
        assert torch.equal(FORMS[name](*inputs, is_causal=is_causal), wide.half())
        mask = randn(20, seed=9).half()
        wide = FORMS[name](*(x.float() for x in inputs), attn_mask=mask.float(), is_causal=is_causal)
        assert torch.equal(FORMS[name](*inputs, attn_mask=mask, is_causal=is_causal), wide.half())


@every_form
def test_edges(name):
    form = FORMS[name]
    for is_causal in (False, True):
        value = randn(1, 3)
        assert max_error(form(randn(1, 2), randn(1, 2), value, is_causal=is_causal), value) <= 1e-15
        assert form(randn(0, 2), randn(3, 2), randn(3, 1), is_causal=is_causal).shape == (0, 1)
        assert form(randn(3, 2), randn(0, 2), randn(0, 1), is_causal=is_causal).tolist() == [[0.0]] * 3
        assert form(randn(0, 2, 5, 2), randn(0, 2, 4, 2), randn(0, 2, 4, 3), is_causal=is_causal).shape == (0, 2, 5, 3)
        meta = [torch.zeros(2, 40, 4, device="meta") for _ in range(3)]
        assert form(*meta, is_causal=is_causal).device.type == "meta"
    x = randn(2, 20, 4)
    x[0, 3] = math.nan
    assert form(x, randn(2, 20, 4), randn(2, 20, 3)).isnan().any()


@every_form
def test_every_form_works_in_the_module(name):
    torch.manual_seed(0)
    module = MultiHeadAttention(12, 3, attention=FORMS[name]).double()
    x = randn(2, 25, 12)
    for is_causal in (False, True):
        weights = module.weights(x, is_causal=is_causal)
        assert weights.shape == (2, 3, 25, 25)
        assert max_error(weights.sum(-1), torch.ones(2, 3, 25, dtype=torch.float64)) <= 1e-12
        if is_causal:
            assert weights.triu(1).abs().max() == 0


def test_a_change_of_the_last_token_changes_no_earlier_causal_output():
    query, key, value = randn(30, 4), randn(30, 4, seed=1), randn(30, 4, seed=2)
    changed = [torch.cat([x[:-1], x[-1:] + 1]) for x in (query, key, value)]
    for form in FORMS.values():
        assert torch.equal(form(*changed, is_causal=True)[:-1], form(query, key, value, is_causal=True)[:-1])
    assert max_error(efficient_attention(*changed)[:-1], efficient_attention(query, key, value)[:-1]) > 0.01


def test_elu_plus_one_has_derivatives_of_every_kind():
    x = torch.tensor([-20.0, -1.0, 0.5, 3.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(elu_plus_one, x, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(elu_plus_one, x)
    slopes = torch.func.vmap(torch.func.grad(elu_plus_one))(x.detach())
    assert slopes.tolist() == pytest.approx([math.exp(-20), math.exp(-1), 1, 1])
    (overwritten,) = torch.autograd.grad(elu_plus_one(x).mul_(2).sum(), x)
    assert overwritten.tolist() == pytest.approx((2 * slopes).tolist())


@every_form
def test_a_step_after_a_long_past_needs_no_square_of_its_length(name):
    """Decoding with a cache has such steps. A matrix of 30,000² numbers would take gigabytes for every feature."""
    q, k, v = randn(1, 2, 1, 8), randn(1, 2, 30_000, 8, seed=1), randn(1, 2, 30_000, 8, seed=2)
    output = FORMS[name](q, k, v, is_causal=True)
    assert max_error(output, FORMS[name](q, k, v)) < 1e-12  # the last position may attend to all


def test_a_feature_map_may_change_the_width():
    def squares(x):
        return torch.cat([x**2, torch.ones_like(x)], -1)

    query, key, value = randn(20, 3), randn(20, 3, seed=1), randn(20, 2, seed=2)
    for is_causal in (False, True):
        weights = squares(query) @ squares(key).mT
        weights = weights.tril() if is_causal else weights
        weights = weights / weights.sum(-1, keepdim=True)
        ours = linear_attention(query, key, value, feature_map=squares, is_causal=is_causal, chunk_size=7)
        assert max_error(ours, weights @ value) <= 1e-12


@pytest.mark.parametrize("length", [0, 1, 511, 512, 513, 1300])
def test_without_a_causal_mask_chunks_change_nothing(length):
    """Queries, keys and masks are taken in chunks of 512, and gradients flow back."""
    query, key, value = randn(2, 700, 4), randn(2, length, 4, seed=1), randn(1, length, 3, seed=2)
    mask = torch.rand(2, 1, length, generator=torch.Generator().manual_seed(3)) < 0.7
    for x in (query, key, value):
        x.requires_grad_()
    ours = linear_attention(query, key, value, mask)
    weights = elu_plus_one(query) @ elu_plus_one(key).mT * mask
    expected = weights / weights.sum(-1, keepdim=True).clamp_min(1e-300) @ value
    assert max_error(ours, expected) <= 1e-12
    gradients = [torch.autograd.grad(output.square().sum(), (query, key, value)) for output in (ours, expected)]
    assert all(max_error(a, b) <= 1e-10 for a, b in zip(*gradients, strict=True) if a.numel())


def test_elu_plus_one_keeps_its_digits_far_below_zero():
    assert elu_plus_one(torch.tensor([-1e4, -1.0, 0.0, 2.0])).tolist() == pytest.approx([0, math.exp(-1), 1, 3])
    assert elu_plus_one(torch.tensor(-30.0)).item() == pytest.approx(math.exp(-30), rel=1e-6)  # elu + 1 would give 0
    x = torch.tensor([-2.0, 0.0, 2.0], requires_grad=True)
    assert torch.autograd.grad(elu_plus_one(x).sum(), x)[0].tolist() == pytest.approx([math.exp(-2), 1, 1])


x = torch.zeros(5, 4)
BAD_CALLS = [
    (ValueError, "window must be at least 1, got 0", lambda: local_attention(x, x, x, 0)),
    (TypeError, "window must be an integer, got .*float32", lambda: local_attention(x, x, x, x)),
    (ValueError, "block_size must be at least 1", lambda: blockwise_attention(x, x, x, block_size=0)),
    (TypeError, "block_size must be an integer", lambda: blockwise_attention(x, x, x, block_size=2.0)),
    (ValueError, "chunk_size must be at least 1", lambda: linear_attention(x, x, x, chunk_size=0)),
    (TypeError, "feature_map must be a function, got str 'elu'", lambda: linear_attention(x, x, x, feature_map="elu")),
    (TypeError, "feature_map must be a function", lambda: LinearAttentionState(None)),
    (
        ValueError,
        "^query and key must be the same positions, got 2 and 5$",
        lambda: LinearAttentionState().attend(x[:2], x, x),
    ),
    (ValueError, "same number of positions S", lambda: LinearAttentionState().append(x, x[:3])),
    (TypeError, "^value must be a floating-point tensor", lambda: LinearAttentionState().append(x, None)),
    (TypeError, "^value must be a floating-point tensor", lambda: LinearAttentionState().attend(x, x, None)),
    (ValueError, "same number of positions S", lambda: LinearAttentionState().attend(x, x, x[:3])),
    (TypeError, "x must be a floating-point", lambda: elu_plus_one(3)),
]
BAD_FEATURES = [
    (TypeError, "feature_map must return a tensor of dtype torch.float32, got NoneType None", lambda x: None),
    (TypeError, "feature_map must return .*got a tensor of dtype torch.float64", lambda x: x.double()),
    (TypeError, "the result of feature_map must be a dense tensor", lambda x: x.to_sparse()),
    (ValueError, r"feature_map must change nothing but the last axis of \(5, 4\)", lambda x: x[:3]),
    (ValueError, r"feature_map must change nothing .*got \(1, 5, 4\)", lambda x: x[None]),
    (ValueError, "feature_map must change nothing .*got .*meta", lambda x: x.to("meta")),
]
for error, message, features in BAD_FEATURES:
    BAD_CALLS += [
        (error, message, lambda f=features: linear_attention(x, x, x, feature_map=f)),
        (error, message, lambda f=features: linear_attention(x, x, x, feature_map=f, is_causal=True)),
        (error, message, lambda f=features: LinearAttentionState(f).attend(x, x, x)),
    ]
for form in (linear_attention, efficient_attention):
    BAD_CALLS += [
        (
            ValueError,
            r"^attn_mask must be the same for all queries, \(..., 1, S\), because linear forms have no weights per "
            r"query, got \(5, 5\); for a causal mask use is_causal=True$",
            lambda form=form: form(x, x, x, causal_mask(5)),
        ),
    ]
for form in (linear_attention_weights, efficient_attention_weights):
    BAD_CALLS += [
        (TypeError, "key must be a floating-point tensor", lambda form=form: form(x, None)),
    ]
for form in FORMS.values():
    BAD_CALLS += [
        (ValueError, "same width E", lambda form=form: form(x, x[:, :3], x)),
        (ValueError, "same number of positions S", lambda form=form: form(x, x, x[:3])),
        (TypeError, "query must be a floating-point tensor", lambda form=form: form(None, x, x)),
        (TypeError, "value must have the dtype", lambda form=form: form(x, x, x.double())),
        (TypeError, "attn_mask must be boolean", lambda form=form: form(x, x, x, attn_mask=torch.ones(1, 5).long())),
        (ValueError, "attn_mask must broadcast", lambda form=form: form(x, x, x, attn_mask=torch.ones(1, 4).bool())),
        (TypeError, "is_causal must be True or False", lambda form=form: form(x, x, x, is_causal=1)),
    ]


@pytest.mark.parametrize(("error", "message", "call"), BAD_CALLS)
def test_bad_input(error, message, call):
    with pytest.raises(error, match=message):
        call()
