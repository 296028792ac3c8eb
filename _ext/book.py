"""The book's Sphinx extension: what a plain `jupyter-book build .` needs beyond its configuration file."""

import hashlib
import logging
import multiprocessing
import os
import shutil
from pathlib import Path

from docutils import nodes
from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor
from myst_nb.core.execute.base import ExecutionError
from sphinx.transforms import SphinxTransform

ROOT = Path(__file__).resolve().parent.parent
STATIC = Path(__file__).resolve().parent / "static"


def setup(app):
    app.connect("config-inited", prepare)
    app.connect("env-before-read-docs", execute_in_parallel)
    app.connect("html-page-context", choose_assets)
    app.add_transform(Callouts)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def code_key(root):
    """A short name for the state of what outputs depend on: modules, benchmark results and the pinned packages."""
    digest = hashlib.sha256()
    measured = [*root.glob("benchmarks/*.py"), *root.glob("benchmarks/results/*.json")]
    for path in sorted([*root.glob("*.py"), *measured, root / "requirements.txt", root / "constraints.txt"]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def prepare(app, config):
    """Tell the kernels that a book is being built, and key the execution cache on the code.

    jupyter-cache looks at the notebook only, and would serve outputs of an older attention_core.py.
    """
    os.environ["ATTENTION_MEASURED_BOOK"] = "1"
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # one kernel per core; two threads in each get in one another's way
    caches = Path(app.outdir).parent / "executed"
    cache = caches / code_key(ROOT)
    for stale in caches.glob("*"):
        if stale != cache:
            shutil.rmtree(stale, ignore_errors=True)
    config.nb_execution_cache_path = str(cache)
    config.html_static_path = [*config.html_static_path, str(STATIC)]
    config.html_css_files = [*config.html_css_files, "book.css"]


def execute_in_parallel(app, env, docnames):
    """Fill the cache with every notebook that is not in it, one per core; MyST-NB would take one after another."""
    if app.config.nb_execution_mode != "cache":
        return
    cache = get_cache(app.config.nb_execution_cache_path)
    paths = [env.doc2path(name) for name in sorted(docnames, reverse=True)]  # the longest chapters are late ones
    records = [cache.add_nb_to_project(path) for path in paths if path.endswith(".ipynb")]
    todo = [record.pk for record in records if cache.get_cached_project_nb(record.pk) is None]
    if not todo:
        return
    print(f"executing {len(todo)} notebooks, {min(len(todo), multiprocessing.cpu_count())} at a time", flush=True)
    logger = logging.getLogger(__name__)
    logger.setLevel(logging.INFO)  # the workers name each notebook as they begin and end it
    result = load_executor("local-parallel", cache, logger=logger).run_and_cache(
        filter_pks=todo, timeout=app.config.nb_execution_timeout
    )
    for path in [*result.errored, *result.excepted]:
        traceback = cache.get_project_record(path).traceback or ""
        raise ExecutionError(f"{path} failed\n{traceback}")


def choose_assets(app, pagename, templatename, context, doctree):
    """The explorers' script where there are explorers; nothing of thebe, which the book does not use.

    jupyter-book loads thebe on every page, declares its constants twice (an error) and would run it from another host.
    """
    if 'class="explorer"' in context.get("body", ""):
        app.add_js_file("explorer.js", loading_method="defer")
    for kind in ("script_files", "css_files"):
        context[kind][:] = [
            asset for asset in context[kind] if "thebe" not in f"{asset.filename} {asset.attributes}".lower()
        ]


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
