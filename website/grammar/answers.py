"""The comment after a Predict or Quiz box, with the right answer; ``website/boxes/questions.py`` describes it."""

import re

import yaml

COMMENT = re.compile(r"\s*<!-- answer\n(.*?)-->\s*", re.DOTALL)


def parsed(comment):
    return yaml.safe_load(comment)


def measured_words(measured, cells):
    """What ``measured`` quotes from a stored output: the words, and the match's first group as a number or None.

    Raises ``ValueError`` if the output does not have it.
    """
    outputs = [output for cell in cells if cell["id"] == measured["cell"] for output in cell["outputs"]]
    text = "\n".join("".join(o.get("text") or o.get("data", {}).get("text/plain", "")) for o in outputs)
    match = re.search(measured["find"], text, re.MULTILINE)
    if not match:
        raise ValueError(f"finds no {measured['find']!r} in the output of cell {measured['cell']}")
    say = measured.get("say", "{0}")
    words = re.sub(r"\{(\d)\}", lambda group: " ".join(match[int(group[1])].split()), say)
    try:
        return words, float(match[1])
    except (IndexError, ValueError):
        return words, None
