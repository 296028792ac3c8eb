"""States of an explorer: buttons in a notebook and on a page, in flip-books and in explorers that compute."""

import re

import matplotlib.pyplot as plt
import pytest
from playwright.sync_api import expect
from test_explorer import page_of

from conftest import WITH_EXPLORERS
from explore import explore, integer, number, rare, state, switches
from website.places import SITE

STATES = re.compile(r'<div class="explorer-states"[^>]*>(.*?)</div>\s*<p class="explorer-notice"[^>]*>(.*?)</p>', re.S)
SHARP = "One <key> has it all."


def words(size=1, name="a", flag=False):
    """Words."""
    return f"<p>{size} {name} {flag}</p>"


@pytest.fixture
def flip_book():
    states = [state("Sharp & large", SHARP, size=4, flag=True), state("Other", "Another name.", name="b")]
    return explore(*states, size=[1, 2, 4], name=["a", "b"], flag=[False, True])(words)


def slope(sigma, kind, cells):
    """A line of slope σ."""
    fig, ax = plt.subplots(figsize=(3, 2))
    ax.plot([0, 1], [0, sigma], gid="line")
    return fig


PROGRAM = """book.explorers.slope = ({ sigma, kind, cells }) => ({
    artists: { line: { x: [0, 1], y: [0, sigma] } }, axes: {}, words: `slope ${sigma} ${kind} ${cells}` });"""


CONTROLS = dict(sigma=number(1, 4), kind=["a", "b"], cells=switches([""], ["1", "2"]))
STEEP = state("Steep", "It is steep.", sigma=3.5, cells=((True, False),))


@pytest.fixture
def computing():
    return explore(STEEP, state("Other kind", "Still flat.", kind="b"), **CONTROLS)(slope)


def test_the_stored_text_has_each_state_with_its_sentence_and_picture(flip_book):
    text = flip_book._repr_mimebundle_()[0]["text/plain"].split("\n")
    assert f"Sharp & large (size = 4, name = a, flag = True): {SHARP} 4 a True" in text
    assert "Other (size = 1, name = b, flag = False): Another name. 1 b False" in text


def test_each_state_of_an_explorer_that_computes_is_drawn():
    drawn = []

    def recorded(sigma, kind, cells):
        """Draws."""
        drawn.append((sigma, kind, cells))
        return slope(sigma, kind, cells)

    text = explore(STEEP, **CONTROLS)(recorded)._repr_mimebundle_()[0]["text/plain"]
    assert (3.5, "a", [[True, False]]) in drawn
    assert "Steep (σ = 3.5, kind = a, cells = 1 0): It is steep. line from 0 at 0 to 3.5 at 1" in text


def test_the_widgets_buttons_set_all_controls_and_a_hand_releases_them(flip_book, no_loop):
    states, beside, _ = flip_book.widget().children
    (size, name, flag, _), drawing = beside.children[0].children, beside.children[1]
    name.value = 1
    states.buttons[0].click()
    assert (size.value, name.value, flag.value) == (2, 0, True)
    assert "<p>4 a True</p>" in drawing.value
    assert states.sentence.value == "One &lt;key&gt; has it all."
    assert [button.button_style for button in states.buttons] == ["info", ""]
    states.buttons[1].click()
    assert [button.button_style for button in states.buttons] == ["", "info"]
    assert [bool(control.layout.border_top) for control in (size, name, flag)] == [True, True, True]
    states.buttons[1].click()  # changes nothing
    assert states.sentence.value == "Another name."
    assert [bool(control.layout.border_top) for control in (size, name, flag)] == [False, False, False]
    size.value = 1
    assert states.sentence.value == ""
    assert [button.button_style for button in states.buttons] == ["", ""]


def test_the_widgets_buttons_set_fields_and_switches(computing, no_loop):
    states, beside, _ = computing.widget().children
    sigma, _, cells, _ = beside.children[0].children
    states.buttons[0].click()
    assert (sigma.value, sigma.slider.value, sigma.typed.value) == (3.5, 333, "3.5")
    assert (cells.value, [cell.value for cell in cells.cells]) == (((1, 0),), [True, False])
    states.buttons[1].click()
    assert (sigma.value, cells.value) == (1, ((0, 0),))


@pytest.mark.parametrize(
    ("error", "message", "given"),
    [
        (TypeError, "state 'A' has no control 'colour'; the controls are size, n", lambda: state("A", "B", colour=1)),
        (ValueError, "state 'A': size must be one of 1, 2, got 3", lambda: state("A", "B", size=3)),
        (ValueError, "state 'A': n must be an integer from 2 to 9, got 10", lambda: state("A", "B", n=10)),
        (TypeError, "state 'A': n must have a value, got None", lambda: state("A", "B", n=None)),
        (TypeError, "a state's name must be text, got 3", lambda: state(3, "B")),
        (ValueError, "a state's sentence must not be empty", lambda: state("A", " ")),
        (
            TypeError,
            r"explore takes states before its controls, such as state\(name, sentence, …\), got 'A'",
            lambda: "A",
        ),
    ],
)
def test_a_state_that_cannot_be_is_refused_by_name(error, message, given):
    with pytest.raises(error, match=message):
        explore(given(), size=[1, 2], n=integer(2, 9))(sized)


def sized(size, n):
    """Anything."""


def test_two_states_have_two_names():
    with pytest.raises(ValueError, match="each state needs a name of its own, got A, A"):
        explore(state("A", "B"), state("A", "C"), size=[1, 2])


def test_an_explorer_without_states_has_no_buttons():
    explorer = explore(size=[1, 2])(words)
    assert "explorer-states" not in page_of(explorer)
    assert len(explorer.widget().children) == 2


def test_a_click_shows_the_state_and_a_hand_releases_it(flip_book, page_with):
    page = page_with(flip_book)
    sharp, other = (page.get_by_role("button", name=name, exact=True) for name in ("Sharp & large", "Other"))
    sentence, frame = page.locator(".explorer-notice"), page.locator(".explorer-frame")
    page.locator("select").select_option("b")
    sharp.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".explorer-lit")).to_have_count(3)  # first, because they are lit for a second only
    expect(frame).to_have_text("4 a True")
    expect(sentence).to_have_text(SHARP)
    assert (sharp.get_attribute("aria-pressed"), other.get_attribute("aria-pressed")) == ("true", "false")
    expect(page.locator(".explorer-lit")).to_have_count(0, timeout=3000)
    assert sentence.bounding_box()["y"] < frame.bounding_box()["y"]
    other.click()
    expect(frame).to_have_text("1 b False")
    assert (sharp.get_attribute("aria-pressed"), other.get_attribute("aria-pressed")) == ("false", "true")
    page.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(frame).to_have_text("2 b False")
    expect(sentence).to_have_text("")
    assert other.get_attribute("aria-pressed") == "false"
    assert page.complaints == []


def test_a_click_moves_an_explorer_that_computes_and_a_hand_releases_it(computing, page_with):
    page = page_with(computing, PROGRAM)
    steep, other = (page.get_by_role("button", name=name, exact=True) for name in ("Steep", "Other kind"))
    said, sentence = page.locator(".explorer-text"), page.locator(".explorer-notice")
    steep.click()
    lit = page.locator(".explorer-lit").evaluate_all("all => all.map(e => e.dataset.control)")
    assert lit == ["sigma", "cells"]
    expect(said).to_have_text("slope 3.5 a 1,0")
    expect(sentence).to_have_text("It is steep.")
    other.click()
    expect(said).to_have_text("slope 1 b 0,0")
    expect(sentence).to_have_text("Still flat.")
    page.locator("td button").first.click()
    expect(said).to_have_text("slope 1 b 1,0")
    expect(sentence).to_have_text("")
    assert other.get_attribute("aria-pressed") == "false"
    other.click()
    page.get_by_role("button", name="reset").click()
    expect(sentence).to_have_text("")
    assert page.complaints == []


def test_a_link_lights_what_it_sets(computing, page_with):
    page = page_with(computing, PROGRAM)
    page.evaluate("location.hash = 'slope&sigma=2'")
    expect(page.locator(".explorer-text")).to_have_text("slope 2 a 0,0")
    assert page.locator(".explorer-lit").evaluate_all("all => all.map(e => e.dataset.control)") == ["sigma"]


def test_the_state_that_is_the_start_is_pressed_and_reset_presses_it_again(page_with):
    states = [state("Flat", "It is flat."), state("Steep", "It is steep.", sigma=3.5)]
    explorer = explore(*states, **CONTROLS)(slope)
    page = page_with(explorer, PROGRAM)
    flat, sentence = page.get_by_role("button", name="Flat"), page.locator(".explorer-notice")
    expect(sentence).to_have_text("It is flat.")
    expect(flat).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Steep").click()
    expect(flat).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="reset").click()
    expect(sentence).to_have_text("It is flat.")
    expect(flat).to_have_attribute("aria-pressed", "true")
    widget = explorer.widget().children[0]
    assert [button.button_style for button in widget.buttons] == ["info", ""]


@pytest.mark.parametrize("page", WITH_EXPLORERS)
def test_each_explorer_with_states_begins_in_one_of_them_and_says_its_sentence(page):
    markup = (SITE / page).read_text("utf-8")
    assert len(STATES.findall(markup)) == markup.count("explorer-notice")
    for buttons, sentence in STATES.findall(markup):
        assert buttons.count('aria-pressed="true"') == 1, buttons
        assert sentence


def test_paper_has_the_sentence_and_no_buttons(flip_book, page_with):
    page = page_with(flip_book)
    page.emulate_media(media="print")
    assert not page.locator(".explorer-notice").is_visible()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Other").click()
    page.emulate_media(media="print")
    assert page.locator(".explorer-notice").is_visible()
    assert not page.locator(".explorer-states").is_visible()


def test_a_state_opens_the_controls_that_it_changes(page_with):
    page = page_with(explore(state("Other", "Another.", name="b"), name=rare(["a", "b"]), size=[1, 2])(words))
    assert not page.locator("select").is_visible()
    page.get_by_role("button", name="Other").click()
    assert page.locator("select").is_visible()
    expect(page.locator(".explorer-frame")).to_have_text("1 b False")


def test_without_scripts_there_are_no_buttons(flip_book, page_with):
    page = page_with(flip_book, java_script_enabled=False)
    assert not page.locator(".explorer-states").is_visible()
    assert page.locator(".explorer-frame").is_visible()
