"""Exercises: the scale of a dot product, and its variance."""

import math

from .engine import Mistake, checks


@checks(
    right=lambda d_k: 1 / math.sqrt(d_k),
    returns="number",
    cases=[(f"d_k = {d_k}", (d_k,)) for d_k in (64, 1, 2, 16, 456, 1024)],
    shown="For widths from 1 to 1024 the scaled scores have standard deviation 1.",
    mistakes=[
        Mistake("no-root", "The variance becomes 1/d_k. Which power of d_k is a standard deviation?", lambda d: 1 / d),
        Mistake("reversed", "It grows with d_k. Are scores multiplied or divided by it?", math.sqrt),
        Mistake("reversed", "It grows with d_k, and there is no square root.", lambda d: d),
        Mistake("no-scale", "It is 1 for every d_k, while the scores grow.", lambda d: 1),
        Mistake("fixed", "It is 1/8 for every d_k, which is right for 64 only.", lambda d: 1 / 8),
        Mistake(
            "truncated",
            "It is 0 nearly everywhere: // rounds the quotient down.",
            lambda d: 1 // math.sqrt(d),
            lambda d: 1 // d,
        ),
        Mistake(
            "factor-two",
            "Too small by √2: q and k have d_k coordinates each, and d_k products are summed.",
            lambda d: 1 / math.sqrt(2 * d),
        ),
        Mistake(
            "precedence",
            "** binds more tightly than /: what is raised to which power here?",
            lambda d: d**-1 / 2,
            lambda d: d**1 / 2,
        ),
        Mistake(
            "rounded-root",
            "Right for square numbers. For other widths the square root is rounded down to a whole number.",
            lambda d: 1 / math.isqrt(d),
        ),
        Mistake(
            "constant-factor",
            "It falls with d_k as it should, but for every width it is off by the same factor. What is the variance of "
            "the score for d_k = 1?",
            lambda d: 2 / math.sqrt(d),
            lambda d: 1 / (2 * math.sqrt(d)),
            lambda d: math.sqrt(2 / d),
        ),
        Mistake("square", "The square instead of the square root.", lambda d: 1 / d**2),
        Mistake("fourth-root", "That would be the factor for q and for k each, not for q·k.", lambda d: d**-0.25),
        Mistake(
            "logarithm",
            "The logarithm grows much more slowly than the standard deviation of the scores.",
            lambda d: 1 / math.log(d) if d > 1 else math.inf,
        ),
        Mistake("shifted", "Off by one in d_k.", lambda d: 1 / math.sqrt(d + 1), lambda d: 1 / math.sqrt(d - 1)),
        Mistake("sign", "Negative: it would turn the best key into the worst.", lambda d: -1 / math.sqrt(d)),
    ],
)
def check_scale(answer):
    """Check ``answer(d_k)``: the factor that gives q·k standard deviation 1, for coordinates of mean 0, variance 1."""


def _dot_product_variance(d, mq, vq, mk, vk):
    return d * (vq * vk + mq**2 * vk + mk**2 * vq)


@checks(
    right=_dot_product_variance,
    returns="number",
    cases=[
        ("coordinates with means", (456, 1.56, 0.36**2, -0.34, 1.44)),
        ("zero means", (64, 0.0, 1.0, 0.0, 1.0)),
        ("zero means and unequal variances", (16, 0.0, 4.0, 0.0, 0.25)),
        ("constant keys", (8, 0.5, 2.0, 3.0, 0.0)),
        ("one coordinate", (1, -2.0, 0.5, 1.5, 3.0)),
        ("constant queries", (8, 1.5, 0.0, -1.0, 2.0)),
    ],
    shown="Right with and without means, for unequal variances, for one coordinate and for constant ones.",
    mistakes=[
        Mistake(
            "zero-means",
            "Right where both means are 0. Which terms of the derivation vanish only then?",
            lambda d, mq, vq, mk, vk: d * vq * vk,
        ),
        Mistake(
            "one-mean",
            "The query's mean counts, but the key's does not (as within one row of scores).",
            lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 * vk),
        ),
        Mistake(
            "one-mean",
            "The key's mean counts, but the query's does not.",
            lambda d, mq, vq, mk, vk: d * (vq * vk + mk**2 * vq),
        ),
        Mistake(
            "no-product",
            "The term with both variances is missing.",
            lambda d, mq, vq, mk, vk: d * (mq**2 * vk + mk**2 * vq),
        ),
        Mistake(
            "crossed",
            "Each mean goes with its own variance here. Whose variance should it go with?",
            lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 * vq + mk**2 * vk),
        ),
        Mistake(
            "mean-square",
            "This is the mean of (q_i k_i)², summed. What does a variance subtract from it?",
            lambda d, mq, vq, mk, vk: d * (vq + mq**2) * (vk + mk**2),
        ),
        Mistake(
            "wrong-mean-subtracted",
            "The wrong thing is subtracted from the mean of a square. Is it squared, and is it the mean of one product "
            "or of the whole sum?",
            lambda d, mq, vq, mk, vk: d * ((vq + mq**2) * (vk + mk**2) - mq * mk),
            lambda d, mq, vq, mk, vk: d * (vq + mq**2) * (vk + mk**2) - (mq * mk) ** 2,
            lambda d, mq, vq, mk, vk: d * (vq + mq**2) * (vk + mk**2) - (d * mq * mk) ** 2,
        ),
        Mistake(
            "bracket",
            "d_k multiplies the first term only. How many coordinates do the others come from?",
            lambda d, mq, vq, mk, vk: d * vq * vk + mq**2 * vk + mk**2 * vq,
        ),
        Mistake(
            "means-alone",
            "The squares of the means are added as they are. What does each of them multiply?",
            lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 + mk**2),
        ),
        Mistake(
            "not-squared",
            "The means enter without a square.",
            lambda d, mq, vq, mk, vk: d * (vq * vk + mq * vk + mk * vq),
        ),
        Mistake(
            "one-coordinate",
            "Right for one coordinate, or after division by √d_k. How many coordinates are there?",
            lambda d, mq, vq, mk, vk: _dot_product_variance(1, mq, vq, mk, vk),
        ),
        Mistake(
            "d-squared",
            "d_k enters squared. Which add up for independent terms: variances or standard deviations?",
            lambda d, mq, vq, mk, vk: d * _dot_product_variance(d, mq, vq, mk, vk),
        ),
        Mistake(
            "root-of-d",
            "d_k enters under a square root.",
            lambda d, mq, vq, mk, vk: _dot_product_variance(1, mq, vq, mk, vk) * math.sqrt(d),
        ),
        Mistake(
            "standard-deviation",
            "This is the standard deviation.",
            lambda d, mq, vq, mk, vk: math.sqrt(_dot_product_variance(d, mq, vq, mk, vk)),
        ),
        Mistake(
            "squared-variances",
            "q_var and k_var are variances already; here they are squared.",
            lambda d, mq, vq, mk, vk: _dot_product_variance(d, mq, vq**2, mk, vk**2),
        ),
        Mistake(
            "roots-of-variances",
            "Standard deviations where variances should be.",
            lambda d, mq, vq, mk, vk: _dot_product_variance(d, mq, vq**0.5, mk, vk**0.5),
        ),
        Mistake("one-coordinate", "Right for one coordinate and zero means.", lambda d, mq, vq, mk, vk: vq * vk),
        Mistake(
            "factor-two",
            "A term is counted twice, as in the square of a sum. Are q and k not independent?",
            lambda d, mq, vq, mk, vk: _dot_product_variance(d, mq, vq, mk, vk) + 2 * d * mq * mk,
        ),
        Mistake(
            "d-squared", "d_k enters squared, and the means do not count.", lambda d, mq, vq, mk, vk: d * d * vq * vk
        ),
        Mistake(
            "sum-of-variances", "That would be the variance of q_i + k_i.", lambda d, mq, vq, mk, vk: d * (vq + vk)
        ),
        Mistake("mean", "This is the mean of q·k.", lambda d, mq, vq, mk, vk: d * mq * mk),
        Mistake(
            "sign",
            "There is a minus where a plus should be.",
            lambda d, mq, vq, mk, vk: d * (vq * vk - mq**2 * vk - mk**2 * vq),
        ),
        Mistake(
            "product-of-means",
            "The product of the means is added. Where does it cancel?",
            lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 * mk**2),
            lambda d, mq, vq, mk, vk: d * (vq * vk + mq * mk),
        ),
    ],
)
def check_dot_product_variance(answer):
    """Check ``answer(d_k, q_mean, q_var, k_mean, k_var)``: the variance of q·k for independent coordinates."""
