"""The book's Sphinx extension: what a plain `jupyter-book build .` needs beyond its configuration file."""

import hashlib
import os
from pathlib import Path

import accessible
import assets
import callouts
import cells
import claims
import code_colours
import definitions
import execution
import formulas
import frames
import pictures
import previews
import questions
import second_reading
import source_pages
import styles

ROOT = Path(__file__).resolve().parent.parent
STATIC = Path(__file__).resolve().parent / "static"


PARTS = [accessible, assets, callouts, cells, claims, code_colours, definitions, execution, formulas, frames]
PARTS += [pictures, previews, questions, second_reading, source_pages, styles]


def setup(app):
    app.connect("config-inited", prepare)
    for part in PARTS:
        part.setup(app)
    # env_version: pages are to be read anew. One MathJax sets all formulas, so pages are written in a row.
    return {"version": "1", "env_version": 3, "parallel_read_safe": True, "parallel_write_safe": False}


def prepare(app, config):
    if base := os.environ.get("ATTENTION_MEASURED_URL") or config.html_baseurl:
        config.html_baseurl = base.rstrip("/") + "/"
    config.html_static_path = [*config.html_static_path, str(STATIC)]
    config.html_css_files = [*config.html_css_files, "book.css"]
    # Sphinx writes no page anew for a changed script or style sheet, but for a changed setting.
    files = [path for folder in ("_ext", "_ext/static", "_static") for path in (ROOT / folder).glob("*.*")]
    files = [path for path in [*files, *ROOT.glob("_ext/templates/**/*.html")] if path.is_file()]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    config.html_context["assets"] = digest.hexdigest()
