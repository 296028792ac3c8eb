"""What the test files share, and the summary at the end: how many of what has been tested."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from benchmarks.site import FLAGS, NO_BROWSER, find_browser

ROOT = Path(__file__).resolve().parent.parent

# Files to begin with, or one worker ends alone.
LONGEST = ["test_site.py", "10_tiny_gpt.ipynb", "test_book_build.py", "06_positions.ipynb", "02_why_sqrt_dk.ipynb"]
LONGEST += ["11_a_trained_model.ipynb", "test_practice.py", "test_jupyterlab.py"]

# One thread per kernel: the workers already fill the cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# A kernel of a notebook test is a reader's kernel, not the book's.
os.environ["ATTENTION_MEASURED_UNWATCHED"] = "1"
os.environ.pop("ATTENTION_MEASURED_BOOK", None)


def require_browser():
    """The browser's path. Skip where a reader's machine has none; fail where CI has none."""
    if path := find_browser():
        return path
    if os.environ.get("CI") == "true":
        pytest.fail(NO_BROWSER)
    pytest.skip(NO_BROWSER)


@pytest.fixture(scope="module")
def chromium_with():
    """Start the machine's Chromium, with more options than the usual."""
    path = require_browser()
    with sync_playwright() as playwright:
        started = []

        def start(*options):
            started.append(playwright.chromium.launch(executable_path=path, args=[*FLAGS, *options]))
            return started[-1]

        yield start
        for chromium in started:
            chromium.close()


@pytest.fixture(scope="module")
def browser(chromium_with):
    return chromium_with()


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


def pytest_terminal_summary(terminalreporter):
    passed = [report.nodeid for report in terminalreporter.stats.get("passed", []) if report.when == "call"]
    kinds = {
        "notebook cells": [n for n in passed if ".ipynb::" in n],
        "explorers": [n for n in passed if "::test_explorer[" in n],
        "pages": [n for n in passed if "::test_page[" in n],
        "wrong answers rejected by name": [n for n in passed if "::test_wrong_answer[" in n],
    }
    rest = len(passed) - sum(map(len, kinds.values()))
    counts = ", ".join(f"{len(nodes)} {kind}" for kind, nodes in kinds.items())
    terminalreporter.write_line(f"passed: {rest} unit and property tests, {counts}")
