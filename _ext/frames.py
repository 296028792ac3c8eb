"""Explorers' frames in files of their own, which explorer.js loads: a page is read before its frames arrive.

And for explorers that compute, their programs and what these need, on the pages that have one.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.osutil import relative_uri

# As explore/explorer.py writes it
EXPLORER = re.compile(
    r'<figure class="explorer" id="([^"]+)">(.*)<script type="application/json">(.*)</script>\n(.*)', re.DOTALL
)
LIVE = re.compile(r'<figure class="explorer" id="(\w+)" data-live=')
PROGRAMS = Path(__file__).parent / "static" / "programs"


def setup(app):
    app.add_post_transform(FramesInFiles)
    app.connect("html-page-context", add_programs)


def add_programs(app, pagename, templatename, context, doctree):
    """The scripts of a page's explorers that compute, in the order in which they need each other."""
    found = [LIVE.match(raw.astext()) for raw in doctree.findall(nodes.raw)] if doctree else []
    names = [match[1] for match in found if match]
    if not names:
        return
    for name in names:
        if not (PROGRAMS / f"{name}.js").is_file():
            raise ExtensionError(f"{pagename}: explorer {name} takes any number and has no program {name}.js")
    if "own_sentence" in names:
        from trained_model import write_model  # here, as it brings torch, which no other page waits for

        write_model(Path(app.outdir) / "_static" / "sentence" / "model")
    programs = [f"programs/{name}.js" for name in names]
    for file in ("attention_core.js", "scenes.js", *programs, "fields.js", "live.js"):
        app.add_js_file(file)


class FramesInFiles(SphinxPostTransform):
    default_priority = 900  # when MyST-NB has chosen among the forms of each output
    formats = ("html",)

    def run(self, **kwargs):
        page = self.env.docname
        folder = Path(self.app.outdir) / "_static" / "explorers" / page
        for stale in folder.glob("*.js"):
            stale.unlink()
        for raw in self.document.findall(nodes.raw):
            if found := EXPLORER.fullmatch(raw.astext()):
                ident, before, data, after = found.groups()
                # A script, as a page on a disk may not fetch data.
                literal = data.replace("`", r"\u0060").replace("${", r"\u0024{")
                folder.mkdir(parents=True, exist_ok=True)
                script = f'(globalThis.explorerFrames ??= {{}})["{ident}"] = String.raw`{literal}`;\n'
                (folder / f"{ident}.js").write_text(script, encoding="utf-8")
                address = f"_static/explorers/{page}/{ident}.js"
                address = relative_uri(self.app.builder.get_target_uri(page), address)
                figure = f'<figure class="explorer" id="{ident}" data-frames="{address}">{before}{after}'
                raw[:] = [nodes.Text(figure)]
