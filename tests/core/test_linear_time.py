"""Local, linear, efficient and blockwise attention equal their definitions in loops, and all forms of each agree."""

import functools
import math

import pytest
import torch
from compare import max_error, rand, randn
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
    to_additive,
)

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
    mask = rand(L, S, seed=L) < 0.6
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
    expected = scaled_dot_product_attention(*problem, both, is_causal=is_causal, scale=0.8)
    assert max_error(local_attention(*problem, window, mask, is_causal=is_causal, scale=0.8), expected) <= 1e-12


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
    weights = efficient_attention_weights(query, key, is_causal=is_causal)
    assert max_error(efficient_attention(*problem, is_causal=is_causal), weights @ value) <= 1e-12
    sums = weights.sum(-1)
    sees = causal_mask(*weights.shape[-2:]).any(-1) if is_causal else torch.full(sums.shape[-1:], key.shape[-2] > 0)
    assert max_error(sums, sees.double().expand(sums.shape)) <= 1e-12


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 1e-5), (torch.float16, 2e-3)])
@pytest.mark.parametrize("sizes", [[1] * 11, [4, 1, 6], [11]])
def test_recurrent_equals_parallel_for_one_token_or_several_at_a_time(sizes, dtype, tolerance):
    inputs = [randn(2, 3, 11, width, seed=i).to(dtype) for i, width in enumerate((4, 4, 5))]
    full = linear_attention(*(x.double() for x in inputs), is_causal=True)
    state, appended = LinearAttentionState(), LinearAttentionState()
    parts = [state.attend(*part) for part in zip(*(x.split(sizes, -2) for x in inputs), strict=True)]
    assert max_error(torch.cat(parts, -2), full) <= tolerance
    assert {part.dtype for part in parts} == {dtype}
    assert state.sums.shape == (2, 3, 4, 5 + 1)
    appended.append(*(x[..., :6, :] for x in inputs[1:]))
    assert max_error(appended.attend(*(x[..., 6:, :] for x in inputs)), full[..., 6:, :]) <= tolerance


@every_form
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("heads", [(3, 1, 1), (1, 3, 1), (1, 1, 3), (1, 3, 3)])
def test_batch_axes_that_broadcast_equal_expanded_ones(name, heads, is_causal):
    for L, S in [(30, 20), (20, 30)]:
        sizes = zip(heads, (L, S, S), (4, 4, 5), strict=True)
        inputs = [randn(2, H, length, width, seed=i) for i, (H, length, width) in enumerate(sizes)]
        expected = FORMS[name](*(x.expand(2, 3, *x.shape[2:]) for x in inputs), is_causal=is_causal)
        assert max_error(FORMS[name](*inputs, is_causal=is_causal), expected) <= 1e-12


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize(("L", "S"), [(150, 90), (70, 200)])  # several blocks of each form
@pytest.mark.parametrize("form", ["blockwise", "local"])
def test_masks_that_broadcast_equal_expanded_ones(form, L, S, is_causal):
    query, key, value = randn(2, 3, L, 4), randn(2, 3, S, 4, seed=1), randn(2, 3, S, 5, seed=2)
    window = sliding_window_mask(L, 5, S) if form == "local" else torch.ones(L, S).bool()
    for shape in [(), (1,), (S,), (1, 1), (1, S), (L, 1), (3, 1, 1), (3, 1, S), (2, 1, L, 1), (2, 3, L, S)]:
        floats = randn(*shape, seed=3)
        for mask in (floats, floats < 0.5):
            full = mask.expand(2, 3, L, S)
            full = full & window if mask.dtype == torch.bool else full.masked_fill(~window, -math.inf)
            expected = scaled_dot_product_attention(query, key, value, full, is_causal=is_causal)
            assert max_error(FORMS[form](query, key, value, attn_mask=mask, is_causal=is_causal), expected) <= 1e-12


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize(("L", "S"), [(20, 20), (3, 40), (40, 3)])
@pytest.mark.parametrize(
    ("form", "weights"),
    [(linear_attention, linear_attention_weights), (efficient_attention, efficient_attention_weights)],
)
def test_masks_of_keys_act_in_the_weights_and_before_the_first_query(form, weights, L, S, is_causal):
    query, key, value = randn(2, 3, L, 4), randn(2, 3, S, 4, seed=1), randn(2, 3, S, 5, seed=2)
    masks = padding_mask([2, S], S), randn(2, 1, 1, S, seed=3), randn(S, seed=4) < 0.5, torch.zeros(1, S).bool()
    for mask in masks:
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
        assert max_error(weights(query, key, mask, is_causal=is_causal), expected) <= 1e-12
        assert max_error(form(query, key, value, mask, is_causal=is_causal), expected @ value) <= 1e-12
        if not is_causal:  # the default
            assert torch.equal(weights(query, key, mask), weights(query, key, mask, is_causal=False))
            assert torch.equal(form(query, key, value, mask), form(query, key, value, mask, is_causal=False))


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


@pytest.mark.parametrize("offset", [-3e5, 0.0, 3e5])
def test_blocks_that_are_hidden_as_a_whole_leave_no_largest_score(offset):
    """Before anything is seen, the largest score is -inf. A number in its place would stay the largest one."""
    query, key, value = randn(3, 2), randn(12, 2, seed=1), randn(12, 3, seed=2)
    query[:, 0], key[:, 0] = 2**0.5, offset
    hidden = torch.zeros(3, 12).bool()
    hidden[0, :5] = hidden[1, 4:8] = hidden[2, 7:] = True
    for mask in (~hidden, to_additive(~hidden, torch.float64)):
        expected = scaled_dot_product_attention(query, key, value, mask)
        for size in (1, 2, 4, 5):
            assert max_error(blockwise_attention(query, key, value, mask, block_size=size), expected) <= 1e-9


@pytest.mark.parametrize("offset", [-1e3, 0.0, 1e3])
def test_hidden_chunks_leave_the_running_maps_of_efficient_attention_empty(offset):
    query, key, value = randn(40, 3), randn(40, 3, seed=1) + offset, randn(40, 2, seed=2)
    seen = torch.arange(40) >= 20  # the first of its chunks is hidden as a whole
    after = efficient_attention(query[20:], key[20:], value[20:], is_causal=True)
    assert max_error(efficient_attention(query, key, value, seen, is_causal=True)[20:], after) <= 1e-12


@every_form
@pytest.mark.parametrize("is_causal", [False, True])
def test_scores_of_10000_stay_finite(name, is_causal):
    for dtype in (torch.float64, torch.float32, torch.bfloat16):
        x = 1e4 * randn(3, 50, 4).to(dtype)
        output = FORMS[name](x, x.flip(-2), randn(3, 50, 2, seed=1).to(dtype), is_causal=is_causal)
        assert output.isfinite().all()
        assert output.dtype == dtype


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
        shown = linear_attention_weights(query, key, feature_map=squares, is_causal=is_causal)
        assert max_error(shown, weights) <= 1e-12
        ours = linear_attention(query, key, value, feature_map=squares, is_causal=is_causal, chunk_size=7)
        assert max_error(ours, weights @ value) <= 1e-12


@pytest.mark.parametrize("length", [0, 1, 511, 512, 513, 1300])
def test_without_a_causal_mask_chunks_change_nothing(length):
    """Queries, keys and masks are taken in chunks of 512, and gradients flow back."""
    query, key, value = randn(2, 700, 4), randn(2, length, 4, seed=1), randn(1, length, 3, seed=2)
    mask = rand(2, 1, length, seed=3) < 0.7
    for x in (query, key, value):
        x.requires_grad_()
    ours = linear_attention(query, key, value, mask)
    weights = elu_plus_one(query) @ elu_plus_one(key).mT * mask
    expected = weights / weights.sum(-1, keepdim=True).clamp_min(1e-300) @ value
    assert max_error(ours, expected) <= 1e-12
    gradients = [torch.autograd.grad(output.square().sum(), (query, key, value)) for output in (ours, expected)]
    assert all(max_error(a, b) <= 1e-10 for a, b in zip(*gradients, strict=True) if a.numel())


def test_elu_plus_one_keeps_its_digits_far_below_zero_and_has_derivatives_of_every_kind():
    assert elu_plus_one(torch.tensor([-1e4, -1.0, 0.0, 2.0])).tolist() == pytest.approx([0, math.exp(-1), 1, 3])
    assert elu_plus_one(torch.tensor(-30.0)).item() == pytest.approx(math.exp(-30), rel=1e-6)  # elu + 1 would give 0
    x = torch.tensor([-20.0, -1.0, 0.5, 3.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(elu_plus_one, x, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(elu_plus_one, x)
    slopes = torch.func.vmap(torch.func.grad(elu_plus_one))(x.detach())
    assert slopes.tolist() == pytest.approx([math.exp(-20), math.exp(-1), 1, 1])
    (overwritten,) = torch.autograd.grad(elu_plus_one(x).mul_(2).sum(), x)
    assert overwritten.tolist() == pytest.approx((2 * slopes).tolist())
