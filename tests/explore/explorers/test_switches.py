"""Switches that are the cells of the picture itself: pointer, keys, and their words for screen readers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from playwright.sync_api import expect

from explore import cells, explore, integer, switches

PROGRAM = (
    """book.explorers.mask = ({ may, n }) => ({ artists: { mask: { cells: may } }, axes: {}, words: `${may} ${n}` });"""
)


@pytest.fixture
def page(page_with):
    def mask(may, n):
        """A mask."""
        fig, ax = plt.subplots(figsize=(3, 2))
        ax.set(xlim=(0, 3), ylim=(-2, 0))
        cells(ax, np.array(may), gid="mask")
        ax.set_title("a title")
        return fig

    return page_with(
        explore(may=switches(["q 0", "q 1"], ["k 0", "k 1", "k 2"], shown_as="mask"), n=integer(1, 2))(mask), PROGRAM
    )


def test_cells_are_buttons_and_the_rest_is_not_heard(page):
    assert page.locator("table").count() == 0
    buttons = page.locator(".explorer-frame").get_by_role("button")
    assert [button.get_attribute("aria-label") for button in buttons.all()] == [
        f"q {i} k {j}" for i in range(2) for j in range(3)
    ]
    assert page.locator(".explorer-frame").get_attribute("role") == "group"
    texts = page.locator(".explorer-frame svg text")
    assert texts.count() >= 3
    assert texts.evaluate_all("all => all.every(e => e.closest('[aria-hidden=true]'))")


def test_a_click_and_keys_turn_cells_over(page):
    said = page.locator(".explorer-text")
    buttons = page.locator(".explorer-frame").get_by_role("button")
    buttons.nth(1).click()
    expect(said).to_have_text("0,1,0,0,0,0 1")
    assert [button.get_attribute("aria-pressed") for button in buttons.all()] == ["false", "true", *["false"] * 4]
    filled = buttons.evaluate_all("all => all.map(e => getComputedStyle(e).fillOpacity > 0.01)")
    assert filled == [False, True, *[False] * 4]
    buttons.nth(0).focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Space"):
        page.keyboard.press(key)
    expect(said).to_have_text("0,1,0,0,0,1 1")
    assert buttons.evaluate_all("all => all.map(e => e.tabIndex)") == [-1, -1, -1, -1, -1, 0]
    page.keyboard.press("Enter")
    expect(said).to_have_text("0,1,0,0,0,0 1")
    assert page.complaints == []
