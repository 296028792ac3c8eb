"""The README's times agree with those of the last stored test run, on two cores."""

import json
import math
import re

from website.places import ROOT


def test_the_readmes_minutes_agree_with_the_stored_times():
    steps = json.loads((ROOT / "tools" / "times.json").read_text(encoding="utf-8"))["steps"]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    book, test = (int(re.search(rf"`make {words} about (\d+) minutes", text)[1]) for words in ("book` takes", "test`"))
    # In a test run the book is made beside tests, so its seconds are not those of `make book`.
    # Two notebooks at a time, and then one page after another.
    assert book == math.ceil((steps["notebooks"][1] / 2 + steps["book"][1]) / 60)
    assert test == math.ceil(steps["together"][0] / 60)
