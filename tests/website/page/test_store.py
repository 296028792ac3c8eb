"""Browsers that keep nothing, or refuse to: pages work, and say so where a reader would expect that answers stay."""

import pytest
from playwright.sync_api import expect

from conftest import EVERYWHERE, windows

BOTH = "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, "
STORES = {
    "refused": BOTH + "{configurable: true, get() { throw new DOMException('refused', 'SecurityError'); }});",
    "null": BOTH + "{configurable: true, value: null});",
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
}
PLACES = ["index.html", "chapters/06_positions.html#%", "back_matter/questions_people_ask.html", "search.html#q=mask"]


@pytest.fixture(params=STORES)
def page(request, browser, base):
    with windows(browser, base) as window:
        page = window(second_readings=False, base_url=base)
        page.context.add_init_script(STORES[request.param])
        page.places = PLACES if EVERYWHERE or request.param == "refused" else PLACES[::3]
        yield page
        assert page.complaints == []


def test_pages_work_without_a_store(page):
    for path in page.places:
        page.goto(path)
    assert page.locator(".search-page li").count() == 20
    before = page.evaluate("document.documentElement.dataset.mode")
    page.locator(".theme-switch-button").first.click()
    page.wait_for_function("before => document.documentElement.dataset.mode !== before", arg=before)


def test_pages_say_that_answers_are_not_kept(page):
    page.goto("back_matter/your_predictions.html")
    expect(page.locator("#all-answers")).to_contain_text("This browser keeps nothing")
    page.goto("chapters/10_exact_attention_in_blocks.html")
    box = page.locator("blockquote.question:has(details[data-question*='right'])").first
    box.scroll_into_view_if_needed()
    box.get_by_role("radio").first.check()
    box.get_by_role("button", name="Answer").click()
    expect(box.get_by_role("status")).to_contain_text("This browser does not keep your answers")


def test_what_a_full_store_holds_is_still_read(browser, base):
    with windows(browser, base) as window:
        page = window()
        page.context.add_init_script(STORES["full"])
        page.goto(base + "chapters/06_positions.html")
        assert page.locator("section.second-reading > details:not([open])").count() == 0
