"""What a notebook's code takes, where that is much: `python -m benchmarks.kernels --store` measures it."""

import functools
import json
from pathlib import Path

from languages import say

COSTS = Path(__file__).with_name("costs.json")
SECONDS, GB = 10, 1  # nobody minds less


@functools.cache
def costs():
    """For each notebook: seconds, and GB of memory."""
    return json.loads(COSTS.read_text(encoding="utf-8"))


def sentence(name):
    """A sentence about the notebook at this path, or nothing."""
    seconds, memory = costs().get(name, [0, 0])
    if seconds <= SECONDS and memory <= GB:
        return ""
    seconds = max(10, round(seconds, -1))  # another machine needs half or twice as long
    return say(
        "All of its code runs for about {seconds} seconds, and its kernel takes up to {memory} GB of memory.",
        seconds=seconds,
        memory=f"{memory:.1f}",
    )
