"""The title page's picture: *I saw a saw*, and which word looks at which, from an average of all to one alone."""

import importlib
from pathlib import Path

from four_words.machine import SENTENCES

STATIC = Path(__file__).parent / "static"
STYLES = ["opening.css"]
SCRIPTS = ["attention_core.js", "looks.js", SENTENCES, "opening.js"]  # each uses those before it


def setup(app):
    app.connect("html-page-context", add_scripts)


def add_scripts(app, pagename, templatename, context, doctree):
    for script in SCRIPTS if pagename == app.config.root_doc else ():
        app.add_js_file(script)


def __getattr__(name):
    """``opening``, imported only when it is asked for: it needs torch, and the site's extension does not."""
    if name != "opening":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.picture").opening
