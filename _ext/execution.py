"""Execute the notebooks that changed, side by side, into a cache from which MyST-NB takes them.

jupyter-cache looks at the notebook only, and would serve outputs of an older attention_core.py. So each notebook is
given, as it is read, a key for the code that it uses; outputs of the last few states of the book stay in the cache.
"""

import concurrent.futures
import contextlib
import json
import multiprocessing
import os
import time
from pathlib import Path

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from meaning import cell_keys
from myst_nb.core.execute.base import ExecutionError
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from traitlets.config import Config

ROOT = Path(__file__).resolve().parent.parent
STATES = 6  # of each notebook: enough to go from one branch to another and back
OUTPUTS_OF = "outputs-of"  # in the metadata of a cell, where `make outputs` writes what its outputs were made of
QUIET = Config({"KernelManager": {"transport_encryption": "auto"}})  # a kernel that may not encrypt says so each time


def setup(app):
    app.connect("config-inited", prepare)
    app.connect("env-get-outdated", find_outdated)
    app.connect("env-before-read-docs", execute_side_by_side)
    app.connect("source-read", add_key)


def prepare(app, config):
    """Tell the kernels that a book is being built, and that the modules beside it are its own."""
    os.environ["ATTENTION_MEASURED_BOOK"] = "1"
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    if os.environ.get("ATTENTION_MEASURED_ONE_PAGE"):  # a check of one page, for which there are no others
        config.suppress_warnings = [*config.suppress_warnings, "myst.xref_missing", "bibtex.key_not_found"]
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # one kernel per core; two threads in each get in one another's way
    cache = ROOT / "_build" / "executed"
    config.nb_execution_cache_path = str(cache)
    get_cache(cache).change_cache_limit(STATES * len([*ROOT.glob("*.ipynb"), *ROOT.glob("*/*.ipynb")]))


def keyed(text):
    """A notebook, given as JSON, with the key of what it uses in its metadata; there jupyter-cache sees it."""
    nb = nbformat.reads(text, as_version=4)
    for cell in nb.cells:
        cell.metadata.pop(OUTPUTS_OF, None)
    keys = cell_keys([cell.source for cell in nb.cells if cell.cell_type == "code"], ROOT)
    nb.metadata.setdefault("kernelspec", {"name": "python3", "display_name": "Python 3"})["uses"] = (
        keys[-1] if keys else ""
    )
    return nb


def find_outdated(app, env, added, changed, removed):
    """Pages whose notebook is the same while the code that it uses is not. Their keys are kept with the environment."""
    if not hasattr(env, "notebook_keys"):
        env.notebook_keys = {}
    names = [name for name in env.found_docs - added - removed if env.doc2path(name).endswith(".ipynb")]
    texts = {name: Path(env.doc2path(name)).read_text(encoding="utf-8") for name in names}
    return [name for name, text in texts.items() if keyed(text).metadata.kernelspec.uses != env.notebook_keys.get(name)]


def add_key(app, docname, source):
    """Give MyST-NB the notebook with its key, as the cache has it."""
    if app.env.doc2path(docname).endswith(".ipynb"):
        nb = keyed(source[0])
        app.env.notebook_keys[docname] = nb.metadata.kernelspec.uses
        source[0] = json.dumps(nb)


def execute_side_by_side(app, env, docnames):
    """Fill the cache with every notebook that is not in it, one per core; MyST-NB would take one after another."""
    if app.config.nb_execution_mode != "cache":
        return
    cache = get_cache(app.config.nb_execution_cache_path)
    todo = {}
    for path in sorted(Path(env.doc2path(name)) for name in docnames):
        if path.suffix == ".ipynb":
            nb = keyed(path.read_text(encoding="utf-8"))
            with contextlib.suppress(KeyError):
                cache.match_cache_notebook(nb)
                continue
            todo[path] = nb
    if not todo:
        return
    # The longest first, or one core is idle at the end: by their last duration. Those never seen come before others;
    # long are those with many outputs that machines disagree on, as these train or measure.
    seconds = {Path(record.uri): record.data.get("execution_seconds", 0) for record in cache.list_cache_records()}
    trained = {path: str(nb).count("nbval-ignore-output") for path, nb in todo.items()}
    order = sorted(todo, key=lambda path: (seconds.get(path, 1e9), trained[path], len(str(todo[path]))), reverse=True)
    jobs = min(len(todo), multiprocessing.cpu_count())
    print(f"executing {len(todo)} notebooks, {jobs} at a time", flush=True)
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(execute, todo[path], path, app.config.nb_execution_timeout): path for path in order}
        for done in concurrent.futures.as_completed(running):
            nb, duration, error = done.result()
            if error:
                pool.shutdown(cancel_futures=True)
                raise ExecutionError(f"{running[done]} failed\n{error}")
            bundle = CacheBundleIn(nb, str(running[done]), data={"execution_seconds": duration})
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            print(f"executed {running[done].name} in {duration:.0f} s", flush=True)


def execute(nb, path, timeout):
    """The executed notebook, how many seconds it took, and the error that ended it, or None."""
    start = time.monotonic()
    try:
        options = {"timeout": timeout, "record_timing": False, "config": QUIET}
        NotebookClient(nb, resources={"metadata": {"path": path.parent}}, **options).execute()
    except CellExecutionError as error:
        return None, 0, str(error)
    return nb, time.monotonic() - start, None
