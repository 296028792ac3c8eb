"""What a screen reader says for a figure: its message, and briefly the numbers that a person would read off."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import languages
from explore import canvas, tiles
from explore.figures.description_for_ears import say_figure
from explore.figures.description_to_compare import describe_figure
from explore.figures.markup import hidden_text, with_words
from explore.figures.text import first_sentence


@pytest.fixture
def ax():
    return plt.subplots()[1]


def heard(fig):
    """The words for a figure, which have a line for each thing, on one line."""
    return " ".join(say_figure(fig).splitlines())


def test_like_things_without_names_are_one_thing_with_its_reach(ax):
    for i in range(4):
        for j in range(4):
            ax.plot([0.04, 0.96], [-i, -j])
    ax.plot(2, 5, "o")
    ax.axvline(0.5)
    ax.bar([0, 1], [3, 4])
    assert heard(ax.figure) == (
        "2 bars: 3, 4; 16 lines, 0.04 to 0.96 across, -3 to 0 up; mark at 2, 5; vertical line at 0.5"
    )


def test_two_lines_are_heard_each_and_so_are_those_with_names(ax):
    ax.plot([0, 1], [0, 1])
    ax.plot([0, 1], [0, 2])
    for k in range(3):
        ax.plot([0, 1, 2], [0, k + 3, 1], label=f"run {k}")
    assert heard(ax.figure) == (
        "run 0 from 0 at 0 to 1 at 2, highest 3 at 1; run 1 from 0 at 0 to 1 at 2, highest 4 at 1; "
        "run 2 from 0 at 0 to 1 at 2, highest 5 at 1; line from 0 at 0 to 1 at 1; line from 0 at 0 to 2 at 1"
    )


@pytest.mark.parametrize(("lines", "words"), [(8, "run 0: 2 to 1; run 1: 2 to 1;"), (30, "30 lines (run 0, run 1,")])
def test_a_panel_with_many_names_is_grouped_further(ax, lines, words):
    for k in range(lines):
        ax.plot([0, 1, 2, 3], [np.nan, 2, k + 3, 1], label=f"run {k}")
    assert heard(ax.figure).startswith(words)
    assert "to 3 across, 1 to 32 up" in heard(ax.figure) or lines == 8


@pytest.mark.parametrize("count", [3, 5, 40, 400])
def test_a_panel_has_sixty_words_at_most(ax, count):
    x = np.arange(count)
    for k in range(count):
        ax.plot(x[:2], x[:2] * k)
        ax.scatter(x[:2], x[:2] * k)
        ax.add_patch(plt.Rectangle((k, k), 1, 1))
        ax.annotate("", (k, 0), (0, k), arrowprops={"arrowstyle": "->"})
        ax.text(k, k, f"label {k}")
    assert len(heard(ax.figure).split()) <= 60


def test_panels_that_differ_in_numbers_only_are_counted():
    fig, axes = plt.subplots(3, 3)
    for k, ax in enumerate(axes.flat):
        ax.imshow(np.eye(3) * (k + 1))
    assert heard(fig) == (
        "map of 3 rows and 3 columns, 0 to 1, the largest in several cells. "
        "8 more panels like this, the last: map of 3 rows and 3 columns, 0 to 9, the largest in several cells"
    )


def test_tiles_are_read_out_while_they_are_few():
    fig, ax = canvas(12, height=10)
    tiles(ax, np.arange(4.0).reshape(2, 2), at=(1, 1), role="key", name="keys")
    assert heard(fig) == "keys: 0 1; 2 3"
    tiles(ax, np.arange(64.0).reshape(8, 8), at=(4, 1), role="weight", name="weights")
    assert (
        heard(fig) == "keys: 2 rows and 2 columns of numbers, 0 to 3; weights: 8 rows and 8 columns of numbers, 0 to 63"
    )
    assert "63" in describe_figure(fig, thorough=True)


PO = """\
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: nplurals=1; plural=0;\\n"

#: explore/figures/description_for_ears.py
msgid "up"
msgstr "auf"

#: explore/figures/description_for_ears.py
msgid "{what}, {x} to {right} across, {y} to {top} up"
msgstr "von {x} bis {right} und {y} bis {top}: {what}"

#: explore/figures/description_for_ears.py
msgid "{n} points"
msgid_plural "{n} points"
msgstr[0] "Punkte {n}"

#: explore/figures/description_for_ears.py
msgid "{n} group of points"
msgid_plural "{n} groups of points"
msgstr[0] "Gruppen {n}"

#: explore/figures/description_for_ears.py
msgid "{name} from {y} at {x} to {end} at {right}"
msgstr "{name}: {x} {y}, {right} {end}"
"""


def test_in_another_language_each_thing_is_said_and_stored_words_are_said_again(ax, tmp_path, monkeypatch):
    ax.set(ylabel="loss")
    for k in range(3):
        ax.scatter([0, 1], [k, k])
    ax.scatter([0, 1], [2, 3], label="dots")
    ax.plot([0, 1], [2, 3], label="a line")
    ax.text(0, 0, "one; two")
    ax.text(0, 1, "all the points")
    english, to_compare = say_figure(ax.figure), describe_figure(ax.figure)
    folder = tmp_path / "xx"
    folder.mkdir()
    (folder / "page.po").write_text(PO, "utf-8")
    (folder / "pictures.po").write_text('msgid "loss"\nmsgstr "Verlust"\n\nmsgid "one; two"\nmsgstr "1, 2"\n', "utf-8")
    monkeypatch.setenv(languages.LANGUAGE, str(folder))
    assert say_figure(ax.figure).splitlines() == [
        "auf:",
        "Verlust;",
        "dots:",
        "von 0 bis 1 und 2 bis 3: Punkte 2;",
        "von 0 bis 1 und 0 bis 2: Gruppen 3;",
        "a line: 0 2, 1 3;",
        "1, 2,",
        "all the points",
    ]
    assert with_words(hidden_text(english), languages.say_again) == hidden_text(say_figure(ax.figure))
    assert describe_figure(ax.figure) == to_compare


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
