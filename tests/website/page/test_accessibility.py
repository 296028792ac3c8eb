"""The rules of axe-core on every page of the built site."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from conftest import EVERYWHERE, FLIP_BOOK, PAGES, SETTLED

# Most of axe-core's work is on colours. Most elements are coloured words of code, and symbols in formulas, for which
# axe-core has no rules. So one word of each kind stays in its span, all formulas but one become a letter, and contrast
# is checked only for combinations of colours and size that have not occurred before.
ONE_OF_EACH_KIND = """() => {
    const seen = new Set();
    const isNew = kind => !seen.has(kind) && seen.add(kind);
    for (const word of document.querySelectorAll(".highlight pre span[class]")) {
        const block = word.closest("[class*=highlight-]")?.className;
        if (!isNew(word.className + block)) word.replaceWith(...word.childNodes);
    }
    document.querySelectorAll(".highlight pre").forEach(pre => pre.normalize());
    for (const part of ["mjx-math", "mjx-assistive-mml math"])
        [...document.querySelectorAll(part)].slice(1).forEach(formula => (formula.textContent = "x"));
}"""
ONE_TEXT_OF_EACH_CONTRAST = """() => {
    const seen = new Set();
    const isNew = kind => !seen.has(kind) && seen.add(kind);
    const hasText = e => [...e.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    for (const text of [...document.querySelectorAll("body *")].filter(e => hasText(e) && e.checkVisibility())) {
        const {color, fontSize, fontWeight} = getComputedStyle(text);
        const kind = [color, fontSize, fontWeight];
        for (let e = text; e; e = e.parentElement) {
            const {backgroundColor, backgroundImage, opacity, filter} = getComputedStyle(e);
            kind.push(backgroundColor, backgroundImage, opacity, filter);
        }
        const decisive = kind.filter(part => !["rgba(0, 0, 0, 0)", "none", "1"].includes(part));
        text.toggleAttribute("data-contrast", isNew(decisive.join()));
    }
}"""
# axe-core's own rule, but only for the marked texts.
RULE_OF_CONTRAST = """() => axe.configure({rules: [{id: "color-contrast", selector: "[data-contrast]"}]})"""


# axe-core takes seconds for a page. The workflow `weekly` checks all pages, and `make check` those that have changed.
PAGE_OF_EACH_KIND = {
    "index.html",
    FLIP_BOOK,
    "chapters/05_masking.html",
    "chapters/12_a_trained_model.html",
    "back_matter/api.html",
    "back_matter/questions_message.html",
    "search.html",
}


LOOKS = [("light", 1200), ("dark", 390)]
LOOKED_AT = [  # the pages take turns
    (page, LOOKS if EVERYWHERE else LOOKS[number % 2 : number % 2 + 1])
    for number, page in enumerate(PAGES if EVERYWHERE or len(PAGES) < 20 else sorted(PAGE_OF_EACH_KIND))
]


@pytest.mark.parametrize(("page", "looks"), LOOKED_AT)
def test_no_page_breaks_a_rule_of_accessibility(page, looks, open_page):
    """No page, wide and light or narrow and dark, violates a rule of axe-core (WCAG 2.2 AA and good practice)."""
    opened = open_page(page, reduced_motion="reduce")  # colours lack contrast during a transition
    assert opened.complaints == []
    opened.evaluate(ONE_OF_EACH_KIND)
    opened.evaluate(AXE_SCRIPT)
    opened.evaluate(RULE_OF_CONTRAST)
    for theme, width in looks:
        opened.set_viewport_size({"width": width, "height": 900})
        opened.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        opened.wait_for_function(SETTLED)
        opened.wait_for_timeout(100)  # boxes that scroll are measured in the next frame
        opened.evaluate(ONE_TEXT_OF_EACH_CONTRAST)
        found = opened.evaluate("axe.run", {"resultTypes": ["violations"]})["violations"]
        assert [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in found] == [], (theme, width)
