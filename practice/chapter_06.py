"""Exercises: sinusoidal positions."""

import math

import torch

from .engine import Mistake, checks, say


def _waves(even=torch.sin, odd=torch.cos, base=10_000.0, exponent=2, start=0, arrange="pairs", first=0, less=0):
    """Sinusoidal positions, with an argument for each mistake."""

    def positions(length, dim):
        p = torch.arange(start, start + length, dtype=torch.float64)[:, None]
        angles = p / base ** (exponent * torch.arange(first, first + dim // 2) / max(dim - less, 1))
        if arrange == "pairs":
            return torch.stack([even(angles), odd(angles)], -1).flatten(-2).float()
        return torch.cat([even(angles), odd(angles)], -1).float()

    return positions


def _by_column(even, odd):
    """One frequency per column, not per pair."""

    def positions(length, dim):
        p, column = torch.arange(length, dtype=torch.float64)[:, None], torch.arange(dim)
        angles = p / 10_000.0 ** (column / dim)
        return torch.where(column % 2 == 0, even(angles), odd(angles)).float()

    return positions


def _divided_waves(length, dim):
    """The division by the powers of the base comes after the sines and cosines, not before them."""
    p = torch.arange(length, dtype=torch.float64)[:, None].expand(-1, dim // 2)
    waves = torch.stack([p.sin(), p.cos()], -1) / 10_000.0 ** (2 * torch.arange(dim // 2) / dim)[:, None]
    return waves.flatten(-2).float()


def _by_parity_of_position(length, dim):
    """Sines in even rows, cosines in odd ones."""
    p = torch.arange(length, dtype=torch.float64)[:, None]
    angles = (p / 10_000.0 ** (2 * torch.arange(dim // 2) / dim)).repeat_interleave(2, -1)
    return torch.where(p % 2 == 0, angles.sin(), angles.cos()).float()


def _explain_positions(got, expected, arguments):
    if got.isfinite().all() and got.abs().max() > 1.001:
        return "out-of-range", say("some numbers are beyond ±1, where no sine or cosine can be.")
    # Angles this large lose digits, and not the same digits in every program.
    if len(got) > 1 and torch.allclose(got[1].double(), _waves(exponent=-2)(*arguments)[1].double(), atol=0.05):
        return "rising-frequencies", say(
            "the later pairs turn faster than the first ones. Look at the sign of the exponent."
        )
    if len(got) and torch.allclose(got[0].double(), expected[0].double(), atol=1e-3):
        return "wrong-frequencies", say("position 0 is right, but others are not. How fast does each pair turn?")
    return None


@checks(
    right=lambda length, dim: _waves()(length, dim),
    cases=[(f"length {n}, dim {dim}", (n, dim)) for n, dim in [(10, 8), (1, 2), (50, 6), (7, 4), (4, 16), (6, 6)]],
    explain=_explain_positions,
    shown="Sine in the even and cosine in the odd columns, for lengths from 1 to 50 and widths from 2 to 16.",
    mistakes=[
        Mistake(
            "halves",
            "Sines fill the first half and cosines the second: a convention that is also in use. Here they alternate.",
            _waves(arrange="halves"),
        ),
        Mistake("cosine-first", "Sine and cosine have changed places.", _waves(torch.cos, torch.sin)),
        Mistake(
            "halves",
            "Cosines fill the first half and sines the second. Here they alternate, sine first.",
            _waves(torch.cos, torch.sin, arrange="halves"),
        ),
        Mistake(
            "odd-positions",
            "The rows alternate between sine and cosine. Is it the positions or the dimensions that should?",
            _by_parity_of_position,
        ),
        Mistake(
            "column-frequencies",
            "Each column has its own frequency. Sine and cosine of a pair share one.",
            _by_column(torch.sin, torch.cos),
        ),
        Mistake(
            "wrong-exponent",
            "The frequencies fall too slowly: a factor 2 is missing in the exponent.",
            _waves(exponent=1),
        ),
        Mistake("wrong-exponent", "The frequencies fall too fast: look at the exponent.", _waves(exponent=4)),
        Mistake(
            "wrong-exponent",
            "The pairs are counted from 1: the first pair should turn by one radian at each position.",
            _waves(first=1),
        ),
        Mistake(
            "wrong-exponent",
            "The exponent reaches 1 in the last pair: a convention that is also in use. Here it stays below 1.",
            _waves(less=2),
        ),
        Mistake(
            "rising-frequencies",
            "The exponent has the wrong sign: the later pairs should turn more slowly.",
            _waves(exponent=-2),
        ),
        Mistake("wrong-base", "The base is 1000.", _waves(base=1000.0)),
        Mistake("wrong-base", "The base is 100000.", _waves(base=100_000.0)),
        Mistake("wrong-base", "The base is e.", _waves(base=math.e)),
        Mistake(
            "wrong-base",
            "A logarithm to base 10 meets an exponential to base e.",
            _waves(base=math.exp(4)),
        ),
        Mistake(
            "divided-waves",
            "Sines and cosines of the positions are divided. What should be divided before a wave is made of it?",
            _divided_waves,
        ),
        Mistake("odd-columns-empty", "The odd columns are all 0. What belongs there?", _waves(odd=torch.zeros_like)),
        Mistake("one-frequency", "All pairs turn at the same speed.", _waves(base=1.0)),
        Mistake("starts-at-one", "The first position is 1; it should be 0.", _waves(start=1)),
        Mistake(
            "sines-only",
            "There are sines only. From a sine alone two angles are possible.",
            _waves(torch.sin, torch.sin),
        ),
        Mistake("sines-only", "There are cosines only.", _waves(torch.cos, torch.cos)),
        Mistake(
            "sines-only",
            "There are sines in all columns, each with its own frequency.",
            _by_column(torch.sin, torch.sin),
        ),
        Mistake(
            "no-waves", "These are the angles; their sines and cosines are asked for.", _waves(lambda a: a, lambda a: a)
        ),
        Mistake(
            "degrees",
            "The angles are taken as degrees.",
            _waves(lambda a: a.deg2rad().sin(), lambda a: a.deg2rad().cos()),
        ),
        Mistake(
            "transposed",
            "Rows and columns are exchanged: there should be one row per position.",
            lambda length, dim: _waves()(length, dim).T,
        ),
        Mistake("half-width", "Half of the columns are missing.", lambda length, dim: _waves()(length, dim)[:, ::2]),
    ],
)
def check_positions(answer):
    """Check ``answer(length, dim)``: sinusoidal positions, ``(length, dim)``, for even ``dim`` and base 10000."""
