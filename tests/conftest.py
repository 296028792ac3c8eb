"""What the test files share: where the book is, and its browser."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from benchmarks.site import FLAGS, NO_BROWSER, find_browser

ROOT = Path(__file__).resolve().parent.parent


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
