"""Defer a page's scripts."""

from pathlib import Path

from website.places import write_changed

# Sphinx's highlighting of what was sought, and words for it: website/search has its own. The latter would need `eval`.
NOT_NEEDED = ("sphinx_highlight.js", "translations.js")
# The theme measures all code and tables, and so lays out what waits or is folded. settle.js measures what appears.
THEME = "scripts/pydata-sphinx-theme.js"
MEASURES = "e.tabIndex=e.scrollWidth>e.clientWidth||e.scrollHeight>e.clientHeight?0:-1"


def setup(app):
    app.connect("html-page-context", defer_scripts, priority=900)  # after the theme has added its own
    app.connect("build-finished", measure_nothing, priority=900)  # after its files have been copied
    app.add_js_file("settle.js")
    app.add_js_file("page_buttons.js")


def defer_scripts(app, pagename, templatename, context, doctree):
    """No script delays the first paint but first.js, and none is in the markup: the policy (policy.py) forbids it."""
    files = [script for script in context["script_files"] if script.filename]
    context["script_files"] = [script for script in files if not str(script.filename).endswith(NOT_NEEDED)]
    for script in context["script_files"]:
        script.attributes["defer"] = "defer"


def measure_nothing(app, exception):
    script = Path(app.outdir) / "_static" / THEME
    if exception or not script.is_file():
        return
    write_changed(script, script.read_text(encoding="utf-8").replace(MEASURES, "0"))
