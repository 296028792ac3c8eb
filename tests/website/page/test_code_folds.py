"""Folded code stands after what it makes, in the document too, and neighbours without an output share a line."""

import pytest
from playwright.sync_api import expect

from website.places import SITE

CHAPTER = "chapters/02_why_sqrt_dk.html"  # it begins with imports and a picture, and has explorers and tables
BOX = "element => (({ top, bottom, left, right }) => ({ top, bottom, left, right }))(element.getBoundingClientRect())"


def picture(page):
    return page.locator(".cell.folded-code:has(figure.still)").first


def test_no_code_stands_before_the_picture_that_it_makes():
    for path in sorted(SITE.glob("chapters/*.html")):
        text = path.read_text(encoding="utf-8")
        assert text.count("above-input") == text.count("tag_hide-cell"), f"{path}: only solutions have a bar above"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_summary_is_on_the_last_line_of_its_caption_and_opens_code_below_that_scrolls_with_keys(width, open_page):
    page = open_page(CHAPTER, viewport={"width": width, "height": 800})
    cell = picture(page)
    caption, summary = (cell.locator(name).evaluate(BOX) for name in ("figcaption", "summary"))
    assert caption["bottom"] - 20 < (summary["top"] + summary["bottom"]) / 2 < caption["bottom"]
    assert summary["right"] <= caption["right"] + 1
    assert cell.locator("summary").text_content().startswith("code of the picture: ")
    code = cell.locator(".cell_input pre").first
    assert code.get_attribute("tabindex") is None, "to measure it, the browser would have to lay it out"
    for opened in (cell, page.locator(".cell.folded-code:has(figure.explorer)").first):
        opened.locator(".code-fold > summary").press("Enter")
        figure, below = (opened.locator(name).first.evaluate(BOX) for name in ("figure", ".cell_input"))
        assert figure["bottom"] < below["top"]
    if code.evaluate("pre => pre.scrollWidth > pre.clientWidth + 1"):
        expect(code).to_have_attribute("tabindex", "0")


def test_neighbours_without_an_output_share_a_line_and_an_open_one_has_its_own(open_page):
    page = open_page(CHAPTER)
    second = page.locator(".cell.only-code + .cell.only-code").first
    first = second.locator("xpath=preceding-sibling::*[1]")
    assert abs(first.evaluate(BOX)["top"] - second.evaluate(BOX)["top"]) < 2
    first.locator("summary").click()
    assert first.evaluate(BOX)["bottom"] <= second.evaluate(BOX)["top"] + 1
