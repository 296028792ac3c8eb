"""Figures: their style, the rules that they must follow, their description in words, and their form for a page."""
