"""The README's times agree with those of the last stored test run."""

import json
import math
import re

import pytest

from website.places import ROOT

# Sentences with a number of minutes, and the steps that it adds up and rounds up.
SENTENCES = {
    r"`make book` takes about (\d+) minutes": ["notebooks", "book"],
    r"`make test` about (\d+) minutes": ["together"],
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_time_agrees_with_the_stored_ones(sentence):
    steps = json.loads((ROOT / "tools" / "times.json").read_text(encoding="utf-8"))["steps"]
    (minutes,) = re.findall(sentence, (ROOT / "README.md").read_text(encoding="utf-8"))
    assert int(minutes) == math.ceil(sum(steps[step][0] for step in SENTENCES[sentence]) / 60)
