"""Explorers that compute: the time from a changed control to the new picture, in Chromium and with a kernel.

This is a part of `make site-benchmark`.

On the page, each control goes through 40 of its positions, at the largest sizes that the explorer allows. "work" is
the time from the event until the new picture is laid out, without waiting for the screen; "painted" ends with the
second frame after the event. With a kernel, we time a redraw, both the function and the SVG, at random settings. For
the trained models, we time everything from a new text until its maps are painted, the worker included.
"""

import json
import random
import re
import statistics
import time
from pathlib import Path

import psutil
from playwright.sync_api import sync_playwright

from website.browser import FLAGS, find_browser, serving
from website.notebooks.explorer_cells import PROGRAMS, explorer_of, position
from website.places import SITE

POSITIONS = 40
LANGUAGE_MODEL = "chapters/13_a_language_model.html"
WORK = """async ([name, control, positions]) => {
    const figure = document.getElementById(name);
    const part = figure.querySelector(`[data-control="${control}"]`);
    const input = part.querySelector("input[type=range], select, button");
    const later = globalThis.requestAnimationFrame;
    const move = (k) => {
        if (input.tagName === "BUTTON") return input.click();
        if (input.tagName === "SELECT") input.selectedIndex = 2 * k % input.options.length;  // k, k + 0.5, k + 1, ...
        else input.value = Math.round(((k * 7) % positions) / (positions - 1) * Number(input.max));
        input.dispatchEvent(new Event("input", {bubbles: true}));
    };
    const work = [], painted = [];
    for (let k = 0; k < positions; k++) {
        globalThis.requestAnimationFrame = (draw) => draw();
        let start = performance.now();
        move(k);
        figure.getBoundingClientRect();
        work.push(performance.now() - start);
        globalThis.requestAnimationFrame = later;
        await new Promise(done => setTimeout(done, 5));
        start = performance.now();
        move(k + 0.5);
        await new Promise(done => later(() => later(done)));
        painted.push(performance.now() - start);
    }
    return [work, painted];
}"""


def largest(about):
    """The part of an address that sets the largest sizes: each integer is at its upper end."""
    whole = [c for c in about["controls"] if c.get("whole") and c["high"] < 2**32 - 1]
    return "".join(f"&{control['name']}={control['high']}" for control in whole)


def measure_pages(browser):
    print(f"{'explorer and control':38} {'work: median':>12} {'95 %':>7} {'painted: median':>16} {'95 %':>7}   ms")
    for path in [SITE / "index.html", *sorted(SITE.glob("*/*.html"))]:
        page = browser.new_page()
        page.goto(path.as_uri())
        for figure in page.locator("figure.explorer[data-live]:not(#own_sentence, #language_model)").all():
            about = json.loads(figure.get_attribute("data-live"))
            name = figure.get_attribute("id")
            page.goto("about:blank")
            page.goto(f"{path.as_uri()}#{name}{largest(about)}")
            page.wait_for_timeout(2000)
            for control in about["controls"]:
                part = page.locator(f"#{name} [data-control={control['name']}]")
                if part.locator("input[type=range], select, button").count():
                    numbers = page.evaluate(WORK, [name, control["name"], POSITIONS])
                    shown = [(statistics.median(x), sorted(x)[int(0.95 * len(x))]) for x in numbers]
                    (work, slow), (painted, late) = shown
                    print(f"{name:22} {control['name']:15} {work:12.1f} {slow:7.1f} {painted:16.1f} {late:7.1f}")
        page.close()


MACHINE = """async () => {
    const figure = document.querySelector("#machine");
    const tiles = [...figure.querySelectorAll(".machine-tile")];
    const tables = tiles.filter(tile => tile.getAttribute("role") === "spinbutton");
    const later = globalThis.requestAnimationFrame;
    const look = (k) => tiles[(37 * k) % tiles.length].dispatchEvent(
        new PointerEvent("pointerover", {bubbles: true, pointerType: "mouse"}));
    const change = (k) => tables[(7 * k) % tables.length].dispatchEvent(
        new KeyboardEvent("keydown", {key: k % 2 ? "ArrowUp" : "ArrowDown", bubbles: true}));
    const times = [];
    for (const act of [look, change]) {
        const own = [];
        for (let k = 0; k < 120; k++) {
            globalThis.requestAnimationFrame = (draw) => draw();
            const start = performance.now();
            act(k);
            figure.getBoundingClientRect();
            own.push(performance.now() - start);
            globalThis.requestAnimationFrame = later;
            await new Promise(done => setTimeout(done, 5));
        }
        times.push(own);
    }
    return times;
}"""


def measure_machine(browser):
    """Print the time from a pointer's move, or from a changed number, until the machine's new tiles are laid out."""
    page = browser.new_page()
    page.goto((SITE / "chapters" / "00_attention_in_five_minutes.html").as_uri())
    page.wait_for_selector("#machine .machine-tile")
    for name, times in zip(("lens", "a changed number"), page.evaluate(MACHINE), strict=True):
        slow = sorted(times)[int(0.95 * len(times))]
        print(f"the machine, {name:18} median {statistics.median(times):5.1f}, 95 % {slow:5.1f} ms")
    page.close()


TO_MAPS = """async ([explorer, control, table, text]) => {
    const figure = document.getElementById(explorer);
    const shown = figure.querySelector(table);
    const field = figure.querySelector(`[data-control=${control}] input`);
    const start = performance.now();
    const done = new Promise(done => new MutationObserver(done).observe(shown, {childList: true}));
    field.value = text;
    field.dispatchEvent(new Event("change", {bubbles: true}));
    await done;
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    return performance.now() - start;
}"""
TEXT = "the cat sat on a mat and then it went home to eat fish with its friends who live by the sea"


def measure_sentence(browser):
    page = browser.new_page()
    page.goto((SITE / "chapters" / "12_a_trained_model.html").as_uri() + "#own_sentence")
    start = time.perf_counter()
    page.locator(".model-run").click()
    page.locator(".model-view").wait_for()
    known = TEXT.split()
    print(f"\nloading the model from disk and running it: {time.perf_counter() - start:.1f} s")
    for count in (8, 24, 32, 64, 128):  # tokens, separators included
        times = []
        for number in range(POSITIONS // 2):
            words = [known[(7 * k + 3 * number) % len(known)] for k in range(count - 2)]
            times.append(page.evaluate(TO_MAPS, ["own_sentence", "sentence", ".model-view table", " ".join(words)]))
            page.wait_for_timeout(300)
        middle, slow = statistics.median(times), sorted(times)[int(0.95 * len(times))]
        print(f"{count:4} tokens, from the sentence to its maps: median {middle:5.0f}, 95 % {slow:5.0f} ms")
    page.close()


WRITE = """async count => {
    const figure = document.querySelector("#language_model");
    const written = figure.querySelector(".language-text strong");
    const named = name => [...figure.querySelectorAll("button")].find(e => e.textContent === name);
    const [write, stop] = ["Write", "Stop"].map(named);
    const cache = figure.querySelector("output.model-note");
    const tokens = () => Number(cache.textContent.match(/(\\d+) tokens/)[1]);
    const first = tokens();
    const start = performance.now();
    write.click();
    while (tokens() < first + count) await new Promise(done => setTimeout(done, 5));
    const speed = (1000 * (tokens() - first)) / (performance.now() - start);
    stop.click();
    return speed;
}"""


def measure_language_model(browser):
    """Print the times from a text to its maps and next token, and the speed of writing."""
    page = browser.new_page()
    page.goto((SITE / LANGUAGE_MODEL).as_uri())
    start = time.perf_counter()
    page.locator(".model-run").click()
    page.locator(".language-next tbody tr").first.wait_for()
    print(f"\nlanguage model, from the disk to the first answer: {time.perf_counter() - start:.1f} s")
    known = TEXT.split()  # each word is one token
    for count in (1, 24, 64):
        times = []
        for number in range(11):
            words = [known[(7 * k + 3 * number) % len(known)] for k in range(count)]
            times.append(page.evaluate(TO_MAPS, ["language_model", "text", ".language-next", " ".join(words)]))
            page.wait_for_timeout(300)
        print(f"{count:4} tokens, from the text to its maps: median {statistics.median(times):5.0f} ms")
    speeds = []
    for _ in range(3):
        speeds.append(page.evaluate(WRITE, 40))
        page.wait_for_timeout(3000)
    print(f"writing: {statistics.median(speeds):.0f} tokens per second")
    page.close()


def measure_memory(browser, address):
    """Print the memory of the language model's page before the model is loaded and three times after."""
    page = browser.new_page()
    page.goto(f"{address}/{LANGUAGE_MODEL}", wait_until="networkidle")
    found = [renderer_memory()]
    page.locator(".model-run").click()
    page.locator(".language-next tbody tr").first.wait_for()
    found.append(renderer_memory())
    page.wait_for_timeout(30_000)
    found.append(renderer_memory())
    page.evaluate(WRITE, 100)
    found.append(renderer_memory())
    print(f"\nmemory of the language model's page from {address.partition(':')[0]}, in MB, private and resident:")
    for when, sizes in zip(("before", "first answer", "after 30 s", "after writing"), found, strict=True):
        print(f"{when:14}", *(f"{size / 1e6:6.0f}" for size in sizes))
    page.close()


def renderer_memory():
    """Private and resident bytes of the largest process that shows pages.

    Private bytes are those that the process has written (Linux). Resident ones include the browser's program and the
    files that it keeps in memory only as long as nothing else needs the memory.
    """
    children = [c for c in psutil.Process().children(recursive=True) if "--type=renderer" in c.cmdline()]
    largest = max(children, key=lambda child: child.memory_info().rss)
    maps = Path(f"/proc/{largest.pid}/smaps_rollup").read_text(encoding="utf-8")
    return 1024 * int(re.search(r"^Private_Dirty: +(\d+)", maps, re.M)[1]), largest.memory_info().rss


def measure_kernel():
    """Print the median and the 95 % quantile of a redraw's time at random settings."""
    print(f"\n{'redraw with a kernel':38} {'median':>12} {'95 %':>7}   ms")
    for name in PROGRAMS:
        explorer = explorer_of(name)
        generator = random.Random(0)
        times = []
        for _ in range(POSITIONS):
            positions = [position(control, generator.random()) for control in explorer.controls.values()]
            start = time.perf_counter()
            explorer.draw(positions)
            times.append(1000 * (time.perf_counter() - start))
        print(f"{name:38} {statistics.median(times):12.0f} {sorted(times)[int(0.95 * POSITIONS)]:7.0f}")


if __name__ == "__main__":
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        measure_pages(browser)
        measure_machine(browser)
        measure_sentence(browser)
        measure_language_model(browser)
        measure_memory(browser, SITE.as_uri())
        with serving(SITE) as address:
            measure_memory(browser, address.rstrip("/"))
    measure_kernel()
