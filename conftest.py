"""For every test run, even of a single notebook: kernels import this checkout's modules, and no reader watches them."""

import contextlib
import functools
import os

import psutil
import pytest
from nbval.plugin import IPyNbCell

from website.notebooks.run import code_cells, prepare_kernels
from website.places import ROOT

prepare_kernels()

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


# In pytest's own cache, for each test file: how long it took, and the processor time of all that it started.
SECONDS, CPU = "attention-measured/seconds", "attention-measured/cpu"
STARTED, USED = pytest.StashKey(), pytest.StashKey()


def cpu_seconds():
    """The processor time of this process and of all that it has started, ended programs included."""
    total = 0
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        with contextlib.suppress(psutil.NoSuchProcess):
            total += sum(process.cpu_times()[:4])  # its own, and that of its children that have ended
    return total


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    if STARTED not in item.config.stash:
        item.config.stash[STARTED] = cpu_seconds()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item, nextitem):
    """Count at the end of a file, while its browser and its kernel still run: nobody waits for all of their parts."""
    stash = item.config.stash
    if nextitem is None or nextitem.path != item.path:
        used = stash.setdefault(USED, {})
        path = item.path.relative_to(item.config.rootpath).as_posix()
        used[path] = used.get(path, 0) + cpu_seconds() - stash[STARTED]
        del stash[STARTED]
    return (yield)


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):  # one of several workers, which report to the first process
        session.config.workeroutput["cpu"] = session.config.stash.get(USED, {})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    node.config.stash.setdefault(USED, {}).update(getattr(node, "workeroutput", {}).get("cpu", {}))


def pytest_collection_modifyitems(config, items):
    """Put the longest files first, by their last duration; otherwise one worker would be busy long after the others.

    Files without a duration come before all others. Among these, browser tests come first, then notebooks with many
    outputs that machines disagree on, because such notebooks train or measure. Without a cache the files stay in the
    given order, which tools/find_flakes.py shuffles.
    """
    if not hasattr(config, "cache"):
        return
    seconds = config.cache.get(SECONDS, {})

    @functools.cache
    def weight(path):
        is_notebook = path.suffix == ".ipynb"
        trained = path.read_text(encoding="utf-8").count("nbval-ignore-output") if is_notebook else 0
        uses_browser = not is_notebook and "browser" in path.read_text(encoding="utf-8")
        return seconds.get(path.relative_to(ROOT).as_posix(), 1e9), uses_browser, trained, path.stat().st_size

    items.sort(key=lambda item: weight(item.path), reverse=True)


def pytest_terminal_summary(terminalreporter, config):
    """Print how many tests of each kind have passed. Store how long each file took, for the next run's order."""
    reports = [
        report for reports in terminalreporter.stats.values() for report in reports if hasattr(report, "duration")
    ]
    seconds = {}
    for report in reports:
        path = report.nodeid.partition("::")[0]
        seconds[path] = round(seconds.get(path, 0) + report.duration, 1)
    if hasattr(config, "cache"):
        config.cache.set(SECONDS, config.cache.get(SECONDS, {}) | seconds)
        config.cache.set(CPU, config.cache.get(CPU, {}) | config.stash.get(USED, {}))
    passed = [report.nodeid for report in terminalreporter.stats.get("passed", []) if report.when == "call"]
    kinds = {
        "notebook cells": [n for n in passed if ".ipynb::" in n],
        "pages": [n for n in passed if "::test_page[" in n],
        "wrong answers rejected by name": [n for n in passed if "::test_wrong_answer[" in n],
    }
    rest = len(passed) - sum(map(len, kinds.values()))
    counts = ", ".join(f"{len(nodes)} {kind}" for kind, nodes in kinds.items())
    terminalreporter.write_line(f"among those passed: {rest} unit and property tests, {counts}")
