"""The README's times agree with CONTRIBUTING's table of what a test run costs."""

import math
import re

import pytest

from website.places import ROOT

# Sentences with a number of minutes, and the rows of the table that it adds up and rounds up.
FROM_TABLE = {
    r"`make book` takes about (\d+) minutes": ["notebooks", "book"],
    r"`make test` about (\d+) minutes": ["lint", "notebooks", "book", "tests"],
}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture
def seconds():
    """The seconds of each step in the table."""
    (table,) = re.findall(r"<!-- times: make times -->\n(.*?)<!-- /times -->", read("CONTRIBUTING.md"), re.S)
    rows = re.findall(r"^\| (\w+) \| (\d+) \| \d+ \|$", table, re.M)
    assert rows, "the table is empty; run: make test, then make times"
    return {name: int(number) for name, number in rows}


@pytest.mark.parametrize("sentence", FROM_TABLE)
def test_a_time_agrees_with_the_table(sentence, seconds):
    (minutes,) = re.findall(sentence, read("README.md"))
    assert int(minutes) == math.ceil(sum(seconds[row] for row in FROM_TABLE[sentence]) / 60)
