"""Random numbers that page and kernel share: the page's copy is in attention_core.js.

The generator is our own, because torch, NumPy and browsers have no generator in common: NumPy's Philox works with
64-bit integers, and JavaScript's 64-bit integers are slow.
"""

from numbers import Integral

import numpy as np
import torch

MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
KEY_STEPS = 0x9E3779B9, 0xBB67AE85


def philox(counter, key):
    """Philox4x32-10: four integers below 2³² from a counter (four integers) and a key (two integers).

    Any of these can be an array of integers.

    Source: Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3".
    """
    a, b, c, d = (np.asarray(x, np.uint64) for x in counter)
    k0, k1 = key
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        product_a, product_c = np.uint64(MULTIPLIERS[0]) * a, np.uint64(MULTIPLIERS[1]) * c
        a, c = (product_c >> np.uint64(32)) ^ b ^ np.uint64(k0), (product_a >> np.uint64(32)) ^ d ^ np.uint64(k1)
        b, d = product_c & low, product_a & low
        k0, k1 = (k0 + KEY_STEPS[0]) % 2**32, (k1 + KEY_STEPS[1]) % 2**32
    return a, b, c, d


def uniform(n, *, seed=0, stream=0):
    """``n`` numbers between 0 and 1, ends excluded: ``(x + ½) / 2³²`` for Philox's words x from successive counters.

    A longer draw begins with the numbers of a shorter one, and each ``stream`` is a separate draw.

    Shapes: ``(n,)``, float64; for a sequence of streams ``(len(stream), n)``.

    Raises ``TypeError`` if an argument is not an integer, ``ValueError`` if ``n`` is negative, or if ``seed`` or a
    stream is not from 0 to 2³² - 1.
    """
    n, seed = _check_word("n", n), _check_word("seed", seed)
    streams = [_check_word("stream", s) for s in ([stream] if isinstance(stream, Integral) else stream)]
    counters = np.arange(-(-n // 4))
    words = philox((counters, 0, np.array(streams).reshape(-1, 1), 0), (seed, 0))
    numbers = np.stack(np.broadcast_arrays(*words), -1).reshape(len(streams), -1)[:, :n]
    numbers = torch.from_numpy((numbers + 0.5) / 2**32)
    return numbers[0] if isinstance(stream, Integral) else numbers


def normal(n, *, seed=0, stream=0):
    """``n`` normal numbers with mean 0 and variance 1, two from each pair u, v of uniform numbers: ``√(-2 ln u)`` times
    ``cos 2πv`` and times ``sin 2πv``.

    Shapes and errors as in ``uniform``. Source: Box and Muller 1958.
    """
    n = _check_word("n", n)
    u, v = uniform(n + n % 2, seed=seed, stream=stream).unflatten(-1, (-1, 2)).unbind(-1)
    length, angle = (-2 * u.log()).sqrt(), 2 * torch.pi * v
    return torch.stack([length * angle.cos(), length * angle.sin()], -1).flatten(-2)[..., :n]


def _check_word(name, x):
    if not isinstance(x, Integral) or isinstance(x, bool):
        raise TypeError(f"{name} must be an integer, got {x!r:.80}")
    if not 0 <= x < 2**32:
        raise ValueError(f"{name} must be from 0 to 2**32 - 1, got {x}")
    return int(x)
