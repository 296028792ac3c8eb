"""The built site in Chromium: size, Lighthouse, layout shift and sliders, a table (`make site-benchmark`).

Lighthouse comes from npm; 12 is the last version for Node.js 20. It keeps its default settings: a phone on a slow
network. Its pages are served compressed, as any web host would serve them.
"""

import argparse
import functools
import gzip
import http.server
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

from website.browser import FLAGS, NO_BROWSER, find_browser
from website.places import SITE

LIGHTHOUSE = "lighthouse@12.8.2"
HEAP_FLAGS = ["--js-flags=--expose-gc", "--enable-precise-memory-info"]  # for WILD
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
SHIFT = """milliseconds => new Promise(done => {
    let sum = 0;
    new PerformanceObserver(list => list.getEntries().forEach(e => (sum += e.hadRecentInput ? 0 : e.value)))
        .observe({type: "layout-shift", buffered: true});
    setTimeout(() => done(sum), milliseconds);
})"""
SLIDERS = """() => [...document.querySelectorAll("figure.explorer input[type=range]")].flatMap(input =>
    [...Array(Number(input.max) + 1).keys()].map(position => {
        input.value = position;
        const start = performance.now();
        input.dispatchEvent(new Event("input", {bubbles: true}));
        input.closest("figure").getBoundingClientRect();
        return performance.now() - start;
    }))"""
WILD = """async seconds => {
    const inputs = [...document.querySelectorAll("figure.explorer :is(input, select)")];
    const end = performance.now() + 1000 * seconds;
    while (performance.now() < end) {
        for (const input of inputs) {
            if (input.type === "checkbox") input.checked = Math.random() < 0.5;
            else if (input.tagName === "SELECT") input.selectedIndex = Math.random() * input.options.length;
            else input.value = Math.floor(Math.random() * (Number(input.max) + 1));
            input.dispatchEvent(new Event("input", {bubbles: true}));
        }
        await new Promise(requestAnimationFrame);
    }
    gc(); await new Promise(done => setTimeout(done, 1000)); gc();
    return performance.memory.usedJSHeapSize;
}"""


class Compressed(http.server.SimpleHTTPRequestHandler):
    """Files as a web host sends them: text compressed, connections kept."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            return self.send_error(404)
        body, kind = path.read_bytes(), self.guess_type(path)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if path.suffix in (".html", ".css", ".js", ".svg"):
            body = gzip.compress(body, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def lighthouse(url, chromium):
    """Lighthouse's four scores, out of 100, and its layout shift."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        flags = " ".join(["--headless", *FLAGS])
        command = ["npx", "--yes", LIGHTHOUSE, url, "--quiet", f"--chrome-flags={flags}"]
        command += ["--output=json", f"--output-path={report}"]
        environment = os.environ | {"CHROME_PATH": chromium}
        subprocess.run(command, check=True, capture_output=True, env=environment)
        result = json.loads(report.read_text())
    scores = [round(100 * result["categories"][name]["score"]) for name in CATEGORIES]
    return *scores, result["audits"]["cumulative-layout-shift"]["numericValue"]


def visit(browser, url):
    """Kilobytes of everything and of HTML, compressed; layout shift; median milliseconds of a slider."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    sizes = {}
    page.on("requestfinished", lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}))
    page.goto(url, wait_until="load")
    page.wait_for_function("document.documentElement.dataset.settled")
    shift, times = page.evaluate(SHIFT, 1500), page.evaluate(SLIDERS)
    page.close()
    return sum(sizes.values()) / 1000, sizes[url] / 1000, shift, statistics.median(times) if times else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", help="pages relative to _build/html; all without any")
    parser.add_argument("--seconds", type=float, default=60, help="of wild dragging")
    arguments = parser.parse_args()
    pages = arguments.pages or sorted(
        path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if "_static" not in path.parts
    )
    chromium = find_browser() or sys.exit(NO_BROWSER)
    handler = functools.partial(Compressed, directory=SITE)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}/"
    print(f"{'':44} all kB  HTML kB    CLS  slider ms   perf a11y best  seo  CLS (Lighthouse)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name in pages:
            everything, markup, shift, slider = visit(browser, base + name)
            *scores, phone_shift = lighthouse(base + name, chromium)
            ms = f"{slider:9.1f}" if slider is not None else " " * 9
            print(f"{name:44} {everything:6.0f} {markup:8.0f} {shift:6.3f} {ms}  ", end="")
            print(*(f"{score:4}" for score in scores), f"{phone_shift:8.3f}", flush=True)
        browser.close()
        browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS, *HEAP_FLAGS])
        heaviest = max((page for page in pages if "chapters" in page), key=lambda name: (SITE / name).stat().st_size)
        page = browser.new_page()
        page.goto(base + heaviest, wait_until="load")
        before, after = page.evaluate(WILD, 5), page.evaluate(WILD, arguments.seconds)
        print(f"\nheap on {heaviest} after {arguments.seconds:g} s of wild dragging: {after / before - 1:+.1%}")
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
