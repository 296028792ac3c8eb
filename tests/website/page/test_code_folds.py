"""Folded code stands after what it makes, in the document too, and neighbours without an output share a line."""

import pytest
from playwright.sync_api import expect

from conftest import SETTLED
from website.places import ROOT

SITE = ROOT / "_build" / "html"
CHAPTER = "chapters/02_why_sqrt_dk.html"  # it begins with imports and a picture, and has explorers and tables
BOX = "element => (({ top, bottom, left, right }) => ({ top, bottom, left, right }))(element.getBoundingClientRect())"


@pytest.fixture
def page(open_page):
    return open_page(CHAPTER, viewport={"width": 1280, "height": 800})


def picture(page):
    return page.locator(".cell.folded-code:has(figure.still)").first


def test_no_code_stands_before_the_picture_that_it_makes():
    for path in sorted(SITE.glob("chapters/*.html")):
        text = path.read_text(encoding="utf-8")
        assert 'class="code-fold"' in text, path
        assert text.count("above-input") == text.count("tag_hide-cell"), f"{path}: only solutions have a bar above"


def test_the_summary_is_on_the_last_line_of_the_caption_and_has_the_whole_title_as_its_name(page):
    cell = picture(page)
    caption, summary = (cell.locator(name).evaluate(BOX) for name in ("figcaption", "summary"))
    assert caption["bottom"] - 20 < (summary["top"] + summary["bottom"]) / 2 < caption["bottom"]
    assert summary["right"] <= caption["right"] + 1
    assert cell.locator("summary").text_content().startswith("code of the picture: ")
    assert cell.locator("summary .visually-hidden").text_content().startswith(" of the picture: ")


def test_opened_code_is_below_the_picture_and_can_be_copied(page):
    for cell in (picture(page), page.locator(".cell.folded-code:has(figure.explorer)").first):
        cell.locator(".code-fold > summary").press("Enter")
        figure, code = (cell.locator(name).first.evaluate(BOX) for name in ("figure", ".cell_input"))
        assert figure["bottom"] < code["top"]
        assert cell.locator(".cell_input").first.is_visible()


def test_keys_meet_the_controls_of_an_explorer_before_its_code(page):
    cell = page.locator(".cell.folded-code:has(figure.explorer)").first
    order = cell.evaluate(
        "cell => [...cell.querySelectorAll('input, .code-fold > summary')].map(({ localName }) => localName)"
    )
    assert order[0] == "input"
    assert order[-1] == "summary"


def test_neighbours_without_an_output_share_a_line_and_an_open_one_has_its_own(page):
    page.wait_for_function(SETTLED)
    first, second = (
        page.locator(".cell.only-code + .cell.only-code").first.locator(to)
        for to in ("xpath=preceding-sibling::*[1]", "xpath=.")
    )
    assert abs(first.evaluate(BOX)["top"] - second.evaluate(BOX)["top"]) < 2
    first.locator("summary").click()
    assert first.evaluate(BOX)["bottom"] <= second.evaluate(BOX)["top"] + 1


def test_on_paper_the_code_follows_the_picture(page):
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    caption, code = (picture(page).locator(name).first.evaluate(BOX) for name in ("figcaption", ".cell_input"))
    assert caption["bottom"] <= code["top"]


def test_without_javascript_the_code_opens(open_page):
    page = open_page(CHAPTER, java_script_enabled=False)
    picture(page).locator("summary").click()
    assert picture(page).locator(".cell_input").is_visible()


def test_folded_code_is_not_measured_and_scrolls_with_keys_once_it_is_open(open_page):
    page = open_page(CHAPTER, viewport={"width": 390, "height": 800})
    page.wait_for_function(SETTLED)
    code = picture(page).locator(".cell_input pre").first
    assert code.get_attribute("tabindex") is None, "to measure it, the browser would have to lay it out"
    picture(page).locator(".code-fold > summary").click()
    expect(code).to_have_attribute("tabindex", "0")
