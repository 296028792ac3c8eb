"""Sinusoidal and rotary positions, against their formulas in loops and against rotations as complex numbers."""

import cmath
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attention_core import rotary, rotate_pairs, sinusoidal_positions


def randn(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.mark.parametrize(("length", "dim", "base"), [(7, 6, 10_000.0), (3, 2, 100), (0, 4, 10_000.0), (1, 8, 2.5)])
def test_sinusoidal_equals_the_loop(length, dim, base):
    PE = sinusoidal_positions(length, dim, base=base, dtype=torch.float64)
    assert PE.shape == (length, dim)
    for p in range(length):
        for i in range(dim // 2):
            angle = p / base ** (2 * i / dim)
            assert PE[p, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-14)
            assert PE[p, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-14)


def test_sinusoidal_has_the_requested_dtype_and_is_computed_in_float64():
    exact = sinusoidal_positions(100_001, 4, dtype=torch.float64)
    assert sinusoidal_positions(5, 4).dtype == torch.float32
    for dtype in (torch.float32, torch.float16):
        rounded = sinusoidal_positions(100_001, 4, dtype=dtype)
        assert torch.equal(rounded, exact.to(dtype))


def test_a_step_is_the_same_rotation_everywhere():
    PE, k = sinusoidal_positions(60, 8, dtype=torch.float64), 13
    for i in range(4):
        turn = 10_000 ** (-2 * i / 8) * k
        matrix = torch.tensor(
            [[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]], dtype=torch.float64
        )
        sine_last = PE[:, [2 * i + 1, 2 * i]]  # (cos, sin) is a point on the unit circle
        assert (sine_last[k:] - sine_last[:-k] @ matrix.T).abs().max() <= 1e-13


@given(st.integers(0, 5), st.integers(1, 4), st.lists(st.integers(0, 3), max_size=2), st.sampled_from([10_000.0, 50]))
def test_rotary_is_a_product_of_complex_numbers(length, pairs, batch, base):
    x = randn(*batch, length, 2 * pairs)
    positions = torch.randint(-20, 1000, (length,), generator=torch.Generator().manual_seed(1))
    turned = rotary(x, positions, base=base)
    assert turned.shape == x.shape
    for p in range(length):
        for i in range(pairs):
            factor = cmath.exp(1j * positions[p].item() * base ** (-2 * i / (2 * pairs)))
            z = torch.view_as_complex(x[..., p, 2 * i : 2 * i + 2].contiguous()) * factor
            expected = torch.view_as_real(z)
            assert torch.allclose(turned[..., p, 2 * i : 2 * i + 2], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", [(), (3,), (5, 1), (2, 1, 5, 3), (2, 3, 5, 3)])
def test_rotate_pairs_turns_by_any_angles_that_broadcast(shape):
    x, angles = randn(2, 3, 5, 6), randn(*shape, seed=1)
    turned = torch.view_as_complex(x.unflatten(-1, (3, 2))) * torch.polar(torch.ones(shape).double(), angles)
    cos, sin = angles.cos(), angles.sin()
    assert (rotate_pairs(x, cos, sin) - torch.view_as_real(turned).flatten(-2)).abs().max() <= 1e-14
    for dtype in (torch.float16, torch.bfloat16):
        half = rotate_pairs(*(x.to(dtype) for x in (x, cos, sin)))
        assert half.dtype == dtype
        assert torch.equal(half, rotate_pairs(*(x.to(dtype).float() for x in (x, cos, sin))).to(dtype))


def test_scores_depend_only_on_the_difference_of_positions():
    query, key = randn(5, 16), randn(7, 16, seed=1)
    p, q = torch.arange(5), torch.tensor([0, 3, 4, 9, 11, 12, 40])
    scores = rotary(query, p) @ rotary(key, q).T
    for shift in (1, 1000, -7, 0.5):
        assert (rotary(query, p + shift) @ rotary(key, q + shift).T - scores).abs().max() <= 1e-11
    assert (rotary(query, p + 1) @ rotary(key, q).T - scores).abs().max() > 0.1
    assert torch.allclose(rotary(query, p).norm(dim=-1), query.norm(dim=-1))


def test_rotary_gradient_dtypes_and_inverse():
    x, positions = randn(2, 3, 4).requires_grad_(), torch.tensor([0.0, 2.5, 7.0])
    assert torch.autograd.gradcheck(lambda x: rotary(x, positions), x)
    assert torch.allclose(rotary(rotary(x, positions), -positions), x)
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        half = rotary(x.to(dtype), positions)
        assert half.dtype == dtype
        wide = rotary(x.to(dtype).double(), positions)
        assert (half.double() - wide).abs().max() <= 2 * torch.finfo(dtype).eps


def test_defaults_devices_and_small_bases():
    x, positions = randn(3, 6), torch.arange(3)
    assert torch.equal(rotary(x, positions), rotary(x, positions, base=10_000))
    assert torch.equal(sinusoidal_positions(3, 6), sinusoidal_positions(3, 6, base=10_000))
    assert sinusoidal_positions(3, 4, base=0.5).isfinite().all()
    assert rotary(x.to("meta"), positions.to("meta")).device.type == "meta"


def test_rotary_is_as_exact_far_out_as_nearby():
    x, far = randn(1, 8).float(), torch.tensor([1_000_000])
    assert (rotary(x, far).double() - rotary(x.double(), far)).abs().max() <= 1e-6


x = torch.zeros(3, 4)


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (ValueError, "dim must be even.*got 3", lambda: sinusoidal_positions(5, 3)),
        (ValueError, "dim must be at least 2, got 0", lambda: sinusoidal_positions(5, 0)),
        (ValueError, "length must be at least 0, got -1", lambda: sinusoidal_positions(-1, 4)),
        (TypeError, "length must be an integer, got float", lambda: sinusoidal_positions(5.0, 4)),
        (TypeError, "dim must be an integer", lambda: sinusoidal_positions(5, "4")),
        (ValueError, "base must be above 0, got 0", lambda: sinusoidal_positions(5, 4, base=0)),
        (TypeError, "dtype must be a floating-point", lambda: sinusoidal_positions(5, 4, dtype=torch.int64)),
        (TypeError, "base must be a number", lambda: sinusoidal_positions(5, 4, base=None)),
        (ValueError, "width E of x must be even.*got 3", lambda: rotary(torch.zeros(3, 3), torch.arange(3))),
        (ValueError, "width E of x must be even.*got 0", lambda: rotary(torch.zeros(3, 0), torch.arange(3))),
        (ValueError, r"positions must have shape \(L,\) = \(3,\), got \(4,\)", lambda: rotary(x, torch.arange(4))),
        (ValueError, "positions must have shape", lambda: rotary(x, torch.zeros(1, 3))),
        (TypeError, "positions must be a tensor of integers or floats, got list", lambda: rotary(x, [0, 1, 2])),
        (TypeError, "positions must be a tensor", lambda: rotary(x, torch.ones(3).bool())),
        (TypeError, "positions must be a tensor", lambda: rotary(x, torch.ones(3).cfloat())),
        (
            TypeError,
            "^positions must be a dense tensor, got torch.sparse_coo$",
            lambda: rotary(x, torch.arange(3).to_sparse()),
        ),
        (ValueError, "positions must be on the device of x", lambda: rotary(x, torch.zeros(3, device="meta"))),
        (TypeError, "x must be a floating-point tensor", lambda: rotary(torch.arange(4), torch.arange(4))),
        (ValueError, "x must have at least 2 axes", lambda: rotary(torch.zeros(4), torch.arange(4))),
        (ValueError, "base must be above 0", lambda: rotary(x, torch.arange(3), base=-1)),
        (TypeError, "^x must be a floating-point tensor", lambda: rotate_pairs(x.long(), x, x)),
        (ValueError, "^x must have at least 2 axes", lambda: rotate_pairs(x[0], x[0, :2], x[0, :2])),
        (
            ValueError,
            "^the width E of x must be even, since its coordinates go in pairs, got 5$",
            lambda: rotate_pairs(torch.zeros(2, 3, 5), x[:, :2], x[:, :2]),
        ),
        (TypeError, "^cos must be a floating-point tensor, got float 1.0", lambda: rotate_pairs(x, 1.0, x[:, :2])),
        (TypeError, "^sin must be a floating-point tensor, got int 0", lambda: rotate_pairs(x, x[:, :2], 0)),
        *(
            (
                ValueError,
                rf"^{name} must broadcast to \(..., L, E/2\) = \(7, 3, 2\), got \(3, 4\)$",
                lambda bad=bad: rotate_pairs(x.expand(7, 3, 4), **({"cos": x[:, :2], "sin": x[:, :2]} | bad)),
            )
            for name, bad in [("cos", {"cos": x}), ("sin", {"sin": x})]
        ),
        *(
            (
                ValueError,
                f"^{name} must be on the device of x, cpu, got meta$",
                lambda bad=bad: rotate_pairs(x, **({"cos": x[:, :2], "sin": x[:, :2]} | bad)),
            )
            for name, bad in [("cos", {"cos": x[:, :2].to("meta")}), ("sin", {"sin": x[:, :2].to("meta")})]
        ),
    ],
)
def test_bad_input(error, message, call):
    with pytest.raises(error, match=message):
        call()
