"""Sinusoidal and rotary positions, against their formulas in loops and against rotations as complex numbers."""

import cmath
import math

import pytest
import torch
from compare import randn
from hypothesis import given
from hypothesis import strategies as st

from attention_core import rotary, rotate_pairs, sinusoidal_positions


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
