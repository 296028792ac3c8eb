"""The title page's picture: its numbers are those of chapter 0 and of the book's attention, also on the page."""

import json
import math
import re
from xml.etree import ElementTree

import pytest
import torch

import attention_core as ac
from conftest import SETTLED, in_v8, sample
from explore.explorers.page import STATIC as PAGE
from four_words.opening import STATIC
from four_words.opening.looks import KEY, QUERY, WORDS, look_of, weights_of
from four_words.opening.picture import ASKS, ROOM, SHARPNESS, svg
from four_words.sentences import OF_OPENING, in_words
from website.places import ROOT, read

DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
SHARP = [i / 50 for i in range(301)]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def page():
    """``page(asks, sharpness)``: the weights, and the sentence's id and values, of the page's script."""
    context = in_v8(PAGE / "attention_core.js", STATIC / "looks.js")
    data = json.dumps({"words": WORDS, "query": QUERY.tolist(), "key": KEY.tolist()})
    context.eval(f"""const data = {data}, {{ look_of, weights_of }} = book.opening_looks;
        const look = (asks, sharpness) => {{
            const weights = weights_of(data, asks, sharpness);
            return JSON.stringify([weights, look_of(data, asks, weights)]);
        }};""")
    return lambda asks, sharpness: json.loads(context.eval(f"look({asks}, {sharpness})"))


@pytest.mark.parametrize("asks", range(4))
def test_page_and_kernel_agree(asks, page):
    for sharpness in SHARP:
        ours = weights_of(asks, sharpness)
        theirs, (ident, values) = page(asks, sharpness)
        assert theirs == pytest.approx(ours, abs=1e-12)
        assert (ident, values) == look_of(asks, ours)
        scores = (QUERY[asks] * KEY).sum(-1) * sharpness / math.sqrt(KEY.shape[1])
        assert ours == pytest.approx(scores.softmax(0).tolist(), abs=1e-12)


def test_every_sentence_is_said_at_some_sharpness():
    said = {}
    for asks in range(4):
        said |= {found[0]: in_words(found) for found in (look_of(asks, weights_of(asks, x)) for x in SHARP)}
    assert {*said} == {*OF_OPENING}
    assert "{" not in " ".join(said.values())


def test_the_words_and_the_matrices_are_those_of_chapter_0():
    cells = read(ROOT / "chapters" / "00_attention_in_five_minutes.ipynb").cells
    code = "\n".join(cell.source for cell in cells if cell.id in ("cell-03", "70cc7d08"))
    made = {"torch": torch}
    exec(code, made)
    assert made["sentence"] == WORDS
    for ours, name in ((QUERY, "query"), (KEY, "key")):
        assert torch.equal(ours.float(), made[name])
    weights = ac.attention_weights(made["query"], made["key"])[ASKS]
    assert weights_of(ASKS, SHARPNESS) == pytest.approx(weights.tolist(), abs=1e-6)


@pytest.mark.parametrize("asks", range(4))
@pytest.mark.parametrize("sharpness", [0, 1, 6])
def test_the_picture_is_drawn_from_the_weights(asks, sharpness):
    weights = weights_of(asks, sharpness)
    picture = ElementTree.fromstring(svg(asks, sharpness))
    shown = [group for group in of_class(picture, "arcs") if "display: none" not in group.get("style")]
    widths = [float(re.search(r"stroke-width: ([\d.]+)px", arc.get("style"))[1]) for arc in shown[0]]
    assert len(shown) == 1
    assert widths == pytest.approx([26 * weight for weight in weights], abs=0.01)
    assert [word[2].text for word in of_class(picture, "word")] == [f"{weight:.2f}" for weight in weights]
    assert [float(part[0].get("width")) / ROOM for part in of_class(picture, "part")] == pytest.approx(
        weights, abs=1e-4
    )


def of_class(picture, name):
    return picture.findall(f"{SVG}g[@class='opening-{name}']")


@pytest.fixture
def arrive(open_page):
    def arrived(address="index.html", **options):
        opened = open_page(address, **options)
        if options.get("java_script_enabled", True):
            opened.wait_for_function(SETTLED)
        return opened, opened.locator("figure.opening")

    return arrived


def share_of(opened, figure):
    opened.evaluate(DRAWN)
    return [float(text) for text in figure.locator(".opening-number").all_text_contents()]


def test_the_weights_grow_once_to_the_usual_scale(arrive):
    opened, figure = arrive()
    opened.wait_for_function("() => document.querySelector('.opening input').value === '1'")
    assert share_of(opened, figure) == [0.22, 0.08, 0.61, 0.08]
    assert opened.complaints == []


@pytest.mark.parametrize("options", [{"reduced_motion": "reduce"}, {"address": "index.html#the-chapters"}])
def test_nothing_grows_if_the_reader_wants_no_motion_or_another_place(options, browser, base):
    page = browser.new_page(**{key: value for key, value in options.items() if key != "address"})
    page.add_init_script("""document.addEventListener("DOMContentLoaded", () => {
        globalThis.seen = [];
        new MutationObserver(() => seen.push(document.querySelector(".opening-number").textContent))
            .observe(document.querySelector(".opening svg"), { subtree: true, childList: true });
    });""")
    page.goto(base + options.get("address", "index.html"))
    page.wait_for_timeout(500)
    assert set(page.evaluate("seen")) <= {"0.22"}
    page.close()


def test_the_slider_goes_from_an_average_to_a_look_up_and_a_word_that_is_chosen_asks(arrive):
    opened, figure = arrive(reduced_motion="reduce")
    said, slider = figure.locator(".opening-said"), figure.locator("input")
    slider.focus()
    opened.keyboard.press("Home")
    assert "plain average" in said.inner_text()
    assert share_of(opened, figure) == [0.25] * 4
    opened.keyboard.press("End")
    assert "look-up" in said.inner_text()
    assert said.inner_text() in slider.get_attribute("aria-valuetext")
    figure.get_by_role("button", name="let “a”, word 3, ask").click()
    assert "both “saw”, 0.50 each" in said.inner_text()
    figure.get_by_role("button", name="let “I”, word 1, ask").focus()
    opened.keyboard.press("Enter")
    assert "Its query is 0" in said.inner_text()
    assert figure.locator("[aria-pressed=true]").count() == 1
    assert figure.locator(".opening-arcs:visible").count() == 1


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_picture_slider_sentence_and_start_are_in_sight(width, height, arrive):
    opened, figure = arrive(viewport={"width": width, "height": height})
    start = opened.get_by_role("link", name="Start: attention in twenty minutes")
    for part in (figure.locator("svg"), figure.locator("input"), figure.locator(".opening-said"), start):
        box = part.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


def test_without_scripts_it_is_a_still_picture_with_its_sentence(arrive):
    _, figure = arrive(java_script_enabled=False)
    assert figure.locator("svg").is_visible()
    assert figure.locator(".opening-said").inner_text() == in_words(look_of(ASKS, weights_of(ASKS, SHARPNESS)))
    assert not figure.locator("input").is_visible()


@pytest.mark.parametrize("script", sample(["attention_core", "looks", "four_words", "opening"], 2))
def test_a_lost_script_leaves_the_picture_without_a_slider(script, open_page):
    page = open_page("index.html", without=f"_static/{script}.js")
    page.wait_for_timeout(300)
    assert page.locator(".opening svg").is_visible()
    assert not page.locator(".opening input").is_visible()
