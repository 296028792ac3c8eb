"""The book's Sphinx extension: everything that a plain `jupyter-book build .` needs beyond its configuration file.

A room is a module with ``setup(app)``. The files in its folder `static`, if it has one, go into the site's `_static`.
``STYLES`` names the style sheets among them; every page gets these in the order of the rooms. ``MADE`` holds the text
of style sheets that are generated from a table.
"""

import importlib
from pathlib import Path

ROOMS = [
    "explore.figures.page",
    "explore.explorers.page",
    "website.translation",
    "website.boxes",
    "website.notes",
    "website.reading",
    "website.asked",
    "website.statements",
    "website.search",
    "website.formulas",
    "website.page",
    "website.links",
    "website.notebooks",
    "website.edition",
    "models.in_worker",
    "four_words.machine",
    "four_words.opening",
    "models.own_sentence",
    "models.language_model",
    "website.print",
]


def setup(app):
    from website.places import write_changed  # here, because kernels import this package only for its keys

    rooms = [importlib.import_module(room) for room in ROOMS]
    folders = [Path(room.__file__).parent / "static" for room in rooms]
    made = {name: text for room in rooms for name, text in getattr(room, "MADE", {}).items()}

    def add_folders(app, config):
        config.html_static_path = [*config.html_static_path, *(str(folder) for folder in folders if folder.is_dir())]

    def write_made(app):
        folder = Path(app.outdir) / "_static"
        for name, text in made.items() if app.builder.format == "html" else ():
            write_changed(folder / name, text)

    app.connect("config-inited", add_folders)
    app.connect("builder-inited", write_made)
    for room in rooms:
        room.setup(app)
        for name in getattr(room, "STYLES", ()):
            app.add_css_file(name, priority=800)  # after the style sheets of other extensions
    # A new env_version makes Sphinx read all pages again. Pages are written one after another, because a single MathJax
    # typesets all formulas.
    return {"version": "1", "env_version": 13, "parallel_read_safe": True, "parallel_write_safe": False}
