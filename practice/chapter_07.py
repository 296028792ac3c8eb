"""Exercises: the inputs of a decoder while it is taught."""

import torch

from .engine import Mistake, checks, say


def _numbers(*shape, seed):
    return torch.randint(2, 50, shape, generator=torch.Generator().manual_seed(seed))


def _right(targets, start):
    return torch.cat([torch.full_like(targets[:, :1], start), targets[:, :-1]], 1)


@checks(
    right=_right,
    cases=[
        ("two targets of five", (_numbers(2, 5, seed=401), 1)),
        ("one target of ten", (_numbers(1, 10, seed=402), 0)),
        ("seven targets of three, a different start", (_numbers(7, 3, seed=403), 99)),
        ("a single character", (_numbers(4, 1, seed=404), 1)),
        ("as many targets as characters", (_numbers(4, 4, seed=405), 1)),
    ],
    explain=lambda got, expected, arguments: (
        None if (got[:, 0] == expected[:, 0]).all() else ("no-start", say("the first column is not `start`."))
    ),
    shown="The input for each character is the one before it, and for the first the start; integers stay integers.",
    mistakes=[
        Mistake(
            "not-shifted",
            "The targets are returned unchanged: each character is its own input, and the answer is given away.",
            lambda targets, start: targets,
        ),
        Mistake(
            "wrong-way",
            "The targets are shifted the wrong way: each character gets the one after it.",
            lambda targets, start: torch.cat([targets[:, 1:], torch.full_like(targets[:, :1], start)], 1),
            lambda targets, start: targets.roll(-1, 1),
        ),
        Mistake(
            "rolled",
            "The last character has come round to the front, where `start` should be.",
            lambda targets, start: targets.roll(1, 1),
            lambda targets, start: targets.roll(1),
        ),
        Mistake(
            "first-row-only",
            "Only the first row begins with `start`. Each row is a separate text.",
            lambda targets, start: torch.cat([torch.tensor([start]), targets.flatten()[:-1]]).view(targets.shape),
            lambda targets, start: torch.cat([_right(targets[:1], start), targets[1:].roll(1, 1)]),
        ),
        Mistake(
            "one-too-few",
            "One column is missing. What does the decoder read before it has written anything?",
            lambda targets, start: targets[:, :-1],
            lambda targets, start: targets[:, 1:],
        ),
        Mistake(
            "one-too-many",
            "The start is put in front, but the last character is still there: there is one column too many.",
            lambda targets, start: torch.cat([torch.full_like(targets[:, :1], start), targets], 1),
        ),
        Mistake(
            "overwrites-the-first",
            "The first character is replaced by `start`, but the others have not moved.",
            lambda targets, start: torch.cat([torch.full_like(targets[:, :1], start), targets[:, 1:]], 1),
        ),
        Mistake(
            "overwrites-the-last",
            "The last character is replaced by `start`, but the others have not moved.",
            lambda targets, start: torch.cat([targets[:, :-1], torch.full_like(targets[:, :1], start)], 1),
        ),
        Mistake(
            "shifted-twice",
            "Each character has moved by two places: `start` is there twice.",
            lambda targets, start: _right(_right(targets, start), start),
            lambda targets, start: torch.nn.functional.pad(targets[:, :-2], (2, 0), value=start),
        ),
        Mistake(
            "start-everywhere",
            "Every column is `start`. Does a loop read columns that it has already overwritten?",
            torch.full_like,
        ),
        Mistake(
            "shifts-the-batch",
            "Whole targets have moved, from row to row. The characters should move within each target.",
            lambda targets, start: torch.cat([torch.full_like(targets[:1], start), targets[:-1]]),
            lambda targets, start: targets.roll(1, 0),
        ),
        Mistake(
            "always-zero",
            "0 is in front, whatever `start` is.",
            lambda targets, start: _right(targets, 0),
        ),
        Mistake("always-one", "1 is in front, whatever `start` is.", lambda targets, start: _right(targets, 1)),
    ],
)
def check_shifted(answer):
    """Check ``answer(targets, start)``: the inputs of a decoder that is taught ``targets``, ``(N, L)``."""
