"""Search: what each page shows becomes an index, the page `search` finds places in it, and a place shows its match.

Sphinx's own search finds pages, not places; it takes a part of any word for a match, fetches excerpts, which a page
opened from disk may not, and shows what is hidden.
"""

import json
from pathlib import Path

from languages import say
from website.places import write_changed
from website.search.shown import places_of

HERE = Path(__file__).parent
STYLES = ["search.css"]
INDEX = "search_index.js"
BEGINNING = "book.search_pages = "


def setup(app):
    app.connect("config-inited", lambda app, config: config.templates_path.append(str(HERE / "templates")))
    app.connect("builder-inited", leave_out_the_search_of_sphinx)
    app.connect("html-page-context", add_scripts)
    app.connect("html-page-context", collect, priority=950)  # after the page is complete
    app.connect("html-collect-pages", write_index_and_page)
    app.add_js_file("words.js")
    app.add_js_file("search_field.js")
    app.add_js_file("found.js")


def leave_out_the_search_of_sphinx(app):
    app.builder.search = False
    app.builder.shown = {}


def add_scripts(app, pagename, templatename, context, doctree):
    if pagename == "search":
        app.add_js_file(INDEX)
        app.add_js_file("search.js")


def collect(app, pagename, templatename, context, doctree):
    if doctree is not None:
        app.builder.shown[pagename] = {"title": app.env.titles[pagename].astext(), "places": places_of(context["body"])}


def write_index_and_page(app):
    """Pages that this build has not written keep their places."""
    if app.builder.name != "html":
        return []
    path = Path(app.outdir) / "_static" / INDEX
    before = path.read_text(encoding="utf-8") if path.is_file() else BEGINNING + "{}"
    pages = json.loads(before[before.index("{") :]) | app.builder.shown
    kept = {name: pages[name] for name in sorted(pages) if name in app.env.all_docs}
    text = BEGINNING + json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    write_changed(path, text)
    return [("search", {"title": say("Search")}, "search.html")]
