"""Figures: their style, the rules that they must keep, their description in words, and their form for a page."""
