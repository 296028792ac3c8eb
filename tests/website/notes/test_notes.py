"""Notes: in a notebook a fold; on a page a mark that opens its note where it stands, with a mouse, keys, a link, a
search, on paper and without a script.
"""

import json
import re

import pytest
from playwright.sync_api import expect

from conftest import PAGES
from website.notes import in_notebook
from website.places import SITE
from website.search import BEGINNING, INDEX

PAGE = max(PAGES, key=lambda page: (SITE / page).read_text("utf-8").count('class="note-mark"'), default="")
NEXT = """note => {
    let before = note.previousElementSibling;
    while (before?.matches(".note")) before = before.previousElementSibling;
    return [...before.querySelectorAll(".note-mark")].some((mark) => mark.hash === "#" + note.id);
}"""


def test_in_a_notebook_a_note_is_a_fold_and_numbers_go_on():
    numbers = {}
    text = "All learn.[^seeds] More.[^far]\n\n[^seeds]: Ten\n    seeds.\n\n[^far]: At $n$.\n\nEnd."
    assert in_notebook(text, numbers) == (
        "All learn.<sup>note 1</sup> More.<sup>note 2</sup>\n\n"
        "<details><summary>Note 1</summary>\n\nTen\n    seeds.\n\n</details>\n\n"
        "<details><summary>Note 2</summary>\n\nAt $n$.\n\n</details>\n\nEnd."
    )
    assert in_notebook("Last.[^last]\n\n[^last]: Word.", numbers).startswith("Last.<sup>note 3</sup>")


@pytest.fixture(scope="module")
def page(share_page):
    return share_page(PAGE)


@pytest.fixture
def mark(page):
    """The first mark in a paragraph that nothing covers; its note is closed again after the test."""
    first = page.locator("section > p > a.note-mark").first
    yield first
    if first.get_attribute("aria-expanded") == "true":
        first.click()
    assert page.complaints == []


def note_of(mark):
    return mark.page.locator(mark.get_attribute("href"))


def test_a_mark_opens_its_note_below_its_paragraph_and_closes_it(mark):
    note = note_of(mark)
    expect(mark).to_have_role("button")
    expect(mark).to_have_attribute("aria-controls", note.get_attribute("id"))
    expect(note).to_be_hidden()
    for by in ("click", "Enter", " "):
        for is_open in (True, False):
            mark.click() if by == "click" else mark.press(by)
            expect(mark).to_have_attribute("aria-expanded", str(is_open).lower())
            expect(note).to_be_visible(visible=is_open)
            assert note.evaluate(NEXT) or not is_open
    mark.click()
    note.locator(".note-number").press("Escape")
    expect(note).to_be_hidden()
    expect(mark).to_be_focused()


def test_a_closed_note_takes_no_room(page, mark):
    mark.click()
    tall = page.evaluate("document.querySelector('article').scrollHeight")
    mark.click()
    closed = note_of(mark).bounding_box()
    assert closed is None or closed["height"] == 0
    assert page.evaluate("document.querySelector('article').scrollHeight") < tall


def test_notes_of_one_paragraph_stand_in_the_order_of_their_marks(page):
    numbers = page.locator("a.note-mark, .note-number").evaluate_all(
        "all => all.map((e) => [e.className, e.textContent])"
    )
    places = {kind: [number for name, number in numbers if name == kind] for kind in ("note-mark", "note-number")}
    assert places["note-mark"] == places["note-number"] == [str(n) for n in range(1, len(places["note-mark"]) + 1)]


def test_a_link_and_the_browsers_search_open_a_note(page, mark):
    note = note_of(mark)
    page.evaluate("address => void (location.hash = address)", mark.get_attribute("href"))
    expect(note).to_be_visible()
    mark.click()
    note.evaluate("e => e.dispatchEvent(new Event('beforematch', { bubbles: true }))")
    expect(note).to_be_visible()


def test_a_result_of_the_search_opens_a_note(page, mark, open_page):
    note = note_of(mark)
    section = note.evaluate("e => e.closest('section').id")
    words = note.locator("p").first.text_content()
    places = json.loads((SITE / "_static" / INDEX).read_text("utf-8").removeprefix(BEGINNING))
    ((_, _, shown, _),) = [p for p in places[PAGE.removesuffix(".html")]["places"] if p[0] == section]
    elsewhere = shown.replace(words, "").lower()
    word = next(word for word in re.findall(r"[a-z]{4,}", words.lower()) if word not in elsewhere)
    found = open_page(f"{PAGE}#{section}&find={word}")
    expect(found.locator(mark.get_attribute("href"))).to_be_in_viewport()


def test_on_paper_all_notes_stand_at_the_end_of_their_sections(page, mark):
    mark.click()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator(".note:visible").count() >= page.locator(".note").count() > 0
    is_last = """notes => notes.every(note => {
        for (let next = note.nextElementSibling; next; next = next.nextElementSibling)
            if (!next.matches(".note, section")) return false;
        return true;
    })"""
    assert page.locator(".note").evaluate_all(is_last)
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(note_of(mark)).to_be_visible()


def test_without_a_script_a_mark_is_a_link_to_the_end_of_its_section(open_page):
    page = open_page(PAGE, java_script_enabled=False)
    mark = page.locator("section > p > a.note-mark").first
    mark.click()
    expect(page.locator(mark.get_attribute("href"))).to_be_in_viewport()


def test_a_finger_hits_a_mark(open_page):
    page = open_page(PAGE, has_touch=True, viewport={"width": 390, "height": 844})
    mark = page.locator("section > p > a.note-mark").first
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] - 4)  # above it, as a finger does
    expect(page.locator(mark.get_attribute("href"))).to_be_visible()
