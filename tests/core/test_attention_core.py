"""attention_core against torch and against loops over float64 numbers that follow the formula."""

import itertools
import math

import numpy as np
import pytest
import torch
from compare import SOFTMAX_FORMS, TOLERANCE, max_error, rand, randn
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

import attention_core as ac
from attention_core import (
    attention_weights,
    causal_mask,
    dot_product_moments,
    entropy,
    padding_mask,
    scaled_dot_product_attention,
    sliding_window_mask,
    softmax,
    softmax_jacobian,
    to_additive,
)


def loop_softmax(row):
    top = max(row)
    exps = [math.exp(x - top) for x in row]
    return [e / sum(exps) for e in exps]


def loop_attention(query, key, value, may_attend=None, bias=None, scale=None):
    """One batch element, one number after another; a query that may attend to nothing gives zeros."""
    (L, E), S, Ev = query.shape, key.shape[0], value.shape[1]
    weights, output = torch.zeros(L, S, dtype=torch.float64), torch.zeros(L, Ev, dtype=torch.float64)
    for i in range(L):
        seen = [j for j in range(S) if may_attend is None or may_attend[i, j]]
        seen = [j for j in seen if bias is None or bias[i, j] != -math.inf]
        if not seen:
            continue
        scores = []
        for j in seen:
            score = sum(float(query[i, e]) * float(key[j, e]) for e in range(E))
            score *= E**-0.5 if scale is None else scale
            scores.append(score + (float(bias[i, j]) if bias is not None else 0.0))
        for j, w in zip(seen, loop_softmax(scores), strict=True):
            weights[i, j] = w
            for e in range(Ev):
                output[i, e] += w * float(value[j, e])
    return weights, output


# softmax, its Jacobian, entropy


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("dim", [-1, 0, 1, -3])
def test_softmax_equals_torch(dtype, dim):
    x = 3 * randn(4, 5, 7, dtype=dtype)
    p = softmax(x, dim)
    assert p.dtype == dtype
    # In half precision ours is the float32 result, rounded once.
    assert max_error(p, torch.softmax(x.float() if dtype.itemsize == 2 else x, dim).to(dtype)) <= TOLERANCE[dtype] / 10
    assert max_error(p.double().sum(dim), torch.ones_like(p.double().sum(dim))) <= TOLERANCE[dtype]


@given(st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=40))
def test_softmax_equals_the_loop(row):
    assert softmax(torch.tensor(row, dtype=torch.float64)).tolist() == pytest.approx(loop_softmax(row), abs=1e-14)


def test_softmax_accepts_huge_scores_one_score_or_none():
    for dtype in TOLERANCE:
        assert softmax(torch.tensor([1e4, -1e4, 1e4, 0.0], dtype=dtype)).tolist() == [0.5, 0, 0.5, 0]
    assert softmax(torch.tensor([[3.0], [-7.0]])).tolist() == [[1], [1]]
    assert softmax(torch.zeros(0, 4)).shape == (0, 4)
    assert softmax(torch.zeros(4, 0)).shape == (4, 0)


def test_softmax_passes_nan_and_infinity_on_as_torch_does():
    inf, nan = math.inf, math.nan
    x = torch.tensor([[0.0, nan, 1.0], [0.0, inf, 1.0], [0.0, -inf, 1.0], [-inf, -inf, -inf]])
    torch.testing.assert_close(softmax(x), torch.softmax(x, -1), equal_nan=True)


def test_softmax_leaves_its_input_alone_and_takes_strided_input():
    x = randn(6, 5).T
    before = x.clone()
    with torch.no_grad():
        assert max_error(softmax(x), torch.softmax(x.contiguous(), -1)) <= 1e-15
    assert torch.equal(x, before)


def test_softmax_gradient():
    x = randn(3, 5).requires_grad_()
    assert torch.autograd.gradcheck(softmax, x)
    assert torch.autograd.gradgradcheck(softmax, x)
    assert torch.autograd.gradcheck(lambda x: softmax(x, 0), x)


def test_softmax_jacobian_equals_autograd():
    x = 2 * randn(3, 6)
    jacobian = softmax_jacobian(torch.softmax(x, -1))
    for n in range(3):
        expected = torch.autograd.functional.jacobian(lambda x: torch.softmax(x, -1), x[n])
        assert max_error(jacobian[n], expected) <= 1e-15
    assert jacobian.sum(-1).abs().max() <= 1e-15
    assert torch.equal(jacobian, jacobian.mT)
    assert softmax_jacobian(torch.zeros(0, 3)).shape == (0, 3, 3)
    assert softmax_jacobian(torch.tensor([0.5, 0.5], dtype=torch.float16)).dtype == torch.float16
    assert torch.autograd.gradcheck(softmax_jacobian, torch.softmax(x, -1).requires_grad_())


def test_entropy():
    p = torch.softmax(3 * randn(4, 9), -1)
    expected = [-sum(x * math.log(x) for x in row) for row in p.tolist()]
    for ours in (entropy(p), entropy(p.T, 0)):
        assert ours.tolist() == pytest.approx(expected, abs=1e-14)
    assert entropy(torch.full((8,), 1 / 8)).item() == pytest.approx(math.log(8))
    assert str(entropy(torch.tensor([0.0, 1.0, 0.0])).item()) == "0.0"  # not -0.0
    assert entropy(torch.full((4,), 0.25, dtype=torch.bfloat16)).dtype == torch.bfloat16
    assert entropy(torch.tensor([-0.5, 1.5])).isnan()
    assert entropy(torch.tensor([math.nan, 1.0])).isnan()


def test_entropy_has_the_right_gradient_even_where_softmax_saturates():
    assert torch.autograd.gradcheck(lambda x: entropy(torch.softmax(x, -1)), randn(3, 5).requires_grad_())
    x = torch.tensor([0.0, 1e4], requires_grad=True)
    entropy(softmax(x)).backward()
    assert x.grad.tolist() == [0, 0]
    p = torch.tensor([0.0, 0.25, 0.75], requires_grad=True)
    entropy(p).backward()
    assert p.grad.tolist() == pytest.approx([0, -math.log(0.25) - 1, -math.log(0.75) - 1])


# Moments of the dot product


@given(
    d_k=st.integers(1, 3),
    q=st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
    k=st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
)
def test_moments_equal_enumeration(d_k, q, k):
    """Each coordinate takes two values, each half of the time. Every outcome is counted; none is sampled."""
    products = [
        sum(a * b for a, b in zip(qs, ks, strict=True))
        for qs in itertools.product(q, repeat=d_k)
        for ks in itertools.product(k, repeat=d_k)
    ]
    mean = sum(products) / len(products)
    variance = sum((x - mean) ** 2 for x in products) / len(products)

    def moments(pair):
        return sum(pair) / 2, ((pair[0] - pair[1]) / 2) ** 2

    (q_mean, q_var), (k_mean, k_var) = moments(q), moments(k)
    ours = dot_product_moments(d_k, q_mean=q_mean, q_var=q_var, k_mean=k_mean, k_var=k_var)
    assert ours == pytest.approx((mean, variance), abs=1e-9)


def test_moments_have_defaults_and_are_floats():
    assert dot_product_moments(456) == (0.0, 456.0)
    assert all(type(x) is float for x in dot_product_moments(2, q_mean=1, q_var=2, k_mean=3, k_var=4))
    small = [np.int8(100), np.int8(2), np.float16(300)]  # arithmetic in their own types would overflow
    assert dot_product_moments(small[0], q_mean=small[1], k_mean=small[2]) == (60000.0, 100 * (1 + 4 + 90000))


# Masks


@pytest.mark.parametrize(("L", "S"), [(1, 1), (4, 4), (2, 5), (5, 2), (0, 3), (3, 0)])
def test_masks_equal_their_definition(L, S):
    for i, j in itertools.product(range(L), range(S)):
        assert causal_mask(L, S)[i, j] == (j <= i + S - L)
        for window in (1, 2, 7):
            assert sliding_window_mask(L, window, S)[i, j] == (abs(i + S - L - j) <= window)
    for mask in (causal_mask(L, S), sliding_window_mask(L, 2, S)):
        assert mask.shape == (L, S)
        assert mask.dtype == torch.bool


def test_masks_are_square_by_default():
    assert torch.equal(causal_mask(4), torch.ones(4, 4).tril().bool())
    assert torch.equal(sliding_window_mask(4, 1), sliding_window_mask(4, 1, 4))


@pytest.mark.parametrize("lengths", [[3, 0, 5], (3, 0, 5), torch.tensor([3, 0, 5]), torch.tensor([3, 0, 5]).int()])
def test_padding_mask(lengths):
    mask = padding_mask(lengths, 5)
    assert mask.shape == (3, 1, 1, 5)
    assert mask[:, 0, 0].tolist() == [[True] * 3 + [False] * 2, [False] * 5, [True] * 5]
    assert padding_mask([], 5).shape == (0, 1, 1, 5)
    assert padding_mask([0], 0).shape == (1, 1, 1, 0)
    assert padding_mask(torch.tensor([3], dtype=torch.uint8), 300).sum() == 3  # 300 is 44 in 8 bits
    assert padding_mask(torch.tensor([200], dtype=torch.uint8), 300).sum() == 200


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_to_additive(dtype):
    mask = to_additive(causal_mask(2), dtype)
    assert mask.dtype == dtype
    assert mask.tolist() == [[0, -math.inf], [0, 0]]


def q(*shape, dtype=torch.float32):
    return torch.zeros(*shape, dtype=dtype)


# Attention


@st.composite
def attention_problems(draw):
    """query, key and value with random shapes whose batch axes broadcast, and a mask that fits them."""
    L, S, E, Ev = (draw(st.integers(1, 6)) for _ in range(4))
    batch = draw(st.lists(st.integers(0, 3), max_size=2))

    def some_axes():
        shape = [draw(st.sampled_from([size, 1])) for size in batch]
        return shape[draw(st.integers(0, len(shape))) :] if draw(st.booleans()) else shape

    seed = draw(st.integers(0, 2**31))
    query, key, value = (
        randn(*some_axes(), length, width, seed=seed + i) for i, (length, width) in enumerate([(L, E), (S, E), (S, Ev)])
    )
    weights_batch = torch.broadcast_shapes(query.shape[:-2], key.shape[:-2])
    mask_shape = [draw(st.sampled_from([size, 1])) for size in (*weights_batch, L, S)]
    mask_shape = mask_shape[draw(st.integers(0, len(mask_shape))) :]
    seen, scores = rand(*mask_shape, seed=seed) < 0.7, randn(*mask_shape, seed=seed)
    masks = {"none": None, "boolean": seen, "float": scores, "minus infinity": scores.masked_fill(~seen, -math.inf)}
    return query, key, value, masks[draw(st.sampled_from(list(masks)))]


@given(attention_problems(), st.booleans(), st.sampled_from([None, 0.3, 0, -1.5]))
@settings(max_examples=200, deadline=None)
def test_attention_equals_the_loop(problem, is_causal, scale):
    query, key, value, mask = problem
    L, S = query.shape[-2], key.shape[-2]
    batch = torch.broadcast_shapes(*(x.shape[:-2] for x in (query, key, value)))
    weights = attention_weights(query, key, mask, is_causal=is_causal, scale=scale)
    output = scaled_dot_product_attention(query, key, value, mask, is_causal=is_causal, scale=scale)
    assert weights.shape == (*torch.broadcast_shapes(query.shape[:-2], key.shape[:-2]), L, S)
    assert output.shape == (*batch, L, value.shape[-1])
    assert max_error(output, weights @ value) <= 1e-14

    weights = weights.expand(*batch, L, S)
    query, key, value = (x.expand(*batch, *x.shape[-2:]) for x in (query, key, value))
    may_attend = torch.tensor([[not is_causal or j <= i + S - L for j in range(S)] for i in range(L)])
    bias = None
    if mask is not None and mask.dtype == torch.bool:
        may_attend = may_attend & mask
    elif mask is not None:
        bias = mask.expand(*batch, L, S)
    may_attend = may_attend.expand(*batch, L, S)
    for n in itertools.product(*(range(size) for size in batch)):
        expected = loop_attention(query[n], key[n], value[n], may_attend[n], None if bias is None else bias[n], scale)
        assert max_error(weights[n], expected[0]) <= 1e-12
        assert max_error(output[n], expected[1]) <= 1e-12


def test_tensors_are_made_on_the_device_of_their_inputs():
    """The meta device computes shapes only, and refuses tensors of other devices."""
    meta = torch.device("meta")
    query, key = torch.zeros(2, 3, 4, device=meta), torch.zeros(2, 5, 4, device=meta)
    assert scaled_dot_product_attention(query, key, key, is_causal=True).device == meta
    assert attention_weights(query, key, causal_mask(3, 5, device=meta)).shape == (2, 3, 5)
    assert sliding_window_mask(3, 1, device=meta).device == meta
    assert to_additive(causal_mask(3, device=meta), torch.float32).device == meta


def test_is_causal_is_aligned_to_the_end_and_torchs_flag_to_the_start():
    query, key, value = randn(3, 4), randn(5, 4, seed=1), randn(5, 2, seed=2)
    ours = scaled_dot_product_attention(query, key, value, is_causal=True)
    whole = torch.cat([randn(2, 4, seed=3), query])
    assert max_error(ours, F.scaled_dot_product_attention(whole, key, value, is_causal=True)[-3:]) <= 1e-14
    assert max_error(ours, F.scaled_dot_product_attention(query, key, value, is_causal=True)) > 0.1
    square = scaled_dot_product_attention(whole, key, value, is_causal=True)
    assert max_error(square, F.scaled_dot_product_attention(whole, key, value, is_causal=True)) <= 1e-14


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_a_mask_may_have_a_different_precision(dtype):
    query, key, value = (randn(n, 4, seed=n).to(dtype) for n in (3, 5, 5))
    bias = randn(3, 5, seed=8, dtype=torch.float32)
    expected = scaled_dot_product_attention(query.float(), key.float(), value.float(), bias)
    assert max_error(scaled_dot_product_attention(query, key, value, bias), expected) <= TOLERANCE[dtype]


@pytest.mark.parametrize("attend", SOFTMAX_FORMS.values(), ids=SOFTMAX_FORMS)
@pytest.mark.parametrize("kind", ["boolean", "float", "causal", "causal and boolean"])
def test_fully_masked_rows_give_zero_and_pass_no_gradient(kind, attend):
    tensors = [randn(4, 3).requires_grad_(), randn(3, 3, seed=1).requires_grad_(), randn(3, 2, seed=2).requires_grad_()]
    mask = torch.ones(4, 3, dtype=torch.bool)
    is_causal = kind.startswith("causal")  # S < L: the first query sees nothing
    if kind != "causal":
        mask[2 if is_causal else 0] = False
    if kind == "float":
        mask = to_additive(mask, torch.float64)
    masked = [0, 2] if kind == "causal and boolean" else [0]
    for anomaly in (False, True):
        with torch.autograd.set_detect_anomaly(anomaly):
            output = attend(*tensors, attn_mask=mask, is_causal=is_causal)
            gradients = torch.autograd.grad(output[masked].sum(), tensors)
    weights = attention_weights(*tensors[:2], mask, is_causal=is_causal)
    assert output[masked].abs().max() == weights[masked].abs().max() == 0
    others = [i for i in range(4) if i not in masked]
    assert weights[others].sum(-1).tolist() == pytest.approx([1] * len(others))
    assert all(gradient.abs().max() == 0 for gradient in gradients)
    gradients = torch.autograd.grad(attend(*tensors, attn_mask=mask, is_causal=is_causal).sum(), tensors)
    assert all(gradient.isfinite().all() for gradient in gradients)


@pytest.mark.parametrize("scale", [None, 0.7])
@pytest.mark.parametrize("kind", ["none", "boolean", "float", "causal"])
def test_attention_gradient_and_torchs_result(kind, scale):
    query, key, value = (randn(2, n, e, seed=n).requires_grad_() for n, e in [(3, 4), (5, 4), (5, 2)])
    mask = {"boolean": torch.ones(3, 5).tril(1).bool(), "float": randn(3, 5, seed=7).requires_grad_()}.get(kind)

    def attend(query, key, value, mask=mask):
        return scaled_dot_product_attention(query, key, value, mask, is_causal=kind == "causal", scale=scale)

    inputs = (query, key, value) + ((mask,) if kind == "float" else ())
    assert torch.autograd.gradcheck(attend, inputs)
    mask = causal_mask(3, 5) if kind == "causal" else mask
    theirs = F.scaled_dot_product_attention(query, key, value, mask, scale=scale)
    assert max_error(attend(*inputs), theirs) <= 1e-14


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_huge_scores_do_not_overflow(dtype):
    """Scores of ±1e4, from queries of 100 and keys of ±12.5: products sum to ±80,000, and float16 ends at 65,504."""
    query = torch.full((2, 64), 100.0, dtype=dtype)
    key = torch.tensor([1.0, -1.0, 1.0], dtype=dtype)[:, None].expand(3, 64) * 12.5
    value = torch.tensor([[1.0], [2.0], [5.0]], dtype=dtype)
    assert scaled_dot_product_attention(query, key, value).tolist() == [[3.0], [3.0]]


def test_attention_accepts_one_key_no_key_and_an_empty_batch():
    value = randn(1, 3)
    assert torch.equal(scaled_dot_product_attention(randn(4, 2), randn(1, 2), value), value.expand(4, 3))
    query, key = randn(4, 2).requires_grad_(), randn(0, 2).requires_grad_()
    output = scaled_dot_product_attention(query, key, randn(0, 3))
    assert torch.equal(output, torch.zeros(4, 3).double())
    assert torch.equal(torch.autograd.grad(output.sum(), query)[0], torch.zeros(4, 2).double())
    for is_causal in (False, True):
        shapes = (0, 2, 4, 8), (0, 2, 5, 8), (0, 2, 5, 3)
        output = scaled_dot_product_attention(*(randn(*shape) for shape in shapes), is_causal=is_causal)
        assert output.shape == (0, 2, 4, 3)
        assert scaled_dot_product_attention(randn(0, 2), randn(3, 2), randn(3, 1), is_causal=is_causal).shape == (0, 1)


def test_attention_takes_strided_inputs_and_leaves_them_alone():
    query, key, value = (randn(*shape).permute(1, 2, 0) for shape in [(4, 2, 5), (4, 2, 6), (3, 2, 6)])
    mask = torch.ones(6, 5).triu(1).bool().T
    before = [x.clone() for x in (query, key, value, mask)]
    with torch.no_grad():
        ours = scaled_dot_product_attention(query, key, value, mask)
    contiguous = [x.contiguous() for x in before]
    expected = F.scaled_dot_product_attention(*contiguous)
    seen = mask.any(-1)
    assert max_error(ours[:, seen], expected[:, seen]) <= 1e-14
    assert all(torch.equal(a, b) for a, b in zip(before, (query, key, value, mask), strict=True))


def test_nan_and_infinity_are_passed_on():
    query, key, value = randn(2, 4), randn(3, 4, seed=1), randn(3, 2, seed=2)
    query[0, 0] = math.nan
    output = scaled_dot_product_attention(query, key, value)
    assert output[0].isnan().all()
    assert output[1].isfinite().all()
    value[1, 1] = math.inf
    assert scaled_dot_product_attention(query, key, value)[1, 1] == math.inf
    # As in torch, 0 · NaN is NaN: hiding it would hide the error that made it.
    assert scaled_dot_product_attention(key, key, 0 * value / 0, torch.zeros(3, 3).bool()).isnan().all()
    # A row of minus infinity that comes from the inputs, not from a mask, is 0/0 and stays visible.
    assert attention_weights(torch.tensor([[-math.inf]]), torch.ones(2, 1)).isnan().all()


def test_dropout_drops_the_given_share_and_keeps_the_mean():
    query, key, value = randn(200, 8), randn(50, 8, seed=1), torch.eye(50, dtype=torch.float64)
    torch.manual_seed(0)
    state, weights = torch.get_rng_state(), attention_weights(query, key)
    assert torch.equal(scaled_dot_product_attention(query, key, value, dropout_p=0.0), weights @ value)
    assert torch.equal(torch.get_rng_state(), state)  # without dropout, no random number is drawn
    dropped = scaled_dot_product_attention(query, key, value, dropout_p=0.25)
    kept = dropped != 0
    assert kept.double().mean().item() == pytest.approx(0.75, abs=0.02)
    assert max_error(dropped[kept], weights[kept] / 0.75) <= 1e-14
    assert scaled_dot_product_attention(query, key, value, dropout_p=1.0).abs().max() == 0


def test_a_scale_is_finite_in_the_precision_of_the_computation():
    wide = attention_weights(q(3, 4, dtype=torch.float64), q(5, 4, dtype=torch.float64), scale=1e300)
    assert torch.equal(wide, torch.full((3, 5), 0.2, dtype=torch.float64))
    with pytest.raises(ValueError, match=r"scale must be finite in torch.float32"):
        attention_weights(q(3, 4).half(), q(5, 4).half(), scale=-1e39)
    assert attention_weights(q(3, 4).half(), q(5, 4).half(), scale=1e38).isfinite().all()  # beyond half precision
    assert attention_weights(q(3, 4), q(5, 4), scale=torch.finfo(torch.float32).max).isfinite().all()


def test_every_public_function_explains_itself():
    for name in ac.__all__:
        doc = getattr(ac, name).__doc__
        assert "Raises" in doc, name
        assert "hape" in doc or name == "dot_product_moments", name
