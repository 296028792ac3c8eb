"""The title page's lists: ways in, and a card for each chapter."""

import re

import pytest

from website.places import chapters


@pytest.fixture(scope="module")
def title(open_page):
    return open_page("index.html", reduced_motion="reduce", java_script_enabled=False)


def test_each_chapter_is_a_card_with_its_picture_and_minutes(title):
    cards = title.locator(".chapters > li")
    assert cards.count() == len(chapters())
    for card, path in zip(cards.all(), chapters(), strict=True):
        assert f"{int(path.stem[:2])} · " in card.locator("strong").inner_text()
        assert card.locator("a").get_attribute("href") == f"chapters/{path.stem}.html"
        assert re.fullmatch(r"(\d+ to )?\d+ minutes", card.locator(".minutes").inner_text())
        assert card.locator("img:visible").count() == 1


def test_a_click_anywhere_on_a_card_opens_its_chapter(title):
    card = title.locator(".chapters > li").nth(3)
    card.scroll_into_view_if_needed()
    box = card.bounding_box()
    at = title.evaluate("([x, y]) => document.elementFromPoint(x, y).href", [box["x"] + 20, box["y"] + 20])
    assert at.endswith(f"{chapters()[3].stem}.html")


def test_there_are_three_ways_in(title):
    assert title.locator(".ways-in a").count() == 3
