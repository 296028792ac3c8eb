"""Trained models that run in the page, and what they share."""

from .int8 import quantised

__all__ = ["quantised"]
