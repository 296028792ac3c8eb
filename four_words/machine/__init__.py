"""The machine: four words, three tables that a reader edits, and every number between them and attention's output."""

import importlib
from pathlib import Path

STATIC = Path(__file__).parent / "static"
STYLES = ["machine.css"]
NAME = "machine"  # the name of its explorer, and of the program that the page loads for it


def setup(app):
    app.connect("explorers-on-page", lambda app, names: app.add_js_file("machine_view.js") if NAME in names else None)


def __getattr__(name):
    """``machine``, imported only when it is asked for: it needs torch, and the site's extension does not."""
    if name != "machine":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.explorer").machine
