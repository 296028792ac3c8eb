"""A script that does not arrive: each control works, or has words near it that say so."""

import re

import pytest
from playwright.sync_api import expect

from conftest import EVERYWHERE, sample
from website.places import SITE

PAGES = ["chapters/05_masking.html"]  # the machine, a program, a walk and a flip-book
PAGES += ["chapters/03_scaled_dot_product_attention.html", "index.html"] if EVERYWHERE else []
SCRIPTS = [
    (page, script)
    for page in PAGES
    if (SITE / page).is_file()
    for script in re.findall(r'<script[^>]* src="[./]*_static/([\w/]+\.js)', (SITE / page).read_text("utf-8"))
    if re.search(r"explorer|fields|attention_core|four_words", (SITE / "_static" / script).read_text("utf-8"))
]
# For each explorer: what is wrong with it, if anything
FAULTS = """async () => {
    const faults = [];
    for (const figure of document.querySelectorAll("figure.explorer")) {
        if (figure.querySelector("fieldset:disabled")) {
            const words = figure.querySelector(".script-lost, .explorer-alert");
            if (!words) faults.push(`${figure.id} is grey without words`);
            continue;
        }
        const said = () => figure.querySelector(".explorer-frame").innerHTML;
        const before = said(), control = figure.querySelector("input, select");
        if (control.type === "checkbox") control.checked = !control.checked;
        else if (control.tagName === "SELECT") control.selectedIndex = (control.selectedIndex + 1) % control.length;
        else if (control.type === "text") control.value = control.value.replace(/[0-9]/, (d) => (Number(d) + 1) % 10);
        else control.value = control.value === control.max ? control.min : Number(control.value) + 1;
        for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, { bubbles: true }));
        for (let wait = 0; wait < 40 && said() === before; wait++) await new Promise((done) => setTimeout(done, 50));
        if (said() === before && !figure.querySelector(".explorer-alert")) faults.push(`${figure.id} does not move`);
        for (const button of figure.querySelectorAll("[data-by]")) {
            const slider = button.parentElement.querySelector("input"), place = slider.value;
            button.click();
            if (getComputedStyle(button).visibility === "visible" && slider.value === place)
                faults.push(`a button of ${figure.id} does nothing`);
        }
    }
    return faults;
}"""


@pytest.mark.parametrize(("page", "script"), sample(SCRIPTS, 4))
def test_without_a_script_each_control_works_or_has_words(page, script, open_page):
    opened = open_page(page, without=f"_static/{script}")
    opened.wait_for_timeout(300)  # explorers wake one after another
    assert opened.evaluate(FAULTS) == []


SAYS_SO = {
    "asked.js": "back_matter/questions_people_ask.html",
    "search.js": "search.html#q=mask",
    "all_questions.js": "back_matter/your_predictions.html",
    "words.js": "search.html#q=mask",
    "search_index.js": "search.html#q=mask",
    "your_predictions.js": "back_matter/your_predictions.html",
    "questions.js": "back_matter/your_predictions.html",
}


@pytest.mark.parametrize("script", SAYS_SO if EVERYWHERE else list(SAYS_SO)[:3])  # one of each page
def test_a_page_that_lacks_a_script_says_so(script, open_page):
    page = open_page(SAYS_SO[script], without=script)
    expect(page.get_by_text("a script could not be loaded")).to_be_visible(timeout=10_000)


@pytest.mark.parametrize("motion", sample(["no-preference", "reduce"], 1))
def test_the_words_are_shown_after_some_seconds_and_only_if_a_script_is_lost(motion, open_page, base):
    opened = open_page(PAGES[0], reduced_motion=motion)
    opened.wait_for_selector("figure.explorer:not(:has(.script-lost))")
    opened.route("**/flip_book.js*", lambda route: route.abort())
    opened.goto(base + PAGES[0])
    words = opened.locator(".script-lost").first
    assert not words.is_visible()
    assert words.evaluate("e => e.getAnimations()[0].effect.getTiming().delay") >= 3000
    words.evaluate("e => e.getAnimations()[0].finish()")
    assert words.is_visible()
    assert words.bounding_box()["height"] > 15
