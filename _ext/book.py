"""The book's Sphinx extension: what a plain `jupyter-book build .` needs beyond its configuration file."""

import functools
import hashlib
import html
import multiprocessing
import os
import re
import shutil
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from urllib.parse import urljoin

from docutils import nodes
from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor
from myst_nb.core.execute.base import ExecutionError
from pages import FINISHED, finish
from sphinx.transforms import SphinxTransform

ROOT = Path(__file__).resolve().parent.parent
ABOUT = "a book on attention in which formulas are derived and every number is computed"
LONGEST = ["10", "06", "02", "11", "04", "05", "08", "01"]  # chapters to begin with, or one core is idle at the end
STATIC = Path(__file__).resolve().parent / "static"


def setup(app):
    app.connect("config-inited", prepare)
    app.connect("env-before-read-docs", execute_in_parallel)
    app.connect("html-page-context", choose_assets, priority=900)
    app.connect("build-finished", write_sitemap)
    app.connect("build-finished", finish, priority=900)  # after the others have copied their files
    app.add_transform(Callouts)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def code_key(root):
    """A short name for the state of what outputs depend on: modules, stored results and the pinned packages."""
    programs = [path for path in root.glob("benchmarks/*.py") if path.name != "site.py"]  # that one measures pages
    programs += root.glob("experiments/chapters.py")  # reads results; the others only make them
    measured = [*programs, *root.glob("benchmarks/results/*.json"), *root.glob("experiments/results/*.json")]
    return _digest(sorted([*root.glob("*.py"), *measured, root / "requirements.txt", root / "constraints.txt"]))


def _digest(paths):
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def prepare(app, config):
    """Tell the kernels that a book is being built, and key the execution cache on the code.

    jupyter-cache looks at the notebook only, and would serve outputs of an older attention_core.py.
    """
    os.environ["ATTENTION_MEASURED_BOOK"] = "1"
    if base := os.environ.get("ATTENTION_MEASURED_URL") or config.html_baseurl:
        config.html_baseurl = base.rstrip("/") + "/"
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # one kernel per core; two threads in each get in one another's way
    caches = Path(app.outdir).parent / "executed"
    cache = caches / code_key(ROOT)
    for stale in caches.glob("*"):
        if stale != cache:
            shutil.rmtree(stale, ignore_errors=True)
    config.nb_execution_cache_path = str(cache)
    config.html_static_path = [*config.html_static_path, str(STATIC)]
    config.html_css_files = [*config.html_css_files, "book.css"]
    # Sphinx writes no page anew for a changed script or style sheet, but for a changed setting.
    assets = [path for folder in ("_ext", "_ext/static", "_static") for path in (ROOT / folder).glob("*.*")]
    config.html_context["assets"] = _digest(sorted(path for path in assets if path.is_file()))


def execute_in_parallel(app, env, docnames):
    """Fill the cache with every notebook that is not in it, one per core; MyST-NB would take one after another."""
    if app.config.nb_execution_mode != "cache":
        return
    cache = get_cache(app.config.nb_execution_cache_path)
    order = sorted(docnames, key=lambda name: LONGEST.index(name[9:11]) if name[9:11] in LONGEST else len(LONGEST))
    paths = [env.doc2path(name) for name in order]
    records = [cache.add_nb_to_project(path) for path in paths if path.endswith(".ipynb")]
    todo = [record for record in records if cache.get_cached_project_nb(record.pk) is None]
    if not todo:
        return
    jobs = min(len(todo), multiprocessing.cpu_count())
    print(f"executing {len(todo)} notebooks, {jobs} at a time", flush=True)
    execute = functools.partial(_execute, cache_path=cache.path, timeout=app.config.nb_execution_timeout)
    with ProcessPoolExecutor(jobs) as pool:
        for record, traceback in zip(todo, pool.map(execute, [record.pk for record in todo]), strict=True):
            if traceback:
                raise ExecutionError(f"{record.uri} failed\n{traceback}")
            print(f"executed {Path(record.uri).name}", flush=True)


def _execute(pk, cache_path, timeout):
    """Run one notebook into the cache. jupyter-cache's own parallel executor hands them out in pairs."""
    cache = get_cache(cache_path)
    result = load_executor("local-serial", cache).run_and_cache(filter_pks=[pk], timeout=timeout)
    return None if result.succeeded else cache.get_project_record(pk).traceback or "no traceback"


def choose_assets(app, pagename, templatename, context, doctree):
    """Only what the page needs, and nothing that holds its first picture up."""
    body = context.get("body", "")
    app.add_js_file("explorer.js")
    unneeded = ["thebe"]  # a server of kernels, from another host
    unneeded += ["mathjax"] if app.builder.name in FINISHED else []  # formulas will be set already
    unneeded += [] if "sd-" in body else ["design"]
    unneeded += [] if "toggle" in body or "dropdown" in body else ["toggle"]
    for kind in ("script_files", "css_files"):
        context[kind][:] = [
            asset
            for asset in context[kind]
            if not any(name in f"{asset.filename} {asset.attributes}".lower() for name in unneeded)
        ]
    for script in context["script_files"]:
        # Inline scripts need the first of them at once, those of the search need all.
        if script.filename and "documentation_options" not in str(script.filename) and pagename != "search":
            script.attributes["defer"] = "defer"
        else:
            script.attributes.pop("defer", None)
    if pagename == app.config.root_doc:
        context["docstitle"] = ""  # the title is the book's own
    context["metatags"] = context.get("metatags", "") + preview(app, pagename, context, doctree)


def preview(app, pagename, context, doctree):
    """What a search engine and a link in a message show: the page's title, its opening question, and a picture.

    By hand, since sphinxext-opengraph takes any text for the description, TeX and the list of goals included.
    """
    paragraphs = doctree.findall(nodes.paragraph) if doctree else ()
    opening = next((p for p in paragraphs if isinstance(p.parent, nodes.section)), None)
    words = spoken(opening).split() if opening else []
    kept = list(words)
    while len(" ".join(kept)) > 200:
        kept.pop()
    title = re.sub("<[^>]*>", "", html.unescape(context.get("title", pagename)))
    description = " ".join(kept) if len(kept) == len(words) else " ".join(kept).rstrip(",;:") + " …"
    if len(description) < 50:
        description = f"{title}, in {ABOUT}"
    picture = "_static/preview.png" if app.config.html_baseurl else context["pathto"]("_static/preview.png", 1)
    tags = {
        "og:type": "article",
        "og:site_name": app.config.html_title,
        "og:title": title,
        "og:description": description,
        "og:image": urljoin(app.config.html_baseurl, picture),
        "og:image:alt": "Softmax weights at five scales: from nearly equal to nearly one",
        "twitter:card": "summary_large_image",
    }
    if app.config.html_baseurl:
        tags["og:url"] = urljoin(app.config.html_baseurl, f"{pagename}.html")
    lines = [f'<meta name="description" content="{html.escape(description)}">']
    lines += [f'<meta property="{key}" content="{html.escape(value)}">' for key, value in tags.items()]
    return "\n".join(lines)


def spoken(node):
    """Text in which formulas can be read: TeX loses its marks."""
    parts = []
    for leaf in node.findall(lambda leaf: isinstance(leaf, (nodes.Text, nodes.math))):
        if isinstance(leaf, nodes.math):
            tex = re.sub(r"\\sqrt\{?(\w+)\}?", r"√\1", re.sub(r"[{}]", "", leaf.astext()))
            for mark, letter in {r"\times": "×", r"\top": "T", r"\,": " ", r"\cdot": "·", r"\operatorname": ""}.items():
                tex = tex.replace(mark, letter)
            parts.append(tex.replace("\\", ""))
        elif not isinstance(leaf.parent, nodes.math):
            parts.append(leaf.astext())
    return "".join(parts)


def write_sitemap(app, exception):
    """All pages, with full addresses, as the protocol asks. Where the book's is not known: those of `make serve`.

    By hand, since sphinx-sitemap lists only those pages that were written anew.
    """
    if exception or app.builder.name != "html":
        return
    base = app.config.html_baseurl or "http://127.0.0.1:8000/"
    addresses = [html.escape(urljoin(base, f"{name}.html")) for name in sorted(app.env.found_docs)]
    pages = "".join(f"<url><loc>{address}</loc></url>\n" for address in addresses)
    scheme = "http://www.sitemaps.org/schemas/sitemap/0.9"
    sitemap = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{scheme}">\n{pages}</urlset>\n'
    (Path(app.outdir) / "sitemap.xml").write_text(sitemap, encoding="utf-8")


class Callouts(SphinxTransform):
    """`> **Predict.** …` is a quotation in every notebook viewer; on a page it gets its kind as a class."""

    default_priority = 500
    kinds = ("predict", "try", "checked", "exercise")

    def apply(self):
        for quote in self.document.findall(nodes.block_quote):
            inline = quote[0].children if quote.children else []
            first = next((node for node in inline if node.astext().strip()), None)
            words = first.astext().split() if isinstance(first, nodes.strong) else []
            word = words[0].rstrip(".:").lower() if words else ""
            if word in self.kinds:
                quote["classes"] += ["callout", f"callout-{word}"]
