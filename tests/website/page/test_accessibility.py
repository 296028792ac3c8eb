"""The rules of axe-core on every page of the built site."""

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


# Rules about looks take most of the time. The other rules see the same elements on a narrow page, except for the
# buttons that replace the sidebars. So we check looks and narrow pages on one page of each kind; the workflow `weekly`
# checks them on all pages.
OF_LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
PAGE_OF_EACH_KIND = {
    "index.html",
    FLIP_BOOK,
    "chapters/05_masking.html",
    "chapters/12_a_trained_model.html",
    "back_matter/api.html",
    "back_matter/notation.html",
    "back_matter/pictures.html",
    "back_matter/questions_message.html",
    "back_matter/questions_people_ask.html",
    "search.html",
    "_modules/attention_core.html",
}


def test_there_is_a_page_of_each_kind():
    assert set(PAGES) >= PAGE_OF_EACH_KIND


def test_no_page_breaks_a_rule_of_accessibility(opened, request):
    """No page, wide and light or narrow and dark, violates a rule of axe-core (WCAG 2.2 AA and good practice)."""
    wholly = EVERYWHERE or request.node.callspec.params["opened"] in PAGE_OF_EACH_KIND
    rules = {} if wholly else {"rules": {rule: {"enabled": False} for rule in OF_LOOKS}}
    opened.evaluate(ONE_OF_EACH_KIND)
    opened.evaluate(AXE_SCRIPT)
    opened.evaluate(RULE_OF_CONTRAST)
    for theme, width in (("light", 1200), ("dark", 390)) if wholly else (("light", 1200),):
        opened.set_viewport_size({"width": width, "height": 900})
        opened.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        opened.wait_for_function(SETTLED)
        if wholly:
            opened.wait_for_timeout(100)  # boxes that scroll are measured in the next frame
            opened.evaluate(ONE_TEXT_OF_EACH_CONTRAST)
        found = opened.evaluate("axe.run", {"resultTypes": ["violations"], **rules})["violations"]
        assert [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in found] == [], (theme, width)
