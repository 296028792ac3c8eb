"""What a screen reader says for a figure: its message, and briefly the numbers that a person would read off."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from explore import canvas, tiles
from explore.figures.description import describe_figure, first_sentence, say_figure


@pytest.fixture
def ax():
    return plt.subplots()[1]


def test_like_things_without_names_are_one_thing_with_its_reach(ax):
    for i in range(4):
        for j in range(4):
            ax.plot([0.04, 0.96], [-i, -j])
    ax.plot(2, 5, "o")
    ax.axvline(0.5)
    ax.bar([0, 1], [3, 4])
    assert say_figure(ax.figure) == (
        "2 bars: 3, 4; 16 lines, 0.04 to 0.96 across, -3 to 0 up; mark at 2, 5; vertical line at 0.5"
    )


def test_two_lines_are_heard_each_and_so_are_those_with_names(ax):
    ax.plot([0, 1], [0, 1])
    ax.plot([0, 1], [0, 2])
    for k in range(3):
        ax.plot([0, 1, 2], [0, k + 3, 1], label=f"run {k}")
    assert say_figure(ax.figure) == (
        "run 0 from 0 at 0 to 1 at 2, highest 3 at 1; run 1 from 0 at 0 to 1 at 2, highest 4 at 1; "
        "run 2 from 0 at 0 to 1 at 2, highest 5 at 1; line from 0 at 0 to 1 at 1; line from 0 at 0 to 2 at 1"
    )


@pytest.mark.parametrize(
    ("lines", "heard"),
    [
        (8, "run 0: 2 to 1; run 1: 2 to 1;"),
        (30, "30 lines (run 0, run 1,"),
    ],
)
def test_a_panel_with_many_names_is_grouped_further(ax, lines, heard):
    for k in range(lines):
        ax.plot([0, 1, 2, 3], [np.nan, 2, k + 3, 1], label=f"run {k}")
    assert say_figure(ax.figure).startswith(heard)
    assert "to 3 across, 1 to 32 up" in say_figure(ax.figure) or lines == 8


@pytest.mark.parametrize("count", [3, 5, 40, 400])
def test_a_panel_has_sixty_words_at_most(ax, count):
    x = np.arange(count)
    for k in range(count):
        ax.plot(x[:2], x[:2] * k)
        ax.scatter(x[:2], x[:2] * k)
        ax.add_patch(plt.Rectangle((k, k), 1, 1))
        ax.annotate("", (k, 0), (0, k), arrowprops={"arrowstyle": "->"})
        ax.text(k, k, f"label {k}")
    assert len(say_figure(ax.figure).split()) <= 60


def test_panels_that_differ_in_numbers_only_are_counted():
    fig, axes = plt.subplots(3, 3)
    for k, ax in enumerate(axes.flat):
        ax.imshow(np.eye(3) * (k + 1))
    assert say_figure(fig) == (
        "map of 3 rows and 3 columns, 0 to 1, the largest in several cells. "
        "8 more panels like this, the last: map of 3 rows and 3 columns, 0 to 9, the largest in several cells"
    )


def test_tiles_are_read_out_while_they_are_few():
    fig, ax = canvas(12, height=10)
    tiles(ax, np.arange(4.0).reshape(2, 2), at=(1, 1), role="key", name="keys")
    assert say_figure(fig) == "keys: 0 1; 2 3"
    tiles(ax, np.arange(64.0).reshape(8, 8), at=(4, 1), role="weight", name="weights")
    assert (
        say_figure(fig)
        == "keys: 2 rows and 2 columns of numbers, 0 to 3; weights: 8 rows and 8 columns of numbers, 0 to 63"
    )
    assert "63" in describe_figure(fig, thorough=True)


@pytest.mark.parametrize(
    ("caption", "message"),
    [
        ("One key wins. Line: the rest.", "One key wins."),
        ("The spread is 1.5 at dₖ = 2.", "The spread is 1.5 at dₖ = 2."),
        ("Who wins? σ decides.", "Who wins?"),
        ("No full stop", "No full stop"),
    ],
)
def test_the_message_is_the_first_sentence(caption, message):
    assert first_sentence(caption) == message
