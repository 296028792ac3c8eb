"""Defer a page's scripts; templates/layout.html holds back the theme's scripts for even longer."""

# Sphinx's highlighting of what was sought; website/search has its own.
NOT_NEEDED = ("sphinx_highlight.js",)


def setup(app):
    app.connect("html-page-context", defer_scripts, priority=900)  # after the theme has added its own
    app.add_js_file("settle.js")
    app.add_js_file("page_buttons.js")


def defer_scripts(app, pagename, templatename, context, doctree):
    """No script delays the first paint but first.js, and none is in the markup: the policy (policy.py) forbids it."""
    files = [script for script in context["script_files"] if script.filename]
    context["script_files"] = [script for script in files if not str(script.filename).endswith(NOT_NEEDED)]
    for script in context["script_files"]:
        script.attributes["defer"] = "defer"
