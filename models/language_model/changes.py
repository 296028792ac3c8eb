"""The language model with something changed: its scale, its heads, its positions, or which tokens each token sees.

The page's copy is in decoder.js.
"""

import contextlib

import torch

import attention_core as ac
from models.language_model.decoder import rotated


def mask(L, *, causal=True, window=0, keep_first=False, hide_first=False):
    """Which of L tokens each of them sees, ``(L, L)``; True = may attend.

    With a ``window`` above 0, a token sees itself and the nearest ``window`` - 1 on each side; with ``keep_first`` also
    the first one. ``hide_first`` hides the first token from all others. ``causal`` hides later tokens.
    """
    i, j = torch.arange(L)[:, None], torch.arange(L)
    seen = ((i - j).abs() < window) | (keep_first & (j == 0)) if window else torch.ones(L, L, dtype=torch.bool)
    if causal:
        seen = seen & (j <= i)
    if hide_first:
        seen[1:, 0] = False
    return seen


def attention_with(*, factor=1.0, off=(), positions=True, watch=None):
    """Attention with a factor on the scale, with heads ``off`` that add nothing, or without positions.

    ``watch`` gets the weights of each call, ``(N, H, L, S)``, also those of heads that are off.
    """

    def attention(query, key, value, attn_mask=None, *, is_causal=False):
        if positions:
            query, key = rotated(query, key)
        scale = factor / query.shape[-1] ** 0.5
        weights = ac.attention_weights(query, key, attn_mask, is_causal=is_causal, scale=scale)
        if watch:
            watch(weights)
        output = weights @ value
        output[:, list(off)] = 0
        return output

    return attention


@contextlib.contextmanager
def changed(model, attention_of):
    """Within this block, layer i of the model uses ``attention_of(i)``; None leaves the layer as it is."""
    before = [layer.attention.attention for layer in model.layers]
    try:
        for i, layer in enumerate(model.layers):
            if new := attention_of(i):
                layer.attention.attention = new
        yield model
    finally:
        for layer, attention in zip(model.layers, before, strict=True):
            layer.attention.attention = attention
