"""Weights of one byte each, from which the page's form of a trained model is made."""

import torch


def quantised(weight):
    """A matrix as whole numbers from -127 to 127, in int8, and one step for each row: weight ≈ numbers · steps.

    Returns ``numbers`` (out, in) in int8 and ``steps`` (out, 1) in float32: the largest size in the row divided by 127
    (1 for a row of zeros). No entry is off by more than half of its row's step.

    Raises ``TypeError`` if ``weight`` is not a tensor of floating-point numbers, ``ValueError`` if it is not a matrix
    or not finite.
    """
    if not isinstance(weight, torch.Tensor) or not weight.is_floating_point():
        came = getattr(weight, "dtype", type(weight))
        raise TypeError(f"weight must be a tensor of floating-point numbers, got {came}")
    if weight.ndim != 2 or weight.shape[1] == 0:
        raise ValueError(f"weight must be a matrix, (out, in) with in > 0, got shape {tuple(weight.shape)}")
    if not weight.isfinite().all():
        raise ValueError("weight must be finite, got NaN or an infinite number")
    largest = weight.detach().float().abs().amax(1, keepdim=True)
    steps = torch.where(largest > 0, largest / 127, torch.ones_like(largest))
    return (weight.detach().float() / steps).round().to(torch.int8), steps
