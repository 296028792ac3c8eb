"""A page's scripts, and when they run; templates/layout.html has the rest."""


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
