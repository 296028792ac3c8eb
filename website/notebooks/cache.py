"""Execute changed notebooks in parallel, and put them into the cache from which MyST-NB takes them.

nbval executes all notebooks and also puts its outputs into the cache (conftest.py), so that no notebook runs twice.

jupyter-cache looks only at the notebook, and would return outputs that an older attention_core.py made. So each
notebook, when it is read, gets a key for the code that it uses. Outputs for the last few states of the book stay in
the cache.
"""

import concurrent.futures
import contextlib
import functools
import hashlib
import json
import multiprocessing
import os
import time
from pathlib import Path

import nbformat
from filelock import FileLock
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from myst_nb.core.execute.base import ExecutionError
from nbclient.exceptions import CellExecutionError

from explore.explorers.saved import WIDGET_VIEW
from explore.mode import ONE_PAGE, PAGE
from website.notebooks.keys import key_of
from website.notebooks.needs import statements_of
from website.notebooks.run import code_cells, execute, prepare_kernels
from website.places import ROOT, notebooks

CACHE = ROOT / "_build" / "executed"
STATES = 6  # per notebook: enough to switch to a different branch and back
OUTPUTS_OF = "outputs-of"  # in a cell's metadata: the key of the code that made its outputs, written by `make outputs`


def setup(app):
    app.connect("config-inited", prepare)
    app.connect("env-get-outdated", find_outdated)
    app.connect("env-before-read-docs", execute_side_by_side)
    app.connect("source-read", add_key)


def prepare(app, config):
    prepare_kernels()
    if os.environ.get(ONE_PAGE):  # a check of one page, which is built without the others
        config.suppress_warnings = [*config.suppress_warnings, "myst.xref_missing", "bibtex.key_not_found"]
    config.nb_execution_cache_path = str(CACHE)


def keyed(text):
    """The notebook in this JSON text, with the key of its code in the metadata, where jupyter-cache sees the key."""
    nb = nbformat.reads(text, as_version=4)
    for cell in nb.cells:
        cell.metadata.pop(OUTPUTS_OF, None)
    kernel = nb.metadata.setdefault("kernelspec", {"name": "python3", "display_name": "Python 3"})
    kernel["uses"] = key_of_all(tuple(cell.source for cell in code_cells(nb)), state_of_modules())
    return nb


@functools.lru_cache(100)
def key_of_all(sources, state):
    """The key of all cells of a notebook; a build asks for it several times."""
    return key_of([statement for source in sources for statement in statements_of(source)], ROOT)


def state_of_modules():
    """A checksum of all that notebooks may import or read, in milliseconds."""
    packages = [path.parent for path in ROOT.glob("*/__init__.py")]
    files = [*ROOT.glob("*.py"), *ROOT.glob("requirements*.txt")]
    files += [path for package in packages for pattern in ("*.py", "results/*") for path in package.rglob(pattern)]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path}\0".encode() + path.read_bytes())
    return digest.hexdigest()


@contextlib.contextmanager
def opened():
    """The cache, for one process at a time: jupyter-cache may fail when two of them create or shorten it."""
    CACHE.parent.mkdir(exist_ok=True)
    with FileLock(f"{CACHE}.lock"):
        yield get_cache(CACHE)


def is_cached(nb):
    with contextlib.suppress(KeyError), opened() as cache:
        return bool(cache.match_cache_notebook(nb))
    return False


def executed(path):
    """The notebook at ``path`` with the outputs that its page shows; None if they are not in the cache."""
    with contextlib.suppress(KeyError), opened() as cache:
        record = cache.match_cache_notebook(keyed(path.read_text(encoding="utf-8")))
        return cache.get_cache_bundle(record.pk).nb
    return None


def keep_executed(nb, path, seconds):
    """Put an executed notebook, as returned by ``keyed``, into the cache with the outputs that the page shows."""
    nb.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}  # whatever program executed it
    for cell in code_cells(nb):
        cell.outputs = [output for output in map(on_the_page, cell.outputs) if output]
    bundle = CacheBundleIn(nb, str(path), data={"execution_seconds": round(seconds, 1)})
    with opened() as cache:
        cache.change_cache_limit(STATES * len(notebooks()))
        cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def on_the_page(output):
    """The output, with ``explore``'s markup for the page in place of the kernel's output; None for empty markup."""
    markup = output.get("metadata", {}).pop(PAGE, None)
    if markup is None:
        return output
    output.data.pop(WIDGET_VIEW, None)
    output.data["text/html"] = markup
    return output if markup else None


def find_outdated(app, env, added, changed, removed):
    """The pages with unchanged notebooks that use changed code. The notebooks' keys are stored with the environment."""
    if not hasattr(env, "notebook_keys"):
        env.notebook_keys, env.state_of_modules = {}, None
    before, env.state_of_modules = env.state_of_modules, state_of_modules()
    if before == env.state_of_modules:
        return []
    paths = {name: Path(env.doc2path(name)) for name in env.found_docs - added - removed}
    texts = {name: path.read_text(encoding="utf-8") for name, path in paths.items() if path.suffix == ".ipynb"}
    return [name for name, text in texts.items() if keyed(text).metadata.kernelspec.uses != env.notebook_keys.get(name)]


def add_key(app, docname, source):
    """Give MyST-NB the notebook with the key in its metadata: the cache has the notebook in that form."""
    if app.env.doc2path(docname).endswith(".ipynb"):
        nb = keyed(source[0])
        app.env.notebook_keys[docname] = nb.metadata.kernelspec.uses
        source[0] = json.dumps(nb)


def execute_side_by_side(app, env, docnames):
    """Execute the notebooks that the cache lacks, one per core; MyST-NB would execute them one after another."""
    if app.config.nb_execution_mode != "cache":
        return
    paths = sorted(Path(env.doc2path(name)) for name in docnames)
    notebooks = {path: keyed(path.read_text(encoding="utf-8")) for path in paths if path.suffix == ".ipynb"}
    todo = {path: nb for path, nb in notebooks.items() if not is_cached(nb)}
    if not todo:
        return
    # Notebooks whose last execution took longest come first; otherwise all cores but one may be idle at the end. New
    # notebooks come before all others, and among these the ones that train or measure.
    with opened() as cache:
        records = cache.list_cache_records()
    seconds = {Path(record.uri): record.data.get("execution_seconds", 0) for record in records}
    trained = {path: str(nb).count("nbval-ignore-output") for path, nb in todo.items()}
    order = sorted(todo, key=lambda path: (seconds.get(path, 1e9), trained[path]), reverse=True)
    jobs = min(len(todo), multiprocessing.cpu_count())
    print(f"executing {len(todo)} notebooks, {jobs} at a time", flush=True)
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        running = {
            pool.submit(execute_for_the_page, todo[path], path, app.config.nb_execution_timeout): path for path in order
        }
        for done in concurrent.futures.as_completed(running):
            try:
                nb, duration = done.result()
            except CellExecutionError as error:
                pool.shutdown(cancel_futures=True)
                raise ExecutionError(f"{running[done]} failed\n{error}") from error
            keep_executed(nb, running[done], duration)
            print(f"executed {running[done].name} in {duration:.0f} s", flush=True)


def execute_for_the_page(nb, path, timeout):
    """The executed notebook, and how many seconds it took."""
    start = time.monotonic()
    execute(nb, path, timeout)
    return nb, time.monotonic() - start
