"""Lighthouse's scores for built pages, served compressed as on a web host (`make site-benchmark`); needs Node.js.

    python -m benchmarks.site chapters/02_why_sqrt_dk.html

Each score is the median of three runs, because the score for performance varies by some points.
"""

import gzip
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from website.browser import FLAGS, NO_BROWSER, Quiet, find_browser, serving
from website.places import SITE

LIGHTHOUSE = "lighthouse@12.8.2"  # 12 is the last version for Node.js 20
RUNS = 3


class Compressed(Quiet):
    def do_GET(self):
        path = Path(self.translate_path(self.path))
        self.send_response(200 if path.is_file() else 404)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(gzip.compress(path.read_bytes() if path.is_file() else b""))


def main(pages):
    environment = os.environ | {"CHROME_PATH": find_browser() or sys.exit(NO_BROWSER)}
    all_pages = sorted(path.relative_to(SITE).as_posix() for path in SITE.glob("**/*[!_].html"))
    flags = f"--chrome-flags=--headless {' '.join(FLAGS)}"
    with serving(SITE, Compressed) as address:
        for page in pages or [page for page in all_pages if not page.startswith("_static/")]:  # there are templates
            command = ["npx", "--yes", LIGHTHOUSE, address + page, "--quiet", "--output=json", flags]
            runs = [subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment) for _ in range(RUNS)]
            scores = [json.loads(run.stdout)["categories"] for run in runs]
            medians = {name: statistics.median(run[name]["score"] for run in scores) for name in scores[0]}
            print(page, *(f"{name} {100 * score:.0f}" for name, score in medians.items()), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
