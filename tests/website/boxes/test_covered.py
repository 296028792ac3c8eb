"""What follows a prediction is covered until the reader has answered, asks to see it, or comes for it."""

import pytest

from conftest import sample

CHAPTER = "chapters/02_why_sqrt_dk.html"
OUTPUTS = """box => {
  const found = [];
  for (let next = box; (next = next.nextElementSibling) && !next.matches("section, .callout-predict"); )
    found.push(...next.querySelectorAll(":scope > .cell_output"));
  return found.filter((output) => output.checkVisibility()).length;
}"""


@pytest.fixture
def page(open_page):
    return open_page(CHAPTER, second_readings=False)


def first(page):
    return page.locator("blockquote.question.callout-predict").first


def test_no_output_is_in_sight_below_a_prediction_until_it_is_answered(page):
    boxes = page.locator("blockquote.question.callout-predict").all()
    page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
    assert len(boxes) > 5
    assert [box.evaluate(OUTPUTS) for box in boxes] == [0] * len(boxes)
    box = boxes[0]
    box.scroll_into_view_if_needed()
    box.get_by_role("radio").first.check()
    box.get_by_role("button").click()
    assert box.evaluate(OUTPUTS) == 1
    assert boxes[1].evaluate(OUTPUTS) == 0, "another answer must stay covered"
    page.reload()
    assert first(page).evaluate(OUTPUTS) == 1, "an answer that was given before"
    assert page.complaints == []


def test_a_reader_may_see_the_answer_without_giving_one(page):
    button = page.get_by_role("button", name="show it anyway").first
    button.press("Enter")
    assert first(page).evaluate(OUTPUTS) == 1
    assert page.evaluate("document.activeElement.matches('.cell, .cell_output')")


def test_code_to_read_stays_in_sight_unless_it_asserts_the_answer(open_page):
    page = open_page("chapters/03_scaled_dot_product_attention.html", second_readings=False)
    page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
    visible = ".cell:not(.folded-code, .only-code) > .cell_input"
    for before, is_shown in (("blockquote.callout-predict", True), (".covered-note", False)):
        codes = page.locator(f"{before} + {visible}")
        assert codes.count()
        shown = codes.evaluate_all("all => all.map((code) => code.checkVisibility())")
        assert shown == [is_shown] * codes.count()


WAYS = ["link", "link in the page", "browser's search", "second reading", "print"]


@pytest.mark.parametrize("way", sample(WAYS, 3))
def test_who_comes_for_the_answer_sees_it(way, page, base):
    box = first(page)
    place = box.evaluate(
        "box => [...box.parentElement.querySelectorAll('blockquote + .cell, .covered-note + .cell')][0].id"
    )
    assert box.evaluate(OUTPUTS) == 0
    if way == "link":
        page.goto("about:blank")
    if way.startswith("link"):
        page.goto(f"{base}{CHAPTER}#{place}")
    if way == "browser's search":
        page.locator(f"[id='{place}'] .cell_output *").first.dispatch_event("beforematch", {"bubbles": True})
    if way == "second reading":
        page.locator("details.aims > summary").click()
        page.get_by_role("button", name="Open all sections").click()
    if way == "print":
        page.emulate_media(media="print")
    assert first(page).evaluate(OUTPUTS) == 1


def test_without_javascript_nothing_is_covered(open_page):
    page = open_page(CHAPTER, second_readings=False, java_script_enabled=False)
    assert page.locator("[hidden=until-found], .covered-note").count() == 0
