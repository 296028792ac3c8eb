"""Folded code stands after what it makes, in the document too, and neighbours without an output share a line."""

import re

import pytest
from playwright.sync_api import expect

from website.places import SITE

CHAPTER = "chapters/02_why_sqrt_dk.html"  # it begins with imports and a picture, and has explorers and tables


def boxes(page, *locators):
    """Where they are at one instant: what stands above may still be filling while a test asks one after another."""
    elements = [locator.element_handle() for locator in locators]
    return page.evaluate("elements => elements.map(element => element.getBoundingClientRect().toJSON())", elements)


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
    caption, summary = boxes(page, cell.locator("figcaption"), cell.locator("summary"))
    assert caption["bottom"] - 20 < (summary["top"] + summary["bottom"]) / 2 < caption["bottom"]
    assert summary["right"] <= caption["right"] + 1
    expect(cell.locator("summary")).to_have_accessible_name(re.compile(r"^\W*Code of the picture: "))
    expect(cell.locator("summary > [aria-hidden]")).to_have_text("code")
    code = cell.locator(".cell_input pre").first
    assert code.get_attribute("tabindex") is None, "to measure it, the browser would have to lay it out"
    for opened in (cell, page.locator(".cell.folded-code:has(figure.explorer)").first):
        opened.locator(".code-fold > summary").press("Enter")
        figure, below = boxes(page, opened.locator("figure").first, opened.locator(".cell_input").first)
        assert figure["bottom"] < below["top"]
    if code.evaluate("pre => pre.scrollWidth > pre.clientWidth + 1"):
        expect(code).to_have_attribute("tabindex", "0")


def test_neighbours_without_an_output_share_a_line_and_an_open_one_has_its_own(open_page):
    page = open_page(CHAPTER)
    second = page.locator(".cell.only-code + .cell.only-code").first
    first = second.locator("xpath=preceding-sibling::*[1]")
    one, other = boxes(page, first, second)
    assert abs(one["top"] - other["top"]) < 2
    first.locator("summary").click()
    one, other = boxes(page, first, second)
    assert one["bottom"] <= other["top"] + 1
