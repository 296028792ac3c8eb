"""The book's Sphinx extension: what a plain `jupyter-book build .` needs beyond its configuration file."""

import functools
import hashlib
import multiprocessing
import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import accessible
import assets
import callouts
import formulas
import frames
import previews
from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor
from myst_nb.core.execute.base import ExecutionError

ROOT = Path(__file__).resolve().parent.parent
LONGEST = ["10", "06", "02", "11", "04", "05", "08", "01"]  # chapters to begin with, or one core is idle at the end
STATIC = Path(__file__).resolve().parent / "static"


def setup(app):
    app.connect("config-inited", prepare)
    app.connect("env-before-read-docs", execute_in_parallel)
    for part in (accessible, assets, callouts, formulas, frames, previews):
        part.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": False}  # one MathJax sets all formulas


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
