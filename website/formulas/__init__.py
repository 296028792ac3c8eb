"""MathJax typesets formulas while the book is built, not in each reader's browser.

So pages load no formula script, do not move while formulas appear, and show formulas without JavaScript.

We tried MathML alone, which browsers typeset themselves: it saves a third of a page's elements, but Chromium put
subscripts at different heights, and the letters were thinner than the text around them. And we tried an SVG for each
formula: with texts its layout took as long, and with paths the page was longer, and its letters could not be copied.
"""

import atexit
import functools
import importlib.util
import re
from pathlib import Path

from docutils import nodes
from py_mini_racer import MiniRacer, init_mini_racer
from sphinx.errors import ExtensionError
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.fileutil import copy_asset
from sphinx.util.logging import get_node_location
from sphinx.util.math import get_node_equation_number

MATHJAX = Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent / "static" / "mathjax"
FONTS = "output/chtml/fonts/woff-v2"
STYLES = ["formulas.css"]


def setup(app):
    app.add_html_math_renderer("at_build_time", (visit_inline, None), (visit_display, None))
    app.add_post_transform(Together)
    app.connect("html-page-context", add_style)
    app.connect("build-finished", copy_fonts)


@functools.cache
def engine():
    init_mini_racer(flags=(), ignore_duplicate_init=True)  # V8 optimises only if it may start threads
    racer = MiniRacer()
    atexit.register(racer.close)  # before Python ends: its thread may wait for Python, and Python for its thread
    racer.eval((Path(__file__).parent / "mathjax.js").read_text(encoding="utf-8"))
    for part in ("startup", "core", *racer.eval("PARTS")):
        racer.eval((MATHJAX / f"{part}.js").read_text(encoding="utf-8") + "; 0")
    racer.eval("formulas.start()")
    return racer


def typeset(node, tex, display):
    result = engine().call("formulas.typeset", tex, display)
    if "error" in result:
        raise ExtensionError(f"{get_node_location(node)}: MathJax cannot read the formula {tex}: {result['error']}")
    return result["html"]


def visit_inline(self, node):
    self.body.append(self.starttag(node, "span", "", CLASS="math notranslate nohighlight"))
    self.body.append(typeset(node, node.astext(), display=False) + "</span>")
    raise nodes.SkipNode


def visit_display(self, node):
    tex = node.astext()
    if r"\\" in tex and not node.get("nowrap"):  # nowrap: the formula already is an environment
        tex = rf"\begin{{split}}{tex}\end{{split}}"
    self.body.append(self.starttag(node, "div", CLASS="math notranslate nohighlight"))
    if node.get("number"):
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, _("Link to this equation"))
        self.body.append("</span>")
    self.body.append(typeset(node, tex, display=True) + "</div>\n")
    raise nodes.SkipNode


def add_style(app, pagename, templatename, context, doctree):
    """Add the style for the characters on this page: 3 kB compressed, instead of 27 kB for all characters."""
    if doctree and any(doctree.findall(lambda node: isinstance(node, (nodes.math, nodes.math_block)))):
        fonts = context["pathto"](f"_static/mathjax/{FONTS}", 1)
        context["formula_style"] = engine().call("formulas.take_style").replace("FONTS", fonts)


def copy_fonts(app, exception):
    if not exception and app.builder.format == "html":
        copy_asset(MATHJAX / FONTS, Path(app.outdir) / "_static" / "mathjax" / FONTS)


class Together(SphinxPostTransform):
    """Prevent a line break between a formula and the punctuation after it."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs):
        for formula in list(self.document.findall(nodes.math)):
            after = formula.next_node(descend=False, siblings=True)
            mark = re.match(r"[.,:;!?)]+", after) if isinstance(after, nodes.Text) else None
            if mark:
                after.parent.replace(after, nodes.Text(after[mark.end() :]))
                together = nodes.inline(classes=["together"])
                formula.replace_self(together)
                together += [formula, nodes.Text(mark[0])]
