"""Walks: a picture and a sentence for each step, in a notebook and on the page."""

import matplotlib.pyplot as plt
import pytest
import torch

from explore import canvas, tiles, walk
from explore.explorers.markup import page_markup
from explore.figures.svg import figure_to_png
from explore.mode import TO_STORE, UNWATCHED


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture
def growing():
    @walk("One row.", "Two & more.", "Three rows.")
    def growing(step):
        """A cache grows by a row at a time."""
        _, ax = canvas(6, height=6)
        tiles(ax, torch.ones(step + 1, 2), at=(1, 1), role="key", name="keys")
        return ax.figure

    return growing


def test_a_walk_begins_with_its_first_step_and_is_stored_with_its_last(growing, monkeypatch):
    monkeypatch.setenv(UNWATCHED, TO_STORE)
    assert (growing.start, growing.still) == ({"step": 0}, {"step": 2})
    data, _ = growing._repr_mimebundle_()
    frames = growing.frames()
    assert [frame.drawing is not None for frame in frames] == [True, False, True]
    assert frames[0].text == "keys: 1 1"
    assert frames[2].text == "keys: 1 1; 1 1; 1 1"
    assert data["image/png"] == figure_to_png(frames[2].drawing) != figure_to_png(frames[0].drawing)
    assert "keys: 1 1; 1 1; 1 1" in data["text/plain"]


def test_a_walk_on_the_page_has_its_first_sentence_in_sight_and_buttons(growing):
    frames = growing.frames()
    page = page_markup(growing, frames, frames[0])
    assert ">One row.</output>" in page
    assert "Two &amp; more." in page
    assert page.count("<button") == 3
    assert 'aria-label="one step forward"' in page


def test_the_widget_goes_through_the_steps(growing):
    steps = growing.widget().children[0].children[0].children[0]
    slider = steps.children[0].children[1]
    slider.value = 1
    assert steps.value == 1
    assert steps.children[1].value == "Two &amp; more."


@pytest.mark.parametrize(
    ("sentences", "error", "words"),
    [
        ((), ValueError, "at least two, got 0"),
        (("One.",), ValueError, "at least two, got 1"),
        (("One.", 2), TypeError, "sentences must be text, got 2"),
        (("One.", " "), ValueError, "must not be empty"),
        (("One.", "One."), ValueError, "a sentence of its own"),
    ],
)
def test_a_walk_needs_a_different_sentence_for_each_step(sentences, error, words):
    with pytest.raises(error, match=words):
        walk(*sentences)
