"""Explorers that compute, in a real Chromium: keys, fields, links, faults; test_programs.py tests their numbers."""

import functools
import json
import os
import re
from html import unescape
from urllib.parse import unquote_plus

import pytest
from playwright.sync_api import expect

from conftest import AWAKE, EVERYWHERE, HEAP_FLAGS, PAGES, WIDE, sample, weekly
from website.places import SITE

WITH_DATA = re.compile(r'<figure class="explorer" id="(\w+)" data-live="([^"]+)"')
KINDS = {  # of controls, by the addresses of explorers
    f"{page}#{name}": {control.get("kind", "list") for control in json.loads(unescape(about))["controls"]}
    for page in PAGES
    for name, about in WITH_DATA.findall((SITE / page).read_text("utf-8"))
    if name not in ("own_sentence", "language_model") and not name.startswith("machine")  # with tests of their own
}
LIVE = list(KINDS)
SOFTMAX = "chapters/01_softmax_and_variance.html#softmax_explorer"  # with lines, texts and axes that move

if not LIVE:
    pytestmark = pytest.mark.skip("there is no built site with an explorer that computes; run: make book")
    if os.environ.get("CI") == "true":
        raise RuntimeError("there is no built site with an explorer that computes; run: make book")


def with_every_kind_of_control():
    """Each explorer that has a kind of control that no explorer before it has."""
    seen = set()
    for address, kinds in KINDS.items():
        if not kinds <= seen:
            seen |= kinds
            yield address


# Keys, links and prints have the same script in all explorers. The workflow `weekly` tests them in all.
TRIED = LIVE if EVERYWHERE else list(with_every_kind_of_control())
WITH_LIVE = sorted({address.split("#")[0] for address in LIVE})
UNFOLD = """() => document.querySelectorAll(".explorer-more").forEach(e => e.open = true)"""
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
FRAME = """figure => {  // without the picture of a second ago
    const frame = figure.querySelector(".explorer-frame").cloneNode(true);
    frame.querySelectorAll(".explorer-before").forEach(e => e.remove());
    // As a number: hundreds of whole pictures would take a minute to send.
    return [...frame.innerHTML].reduce((sum, letter) => (Math.imul(sum, 31) + letter.codePointAt(0)) | 0, 0);
}"""
# Once the picture is drawn: the value of the slider with the focus, that of its field, the picture's words, and itself.
SEEN = f"""async figure => {{
    await ({DRAWN})();
    const slider = document.activeElement;
    const field = slider.closest("[data-control]").querySelector("input[type=text]");
    return [slider.ariaValueText, field.value, figure.querySelector(".explorer-text").textContent, ({FRAME})(figure)];
}}"""
# Sliders of an explorer that are moved with keys. They all have the same script, and test_programs.py tests what each
# one changes. The workflow `weekly` moves all sliders.
SLIDERS = None if EVERYWHERE else 1
# For every part that a program moves: texts, places of marks, and the box around each path.
COORDINATES = """figure => [...figure.querySelectorAll(".explorer-frame [data-artist]")].flatMap(group =>
    [...group.querySelectorAll(":scope > path, use, :scope > text")].map(e => {
        const {x, y, width, height} = e.getBBox();
        const place = e.tagName === "path" ? [x, y, width, height] : ["x", "y"].map(key => Number(e.getAttribute(key)));
        return {name: group.dataset.artist, tag: e.tagName, text: e.textContent, hidden: e.style.display,
                box: [...place, Number(getComputedStyle(e).fillOpacity)]};
    }))"""


@pytest.fixture(params=TRIED)
def live(request, share_page):
    """One explorer, in a page where earlier tests have moved parts and moved them back."""
    yield from as_it_was(request.param, share_page)


@pytest.fixture
def first(share_page):
    """One explorer, on a light page, to test the behaviour that all explorers get from live.js."""
    yield from as_it_was(SOFTMAX, share_page)


@pytest.fixture
def point(share_page):
    """An explorer with a point to drag."""
    yield from as_it_was("chapters/03_scaled_dot_product_attention.html#angle_and_length", share_page)


def as_it_was(address, share_page):
    page, name = address.split("#")
    opened = share_page(page)
    opened.wait_for_function(AWAKE)
    opened.evaluate(UNFOLD)
    figure, drawn = opened.locator(f"#{name}"), functools.partial(opened.evaluate, DRAWN)
    figure.locator(".explorer-reset").click()
    drawn()
    yield opened, figure, drawn
    opened.emulate_media(media="screen")  # the test may have printed it
    assert opened.complaints == []


@pytest.mark.parametrize("page", sample(WITH_LIVE, 2))
def test_waking_up_moves_nothing(page, open_page):
    """Every part of the program's first picture is where matplotlib's was, to a twentieth of a point."""
    opened = open_page(page)
    opened.wait_for_function(AWAKE)
    opened.evaluate(UNFOLD)
    for figure in [opened.locator(f"#{address.split('#')[1]}") for address in LIVE if address.startswith(page)]:
        before, words = figure.evaluate(COORDINATES), figure.locator(".explorer-text").text_content()
        field = figure.locator("input[type=text]").first
        field.dispatch_event("change")
        opened.evaluate(DRAWN)
        assert figure.locator(".explorer-text").text_content() != words  # the program has drawn
        after = figure.evaluate(COORDINATES)
        assert len({part["name"] for part in before}) >= 2
        for old, new in zip(before, after, strict=True):
            assert old | {"box": None} == new | {"box": None}
            assert new["box"] == pytest.approx(old["box"], abs=0.05), old
    assert opened.complaints == []


def test_keys_change_the_picture_and_the_announced_value(live):
    opened, figure, drawn = live
    whole = figure.element_handle()
    for control in figure.locator("[data-control]:has(input[type=range])").all()[:SLIDERS]:
        slider = control.locator("input[type=range]")
        slider.focus()
        seen = []
        for key in ("Home", "ArrowRight", "PageUp", "PageUp", "PageDown", "End", "ArrowLeft"):
            opened.keyboard.press(key)
            seen.append(whole.evaluate(SEEN))
            assert seen[-1][0] == seen[-1][1]
        values = [float(value) for value, *_ in seen]
        assert values[0] < values[1] < values[6] < values[5]
        assert len({words for *_, words, _ in seen}) >= 2  # near an end, the words about a softmax can stay the same
        if int(slider.get_attribute("max")) > 30:
            assert values[1] < values[4] < values[3] < values[6]
            assert values[2] == values[4]
            assert len({picture for *_, picture in seen}) >= 3
        control.locator("label").dblclick()  # back to where it started
        drawn()


def test_bad_text_is_reported_and_the_picture_stays(first):
    opened, figure, drawn = first
    field, control = figure.locator("input[type=text]").first, figure.locator("[data-control]").first
    before = figure.evaluate(FRAME)
    for written in ("", "abc", "1e999", "nan", "-1e9", "0,5"):
        field.fill(written)
        opened.keyboard.press("Enter")
        drawn()
        assert " must be " in control.locator("[role=alert]").text_content()
        assert field.input_value() == written
        assert field.get_attribute("aria-invalid") == "true"
        assert figure.evaluate(FRAME) == before
    control.locator("input[type=range]").focus()
    opened.keyboard.press("End")
    assert control.locator("[role=alert]").text_content() == ""
    assert field.get_attribute("aria-invalid") is None


def move_all(opened, figure):
    """Move every control away from its start."""
    for control in figure.locator("[data-control]").all():
        if (slider := control.locator("input[type=range]")).count():
            slider.focus()
            opened.keyboard.press("PageUp" if slider.input_value() != slider.get_attribute("max") else "PageDown")
        elif (mover := control.locator(".explorer-mover")).count():
            mover.focus()
            opened.keyboard.press("Shift+ArrowRight")
        elif "click cells in the picture" in control.text_content():
            figure.locator(".explorer-switch").first.press("Space")
        elif (cell := control.locator("td > *").first).count():
            if cell.evaluate("e => e.tagName") == "BUTTON":
                cell.click()
            else:
                cell.fill("0.25")
                opened.keyboard.press("Enter")
        elif (menu := control.locator("select")).count():
            menu.select_option(index=(menu.evaluate("e => e.selectedIndex") + 1) % menu.locator("option").count())
        else:
            control.locator("button, input[type=checkbox]").first.click()


def write_the_link(opened, figure, drawn):
    """Move everything; the page's address then opens this state."""
    move_all(opened, figure)
    drawn()
    figure.locator(".explorer-link").click()
    opened.wait_for_function("location.hash.includes('&')")


def assert_shows_the_state(other, figure):
    again = other.locator(f"#{figure.get_attribute('id')}")
    expect(again.locator(".explorer-text")).to_have_text(figure.locator(".explorer-text").text_content())
    assert again.evaluate(COORDINATES) == figure.evaluate(COORDINATES)
    expect(again).to_be_in_viewport()


def test_a_link_opens_the_state_from_a_disk_and_reset_leaves_it(live, browser):
    opened, figure, drawn = live
    write_the_link(opened, figure, drawn)
    other = browser.new_page()
    other.goto(re.sub(r"^http://[^/]+", SITE.as_uri(), opened.url))
    assert_shows_the_state(other, figure)
    other.close()
    start = [field.get_attribute("value") for field in figure.locator("input[type=text]").all()]
    figure.locator(".explorer-reset").click()
    drawn()
    assert [field.input_value() for field in figure.locator("input[type=text]").all()] == start
    assert "&" not in opened.url


def test_a_link_is_announced_and_opens_the_state_from_a_server(first, open_page, base):
    opened, figure, drawn = first
    write_the_link(opened, figure, drawn)
    opened.wait_for_timeout(900)  # the picture's words, which are announced late, must not replace the answer
    status = figure.locator("[role=status]")
    assert status.bounding_box()["width"] > 100
    assert "this state" in status.text_content()
    assert_shows_the_state(open_page(opened.url.removeprefix(base)), figure)


def test_a_strange_address_disturbs_nothing(open_page):
    page = open_page("chapters/01_softmax_and_variance.html#100%")
    expect(page.locator("#softmax_explorer input").first).to_be_enabled()


def test_each_refused_part_of_a_link_has_words_where_the_reader_looks(first):
    opened, figure, _ = first
    ident = figure.get_attribute("id")
    names = figure.locator("[data-control]").evaluate_all("all => all.map((e) => e.dataset.control)")
    assert_refuses(opened, figure, f"{ident}&" + "&".join(f"{name}={'!' * 5000}" for name in names), len(names))
    for name in [names[-1], "unknown"]:
        assert_refuses(opened, figure, f"{ident}&{name}=nonsense", 1)
    opened.wait_for_timeout(900)  # the picture's words, announced late, do not replace these
    expect(figure.locator(".explorer-refused")).to_be_visible()
    figure.locator(".explorer-reset").click()
    expect(figure.locator(".explorer-refused")).to_be_empty()


def test_a_link_to_an_explorer_that_a_page_lacks_has_words(first):
    opened, figure, _ = first
    assert_refuses(opened, figure, "six_word&sharpness=2", 1)
    assert "no explorer on this page is named six_word" in figure.locator(".explorer-refused").text_content()
    figure.locator(".explorer-reset").click()


def assert_refuses(opened, figure, address, count):
    opened.evaluate("scrollTo(0, document.body.scrollHeight)")
    opened.evaluate("address => void (location.hash = address)", address)
    words = figure.locator(".explorer-refused")
    expect(words).to_contain_text("Parts of the link are left out")
    assert len(words.text_content().split("; ")) == count
    expect(words).to_be_in_viewport()


FAULTS = {
    "nan": "Object.values(scene.artists).find(part => part.x).y[0] = NaN",
    "infinite": "Object.values(scene.artists).find(part => part.x).x[0] = Infinity",
    "empty axis": "Object.values(scene.axes)[0].xlim = [1, 1]",
    "text": "Object.values(scene.artists).find(part => part.text).text = 'std NaN'",
    "words": "scene.words = 'undefined keys'",
    "unknown": "scene.artists.unknown = {x: [0], y: [0]}",
    "error": "throw Error('no')",
}


BROKEN = """
    const whole = book.explorers.NAME;
    book.explorers.NAME = (values) => {
        const scene = whole(values);
        if (globalThis.fault) globalThis.fault(scene);
        return scene;
    };
"""


@pytest.fixture(scope="module")
def breakable(browser):
    """An explorer in its own page, which lets a test break its scenes."""
    page, name = SOFTMAX.split("#")
    script = (SITE / "_static" / "live.js").read_text("utf-8")
    other = browser.new_page()
    body = BROKEN.replace("NAME", name) + script
    other.route("**/live.js*", lambda route: route.fulfill(body=body, content_type="text/javascript"))
    other.goto(f"{(SITE / page).as_uri()}#{name}")  # this address opens the explorer's section
    yield other, other.locator(f"#{name}")
    other.close()


@pytest.mark.parametrize("fault", sample(FAULTS.values(), 4), ids=sample(FAULTS, 4))
def test_a_scene_that_cannot_be_drawn_is_reported_and_the_picture_stays(breakable, fault):
    page, figure = breakable
    page.evaluate("globalThis.fault = null")
    figure.locator("input[type=range]").first.focus()
    page.keyboard.press("Home")
    page.keyboard.press("PageUp")  # a good scene first: its words, announced late, must not hide the fault
    page.evaluate(DRAWN)
    status = figure.locator("[role=status]")
    assert not status.text_content().startswith("No picture for ")
    before = figure.evaluate(FRAME)
    page.evaluate(f"void (globalThis.fault = (scene) => {{ {fault} }})")
    page.keyboard.press("End")
    page.evaluate(DRAWN)
    assert figure.evaluate(FRAME) == before
    page.wait_for_timeout(900)
    assert status.bounding_box()["width"] > 100  # visible, and not only for screen readers
    assert status.text_content().startswith("No picture for ")


def test_going_back_to_a_link_keeps_later_changes(first):
    opened, figure, drawn = first
    slider, field = figure.locator("input[type=range]").first, figure.locator("input[type=text]").first
    slider.focus()
    opened.keyboard.press("PageUp")
    figure.locator(".explorer-link").click()
    opened.wait_for_function("location.hash.includes('&')")
    opened.evaluate("location.hash = 'elsewhere'")
    slider.focus()
    opened.keyboard.press("End")
    moved = field.input_value()
    opened.go_back()
    drawn()
    assert field.input_value() == moved


@pytest.mark.parametrize("script", sample(["programs/*", "attention_core", "picture", "state_links"], 1))
def test_a_script_that_cannot_be_loaded_is_reported(open_page, script):
    page = open_page(SOFTMAX, without=f"_static/{script}.js")
    figure = page.locator("#softmax_explorer")
    expect(figure.locator("[role=status]")).to_contain_text("could not be loaded")
    assert figure.locator("input").first.is_disabled()
    assert figure.locator(".explorer-frame svg").first.is_visible()


def test_a_printed_explorer_shows_its_values(live):
    opened, figure, drawn = live
    before = figure.locator(".explorer-values").text_content()
    move_all(opened, figure)
    drawn()
    opened.emulate_media(media="print")
    values = figure.locator(".explorer-values").inner_text()
    assert len(values) > 5
    assert all(old != new for old, new in zip(before.split(", "), values.split(", "), strict=True))
    value = figure.locator("input[type=text]").first.input_value()
    assert f"= {value}" in values
    assert figure.locator("fieldset:visible").count() == 0


def test_a_point_is_dragged_and_moved_with_arrow_keys(point):
    opened, figure, _ = point
    control, handle = figure.locator("[data-control=query]"), figure.locator("[data-artist=query] use")
    field, description = control.locator("input"), figure.locator(".explorer-text")
    assert figure.locator(".explorer-handle").last.bounding_box()["width"] >= 40
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    words = description.text_content()
    opened.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    opened.mouse.down()
    opened.mouse.move(box["x"] + 60, box["y"] - 40, steps=6)
    opened.mouse.up()
    opened.evaluate(DRAWN)
    assert description.text_content() != words
    after = handle.bounding_box()
    assert after["x"] - box["x"] == pytest.approx(60 - box["width"] / 2, abs=2)
    assert after["y"] - box["y"] == pytest.approx(-40 - box["height"] / 2, abs=2)
    x, y = map(float, field.input_value().split())
    control.locator("button").focus()
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("Shift+ArrowDown")
    assert list(map(float, field.input_value().split())) == pytest.approx([x + 0.05, y - 0.5], abs=0.006)
    field.fill("9 0")
    opened.keyboard.press("Enter")
    assert "must be a number from -4 to 4, got 9" in control.locator("[role=alert]").text_content()
    field.fill("1")
    opened.keyboard.press("Enter")
    assert "must have 2 numbers, got 1" in control.locator("[role=alert]").text_content()


def test_a_table_can_be_edited_and_names_a_bad_number(open_page):
    opened = open_page("chapters/00_attention_in_five_minutes.html")  # the machine alone has tables
    figure = opened.locator("figure[id^=machine]").first
    figure.locator(".explorer-steps input").fill("5")
    figure.locator(".machine-more").click()
    control = figure.locator("[data-control=w_q]")
    words = figure.locator(".explorer-text")
    before = words.text_content()
    cells = control.locator("input")
    cells.nth(1).fill("-2.5")
    opened.keyboard.press("Enter")
    opened.evaluate(DRAWN)
    moved = words.text_content()
    assert moved != before
    cells.nth(2).fill("abc")
    opened.keyboard.press("Enter")
    assert "got abc" in control.locator("[role=alert]").text_content()
    assert cells.nth(2).get_attribute("aria-invalid") == "true"
    assert cells.nth(1).get_attribute("aria-invalid") is None
    assert words.text_content() == moved
    cells.nth(0).fill("3")
    opened.keyboard.press("Enter")  # a value in a different cell is accepted, and the first fault stays
    assert "got abc" in control.locator("[role=alert]").text_content()
    assert cells.nth(2).input_value() == "abc"
    assert cells.nth(2).get_attribute("aria-invalid") == "true"
    cells.nth(2).fill("1")
    opened.keyboard.press("Enter")
    assert control.locator("[role=alert]").text_content() == ""
    assert opened.complaints == []


def test_a_finger_hits_a_cell(share_page):
    opened = share_page("chapters/05_masking.html")
    opened.wait_for_function(AWAKE)
    opened.set_viewport_size({"width": 390, "height": 844})
    boxes = [cell.bounding_box() for cell in opened.locator("#mask_laboratory .explorer-switch").all()]
    opened.set_viewport_size(WIDE)
    assert min(min(box["width"], box["height"]) for box in boxes) >= 24


WILD = """async rounds => {
    const figure = document.querySelector("figure.explorer[data-live]");
    const inputs = [...figure.querySelectorAll("input[type=range], select, input[type=checkbox]")];
    for (let round = 0; round < rounds; round++) {
        for (const input of inputs) {
            if (input.type === "checkbox") input.checked = Math.random() < 0.5;
            else if (input.tagName === "SELECT") input.selectedIndex = Math.random() * input.options.length;
            else input.value = Math.floor(Math.random() * Number(input.max) / 3);
            input.dispatchEvent(new Event("input", {bubbles: true}));
        }
        await new Promise(requestAnimationFrame);
    }
    await new Promise(done => setTimeout(done, 1500));  // earlier pictures are forgotten by then
    gc(); await new Promise(done => setTimeout(done, 300)); gc();
    return [performance.memory.usedJSHeapSize, figure.querySelectorAll("*").length];
}"""


@pytest.mark.parametrize("page", sample(WITH_LIVE, 2))
def test_links_in_the_text_open_states_that_exist(page, share_page):
    opened = share_page(page)
    links = opened.locator("article a[href^='#'][href*='&']")
    opened.evaluate(UNFOLD)
    for number, link in enumerate(sample(links.all(), 2)):
        ident, *state = unescape(link.get_attribute("href"))[1:].split("&")
        figure = opened.locator(f"figure#{ident}[data-live]")
        opened.wait_for_function("e => !e.querySelector('fieldset').disabled", arg=figure.element_handle())
        known = {control["name"] for control in json.loads(figure.get_attribute("data-live"))["controls"]}
        assert state
        assert {pair.partition("=")[0] for pair in state} <= known
        link.click()
        opened.evaluate(DRAWN)
        assert figure.locator("[role=alert]").all_text_contents() == [""] * figure.locator("[role=alert]").count()
        assert not figure.locator(".explorer-alert").count()
        figure.locator(".explorer-link").click()
        written = unquote_plus(opened.evaluate("location.hash")).split("&")[1:]
        assert sorted(written) == sorted(unquote_plus(pair) for pair in state), "not the state in the link"
        words = figure.locator(".explorer-text").text_content()
        figure.locator(".explorer-reset").click()
        for _ in range(0 if number else 2):  # and again, from wherever the controls were left
            link.click()
            opened.evaluate(DRAWN)
            assert figure.locator(".explorer-text").text_content() == words
            move_all(opened, figure)
            opened.evaluate(DRAWN)
            assert figure.locator(".explorer-text").text_content() != words
    assert opened.complaints == []


@pytest.fixture(scope="module")
def heap_browser(chromium_with):
    return chromium_with(*HEAP_FLAGS)


@weekly  # it takes ten seconds
@pytest.mark.parametrize("page", WITH_LIVE)
def test_wild_dragging_leaves_nothing_behind(page, heap_browser, base):
    opened = heap_browser.new_page()
    opened.goto(base + page)
    opened.wait_for_function(AWAKE)
    (before, _), (after, _) = opened.evaluate(WILD, 20), opened.evaluate(WILD, 60)
    assert after < 1.1 * before + 2e6  # the last picture is kept, and may be a larger one
    assert opened.locator(".explorer-before").count() == 0
    opened.close()
