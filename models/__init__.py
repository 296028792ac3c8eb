"""Trained models that run in the page, and the code that they share."""
