"""Figures: their style, what they must keep, what they show in words, and their form for a page."""
