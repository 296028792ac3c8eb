"""What a notebook's code takes, where that is much: `python -m benchmarks.kernels --store` measures it."""

import functools
import json
from pathlib import Path

COSTS = Path(__file__).with_name("costs.json")
SECONDS, GB = 10, 1  # nobody minds less


@functools.cache
def costs():
    return json.loads(COSTS.read_text(encoding="utf-8"))


def sentence(name):
    """A sentence about the notebook at this path, or nothing."""
    taken = costs().get(name, {"seconds": 0, "GB": 0})
    if taken["seconds"] <= SECONDS and taken["GB"] <= GB:
        return ""
    seconds = max(10, round(taken["seconds"], -1))  # another machine needs half or twice as long
    how_long = f"about {seconds} seconds" if seconds < 120 else f"about {round(seconds / 60)} minutes"
    return f"All of its code runs for {how_long}, and its kernel takes up to {taken['GB']:.1f} GB of memory."
