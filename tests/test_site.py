"""The built site in a real Chromium with the network blocked: every page, every link, every slider."""

import functools
import http.server
import json
import os
import re
import shutil
import statistics
import threading
from urllib.parse import unquote, urldefrag, urljoin, urlparse

import pytest
from conftest import ROOT, SITE, is_missing
from playwright.sync_api import sync_playwright

import attention_core

BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
BROWSERS += ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if "_static" not in path.parts)
EXPLORERS = [
    f"{page}#{ident}"
    for page in PAGES
    for ident in re.findall(r'<figure class="explorer" id="([^"]+)"', (SITE / page).read_text(encoding="utf-8"))
]

if not PAGES:
    pytestmark = pytest.mark.skip("there is no built site; run: make book")
    if os.environ.get("CI") == "true":
        raise RuntimeError("there is no built site; run: make book")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def base():
    """The site on this machine only; returns its address."""
    handler = functools.partial(QuietHandler, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        is_missing("no Chromium or Chrome on this machine", "install one, on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=OPTIONS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser, base):
    """Open a page in a fresh context that reaches nothing but the site; complaints are collected on page.complaints."""
    contexts = []

    def opened(path, **options):
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.complaints = []

        def route(route):
            if urlparse(route.request.url).netloc == urlparse(base).netloc:
                route.continue_()
            else:
                page.complaints.append(f"request to another host: {route.request.url}")
                route.abort()

        context.route("**/*", route)
        page.on("console", lambda m: page.complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("response", lambda r: page.complaints.append(f"{r.status} {r.url}") if r.status >= 400 else None)
        page.goto(base + path, wait_until="load")
        if options.get("java_script_enabled", True):
            page.wait_for_function(
                "!window.MathJax?.startup?.promise || window.MathJax.startup.promise.then(() => true)"
            )
        return page

    yield opened
    for context in contexts:
        context.close()


def test_every_page_of_the_book_is_there():
    assert {"index.html", "back_matter/bibliography.html", "search.html"} <= set(PAGES)
    assert sum(page.startswith("chapters/") for page in PAGES) >= 12
    notebooks = [path.read_text(encoding="utf-8") for path in ROOT.glob("*/*.ipynb")]
    assert len(EXPLORERS) == 1 + sum(text.count('"@explore(') for text in notebooks)  # 1 on the title page


def test_the_reference_has_every_public_name():
    ids = ids_of(SITE / "back_matter" / "api.html")
    assert {f"attention_core.{name}" for name in attention_core.__all__} <= ids


@pytest.mark.parametrize("page", PAGES)
def test_page(page, open_page):
    opened = open_page(page)
    assert opened.complaints == []

    found = opened.evaluate("""() => ({
        formulas: document.querySelectorAll(".math").length,
        rendered: document.querySelectorAll(".math mjx-container").length,
        wrong: document.querySelectorAll("mjx-merror, .output.traceback, .problematic").length,
        nameless: [...document.querySelectorAll("article img, article [role=img]")]
            .filter(e => { const name = e.alt ?? e.getAttribute("aria-label") ?? "";
                           return name.trim().length < 10 || /\\.(png|svg)$/.test(name); }).length,
        text: document.querySelector("article")?.innerText ?? "",
        ids: [...document.querySelectorAll("[id]")].map(e => e.id),
    })""")
    assert found["rendered"] >= found["formulas"]
    assert found["wrong"] == 0
    assert found["nameless"] == 0
    outside_code = re.sub(r"[\"'`].*?[\"'`]", "", found["text"])
    assert not re.search(r"\$\S|\{cite|\{glue|\{ref|^:::|^```", outside_code, re.M), "raw markup"
    twice = {ident for ident in found["ids"] if found["ids"].count(ident) > 1}
    assert not {ident for ident in twice if not ident.startswith("pst-")}, twice


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
        if not path.is_file() or (fragment and path.suffix == ".html" and unquote(fragment) not in ids_of(path)):
            broken.append(url)
    assert broken == []


@pytest.mark.parametrize("page", PAGES)
def test_fits_a_phone_in_both_themes(page, open_page):
    opened = open_page(page, viewport={"width": 390, "height": 800})
    for theme in ("light", "dark"):
        opened.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    # Nothing light behind a figure in the dark.
    backgrounds = opened.evaluate("""() => [...document.querySelectorAll("figure.explorer, figure.still")]
        .flatMap(e => [e, e.parentElement, e.querySelector(".explorer-frame")])
        .map(e => getComputedStyle(e).backgroundColor)""")
    for background in set(backgrounds):
        *rgb, alpha = ([float(x) for x in re.findall(r"[\d.]+", background)] + [1.0])[:4]
        assert alpha == 0 or max(rgb) < 80, background


FRAME = "figure => figure.querySelector('.explorer-frame').innerHTML"


@pytest.mark.parametrize("explorer", EXPLORERS)
def test_explorer(explorer, open_page):
    """Keys move every control, and each moves the picture and the value that is announced; a drag does as well."""
    page, ident = explorer.split("#")
    opened = open_page(page)
    figure = opened.locator(f"[id='{ident}']")
    data = json.loads(figure.locator("script").text_content())
    frame = figure.locator(".explorer-frame")
    assert "\n".join(data["lines"][k] for k in data["frames"][0])
    for control in figure.locator("input, select").all():
        kind = control.get_attribute("type") or "select"
        control.focus()
        pictures, announced = [], []
        initial = control.evaluate("e => [e.value, e.checked]")

        def remember(control=control, pictures=pictures, announced=announced):
            pictures.append(figure.evaluate(FRAME))
            announced.append(control.get_attribute("aria-valuetext") or frame.get_attribute("aria-label"))

        if kind == "range":
            opened.keyboard.press("Home")
            remember()
            for _ in range(int(control.get_attribute("max"))):
                opened.keyboard.press("ArrowRight")
                remember()
            assert announced == json.loads(control.get_attribute("data-labels"))
            assert control.evaluate("e => e.nextElementSibling.textContent") == announced[-1]
            opened.keyboard.press("ArrowLeft")
            assert control.get_attribute("aria-valuetext") == announced[-2]
            box = control.bounding_box()
            middle = box["y"] + box["height"] / 2
            opened.mouse.move(box["x"] + box["width"] - 10, middle)
            opened.mouse.down()
            opened.mouse.move(box["x"] + 1, middle, steps=8)
            opened.mouse.up()
            assert control.get_attribute("aria-valuetext") == announced[0]
            assert figure.evaluate(FRAME) == pictures[0]
        elif kind == "checkbox":
            remember()
            opened.keyboard.press("Space")
            remember()
        else:
            for option in range(control.locator("option").count()):
                control.select_option(index=option)
                remember()
        assert len(set(pictures)) > 1, control.get_attribute("id")
        assert len(set(announced)) == len(announced)
        control.evaluate(
            "(e, [value, checked]) => { e.value = value; e.checked = checked;"
            " e.dispatchEvent(new Event('input', {bubbles: true})); }",
            initial,
        )
    assert opened.complaints == []


@pytest.mark.parametrize("page", sorted({explorer.split("#")[0] for explorer in EXPLORERS}))
def test_a_slider_answers_within_a_frame(page, open_page):
    """From the event to the new picture laid out: 16 ms at most, in the median over all positions of all sliders."""
    times = open_page(page).evaluate("""() => [...document.querySelectorAll("figure.explorer input[type=range]")]
        .flatMap(input => [...Array(Number(input.max) + 1).keys()].map(position => {
            input.value = position;
            const start = performance.now();
            input.dispatchEvent(new Event("input", {bubbles: true}));
            input.closest("figure").getBoundingClientRect();
            return performance.now() - start;
        }))""")
    assert statistics.median(times) <= 16


@pytest.mark.parametrize("page", sorted({explorer.split("#")[0] for explorer in EXPLORERS}))
def test_without_javascript_the_first_frame_is_there(page, open_page):
    opened = open_page(page, java_script_enabled=False)
    for figure in opened.locator("figure.explorer").all():
        assert figure.locator(".explorer-frame > *").first.is_visible()
        assert figure.locator("noscript").is_visible()
        assert figure.locator("input, select").first.is_disabled()


def test_a_reload_keeps_picture_and_sliders_together(open_page):
    opened = open_page("index.html")
    slider = opened.locator("input[type=range]").first
    slider.focus()
    opened.keyboard.press("End")
    opened.reload()
    value = slider.input_value()
    assert slider.get_attribute("aria-valuetext") == json.loads(slider.get_attribute("data-labels"))[int(value)]


def test_search_previous_next_download_and_dark_mode(open_page):
    opened = open_page("search.html?q=temperature")
    opened.wait_for_selector("#search-results li a")
    assert opened.complaints == []

    chapter = open_page("chapters/01_softmax_and_variance.html")
    assert "00_" in chapter.locator("a.left-prev").get_attribute("href")
    assert "02_" in chapter.locator("a.right-next").get_attribute("href")
    assert chapter.locator("a[href$='.ipynb']").count() >= 1
    theme = "() => document.documentElement.dataset.theme"
    before = chapter.evaluate(theme)
    for _ in range(3):
        chapter.locator(".theme-switch-button:visible").first.click()
    assert chapter.evaluate(theme) in ("light", "dark")
    seen = {before}
    for _ in range(3):
        chapter.locator(".theme-switch-button:visible").first.click()
        seen.add(chapter.evaluate(theme))
    assert seen >= {"light", "dark"}


def test_works_straight_from_a_disk(browser):
    page = browser.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((SITE / "index.html").as_uri())
    figure = page.locator("figure.explorer").first
    before = figure.evaluate(FRAME)
    figure.locator("input[type=range]").first.focus()
    page.keyboard.press("End")
    assert figure.evaluate(FRAME) != before
    assert problems == []
    page.close()
