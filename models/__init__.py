"""Trained models that run in the page, and what they share."""
