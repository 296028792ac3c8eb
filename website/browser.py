"""This machine's Chromium, for tests, benchmarks and the PDF; it loads nothing from other machines."""

import contextlib
import functools
import http.server
import shutil
import threading

BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
BROWSERS += ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
HEADLESS = "chromium-headless-shell"  # the same engine without windows; it needs two thirds of the processor time
NO_BROWSER = "no Chromium or Chrome on this machine; install one (on Debian: apt-get install chromium)"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def find_browser(*preferred):
    """The path of this machine's Chromium or Chrome, those in ``preferred`` first; None if there is no browser."""
    return next(filter(None, map(shutil.which, [*preferred, *BROWSERS, HEADLESS])), None)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@contextlib.contextmanager
def serving(folder, handler=Quiet):
    """Serve the folder on this machine only, and yield its address."""
    handler = functools.partial(handler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
