"""Exercises: the mask of local attention."""

import torch

import attention_core as ac

from .engine import Mistake, checks, say


def _square_mask_where(compare):
    """A mask, L × L, from a comparison of rows i and columns j."""
    return lambda L, window: compare(torch.arange(L)[:, None], torch.arange(L), L, window)


@checks(
    right=ac.sliding_window_mask,
    returns="mask",
    cases=[(f"L = {L}, window = {w}", (L, w)) for L, w in [(6, 1), (8, 2), (5, 3), (3, 7), (1, 1), (9, 4)]],
    explain=lambda got, expected, arguments: (
        ("sees-too-far", say("a position outside the window may be seen."))
        if (got & ~expected).any()
        else ("sees-too-little", say("a position inside the window is hidden."))
    ),
    shown=(
        "Right for windows narrower and wider than the sequence: boolean, True where the distance is at most the "
        "window."
    ),
    mistakes=[
        Mistake(
            "inverted",
            "True marks the hidden positions. In this book True = may attend.",
            _square_mask_where(lambda i, j, L, w: (i - j).abs() > w),
            _square_mask_where(lambda i, j, L, w: (i - j).abs() >= w),
        ),
        Mistake(
            "too-narrow",
            "The border of the window is left out: may the distance be equal to the window?",
            _square_mask_where(lambda i, j, L, w: (i - j).abs() < w),
        ),
        Mistake(
            "too-wide",
            "There is one position too many on each side.",
            _square_mask_where(lambda i, j, L, w: (i - j).abs() <= w + 1),
        ),
        Mistake(
            "looks-back-only",
            "Only earlier positions are seen. The window has two sides here.",
            _square_mask_where(lambda i, j, L, w: (i - j >= 0) & (i - j <= w)),
            _square_mask_where(lambda i, j, L, w: (i - j >= 0) & (i - j < w)),
        ),
        Mistake(
            "looks-ahead-only",
            "Only later positions are seen. The window has two sides.",
            _square_mask_where(lambda i, j, L, w: (j - i >= 0) & (j - i <= w)),
            _square_mask_where(lambda i, j, L, w: (j - i >= 0) & (j - i < w)),
        ),
        Mistake(
            "uneven",
            "On one side the window is one position shorter than on the other. Does a slice contain its end?",
            _square_mask_where(lambda i, j, L, w: (j - i >= -w) & (j - i < w)),
            _square_mask_where(lambda i, j, L, w: (j - i > -w) & (j - i <= w)),
        ),
        Mistake(
            "negative-index",
            "The first rows are wrong: there a slice begins with a negative number, which counts from the end.",
            _square_mask_where(lambda i, j, L, w: (j >= (i - w).where(i >= w, i - w + L)) & (j <= i + w)),
        ),
        Mistake(
            "no-absolute-value",
            "Negative differences are all allowed: everything later is seen.",
            _square_mask_where(lambda i, j, L, w: i - j <= w),
        ),
        Mistake(
            "no-absolute-value",
            "Negative differences are all allowed: everything earlier is seen.",
            _square_mask_where(lambda i, j, L, w: j - i <= w),
        ),
        Mistake(
            "total-width",
            "The window is taken as the whole width, but it counts the positions on each side.",
            _square_mask_where(lambda i, j, L, w: (i - j).abs() <= w // 2),
        ),
        Mistake(
            "double-width",
            "The window is doubled, but it already counts the positions on each side.",
            _square_mask_where(lambda i, j, L, w: (i - j).abs() <= 2 * w),
        ),
        Mistake(
            "hides-itself",
            "A position does not see itself.",
            _square_mask_where(lambda i, j, L, w: ((i - j).abs() <= w) & (i != j)),
        ),
        Mistake(
            "blocks",
            "These are blocks side by side. A window moves along with the query.",
            _square_mask_where(lambda i, j, L, w: i // w == j // w),
        ),
        Mistake(
            "ring",
            "The ends are joined into a ring.",
            _square_mask_where(lambda i, j, L, w: torch.minimum((i - j) % L, (j - i) % L) <= w),
        ),
        Mistake("hides-nothing", "Everything may be seen.", lambda L, w: torch.ones(L, L).bool()),
        Mistake("hides-everything", "Nothing may be seen.", lambda L, w: torch.zeros(L, L).bool()),
        Mistake("causal", "This is a causal mask, whatever the window.", lambda L, w: ac.causal_mask(L)),
        Mistake(
            "additive",
            "These are numbers to be added to scores. A boolean mask is asked for, True = may attend.",
            lambda L, w: ac.to_additive(ac.sliding_window_mask(L, w), torch.float32),
            lambda L, w: torch.zeros(L, L).masked_fill(~ac.sliding_window_mask(L, w), -1e9),
        ),
    ],
)
def check_local_mask(answer):
    """Check ``answer(L, window)``: a boolean mask, True where two positions are at most ``window`` apart."""
