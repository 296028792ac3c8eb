"""The built site in a real Chromium with the network blocked: every page, every link, every slider."""

import functools
import html
import itertools
import json
import re
from urllib.parse import unquote, urldefrag, urljoin, urlparse
from xml.etree import ElementTree

import matplotlib.image
import numpy as np
import pytest
from playwright.sync_api import expect

from conftest import EVERYWHERE, FLIP_BOOK, OPEN_ALL, PAGES, SETTLED, WITH_EXPLORERS, sample
from website.places import ROOT, SITE, chapters, notebooks
from website.translation.beside import others

FIGURES = [
    (f"{page}#{ident}", bool(live))
    for page in PAGES
    for ident, live in re.findall(
        r'<figure class="explorer" id="([^"]+)"( data-live)?', (SITE / page).read_text(encoding="utf-8")
    )
]
EXPLORERS = [explorer for explorer, _ in FIGURES]
FLIP_BOOKS = [explorer for explorer, is_live in FIGURES if not is_live]

pytestmark = pytest.mark.usefixtures("base")


def test_every_page_of_the_book_is_there():
    assert {"index.html", "back_matter/bibliography.html", "search.html"} <= set(PAGES)
    assert {f"{path.parent.name}/{path.stem}.html" for path in notebooks()[1:]} <= set(PAGES)
    sources = [path.read_text(encoding="utf-8") for path in notebooks()]
    shown = re.compile(r'"(?:@explore\(|@walk\(|machine\()')
    assert len(EXPLORERS) == sum(len(shown.findall(text)) for text in sources)
    idents = [explorer.partition("#")[2] for explorer in EXPLORERS]
    assert {ident for ident in idents if idents.count(ident) > 1} == set(), "an id would occur twice in the PDF"


def test_no_page_requests_a_script_that_it_does_not_need():
    for page in PAGES:
        scripts = " ".join(re.findall(r"<script[^>]*>", (SITE / page).read_text(encoding="utf-8")))
        assert not re.search("mathjax|thebe|fontawesome|application/json", scripts), page
        assert "searchindex.js" not in scripts
        assert ("search_index.js" in scripts) == (page == "search.html")
        computes, opens = (f"data-{what}=" in (SITE / page).read_text(encoding="utf-8") for what in ("live", "opening"))
        assert ("live.js" in scripts) == computes
        assert ("attention_core.js" in scripts) == (computes or opens)


SHIFT = """milliseconds => new Promise(done => {
    let sum = 0;
    new PerformanceObserver(list => list.getEntries().forEach(e => (sum += e.hadRecentInput ? 0 : e.value)))
        .observe({type: "layout-shift", buffered: true});
    setTimeout(() => done(sum), milliseconds);
})"""


def test_page(opened):
    assert opened.complaints == []

    found = opened.evaluate("""() => ({
        formulas: document.querySelectorAll(".math").length,
        rendered: document.querySelectorAll(".math mjx-container").length,
        wrong: document.querySelectorAll("mjx-merror, .output.traceback, .problematic").length,
        nameless: [...document.querySelectorAll("article img:not(.chapters img), article [role=img]")]
            .filter(e => { const name = e.alt ?? e.getAttribute("aria-label") ?? "";
                           return name.trim().length < 10 || /\\.(png|svg)$/.test(name); }).length,
        titles: [...document.querySelectorAll("h1")].filter(e => e.checkVisibility()).length,
        text: [...document.querySelectorAll("article :is(p, li, dd, td, h1, h2, h3)")]
            .map(e => e.innerText).join("\\n"),
        icons: document.querySelectorAll("link[rel=icon]").length,
        meta: Object.fromEntries([...document.querySelectorAll("meta[content]")]
            .map(e => [e.name || e.getAttribute("property"), e.content])),
        ids: [...document.querySelectorAll("[id]")].map(e => e.id),
        // A range that computes counts its program's own steps; its value is in the field beside it.
        moved: [...document.querySelectorAll("[data-control] :is(input, select):not([data-live] [type=range])")]
            .filter(e => e.type === "checkbox" ? e.checked !== e.defaultChecked
                : e.options ? !e.selectedOptions[0].defaultSelected : e.value !== e.defaultValue)
            .map(e => [e.closest("figure").id, e.closest("[data-control]").dataset.control]),
    })""")
    assert opened.evaluate(SHIFT, 100) <= 0.02, "something moves while the page loads"
    assert found["rendered"] == found["formulas"]
    assert found["wrong"] == 0
    assert found["nameless"] == 0
    assert found["titles"] == 1
    assert found["moved"] == [], "a control has another value than its author gave it"
    outside_code = re.sub(r"[\"'`].*?[\"'`]", "", found["text"])
    assert not re.search(r"\$\S|\{cite|\{glue|\{ref|^:::|^```", outside_code, re.M), "raw markup"
    twice = {ident for ident in found["ids"] if found["ids"].count(ident) > 1}
    assert not {ident for ident in twice if not ident.startswith("pst-")}, twice

    meta = found["meta"]  # the words that search engines show, and messages with a link
    assert 50 <= len(meta["description"]) <= 203
    assert not re.search(r"[\\{}<>]", meta["description"])
    assert meta["og:description"] == meta["description"]
    assert len(meta["og:title"]) > 3
    assert meta["og:image"].endswith("_static/preview.png")
    assert found["icons"] == 1


# The picture (as a number, because thousands of whole pictures would take minutes to send), its name, the positions of
# all controls, and the announced text.
SEEN = """control => {
    const figure = control.closest("figure"), frame = figure.querySelector(".explorer-frame");
    const markup = frame.innerHTML;
    let picture = 0;
    for (let i = 0; i < markup.length; i++) picture = (Math.imul(picture, 31) + markup.charCodeAt(i)) | 0;
    const name = frame.getAttribute("aria-label");
    const places = [...figure.querySelectorAll("input, select")].map(e =>
        Number(e.type === "checkbox" ? e.dataset[e.checked ? "checked" : "unchecked"] : e.selectedIndex ?? e.value));
    return {picture, name, places, announced: control.getAttribute("aria-valuetext") ?? name};
}"""
# The same data at every position of a slider or a list.
SWEEP = f"""control => {{
    const isList = control.tagName === "SELECT", count = isList ? control.options.length : Number(control.max) + 1;
    return [...Array(count).keys()].map(place => {{
        if (isList) control.selectedIndex = place; else control.value = place;
        control.dispatchEvent(new Event("input", {{bubbles: true}}));
        return ({SEEN})(control);
    }});
}}"""


@pytest.mark.parametrize("explorer", sample(FLIP_BOOKS, 2))  # all have the same script
def test_each_control_of_a_flip_book_changes_picture_and_announced_value_at_every_position(explorer, open_page):
    page, ident = explorer.split("#")
    opened = open_page(page)
    figure = opened.locator(f"[id='{ident}']")
    opened.wait_for_function("ident => book.explorer_frames[ident]", arg=ident)
    data = json.loads(
        opened.evaluate("ident => book.explorer_frames[ident]", ident)
    )  # as text, because Playwright sends numbers one by one
    assert figure.locator(".explorer-text").text_content() in data["texts"]
    for control in figure.locator("input, select").all():
        initial = control.evaluate("e => [e.value, e.checked]")
        control.focus()
        if control.get_attribute("type") == "checkbox":
            seen = [control.evaluate(SEEN)]
            opened.keyboard.press("Space")
            seen.append(control.evaluate(SEEN))
        else:
            seen = control.evaluate(SWEEP)
        frames = [np.ravel_multi_index(now["places"], data["shape"]) for now in seen]
        assert [now["name"] for now in seen] == [data["alts"][frame] for frame in frames]
        different = {tuple(data["frames"][frame]) for frame in frames}
        assert len({now["picture"] for now in seen}) == len(different) > 1, control.get_attribute("id")
        announced = [now["announced"] for now in seen]
        assert len(set(announced)) == len(announced)
        if control.get_attribute("type") == "range":
            assert announced == json.loads(control.get_attribute("data-labels"))
            assert control.evaluate("e => e.nextElementSibling.textContent") == announced[-1]
        if control.get_attribute("type") == "range":
            for key, place in (("ArrowLeft", -2), ("Home", 0), ("ArrowRight", 1), ("End", -1)):
                opened.keyboard.press(key)
                assert control.evaluate(SEEN) == seen[place], key
            box = control.bounding_box()
            middle = box["y"] + box["height"] / 2
            opened.mouse.move(box["x"] + box["width"] - 10, middle)
            opened.mouse.down()
            opened.mouse.move(box["x"] + 1, middle, steps=8)
            opened.mouse.up()
            assert control.evaluate(SEEN) == seen[0]
        control.evaluate(
            "(e, [value, checked]) => { e.value = value; e.checked = checked;"
            " e.dispatchEvent(new Event('input', {bubbles: true})); }",
            initial,
        )
    assert opened.complaints == []


@functools.cache
def ids_of(path):
    return set(re.findall(r'\b(?:id|name)="([^"]+)"', path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES)
def test_no_internal_link_is_broken(page):
    broken = []
    markup = re.sub(r"<script.*?</script>", "", (SITE / page).read_text(encoding="utf-8"), flags=re.S)
    for url in re.findall(r'\b(?:href|src)="([^"]+)"', markup):
        target, fragment = urldefrag(urljoin(f"http://site/{page}", url))
        if urlparse(target).netloc != "site":
            continue
        path = SITE / unquote(urlparse(target).path).lstrip("/")
        path = path / "index.html" if path.is_dir() else path
        fragment = html.unescape(fragment).split("&")[0]  # an explorer's state may follow
        if not path.is_file() or (fragment and path.suffix == ".html" and unquote(fragment) not in ids_of(path)):
            broken.append(url)
    assert broken == []


SCALES = """() => [...document.querySelectorAll(".explorer-frame:has(> svg, > div > svg)")]
    .map(frame => [...frame.querySelectorAll(":scope > svg, :scope > div > svg")]
        .map(svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width).filter(Boolean))
    .filter(scales => scales.length)"""


@pytest.mark.parametrize("opened", sample(PAGES, 8), indirect=True)
def test_pages_fit_a_phone_in_both_themes_and_controls_fit_a_thumb(opened):
    opened.set_viewport_size({"width": 390, "height": 800})
    opened.wait_for_function(SETTLED)
    for theme in ("light", "dark"):
        opened.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    sideways = opened.evaluate("""() => [...document.querySelectorAll(".explorer-frame")]
        .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.closest("figure").id)""")
    assert set(sideways) <= {"own_sentence", "language_model"}, (
        "figures scroll: draw narrower figures, or panels side by side"
    )
    for scales in opened.evaluate(SCALES):
        assert max(scales) < 1.02 * min(scales), "the panels of a figure have different scales"
    assert opened.evaluate(CUT_CONTROLS) == []
    sizes = opened.evaluate(LETTERS)
    assert all(7.9 <= size <= 24 for size in sizes), sorted(set(sizes))
    # Nothing behind a figure is light in the dark theme.
    backgrounds = opened.evaluate("""() => [...document.querySelectorAll("figure.explorer, figure.still")]
        .flatMap(e => [e, e.parentElement, e.querySelector(".explorer-frame")])
        .map(e => getComputedStyle(e).backgroundColor)""")
    for background in set(backgrounds):
        *rgb, alpha = ([float(x) for x in re.findall(r"[\d.]+", background)] + [1.0])[:4]
        assert alpha == 0 or max(rgb) < 80, background
    opened.keyboard.press("Shift")  # a key makes the focus visible
    for ident, *seen in opened.evaluate(FOCUSED):
        width, height, style, outline = seen
        assert min(width, height) >= 44, ident
        assert style == "solid", ident
        assert outline >= 2, ident


CUT_CONTROLS = """() => [...document.querySelectorAll("figure.explorer :is(input, select, button, output, td)")]
    .filter(e => e.checkVisibility())
    .filter(e => e.getBoundingClientRect().right > e.closest("figure").getBoundingClientRect().right)
    .map(e => [e.closest("figure").id, e.tagName])"""
# The sizes of the letters in figures, except for trained models, whose maps may have many words.
LETTERS = """() => [...document.querySelectorAll(".explorer-frame[role=img] text")]
    .filter(e => e.checkVisibility() && !["own_sentence", "language_model"].includes(e.closest("figure").id))
    .map(e => [parseFloat(getComputedStyle(e).fontSize), e.getScreenCTM()])
    .map(([size, {a, b}]) => size * Math.hypot(a, b))"""
FOCUSED = """() => [...document.querySelectorAll("figure.explorer :is(input, select, button):enabled")]
    .filter(e => e.checkVisibility()).map(e => {
        e.focus({focusVisible: true});
        const {width, height} = e.getBoundingClientRect();
        const {outlineStyle, outlineWidth} = getComputedStyle(e);
        return [e.id || e.className, width, height, outlineStyle, parseFloat(outlineWidth)];
    })"""


@pytest.mark.parametrize("page", ["chapters/05_masking.html", "back_matter/questions_wrong.html"])
def test_on_paper_no_word_of_code_is_broken(page, open_page):
    opened = open_page(page)
    opened.set_viewport_size({"width": 672, "height": 900})  # A4 less the margins of website/print/print_book.py
    opened.emulate_media(media="print")
    broken = opened.evaluate("""() => [...document.querySelectorAll(".cell_input pre")].filter(e => {
        if (!e.checkVisibility()) return false;  // in a fold
        const lines = e.textContent.trimEnd().split("\\n").length;
        const {paddingTop, paddingBottom, lineHeight} = getComputedStyle(e);
        const height = e.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
        return height > (lines + 0.5) * parseFloat(lineHeight) || e.scrollWidth > e.clientWidth + 1;
    }).map(e => e.textContent.slice(0, 60))""")
    assert broken == []


def test_pictures_for_slides(open_page):
    opened = open_page("back_matter/pictures.html")
    files = opened.evaluate("[...document.querySelectorAll('article a[download]')].map(e => e.href)")
    assert len(files) == 4 * len(chapters())
    for number in range(len(chapters())):
        for theme, ground in (("light", 255), ("dark", 0x12)):
            path = SITE / "_static" / "pictures" / f"{number:02}-{theme}"
            assert f"chapter {number}. CC BY 4.0" in path.with_suffix(".svg").read_text(encoding="utf-8")
            ElementTree.parse(path.with_suffix(".svg"))
            picture = matplotlib.image.imread(path.with_suffix(".png"))
            assert picture.shape[1] == 1920
            assert (255 * picture[5, 5, :3]).round().tolist() == [ground] * 3
    for theme in ("light", "dark"):
        opened.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        shown = opened.evaluate("""() => [...document.querySelectorAll("img.picture")]
            .filter(e => e.checkVisibility()).map(e => e.getAttribute("src"))""")
        assert [src.rpartition("-")[2] for src in shown] == [f"{theme}.svg"] * len(chapters())


# A flip-book, programs, switches, the two models and the machine; the workflow `weekly` looks at every page.
EXPLORERS_OF_EACH_KIND = [
    "chapters/05_masking.html",
    "chapters/12_a_trained_model.html",
    "chapters/13_a_language_model.html",
]
LIVE_PAGE = "chapters/01_softmax_and_variance.html"  # its first explorer computes


@pytest.mark.parametrize("page", WITH_EXPLORERS if EVERYWHERE else EXPLORERS_OF_EACH_KIND)
def test_without_javascript_the_first_frame_is_there(page, open_page):
    assert page in WITH_EXPLORERS
    opened = open_page(page, java_script_enabled=False)
    for fold in opened.locator(".fold > summary").all():
        fold.click()
    for formula in opened.locator(".math:not(.definition .math, .reply .math)").all()[:3]:
        assert formula.locator("mjx-math").bounding_box()["width"] > 0
    for figure in opened.locator("figure.explorer").all():
        assert figure.locator(".explorer-frame > *").first.is_visible()
        assert figure.locator("noscript").is_visible()
        assert figure.locator("input, select").first.is_disabled()


def test_neighbours_a_download_and_dark_mode_are_offered(open_page):
    chapter = open_page("chapters/08_local_attention_and_convolution.html")
    assert "07_" in chapter.locator("a.left-prev").get_attribute("href")
    assert "09_" in chapter.locator("a.right-next").get_attribute("href")
    assert chapter.locator("a[href$='.ipynb']").count() >= 1
    seen = set()
    for _ in range(3):
        chapter.locator(".theme-switch-button:visible").first.click()
        seen.add(chapter.evaluate("document.documentElement.dataset.theme"))
    assert seen == {"light", "dark"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_first_paint_has_the_readers_theme(theme, open_page):
    page = open_page("index.html", color_scheme=theme, without="pydata-sphinx-theme.js")  # sets the theme, but late
    assert page.evaluate("document.documentElement.dataset.theme") == theme


def test_code_is_not_too_small_to_read(open_page):
    opened = open_page("chapters/10_exact_attention_in_blocks.html")
    for width in (390, 1200, 1400):
        opened.set_viewport_size({"width": width, "height": 800})
        size = opened.evaluate("parseFloat(getComputedStyle(document.querySelector('.cell_input pre')).fontSize)")
        assert size >= 12


def test_the_preview_is_there():
    assert (SITE / "_static" / "preview.png").read_bytes()[16:24] == b"\x00\x00\x04\xb0\x00\x00\x02\x76"  # 1200 × 630


def test_the_sitemap_lists_the_pages_of_the_book():
    sitemap = (SITE / "sitemap.xml").read_text(encoding="utf-8")
    names = re.findall(r"<loc>https?://[^/]+/([^<]*\.html)</loc>", sitemap)
    made_by_sphinx = {"search.html", "genindex.html", "py-modindex.html"}
    made_by_sphinx |= {page for page in PAGES if page.startswith("_modules/")}
    wanted = set(PAGES) - made_by_sphinx
    assert sorted(names) == sorted(
        f"{folder}{name}" for folder in ["", *(f"{code}/" for code in others(ROOT))] for name in wanted
    )


def test_print_shows_first_frames_with_captions_and_nothing_folded(open_page):
    """This also holds in the dark theme, because paper is white."""
    opened = open_page("chapters/08_local_attention_and_convolution.html", color_scheme="dark")
    unfolded = opened.locator(".bd-article details[open]").count()  # the sections for a second reading
    opened.evaluate("dispatchEvent(new Event('beforeprint'))")
    opened.emulate_media(media="print")
    for figure in opened.locator("figure.explorer").all():
        assert figure.locator(".explorer-frame svg").first.is_visible()
        assert figure.locator("figcaption").is_visible()
        assert figure.locator("fieldset:visible").count() == 0
    assert opened.locator(".bd-article details:not([open])").count() == 0
    assert opened.evaluate("document.documentElement.dataset.theme") == "light"
    assert len(opened.pdf()) > 100_000
    opened.evaluate("dispatchEvent(new Event('afterprint'))")
    assert opened.evaluate("document.documentElement.dataset.theme") == "dark"
    assert opened.locator(".bd-article details[open]").count() == unfolded


@pytest.mark.parametrize("width", [390, 1280])
def test_a_link_to_a_cell_leads_there(width, open_page):
    chapter = "chapters/08_local_attention_and_convolution.html"
    place = re.findall(r'id="(cell-id=[^"]+)"', (SITE / chapter).read_text(encoding="utf-8"))[-1]
    page = open_page(f"{chapter}#{place}", viewport={"width": width, "height": 800})
    page.wait_for_function(SETTLED)
    assert 0 <= page.locator(f"[id='{place}']").bounding_box()["y"] < 120


def test_code_can_be_copied_where_no_pointer_hovers(open_page):
    page = open_page("chapters/05_masking.html", has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    button = page.locator(".cell_input:not(details .cell_input) button.copybtn").first
    assert button.evaluate("e => getComputedStyle(e).opacity") == "1"


def test_a_changed_picture_is_announced_once_the_slider_rests(open_page):
    opened = open_page(LIVE_PAGE)
    figure = opened.locator("figure.explorer").first
    status = figure.locator("[role=status]")
    announced = opened.evaluate("""() => {
        const figure = document.querySelector("figure.explorer"), input = figure.querySelector("input[type=range]");
        for (let step = 0; step < 3; step++) {
            input.value = Number(input.value) + 1;
            input.dispatchEvent(new Event("input", {bubbles: true}));
        }
        return figure.querySelector("[role=status]").textContent;
    }""")
    assert announced == ""  # while the slider moves
    opened.wait_for_function("() => document.querySelector('figure.explorer [role=status]').textContent")
    assert status.text_content() == figure.locator(".explorer-text").text_content()


def test_a_control_that_comes_back_before_the_frames_arrive_leaves_the_picture_bright(browser, base):
    page = browser.new_page()
    waiting = []
    page.route("**/explorers/**/*.js", lambda route: waiting.append(route))
    page.add_init_script(OPEN_ALL)
    page.goto(base + FLIP_BOOK, wait_until="domcontentloaded")  # no script will take the focus away
    figure = page.locator("figure.explorer").first
    control = figure.locator("input[type=range]:enabled").first
    start = control.input_value()
    for _ in range(5):  # while the page is laid out, a key may be lost
        if control.input_value() == start:
            control.press("ArrowLeft")
            page.wait_for_timeout(500)
    expect(figure).to_have_attribute("aria-busy", "true")
    control.press("ArrowRight")
    assert control.input_value() == start
    waiting[0].continue_()
    page.wait_for_function("() => document.querySelector('figure.explorer').ariaBusy === 'false'")
    page.close()


def test_frames_that_do_not_arrive_are_reported_as_missing(open_page):
    page = open_page(FLIP_BOOK, without="explorers/**/*.js")
    figure = page.locator("figure.explorer").first
    expect(figure.locator("[role=status]")).not_to_be_empty()
    assert figure.locator("input[type=range]").first.is_disabled()
    assert figure.locator("[role=status]").is_visible()
    assert figure.locator(".explorer-frame svg").first.is_visible()


def test_explorers_and_the_search_work_straight_from_a_disk(browser):
    page = browser.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((SITE / LIVE_PAGE).as_uri())
    figure = page.locator("figure.explorer").first
    before = figure.locator(".explorer-text").text_content()
    figure.locator("input[type=range]").first.focus()
    page.keyboard.press("End")
    expect(figure.locator(".explorer-text")).not_to_have_text(before)
    page.keyboard.press("Control+k")
    page.keyboard.type("temperature")
    page.keyboard.press("Enter")
    page.locator(".search-page li a").first.click()
    expect(page.locator("article")).to_contain_text("temperature", ignore_case=True)
    assert problems == []
    page.close()


@pytest.mark.parametrize("chapter", sample([path.stem for path in chapters()], 2))
def test_aims_time_and_needs_are_one_line_that_opens(chapter, open_page):
    page = open_page(f"chapters/{chapter}.html", java_script_enabled=False)
    aims = page.locator("details.aims")
    line = aims.bounding_box()
    assert line["height"] < 50
    assert line["y"] + line["height"] < 480, "more than a title and an opening precede it"
    expect(page.get_by_text("After this chapter you can")).to_be_hidden()
    aims.locator("summary").click()
    expect(page.get_by_text("After this chapter you can")).to_be_visible()
    expect(aims.locator("ul li").first).to_be_visible()


def test_second_readings_are_closed_until_opened_and_the_choice_is_remembered(open_page):
    page = open_page("chapters/02_why_sqrt_dk.html", second_readings=False)
    button = page.get_by_role("button", name="Open all sections")
    folds = page.locator("section.second-reading > details")
    are_open, are_closed = (f"all => all.every((fold) => {sign}fold.open)" for sign in ("", "!"))
    assert folds.count()
    assert folds.evaluate_all(are_closed), "a page must arrive closed"
    expect(page.get_by_role("heading", name="What width is for")).to_be_visible()
    expect(page.locator("#winning_key")).to_be_hidden()
    page.locator("details.aims > summary").click()
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#winning_key")).to_be_visible()
    page.reload()
    assert folds.evaluate_all(are_open)
    page.locator("details.aims > summary").click()
    button.click()
    page.reload()
    assert folds.evaluate_all(are_closed)
    for place in sample(["#winning_key&rho=0.5", "#winning_key"], 1):  # the target of an address must not stay closed
        page.goto(page.url.split("#")[0])
        page.goto(page.url + place)
        expect(page.locator("#winning_key")).to_be_visible()
    page.evaluate("localStorage.setItem('attention-measured/first-reading', 'no')")
    page.goto(page.url.split("#")[0].replace("02_why_sqrt_dk", "01_softmax_and_variance") + "#first-reading")
    assert folds.evaluate_all(are_closed), "a link from the title page must close them"
    assert not page.complaints


DEFINED = """word => {
    const box = document.getElementById(word.getAttribute("aria-describedby"));
    const before = box.checkVisibility();
    word.focus();
    return {shown: [before, box.checkVisibility()], places: [box, word].map(e => e.getBoundingClientRect().toJSON())};
}"""


# The workflow `weekly` looks at more chapters, in which the words are elsewhere.
WITH_WORDS = ["11_tiny_gpt", *(["04_multi_head_attention", "07_a_translator"] if EVERYWHERE else [])]


@pytest.mark.parametrize("chapter", WITH_WORDS)
def test_a_word_from_an_earlier_chapter_shows_its_definition(chapter, open_page):
    page = open_page(f"chapters/{chapter}.html", viewport={"width": 390, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    words = page.locator("a.defined").all()
    assert words
    for width, word in itertools.product([390, 1200], words):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("document.getAnimations().every(moving => moving.playState !== 'running')")  # sidebars
        found = word.evaluate(DEFINED)
        assert found["shown"] == [False, True]
        place, here = found["places"]
        assert place["left"] >= 0, "the definition is cut on the left"
        assert place["right"] <= width, "the definition is cut on the right"
        assert place["width"] >= 150, "the definition is squeezed"
        assert place["top"] > here["top"], "the definition hides its own word"
        if here["height"] < 30:  # the word is on one line
            assert place["left"] <= here["right"], "the pointer cannot reach the definition"
            assert here["left"] <= place["right"], "the pointer cannot reach the definition"
        page.keyboard.press("Escape")
        assert not word.evaluate("e => document.getElementById(e.getAttribute('aria-describedby')).checkVisibility()")
    words[0].hover()
    expect(page.locator(".definition").first).to_be_visible()
    words[0].click()
    page.wait_for_url(lambda address: chapter not in address)
