"""Times in README.md and CONTRIBUTING.md agree with the table of what a test run costs, or are explained here."""

import math
import re

import pytest

from website.places import ROOT

PHRASE = re.compile(r"\b(?:\d+|an?|one|two|three|four|five|ten|few|of an) (?:seconds?|minutes?|hours?)\b")
# Sentences with a number of minutes, and the rows of the table that it adds up and rounds up.
FROM_TABLE = {
    r"`make book` takes about (\d+) minutes": ["notebooks", "book"],
    r"`make test` about (\d+) minutes": ["lint", "notebooks", "book", "tests"],
}
EXPLAINED = {
    "`make book` takes a few seconds": "nothing is executed; Sphinx reads no page again",
    "in less than a minute": "`make check` prints it for each step",
    "takes about a minute on two idle cores": "`make check` prints it for each step",
    "`make benchmark`, about three minutes": "the workflow `weekly` shows it",
    "`make experiments`, a few hours": "run when their code changes",
    "a quarter of an hour on two cores": "the workflow `weekly` shows it",
    "at most about ten seconds on one core": "a rule, not a measurement",
    "A first reading takes at most 30 minutes": "a rule, not a measurement",
    "comes within two minutes": "a rule, not a measurement",
}
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")}


@pytest.fixture
def seconds():
    """The seconds of each step in the table."""
    (table,) = re.findall(r"<!-- times: make times -->\n(.*?)<!-- /times -->", TEXTS["CONTRIBUTING.md"], re.S)
    rows = re.findall(r"^\| (\w+) \| (\d+) \| \d+ \|$", table, re.M)
    assert rows, "the table is empty; run: make test, then make times"
    return {name: int(number) for name, number in rows}


@pytest.mark.parametrize("sentence", FROM_TABLE)
def test_a_time_agrees_with_the_table(sentence, seconds):
    (minutes,) = re.findall(sentence, TEXTS["README.md"])
    assert int(minutes) == math.ceil(sum(seconds[row] for row in FROM_TABLE[sentence]) / 60)


def test_every_other_time_is_explained():
    rest = "\n".join(TEXTS.values())
    for sentence in [*FROM_TABLE, *map(re.escape, EXPLAINED)]:
        rest, count = re.subn(sentence, "", rest)
        assert count == 1, sentence
    assert PHRASE.findall(rest) == []
