"""Defer a page's scripts; templates/layout.html holds back the theme's scripts for even longer."""

from pathlib import Path

from sphinx.errors import ExtensionError

# Sphinx's highlighting of what was sought; website/search has its own.
NOT_NEEDED = ("sphinx_highlight.js",)
# The theme measures all code and tables, and so lays out what is folded: a task of 3 seconds on a slow phone, on the
# page of questions. settle.js measures what has been folded when it opens.
THEME = "scripts/pydata-sphinx-theme.js"
MEASURES_ALL = ".forEach(e=>{e.tabIndex=e.scrollWidth>"
MEASURES_WHAT_IS_OPEN = '.forEach(e=>{if(!e.parentElement.closest("details:not([open])"))e.tabIndex=e.scrollWidth>'


def setup(app):
    app.connect("html-page-context", defer_scripts, priority=900)  # after the theme has added its own
    app.connect("build-finished", measure_what_is_open, priority=900)  # after its files have been copied
    app.add_js_file("settle.js")
    app.add_js_file("page_buttons.js")


def defer_scripts(app, pagename, templatename, context, doctree):
    """No script delays the first paint but first.js, and none is in the markup: the policy (policy.py) forbids it."""
    files = [script for script in context["script_files"] if script.filename]
    context["script_files"] = [script for script in files if not str(script.filename).endswith(NOT_NEEDED)]
    for script in context["script_files"]:
        script.attributes["defer"] = "defer"


def measure_what_is_open(app, exception):
    script = Path(app.outdir) / "_static" / THEME
    if exception or not script.is_file():
        return
    text = script.read_text(encoding="utf-8")
    if MEASURES_WHAT_IS_OPEN in text:
        return
    if text.count(MEASURES_ALL) != 1:
        raise ExtensionError(f"{THEME} must have {MEASURES_ALL!r} once; has the theme another version?")
    script.write_text(text.replace(MEASURES_ALL, MEASURES_WHAT_IS_OPEN), encoding="utf-8")
