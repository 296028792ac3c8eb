"""Defer a page's scripts; templates/layout.html holds back the theme's scripts for even longer."""


def setup(app):
    app.connect("html-page-context", defer_scripts, priority=900)  # after the theme has added its own
    app.add_js_file("settle.js")


def defer_scripts(app, pagename, templatename, context, doctree):
    """No script delays the first paint, except those that inline scripts need and those of the search page."""
    for script in context["script_files"]:
        if script.filename and "documentation_options" not in str(script.filename) and pagename != "search":
            script.attributes["defer"] = "defer"
        else:
            script.attributes.pop("defer", None)
