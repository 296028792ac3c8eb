"""Lighthouse's scores for built pages, served compressed as on a web host (`make site-benchmark`); needs Node.js.

    python -m benchmarks.site chapters/02_why_sqrt_dk.html

Each score is the median of three runs, because the score for performance varies by some points.
"""

import functools
import gzip
import http.server
import json
import os
import statistics
import subprocess
import sys
import threading
from pathlib import Path

from website.browser import FLAGS, NO_BROWSER, find_browser
from website.places import SITE

LIGHTHOUSE = "lighthouse@12.8.2"  # 12 is the last version for Node.js 20
RUNS = 3


class Compressed(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        path = Path(self.translate_path(self.path))
        self.send_response(200 if path.is_file() else 404)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(gzip.compress(path.read_bytes() if path.is_file() else b""))

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    handler = functools.partial(Compressed, directory=SITE)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    environment = os.environ | {"CHROME_PATH": find_browser() or sys.exit(NO_BROWSER)}
    pages = sorted(path.relative_to(SITE).as_posix() for path in SITE.glob("**/*[!_].html"))
    for page in sys.argv[1:] or [page for page in pages if not page.startswith("_static/")]:  # there are templates
        url, flags = f"http://127.0.0.1:{server.server_port}/{page}", f"--chrome-flags=--headless {' '.join(FLAGS)}"
        command = ["npx", "--yes", LIGHTHOUSE, url, "--quiet", "--output=json", flags]
        runs = [subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment) for _ in range(RUNS)]
        scores = [json.loads(run.stdout)["categories"] for run in runs]
        medians = {name: statistics.median(run[name]["score"] for run in scores) for name in scores[0]}
        print(page, *(f"{name} {100 * score:.0f}" for name, score in medians.items()), flush=True)
