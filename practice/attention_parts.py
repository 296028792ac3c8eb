"""Functions for the exercises of several chapters: parts of attention, inputs for it, and signs of a wrong output."""

from .engine import normal, say


def normal_qkv(*batch, L=3, S=5, E=8, Ev=4, seed, size=1.0, offset=0.0):
    """Random queries, keys and values; ``size`` is the standard deviation of queries and keys.

    ``offset`` is added to all scores, through the first coordinate of query and key.
    """
    shapes = [(*batch, L, E), (*batch, S, E), (*batch, S, Ev)]
    q, k, v = (normal(*shape, seed=10 * seed + i) for i, shape in enumerate(shapes))
    q, k = size * q, size * k
    if offset:
        q[..., 0], k[..., 0] = 20.0, offset * E**0.5 / 20
    return q, k, v


def scaled_scores(q, k):
    """Attention's scores."""
    return q @ k.mT / q.shape[-1] ** 0.5


def softmax_over_everything(x):
    """A softmax of all numbers of a tensor together."""
    return (x - x.max()).exp() / (x - x.max()).exp().sum()


def explain_attention(got, expected, arguments):
    """The mistake in an output that should be an average of the values (the third argument)."""
    value = arguments[2]
    if not got.isfinite().all():
        return "overflow", say("NaN or infinite numbers: is the softmax safe for large scores?")
    low, high = value.amin(-2, keepdim=True), value.amax(-2, keepdim=True)
    if (got < low - 1e-3).any() or (got > high + 1e-3).any():
        return "not-an-average", say(
            "an output is outside the range of the values, where no average can be. Do the weights sum to 1?"
        )
    return "wrong-weights", say("each output is an average of the values, but not with the right weights.")
