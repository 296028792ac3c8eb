"""Explorers that compute, in a real Chromium: keys, fields, links, faults; their numbers are in test_programs.py."""

import os
import re

import pytest

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
FRAME = "figure => figure.querySelector('.explorer-frame').innerHTML"
COORDINATES = """figure => [...figure.querySelectorAll(".explorer-frame [data-artist] :is(path, use, text)")].map(e =>
    e.tagName === "text" ? e.textContent : e.getAttribute("d") ?? `${e.getAttribute("x")} ${e.getAttribute("y")}`)"""


@pytest.fixture(params=LIVE)
def live(request, open_page):
    """An opened page, the explorer in it, and ``drawn()``: when its next picture is there."""
    page, name = request.param.split("#")
    opened = open_page(page)
    figure = opened.locator(f"#{name}")
    opened.wait_for_function("name => !document.getElementById(name).querySelector('fieldset').disabled", arg=name)
    yield opened, figure, lambda: opened.evaluate(DRAWN)
    assert opened.complaints == []


def test_waking_up_moves_nothing(live):
    """The program's first picture lies where matplotlib's lay."""
    opened, figure, drawn = live
    before = figure.locator(".explorer-frame").screenshot()
    field = figure.locator("input[type=text]").first
    start = field.input_value()
    field.fill(start)
    field.dispatch_event("change")
    drawn()
    after = figure.locator(".explorer-frame").screenshot()
    different = opened.evaluate(
        """async ([a, b]) => {
            const pixels = await Promise.all([a, b].map(async (bytes) => {
                const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], {type: "image/png"}));
                const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
                canvas.drawImage(image, 0, 0);
                return canvas.getImageData(0, 0, image.width, image.height).data;
            }));
            let count = 0;
            for (let i = 0; i < pixels[0].length; i += 4) count += Math.abs(pixels[0][i] - pixels[1][i]) > 60;
            return count / (pixels[0].length / 4);
        }""",
        [list(before), list(after)],
    )
    assert different < 0.002


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
def test_what_cannot_be_is_said_and_the_picture_stays(live, written):
    opened, figure, drawn = live
    field = figure.locator("input[type=text]").first
    before = figure.evaluate(FRAME)
    field.fill(written)
    opened.keyboard.press("Enter")
    drawn()
    control = figure.locator("[data-control]").first
    assert " must be " in control.locator("[role=alert]").text_content()
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
    for button in figure.get_by_text("draw again").all():
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
        assert again.locator("label").first.is_visible()
        other.close()
    start = [field.get_attribute("value") for field in figure.locator("input[type=text]").all()]
    figure.locator(".explorer-reset").click()
    drawn()
    assert [field.input_value() for field in figure.locator("input[type=text]").all()] == start
    assert "&" not in opened.url


def test_a_strange_address_disturbs_nothing(live, browser):
    opened, figure, _ = live
    other = browser.new_page()
    other.goto(f"{opened.url.split('#')[0]}#100%")
    assert other.locator(f"#{figure.get_attribute('id')} fieldset").is_enabled()
    other.close()


def test_a_link_with_what_cannot_be_says_so(live, browser):
    opened, figure, _ = live
    name, control = figure.get_attribute("id"), figure.locator("[data-control]").first.get_attribute("data-control")
    other = browser.new_page()
    other.goto(f"{opened.url.split('#')[0]}#{name}&{control}=abc&unknown=1")
    alert = other.locator(f"#{name} [data-control={control}] [role=alert]")
    other.wait_for_function("e => e.textContent", arg=alert.element_handle())
    assert "got abc" in alert.text_content()
    other.close()


@pytest.mark.parametrize("fault", ["{x: [NaN], y: [1]}", "{x: [0], y: [Infinity]}", "(() => { throw Error('no') })()"])
def test_no_number_without_bounds_reaches_the_picture(live, fault):
    opened, figure, _ = live
    name = figure.get_attribute("id")
    other = opened.context.new_page()
    page = opened.url.split("#")[0]
    script = (SITE / "_static" / "live.js").read_text("utf-8")
    broken = f"explorers.{name} = () => ({{artists: {{a: {fault}}}, words: 'w'}});"
    other.route("**/live.js*", lambda route: route.fulfill(body=broken + script, content_type="text/javascript"))
    other.goto(page)
    again = other.locator(f"#{name}")
    before = again.evaluate(FRAME)
    again.locator("input[type=range]").first.focus()
    other.keyboard.press("End")
    other.evaluate(DRAWN)
    assert again.evaluate(FRAME) == before
    status = again.locator("[role=status]")
    assert status.is_visible()
    assert status.text_content().startswith("No picture for ")
