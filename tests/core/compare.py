"""Inputs for the tests of the core, the forms of attention, and the largest error of a result."""

import functools

import torch

import attention_core as ac

TOLERANCE = {torch.float64: 1e-12, torch.float32: 1e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}


SOFTMAX_FORMS = {
    "plain": ac.scaled_dot_product_attention,
    "blockwise": functools.partial(ac.blockwise_attention, block_size=2),
    "local": functools.partial(ac.local_attention, window=100),
}


def randn(*shape, seed=0, dtype=torch.float64):
    """Normal numbers of variance 1, so that a missing factor shows."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def rand(*shape, seed=0):
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def max_error(a, b):
    assert a.shape == b.shape
    return (a.double() - b.double()).abs().max().item() if a.numel() else 0.0
