"""The machine: four words, three tables that a reader edits, and every number between them and attention's output."""

import importlib
from pathlib import Path

from four_words.sentences import SCRIPT

STATIC = Path(__file__).parent / "static"
STYLES = ["machine.css"]
SENTENCES = "four_words.js"
MADE = {SENTENCES: SCRIPT}
NAME = "machine"  # the name of its explorer, and of the program that the page loads for it


def setup(app):
    app.connect("explorers-on-page", add_scripts)


def add_scripts(app, names):
    for script in (SENTENCES, "machine_view.js") if NAME in names else ():
        app.add_js_file(script)


def __getattr__(name):
    """``machine``, imported only when it is asked for: it needs torch, and the site's extension does not."""
    if name != "machine":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.explorer").machine
