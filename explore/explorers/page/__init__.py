"""Explorers on the site: the scripts that move them, and the frames of flip-books in separate files.

A page can be read before its frames arrive. A page with explorers that compute gets their programs and the scripts
that these need.
"""

from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.osutil import relative_uri

from ..markup import computing, with_address, without_frames

STATIC = Path(__file__).parent / "static"
STYLES = ["explorers.css"]
SCRIPTS = ["book.js", "states.js", "flip_book.js", "walk.js"]  # on every page
# Scripts shared by all explorers that compute; live.js combines the others.
LIVE = ["fields.js", "picture.js", "tables.js", "handles.js", "controls.js", "state_links.js", "live.js"]


def setup(app):
    for file in SCRIPTS:
        app.add_js_file(file)
    app.add_post_transform(FramesInFiles)
    app.add_event("explorers-on-page")  # with the names of the explorers that compute, before the page is written
    app.connect("html-page-context", add_programs)


def add_programs(app, pagename, templatename, context, doctree):
    """Add the scripts of a page's explorers that compute, in the order in which they need each other."""
    names = [computing(raw.astext()) for raw in doctree.findall(nodes.raw)] if doctree else []
    names = list(filter(None, names))
    if not names:
        return
    programs = [f"programs/{name}.js" for name in names]
    for name, program in zip(names, programs, strict=True):
        if not any((Path(app.srcdir) / folder / program).is_file() for folder in app.config.html_static_path):
            raise ExtensionError(f"{pagename}: explorer {name} takes any number but has no program {name}.js")
    app.emit("explorers-on-page", names)
    for file in ("attention_core.js", "scenes.js", *programs, *LIVE):
        app.add_js_file(file)


class FramesInFiles(SphinxPostTransform):
    default_priority = 900  # after MyST-NB has chosen a form for each output
    formats = ("html",)

    def run(self, **kwargs):
        page = self.env.docname
        folder = Path(self.app.outdir) / "_static" / "explorers" / page
        for stale in folder.glob("*.js"):
            stale.unlink()
        for raw in self.document.findall(nodes.raw):
            if found := without_frames(raw.astext()):
                markup, ident, frames = found
                # A script, because a page opened from disk is not allowed to fetch data.
                literal = frames.replace("`", r"\u0060").replace("${", r"\u0024{")
                folder.mkdir(parents=True, exist_ok=True)
                script = f'book.explorer_frames["{ident}"] = String.raw`{literal}`;\n'
                (folder / f"{ident}.js").write_text(script, encoding="utf-8")
                address = f"_static/explorers/{page}/{ident}.js"
                address = relative_uri(self.app.builder.get_target_uri(page), address)
                raw[:] = [nodes.Text(with_address(markup, ident, address))]
