"""Compare the page's mathematics, attention_core.js, with the kernel's: each function on 1000 random inputs."""

import json
import math

import numpy as np
import pytest
import torch

import attention_core as ac
from conftest import in_v8
from explore.explorers.page import STATIC
from explore.explorers.random_numbers import normal, philox, uniform

INPUTS = 1000


@pytest.fixture(scope="module")
def js():
    """``js(name, *arguments)``: call the page's core in V8, Chromium's engine."""
    context = in_v8(STATIC / "attention_core.js")
    context.eval("""
        const plain = (_, x) => ArrayBuffer.isView(x) ? [...x] : typeof x === "number" && !isFinite(x) ? `${x}` : x;
    """)

    def called(name, *arguments):
        given = [x.tolist() if isinstance(x, torch.Tensor) else x for x in arguments]
        # JSON has no word for infinity and NaN, but JavaScript knows Python's, and float() knows JavaScript's.
        answer = context.eval(f"JSON.stringify(book.attention_core.{name}(...{json.dumps(given)}), plain)")
        return torch.tensor(_in_numbers(json.loads(answer)), dtype=torch.float64)

    return called


def _in_numbers(x):
    return [_in_numbers(y) for y in x] if isinstance(x, list) else float(x)


def assert_close(got, expected):
    torch.testing.assert_close(got, expected.double(), rtol=1e-12, atol=1e-12, equal_nan=True)


def hard(generator, *shape):
    """Random numbers of a random size, up to 10,000, sometimes all equal."""
    size = 10 ** torch.empty((), dtype=torch.float64).uniform_(-3, 4, generator=generator)
    x = size * torch.randn(*shape, generator=generator, dtype=torch.float64)
    return torch.full_like(x, 7.0) if torch.rand((), generator=generator) < 0.05 else x


def vectors():
    """Scores; some of them are -inf, and in a few cases all of them."""
    for seed in range(INPUTS):
        generator = torch.Generator().manual_seed(seed)
        x = hard(generator, 1 + seed % 40)
        if seed % 3 == 0:
            share = torch.rand((), generator=generator) * 1.2
            x[torch.rand(x.shape, generator=generator) < share] = -math.inf
        yield x, generator


def attention_inputs():
    """Query, key, a mask or None, and is_causal, with L ≠ S and rows that see no key."""
    for seed in range(INPUTS):
        generator = torch.Generator().manual_seed(seed)
        L, S, E = (torch.randint(1, 9, (3,), generator=generator)).tolist()
        query, key = hard(generator, L, E), torch.randn(S, E, generator=generator, dtype=torch.float64)
        mask = torch.rand((L, 1)[seed % 2], S, generator=generator) < 0.6 if seed % 3 else None
        yield query, key, mask, seed % 5 == 0, generator


def test_softmax_its_gradient_and_entropy(js):
    for x, generator in vectors():
        p = ac.softmax(x)
        assert_close(js("softmax", x), p)
        assert_close(js("entropy", p), ac.entropy(p))
        g = torch.randn(len(p), generator=generator, dtype=torch.float64)
        assert_close(js("softmax_jacobian_product", p, g), ac.softmax_jacobian(p) @ g)


def test_moments(js):
    for seed in range(INPUTS):
        generator = torch.Generator().manual_seed(seed)
        d_k = torch.randint(1, 5000, (), generator=generator).item()
        numbers = hard(generator, 4).tolist()
        moments = dict(q_mean=numbers[0], q_var=abs(numbers[1]), k_mean=numbers[2], k_var=abs(numbers[3]))
        expected = torch.tensor(ac.dot_product_moments(d_k, **moments), dtype=torch.float64)
        assert_close(js("dot_product_moments", d_k, moments), expected)


def test_attention_with_masks_and_scales(js):
    for query, key, mask, is_causal, generator in attention_inputs():
        scale = None if is_causal else torch.rand((), generator=generator).item() * 10
        options = {"is_causal": is_causal, "scale": scale}
        expected = ac.attention_weights(query, key, mask, **options)
        assert_close(js("attention_weights", query, key, mask, options), expected)
        value = torch.randn(len(key), 3, generator=generator, dtype=torch.float64)
        expected = ac.scaled_dot_product_attention(query, key, value, mask, **options)
        assert_close(js("scaled_dot_product_attention", query, key, value, mask, options), expected)


def test_masks(js):
    for seed in range(INPUTS):
        L, S, window = torch.randint(1, 12, (3,), generator=torch.Generator().manual_seed(seed)).tolist()
        assert_close(js("causal_mask", L, S), ac.causal_mask(L, S))
        assert_close(js("sliding_window_mask", L, window, S), ac.sliding_window_mask(L, window, S))
        length = min(L, S)
        assert_close(js("padding_mask", length, S), ac.padding_mask([length], S)[0, 0])


# From the authors' library Random123, file kat_vectors: counter, key, result.
KNOWN = """
00000000 00000000 00000000 00000000  00000000 00000000  6627e8d5 e169c58d bc57ac4c 9b00dbd8
ffffffff ffffffff ffffffff ffffffff  ffffffff ffffffff  408f276d 41c83b0e a20bc7c6 6d5451fd
243f6a88 85a308d3 13198a2e 03707344  a4093822 299f31d0  d16cfe09 94fdcceb 5001e420 24126ea1
"""


@pytest.mark.parametrize("line", KNOWN.strip().split("\n"))
def test_philox_gives_the_published_numbers(line):
    words = [int(word, 16) for word in line.split()]
    counter, key, result = words[:4], words[4:6], words[6:]
    assert [int(x) for x in philox(counter, key)] == result


def test_page_and_kernel_draw_the_same_numbers(js):
    for seed in range(INPUTS):
        options = {"seed": seed * 4_294_967 % 2**32, "stream": seed % 7}
        n = seed % 13
        assert js("uniform", n, options).tolist() == uniform(n, **options).tolist()  # to the last bit
        assert_close(js("normal", n, options), normal(n, **options))


def test_numbers_are_uniform_or_normal_and_streams_are_independent():
    u, z = uniform(100_000, seed=5, stream=range(3)), normal(100_000, seed=5, stream=range(3))
    assert u.shape == z.shape == (3, 100_000)
    assert torch.equal(uniform(7, seed=5, stream=2), u[2, :7])  # a longer draw begins with the shorter one
    assert 0 < u.min() < u.max() < 1
    counts = torch.histc(u, 100, 0, 1)
    assert ((counts - 3000).square() / 3000).sum() < 150  # χ², 99 degrees of freedom: its 0.999 quantile is below 150
    assert torch.corrcoef(z).fill_diagonal_(0).abs().max() < 0.015
    np.testing.assert_allclose([z.mean(), z.var(), z.pow(3).mean(), z.pow(4).mean()], [0, 1, 0, 3], atol=0.05)


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        ((1.5,), {}, TypeError),
        ((-1,), {}, ValueError),
        ((3,), {"seed": 2**32}, ValueError),
        ((3,), {"stream": [True]}, TypeError),
    ],
)
def test_bad_draws(arguments, options, error):
    with pytest.raises(error, match="must be"):
        normal(*arguments, **options)
