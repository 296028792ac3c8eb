"""A source page of the API reference is written only if its module is newer than the page, or the site's files differ.

To find a module's file, viewcode imports the module, and with it torch, in every build that writes a page.
"""

from pathlib import Path

from website.places import ROOT


def setup(app):
    app.connect("html-collect-pages", leave_out_written, priority=400)  # before viewcode


def leave_out_written(app):
    modules = getattr(app.builder.env, "_viewcode_modules", {})
    for name in modules:
        source, page = ROOT / f"{name}.py", Path(app.outdir) / "_modules" / f"{name}.html"
        is_written = source.is_file() and page.is_file() and source.stat().st_mtime <= page.stat().st_mtime
        if is_written and app.config.html_context["assets"][:8] in page.read_text(encoding="utf-8"):
            modules[name] = False  # viewcode's mark for "no source"; the data for the next build is already saved
    return []
