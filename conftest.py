"""For every test run, even of a single notebook: kernels import this checkout's modules, and no reader watches them."""

import collections
import itertools
import os

import pytest
from nbval.plugin import IPyNbCell

from website.notebooks.run import code_cells, prepare_kernels
from website.places import ROOT

prepare_kernels()

# One worker per core, so one thread per worker. torch's threads wait by spinning, which slows down all other tests; its
# library reads this once, when it is first imported, here or in a program that a test starts.
os.environ.setdefault("OMP_NUM_THREADS", "1")

EXECUTED = pytest.StashKey()  # per notebook: the outputs of each cell, and its seconds


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """If every cell of one of the book's notebooks has passed, the notebook need not run again for its page."""
    report = yield
    if isinstance(item, IPyNbCell) and call.when == "call" and (ROOT / "_config.yml").is_file():
        outputs, seconds = item.parent.stash.setdefault(EXECUTED, ([], []))
        seconds.append(call.duration)
        if report.passed:
            outputs.append(item.test_outputs)
        if len(outputs) == len(code_cells(item.parent.nb)):
            give_to_the_book(item.parent.path, outputs, sum(seconds))
    return report


def give_to_the_book(path, outputs, seconds):
    """Put a notebook with these outputs, one list per code cell, into the book's cache, unless it is already there."""
    from website.notebooks import cache  # here, because not every test run needs it

    nb = cache.keyed(path.read_text(encoding="utf-8"))
    if cache.is_cached(nb):
        return
    for number, (cell, cell.outputs) in enumerate(zip(code_cells(nb), outputs, strict=True), 1):
        cell.execution_count = number
    cache.keep_executed(nb, path, seconds)


def pytest_xdist_auto_num_workers(config):
    """One worker per core, and one more, because tests sometimes wait for a browser or a program."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return cores + (not any(str(argument).endswith(".ipynb") for argument in config.args))


def pytest_collection_modifyitems(items):
    """Put the largest test files first: they take longest, and otherwise one worker would be busy after the others.

    Notebooks stay in the given order, which tools/find_flakes.py shuffles.
    """
    items.sort(key=lambda item: item.path.stat().st_size if item.path.suffix == ".py" else 0, reverse=True)


SECONDS = "attention-measured/seconds"  # in pytest's own cache: for each test file, what its tests took


def pytest_terminal_summary(terminalreporter, config):
    """Store what each file took, for tools/test_run.py."""
    used = collections.Counter()
    for report in itertools.chain(*terminalreporter.stats.values()):
        used[getattr(report, "nodeid", "").partition("::")[0]] += getattr(report, "duration", 0)
    if hasattr(config, "cache"):
        config.cache.set(SECONDS, config.cache.get(SECONDS, {}) | dict(used))
