"""Shared by the test files: the built site, and a browser that opens its pages."""

import asyncio
import contextlib
import functools
import os
import shutil
import subprocess
import sys
import time
from urllib.parse import urlparse

import psutil
import py_mini_racer
import pytest
from hypothesis import settings
from playwright.sync_api import Error, Page, TimeoutError, sync_playwright

import languages
from explore.explorers.markup import page_markup
from explore.explorers.page import LIVE, SCRIPTS, STATIC
from explore.figures.colours import style_sheet
from explore.mode import EVERYWHERE as IN_ENVIRONMENT
from website.browser import FLAGS, HEADLESS, NO_BROWSER, find_browser, serving
from website.places import ROOT, SITE
from website.translation.beside import others

# No test may fail because the machine is busy.
settings.register_profile("book", deadline=None)
settings.load_profile("book")

# With its own threads, V8 optimises as it does in a browser. With the library's settings, it runs at half the speed.
py_mini_racer.init_mini_racer(flags=(), ignore_duplicate_init=True)


def in_v8(*scripts):
    """V8, Chromium's engine, after it has run book.js and these scripts."""
    context = py_mini_racer.MiniRacer()
    for path in (STATIC / "book.js", *scripts):
        context.eval(path.read_text(encoding="utf-8"))
    return context


@pytest.fixture(autouse=True)
def _closed():
    """No figure outlives its test."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


# Checks that give the same result on every page, or at every setting, run on one page of each kind and at fewer
# settings. The workflow `weekly` runs them everywhere.
EVERYWHERE = os.environ.get(IN_ENVIRONMENT) == "true"

weekly = pytest.mark.skipif(not EVERYWHERE, reason=f"takes long; runs once a week, or with {IN_ENVIRONMENT}=true")


def sample(items, most):
    """At most so many of these, evenly spread, the first and the last among them; all if ``EVERYWHERE``."""
    items = list(items)
    if EVERYWHERE or len(items) <= most:
        return items
    return [items[round(place * (len(items) - 1) / max(most - 1, 1))] for place in range(most)]


# No other host name resolves. A request through a proxy would need no address, but page.complaints would list it.
NO_OTHER_HOST = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


def wait_for_function(page, expression, *, arg=None, timeout=30_000):
    """Wait until the expression is true. Playwright's own function waits in the page, with ``eval``, which our pages'
    policy forbids (website/page/policy.py)."""
    end = time.monotonic() + timeout / 1000
    while time.monotonic() < end:
        with contextlib.suppress(Error):  # the page is going to another
            if page.evaluate(expression, arg):
                return
        page.wait_for_timeout(30)
    raise TimeoutError(f"after {timeout / 1000:g} seconds this is not true: {expression}")


Page.wait_for_function = wait_for_function


def own_port():
    """A port for a server of this process, below those that the system gives to any program that asks for one.

    Jupyter's own choice (port 0) is free when it looks, and may be another program's when it begins to listen.
    """
    return 20_000 + os.getpid() % 10_000


def end(server):
    """End a Jupyter server and all that it has started."""
    children = []
    with contextlib.suppress(psutil.NoSuchProcess):
        children = psutil.Process(server.pid).children(recursive=True)
    server.terminate()
    try:
        server.wait(30)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    for child in children:
        with contextlib.suppress(psutil.NoSuchProcess):
            child.kill()


def require_browser():
    """The browser's path. Without a browser, skip on a reader's machine and fail on CI."""
    if path := find_browser(HEADLESS):
        return path
    if os.environ.get("CI") == "true":
        pytest.fail(NO_BROWSER)
    pytest.skip(NO_BROWSER)


@pytest.fixture(scope="session")
def chromium_with():
    """Start the machine's Chromium, with options in addition to the usual ones."""
    path = require_browser()
    with sync_playwright() as playwright:
        started = []

        def start(*options):
            started.append(playwright.chromium.launch(executable_path=path, args=[*FLAGS, NO_OTHER_HOST, *options]))
            return started[-1]

        yield start
        for chromium in started:
            chromium.close()


@pytest.fixture(scope="session")
def browser(chromium_with):
    return chromium_with()


@pytest.fixture
def speak(tmp_path, monkeypatch):
    """``speak(page=entries)``: the reader's language has these words in its file ``page``: a dict, or the text."""
    folder = tmp_path / "xx"

    def spoken(**files):
        folder.mkdir()
        for name, entries in files.items():
            if isinstance(entries, dict):
                rows = (f'msgid "{english}"\nmsgstr "{said}"\n' for english, said in entries.items())
                entries = "\n".join(['msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8"\n', *rows])
            (folder / f"{name}.po").write_text(entries, "utf-8")
        monkeypatch.setenv(languages.LANGUAGE, str(folder))

    return spoken


@pytest.fixture
def no_loop():
    """Without an event loop a widget draws at once; the browser of earlier tests has one in this thread."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


@pytest.fixture(scope="session")
def base():
    """The site's address. If no site is built, skip on a reader's machine and fail on CI."""
    if not (SITE / "index.html").exists():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("there is no built site; run: make book")
    with serving(SITE) as address:
        yield address


# The English pages; the same programs make those of other languages (tests/website/translation).
ELSEWHERE = {"_static", *others(ROOT)}
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if not ELSEWHERE & {*path.parts})
WITH_EXPLORERS = [page for page in PAGES if '<figure class="explorer"' in (SITE / page).read_text("utf-8")]
FLIP_BOOK = "chapters/06_positions.html"  # its first explorer is a flip-book with sliders
# Second readings are open, as for a reader who has once opened them all.
OPEN_ALL = "localStorage.setItem('attention-measured/first-reading', 'no')"
HEAP_FLAGS = ["--js-flags=--expose-gc", "--enable-precise-memory-info"]  # for tests of memory leaks
WIDE = {"width": 1280, "height": 720}
SETTLED = "document.documentElement.dataset.settled"  # the page is laid out
AWAKE = "() => ![...document.querySelectorAll('figure.explorer fieldset')].some((fieldset) => fieldset.disabled)"


@contextlib.contextmanager
def windows(browser, base):
    """``window(**options)``: a new window that can reach only the site; complaints are collected in its complaints."""
    contexts = []

    def window(second_readings=True, **options):
        contexts.append(browser.new_context(**options))
        if second_readings:
            contexts[-1].add_init_script(OPEN_ALL)
        page = contexts[-1].new_page()
        page.complaints = []

        def watch(request):
            if urlparse(request.url).netloc not in ("", urlparse(base).netloc):  # data: and blob: have no host
                page.complaints.append(f"request to a different host: {request.url}")

        contexts[-1].on("request", watch)
        page.on("console", lambda m: page.complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("response", lambda r: page.complaints.append(f"{r.status} {r.url}") if r.status >= 400 else None)
        return page

    yield window
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def open_page(browser, base):
    """``open_page(path, **options)``: a page as at a first visit, in one window for all calls with these options.

    ``without="a.js"``: this file is lost. ``second_readings=False``: those sections are closed.
    A new window for each page would take two thirds more time.
    """
    with windows(browser, base) as window:

        @functools.cache
        def shared(**options):
            page = window(**options)
            return page, page.context.new_cdp_session(page)

        def opened(path, viewport=WIDE, without=None, **options):
            page, session = shared(**options)
            page.unroute_all()
            if without:
                page.route(f"**/{without}*", lambda route: route.abort())
            page.emulate_media(media="null", forced_colors="null")
            page.set_viewport_size(viewport)
            session.send("Storage.clearDataForOrigin", {"origin": base, "storageTypes": "local_storage,indexeddb"})
            page.goto("about:blank")  # otherwise an address with another place would not load the page again
            page.complaints.clear()
            page.goto(base + path, wait_until="load")
            return page

        yield opened


@pytest.fixture(scope="module")
def share_page(browser, base):
    """``share_page(path)``: a page that other tests in the file use as well; leave it as it was."""
    with windows(browser, base) as window:

        @functools.cache
        def shared(path):
            page = window()
            page.goto(base + path, wait_until="load")
            return page

        yield shared


@pytest.fixture(scope="module", params=PAGES)
def opened(request, open_page):
    """Each page, opened once per file for all tests that look at every page, one test after another."""
    return open_page(request.param, reduced_motion="reduce")  # colours lack contrast during a transition


FIGURES, PRINT = ROOT / "explore/figures/static/figures.css", ROOT / "website/print/static/print.css"


@pytest.fixture
def page_with(browser, tmp_path):
    """``page_with(explorer)``: a page that shows only this explorer; ``program`` is its script if it computes."""

    def opened(explorer, program="", **options):
        frames = explorer.frames()
        first = frames[explorer.combinations().index(tuple(explorer.start.values()))]
        live = ["attention_core.js", "scenes.js", None, *LIVE] if explorer.is_open else []
        scripts = [*SCRIPTS, *live]
        text = [program if name is None else (STATIC / name).read_text(encoding="utf-8") for name in scripts]
        style = "\n".join(
            [style_sheet(), *(path.read_text(encoding="utf-8") for path in (STATIC / "explorers.css", FIGURES, PRINT))]
        )
        file = tmp_path / f"{explorer.__name__}.html"
        body = page_markup(explorer, frames, first) + "".join(f"<script>{script}</script>" for script in text)
        file.write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{body}", encoding="utf-8")
        page = window(second_readings=False, **options)
        page.goto(file.as_uri())
        if options.get("java_script_enabled", True):
            page.wait_for_selector("fieldset:enabled")
        return page

    with windows(browser, "") as window:
        yield opened


def git(folder, *words):
    """Run git as somebody; returns what it prints."""
    identity = ["-c", "user.name=a test", "-c", "user.email=test@example.org"]
    return subprocess.run(["git", *identity, *words], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


@pytest.fixture(scope="session")
def copy(tmp_path_factory):
    """``copy(name)``: a new folder with the files that git does not ignore, in which a test may write."""
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").split()]

    def copied(name):
        folder = tmp_path_factory.mktemp(name) / "book"
        return shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", *ignored), symlinks=True)

    return copied
