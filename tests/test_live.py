"""Explorers that compute, in a real Chromium: keys, fields, links, faults; their numbers are in test_programs.py."""

import functools
import os
import re

import pytest
from playwright.sync_api import expect

from benchmarks.site import SITE

PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if "_static" not in path.parts)
LIVE = [
    f"{page}#{name}"
    for page in PAGES
    for name in re.findall(r'<figure class="explorer" id="(\w+)" data-live=', (SITE / page).read_text("utf-8"))
]

if not LIVE:
    pytestmark = pytest.mark.skip("there is no built site with an explorer that computes; run: make book")
    if os.environ.get("CI") == "true":
        raise RuntimeError("there is no built site with an explorer that computes; run: make book")

DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
FRAME = """figure => {  // without what was there a second ago
    const frame = figure.querySelector(".explorer-frame").cloneNode(true);
    frame.querySelectorAll(".explorer-before").forEach(e => e.remove());
    return frame.innerHTML;
}"""
# Of every part that a program moves: texts, places of marks, and the box around each path.
COORDINATES = """figure => [...figure.querySelectorAll(".explorer-frame [data-artist]")].flatMap(group =>
    [...group.querySelectorAll(":scope > path, use, :scope > text")].map(e => {
        const {x, y, width, height} = e.getBBox();
        return {name: group.dataset.artist, tag: e.tagName, text: e.textContent, hidden: e.style.display,
                box: e.tagName === "path" ? [x, y, width, height] : ["x", "y"].map(key => Number(e.getAttribute(key)))};
    }))"""


def opened_live(address, open_page):
    """An opened page, the explorer in it, and ``drawn()``: when its next picture is there."""
    page, name = address.split("#")
    opened = open_page(page)
    figure = opened.locator(f"#{name}")
    opened.wait_for_function("name => !document.getElementById(name).querySelector('fieldset').disabled", arg=name)
    yield opened, figure, functools.partial(opened.evaluate, DRAWN)
    assert opened.complaints == []


@pytest.fixture(params=LIVE)
def live(request, open_page):
    yield from opened_live(request.param, open_page)


@pytest.fixture(params=LIVE[:1])
def first(request, open_page):
    """The first of them, for what all have from live.js."""
    yield from opened_live(request.param, open_page)


def test_waking_up_moves_nothing(live):
    """The program's first picture lies where matplotlib's lay, part by part, to a twentieth of a point."""
    _, figure, drawn = live
    before, words = figure.evaluate(COORDINATES), figure.locator(".explorer-text").text_content()
    field = figure.locator("input[type=text]").first
    field.dispatch_event("change")
    drawn()
    assert figure.locator(".explorer-text").text_content() != words  # the program has drawn
    after = figure.evaluate(COORDINATES)
    assert len({part["name"] for part in before}) >= 2
    for old, new in zip(before, after, strict=True):
        assert old | {"box": None} == new | {"box": None}
        assert new["box"] == pytest.approx(old["box"], abs=0.05), old


def test_keys_move_the_picture_and_what_is_said(live):
    opened, figure, drawn = live
    description = figure.locator(".explorer-text")
    for control in figure.locator("[data-control]").all():
        slider, field = control.locator("input[type=range]"), control.locator("input[type=text]")
        if not slider.count():
            continue
        slider.focus()
        seen = []
        for key in ("Home", "ArrowRight", "PageUp", "PageUp", "PageDown", "End", "ArrowLeft"):
            opened.keyboard.press(key)
            drawn()
            seen.append((slider.get_attribute("aria-valuetext"), description.text_content(), figure.evaluate(FRAME)))
            assert seen[-1][0] == field.input_value()
        values = [float(value) for value, _, _ in seen]
        assert values[0] < values[1] < values[4] < values[3] < values[6] < values[5]
        assert values[2] == values[4]
        assert len({words for _, words, _ in seen}) >= 2  # at an end a softmax says the same again
        assert len({picture for _, _, picture in seen}) >= 4
        control.locator("label").dblclick()  # back to where it started
        drawn()


@pytest.mark.parametrize("written", ["", "abc", "1e999", "nan", "-1e9", "0,5"])
def test_what_cannot_be_is_said_and_the_picture_stays(first, written):
    opened, figure, drawn = first
    field = figure.locator("input[type=text]").first
    before = figure.evaluate(FRAME)
    field.fill(written)
    opened.keyboard.press("Enter")
    drawn()
    control = figure.locator("[data-control]").first
    assert " must be " in control.locator("[role=alert]").text_content()
    assert field.input_value() == written
    assert field.get_attribute("aria-invalid") == "true"
    assert figure.evaluate(FRAME) == before
    control.locator("input[type=range]").focus()
    opened.keyboard.press("End")
    assert control.locator("[role=alert]").text_content() == ""
    assert field.get_attribute("aria-invalid") is None


def test_a_link_opens_the_state_and_reset_leaves_it(live, browser):
    opened, figure, drawn = live
    for slider in figure.locator("input[type=range]").all():
        slider.focus()
        opened.keyboard.press("PageUp")
    for button in figure.get_by_role("button", name="draw again").all():
        button.click()
    drawn()
    figure.locator(".explorer-link").click()
    opened.wait_for_function("location.hash.includes('&')")
    opened.wait_for_timeout(900)  # the words of the picture, told at rest, leave the answer alone
    told = figure.locator("[role=status]")
    assert told.bounding_box()["width"] > 100
    assert "this state" in told.text_content()
    shown, told = figure.evaluate(COORDINATES), figure.locator(".explorer-text").text_content()
    for address in (opened.url, (SITE / re.sub(r"^http://[^/]+/", "", opened.url).split("#")[0]).as_uri()):
        other = browser.new_page()
        other.goto(address if "#" in address else f"{address}#{opened.url.partition('#')[2]}")
        again = other.locator(f"#{figure.get_attribute('id')}")
        other.wait_for_function("told => document.body.innerHTML.includes(told)", arg=told)
        assert again.evaluate(COORDINATES) == shown
        expect(again).to_be_in_viewport()
        other.close()
    start = [field.get_attribute("value") for field in figure.locator("input[type=text]").all()]
    figure.locator(".explorer-reset").click()
    drawn()
    assert [field.input_value() for field in figure.locator("input[type=text]").all()] == start
    assert "&" not in opened.url


def test_a_strange_address_disturbs_nothing(first, browser):
    opened, figure, _ = first
    other = browser.new_page()
    other.goto(f"{opened.url.split('#')[0]}#100%")
    expect(other.locator(f"#{figure.get_attribute('id')} input").first).to_be_enabled()
    other.close()


def test_a_link_with_what_cannot_be_says_so(first, browser):
    opened, figure, _ = first
    name, control = figure.get_attribute("id"), figure.locator("[data-control]").first.get_attribute("data-control")
    other = browser.new_page()
    other.goto(f"{opened.url.split('#')[0]}#{name}&{control}=abc&unknown=1")
    alert = other.locator(f"#{name} [data-control={control}] [role=alert]")
    other.wait_for_function("e => e.textContent", arg=alert.element_handle())
    assert "got abc" in alert.text_content()
    other.close()


FAULTS = {
    "nan": "Object.values(scene.artists).find(part => part.x).y[0] = NaN",
    "infinite": "Object.values(scene.artists).find(part => part.x).x[0] = Infinity",
    "empty axis": "Object.values(scene.axes)[0].xlim = [1, 1]",
    "text": "Object.values(scene.artists).find(part => part.text).text = 'std NaN'",
    "words": "scene.words = 'undefined keys'",
    "unknown": "scene.artists.unknown = {x: [0], y: [0]}",
    "error": "throw Error('no')",
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_scene_that_cannot_be_drawn_leaves_picture_and_says_so(first, fault):
    opened, figure, _ = first
    name = figure.get_attribute("id")
    other = opened.context.new_page()
    page = opened.url.split("#")[0]
    script = (SITE / "_static" / "live.js").read_text("utf-8")
    broken = f"""
        const whole = explorers.{name};
        let drawn = 0;
        explorers.{name} = (values) => {{ const scene = whole(values); if (drawn++) {{ {fault} }} return scene; }};
    """
    other.route("**/live.js*", lambda route: route.fulfill(body=broken + script, content_type="text/javascript"))
    other.goto(page)
    again = other.locator(f"#{name}")
    again.locator("input[type=range]").first.focus()
    other.keyboard.press("PageUp")  # a good one first: what it has to tell at rest must not hide the fault
    other.evaluate(DRAWN)
    before = again.evaluate(FRAME)
    other.keyboard.press("End")
    other.evaluate(DRAWN)
    assert again.evaluate(FRAME) == before
    other.wait_for_timeout(900)
    status = again.locator("[role=status]")
    assert status.bounding_box()["width"] > 100  # for everybody, and not for screen readers alone
    assert status.text_content().startswith("No picture for ")


def test_going_back_to_a_link_keeps_what_was_moved_since(first):
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


def test_what_cannot_be_loaded_is_said(first):
    opened, figure, _ = first
    other = opened.context.new_page()
    other.route("**/programs/*.js*", lambda route: route.abort())
    other.goto(opened.url.split("#")[0])
    again = other.locator(f"#{figure.get_attribute('id')}")
    expect(again.locator("[role=status]")).to_contain_text("could not be loaded")
    assert again.locator("input").first.is_disabled()
    assert again.locator(".explorer-frame svg").is_visible()


def test_paper_has_the_values(live):
    opened, figure, drawn = live
    figure.locator("input[type=range]").first.focus()
    opened.keyboard.press("End")
    drawn()
    opened.emulate_media(media="print")
    value = figure.locator("input[type=text]").first.input_value()
    assert f"= {value}," in figure.locator(".explorer-values").inner_text()
    assert not figure.locator("fieldset").is_visible()
