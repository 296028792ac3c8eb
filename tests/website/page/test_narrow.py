"""On narrow pages nothing is cut off, on wide pages no table is, and what scrolls shows that it does."""

import pytest

from conftest import EVERYWHERE, PAGES, sample

OF_EACH_KIND = [  # formulas, tables and switches, flip-books, models, questions
    "back_matter/questions_wrong.html",
    "back_matter/your_predictions.html",
    "chapters/02_why_sqrt_dk.html",
    "chapters/05_masking.html",
    "chapters/13_a_language_model.html",
]
OPEN = "document.querySelectorAll('.bd-article details').forEach((fold) => (fold.open = true))"
# The outermost elements that reach beyond the window, although nothing around them scrolls.
CUT = """() => {
    const scrolls = (e) => ["auto", "scroll"].includes(getComputedStyle(e).overflowX);
    const is_held = (e) => e.matches(".bd-article") ? false : scrolls(e) || is_held(e.parentElement);
    const found = [];
    for (const e of document.querySelectorAll(".bd-article *")) {
        if (e.ownerSVGElement || e.closest("mjx-assistive-mml, .visually-hidden") || !e.checkVisibility()) continue;
        const { left, right, width } = e.getBoundingClientRect();
        if (!width || (left >= -1 && right <= innerWidth + 1) || is_held(e.parentElement)) continue;
        if (!found.some((other) => other.contains(e))) found.push(e);
    }
    return found.map((e) => `${e.outerHTML.slice(0, 120)} … ${e.textContent.slice(0, 60)}`);
}"""
TABLES = ".bd-article :is(figure.results, .pst-scrollable-table-container)"
# The boxes of tables and formulas that scroll without a shadow at their edge.
WITHOUT_A_SIGN = f"""() => [...document.querySelectorAll(`{TABLES}, .bd-article mjx-container`)]
    .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
    .filter((e) => getComputedStyle(e).overflowX !== "visible")
    .filter((e) => !getComputedStyle(e).backgroundImage.includes("gradient"))
    .map((e) => e.textContent.slice(0, 60))"""
TOO_WIDE = f"""() => [...document.querySelectorAll(`{TABLES}`)].filter((e) => e.scrollWidth > e.clientWidth)
    .map((e) => [e.scrollWidth, e.clientWidth, e.textContent.slice(0, 60)])"""


@pytest.mark.parametrize("page", PAGES if EVERYWHERE else OF_EACH_KIND)
def test_what_is_wider_than_a_narrow_page_scrolls_and_shows_it(page, open_page):
    opened = open_page(page, viewport={"width": 320, "height": 800})
    opened.evaluate(OPEN)
    for width in sample((320, 360, 390), 2):
        opened.set_viewport_size({"width": width, "height": 800})
        assert opened.evaluate(CUT) == [], width
        assert opened.evaluate(WITHOUT_A_SIGN) == [], width


@pytest.mark.parametrize("page", PAGES if EVERYWHERE else ["chapters/11_tiny_gpt.html", "back_matter/notation.html"])
def test_no_table_scrolls_on_a_wide_page(page, open_page):
    opened = open_page(page, viewport={"width": 1280, "height": 800})
    opened.evaluate(OPEN)
    assert opened.evaluate(TOO_WIDE) == []
