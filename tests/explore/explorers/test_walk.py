"""Walks: a picture and a sentence for each step, in a notebook and on the page."""

import pytest
import torch
from test_explorer import page_of

from conftest import EVERYWHERE
from explore import canvas, tiles, walk
from explore.explorers.markup import last_step
from explore.figures.png import figure_to_png
from explore.mode import TO_STORE, UNWATCHED
from website.places import chapters


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
    page = page_of(growing)
    assert ">One row.</output>" in page
    assert "Two &amp; more." in page
    assert page.count("<button") == 3
    assert 'aria-label="one step forward"' in page


def test_a_walk_gives_its_last_step_as_a_picture_for_slides(growing):
    frames = growing.frames()
    assert last_step(page_of(growing)) == frames[2].markup != frames[0].markup
    assert last_step('<figure class="still"></figure>') is None


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


WALKS = [f"chapters/{path.stem}.html" for path in chapters() if "@walk(" in path.read_text(encoding="utf-8")]
# For each step, the pixels between the lowest thing drawn and the caption.
GAPS = """(figure) => {
    const slider = figure.querySelector("input[type=range]"), gaps = [];
    for (let step = 0; step <= Number(slider.max); step++) {
        slider.value = step;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        const drawn = [...figure.querySelectorAll("svg :is(path, text, use)")].map((e) => e.getBoundingClientRect());
        const lowest = Math.max(...drawn.filter((box) => box.width).map((box) => box.bottom));
        gaps.push(figure.querySelector("figcaption").getBoundingClientRect().top - lowest);
    }
    return gaps;
}"""


@pytest.mark.parametrize("page", WALKS if EVERYWHERE else WALKS[-1:])
def test_no_step_of_a_walk_leaves_room_empty_above_the_caption(page, open_page):
    """What is still to come is dashed, so each step is as high as the last."""
    opened = open_page(page)
    for figure in opened.locator("figure.explorer:has(.explorer-steps)").all():
        ident = figure.get_attribute("id")
        opened.wait_for_function("ident => book.explorer_frames[ident]", arg=ident)
        gaps = figure.evaluate(GAPS)
        assert max(gaps) <= 60, (ident, gaps)
