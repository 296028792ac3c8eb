"""A copy of the book's files, for tests that build, format or rename: nothing that they write stays in the checkout."""

import shutil

import pytest

from website.places import ROOT


@pytest.fixture(scope="session")
def copy(tmp_path_factory):
    """``copy(name)``: a new folder with the files that git does not ignore."""
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").split()]

    def copied(name):
        folder = tmp_path_factory.mktemp(name) / "book"
        return shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", *ignored), symlinks=True)

    return copied
