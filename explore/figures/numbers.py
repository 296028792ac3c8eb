"""Numbers on axes and in captions, and histograms. The page's copy is explore/explorers/page/static/scenes.js."""

import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal

import torch


def nice_limit(x):
    """The smallest of 1, 2 and 5 times a power of ten that is not below ``x``: a limit that seldom moves.

    Raises ``ValueError`` unless ``x`` is above 0 and finite.
    """
    if not 0 < x < math.inf:
        raise ValueError(f"x must be above 0 and finite, got {x}")
    power = math.floor(math.log10(x))
    limits = (float(f"{step}e{e}") for e in (power - 1, power, power + 1) for step in (1, 2, 5))
    return next(limit for limit in limits if limit >= x)


THREE_DIGITS = Context(prec=3, rounding=ROUND_HALF_UP)  # the way JavaScript rounds


def three_digits(x):
    """1.23e-5, 0.123, 1.23, 12.3, 123, 1234, 1.23e+6, as on the page; 0.00 if the size of ``x`` is at most 1e-99.

    The page computes a norm from squares, which are 0 for numbers below 1e-162, but torch's norm of a single number
    squares nothing. The limit is far above 1e-162, so that page and kernel both write 0.00.
    """
    x = Decimal(float(x)) if abs(x) > 1e-99 else Decimal(0)
    if 99.95 <= abs(x) < 1e5:
        return str(x.quantize(Decimal(1), ROUND_HALF_UP))
    x = float(THREE_DIGITS.plus(x))
    return f"{x:#.3g}" if x == 0 or 1e-3 <= abs(x) < 100 else re.sub(r"e([+-])0(\d)$", r"e\1\2", f"{x:.2e}")


def tick(x):
    """A number for an axis: all its digits, up to twelve after the point, with a true minus."""
    return f"{x:.12f}".rstrip("0").rstrip(".").replace("-", "−")


def decades(x):
    """Exponents of two powers of ten, one below and one above all numbers ``x`` > 0, by a factor of two or more."""
    low = next(e for e in range(300, -300, -1) if float(f"1e{e}") <= min(x) / 2)
    return low, next(e for e in range(low, 300) if float(f"1e{e}") >= 2 * max(x))


def power_of_ten(exponent):
    """10⁻³, as plain text."""
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def histogram(x, bins, low, high):
    """How many of ``x`` fall into each of the bins between ``low`` and ``high``, both ends included, as on the page.

    We avoid torch.histc, which adds in a different order: a number at the edge of two bins could be in the other bin.
    """
    x = x[(x >= low) & (x <= high)]
    return torch.bincount(((x - low) / (high - low) * bins).long().clamp_max(bins - 1), minlength=bins).double()
