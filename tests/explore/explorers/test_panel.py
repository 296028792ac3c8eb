"""Where an explorer's controls are, and how they look, on the built pages."""

import pytest

from conftest import AWAKE, EVERYWHERE, WITH_EXPLORERS

OF_EACH_KIND = [f"chapters/{name}.html" for name in ("02_why_sqrt_dk", "04_multi_head_attention", "11_tiny_gpt")]
UNFOLD = "() => document.querySelectorAll('.explorer-more').forEach((fold) => (fold.open = true))"
# Per explorer: sliders that are too short, parts that stick out, and parts that are not in the order of the document
MISPLACED = """() => [...document.querySelectorAll("figure.explorer")].flatMap((figure) => {
    const box = (e) => e.getBoundingClientRect(), name = (e) => `${figure.id} ${e.tagName} ${e.className} ${e.id}`;
    const seen = [...figure.querySelectorAll("fieldset :is(input, select, button, summary, label, output)")].filter(
        (e) => box(e).width && !e.closest(".explorer-table"),
    );
    const parts = [".explorer-states", ".explorer-controls", ".explorer-frame", ".explorer-foot", "figcaption"]
        .map((part) => figure.querySelector(part)).filter((e) => e && box(e).height);
    return [
        ...seen.filter((e) => e.type === "range" && box(e).width < 120).map((e) => `short: ${name(e)}`),
        ...seen.filter((e) => box(e).right > box(figure).right + 1).map((e) => `cut off: ${name(e)}`),
        ...parts.slice(1).filter((e, i) => box(e).top < box(parts[i]).bottom - 1).map((e) => `order: ${name(e)}`),
    ];
})"""
HEIGHTS = """() => [...document.querySelectorAll(".explorer-foot")].map((e) => e.getBoundingClientRect().height)"""
# Outlines of an element with and without what makes it chosen
OUTLINES = """(chosen) => [true, false].map((is_chosen) => {
    const element = document.createElement("div");
    if (is_chosen && chosen.startsWith(".")) element.classList.add(chosen.slice(1));
    else if (is_chosen) element.setAttribute(chosen, "true");
    document.querySelector("article").append(element);
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return `${outlineStyle} ${outlineWidth}`;
})"""


@pytest.mark.parametrize("page", WITH_EXPLORERS if EVERYWHERE else OF_EACH_KIND)
def test_controls_have_room_and_stand_in_order_and_what_seldom_matters_is_one_row(page, open_page):
    opened = open_page(page)
    opened.wait_for_function(AWAKE)
    if page == OF_EACH_KIND[0]:
        heights = opened.evaluate(HEIGHTS)
        assert len(heights) >= 2
        assert max(heights) < 60
    opened.evaluate(UNFOLD)
    for width in (1280, 390):
        opened.set_viewport_size({"width": width, "height": 844})
        assert opened.evaluate(MISPLACED) == [], width


@pytest.mark.parametrize(
    "chosen", ["aria-pressed", "aria-current", ".explorer-lit", ".machine-lit", ".machine-eye", ".model-chosen"]
)
def test_what_is_chosen_has_an_outline_in_forced_colours(chosen, share_page):
    opened = share_page(OF_EACH_KIND[0])
    opened.emulate_media(forced_colors="active")
    with_it, without = opened.evaluate(OUTLINES, chosen)
    assert with_it != without
