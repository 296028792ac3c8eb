"""A page that a browser builds again, from its history or in a restored tab: controls and pictures still agree."""

import pytest

from conftest import AWAKE, EVERYWHERE, WITH_EXPLORERS

# Sliders, fields, tables, points, menus, checkboxes and walks, in flip-books and in explorers that compute
OF_EACH_KIND = ["chapters/03_scaled_dot_product_attention.html", "chapters/05_masking.html"]
# What the controls of each explorer show, and what its picture says
SHOWN = """() => [...document.querySelectorAll("figure.explorer")].map((figure) => [
    figure.id,
    ...[...figure.querySelectorAll("input, select")].map((e) => (e.type === "checkbox" ? e.checked : e.value)),
    ...[...figure.querySelectorAll("output, [aria-pressed=true], .explorer-text")].map((e) => e.textContent),
])"""
# As a reader moves them: each control takes another of its values.
MOVE_ALL = """() => document.querySelectorAll("figure.explorer :is(input, select)").forEach((e) => {
    if (e.type === "checkbox") e.checked = !e.checked;
    else if (e.tagName === "SELECT") e.selectedIndex = (e.selectedIndex + 1) % e.options.length;
    else if (e.type === "range") e.value = e.value === e.max ? e.min : Number(e.value) + 1;
    else e.value = e.value === "1" ? "2" : "1";
    e.dispatchEvent(new Event("input", { bubbles: true }));
    e.dispatchEvent(new Event("change", { bubbles: true }));
})"""


@pytest.mark.parametrize("page", WITH_EXPLORERS if EVERYWHERE else OF_EACH_KIND)
def test_a_reader_who_comes_back_finds_controls_and_pictures_at_their_start(page, open_page, base):
    opened = open_page(page)
    opened.wait_for_function(AWAKE)
    before = opened.evaluate(SHOWN)
    opened.evaluate(MOVE_ALL)
    assert all(moved != start for moved, start in zip(opened.evaluate(SHOWN), before, strict=True))
    opened.goto(f"{base}search.html")
    opened.go_back()  # these browsers keep no page in memory: it is built again
    opened.wait_for_function(AWAKE)
    opened.wait_for_timeout(200)  # the browser restores what it restores after the scripts
    assert opened.evaluate(SHOWN) == before
