"""One style sheet for the page's seven, and without the parts of Bootstrap that no page of this book has.

The theme brings all of Bootstrap and two thousand icons, 66 kB compressed; a phone waits for it before it shows a word.
What goes are whole families of classes, by their public names. tests/test_site.py looks for pages that have one.
"""

import hashlib
import re
from pathlib import Path

import tinycss2

# The icons of Font Awesome (book.css draws those that are shown); components and utilities of Bootstrap 5, as in
# https://getbootstrap.com/docs/5.3; of sphinx-design; and utilities for one width of screen only, such as p-md-3.
UNUSED = re.compile(
    r"fa-[\w-]+|fab|far|sd-[\w-]+"
    r"|(accordion|alert|badge|breadcrumb|card|carousel|figure|img|list-group|modal|offcanvas|pagination|page-item"
    r"|page-link|placeholder|popover|progress|spinner|toast|input-group|form-(check|select|range|floating|text|label)"
    r"|btn-(outline|primary|secondary|success|danger|warning|info|light|dark|link|close|lg|check|toolbar|group)|nav-(pills|tabs|underline|fill|justified)|navbar-dark|ratio)[\w-]*"
    r"|(row-cols|col|offset|g[xy]?|order|bg|text-bg|border|shadow|opacity|float|object-fit|overflow|position|z|focus-ring"
    r"|icon-link|link|rounded)-[\w-]+"
    r"|[a-z-]+-(sm|md|lg|xl|xxl)-[\w-]+|(is|was)-(in)?valid(ated)?"
)
ICONS = "angle-left|angle-right|arrow-up|bars|circle-half-stroke|download|expand|file|file-pdf|list|magnifying-glass"
KEPT = re.compile(rf"rounded-pill|navbar-expand-lg|btn-sm|fa-(solid|lg|moon|sun|xmark|rocket|{ICONS})")


def setup(app):
    app.connect("html-page-context", remember, priority=950)  # after the theme and its extensions
    app.connect("build-finished", write, priority=900)  # after the others have copied their files


def remember(app, pagename, templatename, context, doctree):
    """Every page has the same sheets; those of the theme itself come first."""
    sheets = ["basic.css", "styles/pydata-sphinx-theme.css"]
    app.builder.sheets = sheets + [str(sheet.filename).partition("_static/")[2] for sheet in context["css_files"]]


def write(app, exception):
    if exception or not getattr(app.builder, "sheets", None):
        return
    static = Path(app.outdir) / "_static"
    sources = [(static / name).read_text(encoding="utf-8") for name in app.builder.sheets]
    own = Path(__file__).read_text(encoding="utf-8")
    mark = f"/* made of {hashlib.sha256(''.join([own, *sources]).encode()).hexdigest()[:16]} */\n"
    target = static / "book-all.css"
    if target.is_file() and target.read_text(encoding="utf-8").startswith(mark):
        return
    rules = (rule for source in sources for rule in read(source))
    target.write_text(mark + "".join(map(shortened, rules)), encoding="utf-8")


def read(source):
    return tinycss2.parse_stylesheet(source, skip_comments=True, skip_whitespace=True)


def shortened(rule):
    """The rule as text, without selectors and rules that go."""
    if rule.type == "qualified-rule":
        selectors = [part for part in split_at_commas(rule.prelude) if not is_unused(part)]
        return f"{','.join(selectors)}{{{text(rule.content)}}}" if selectors else ""
    if rule.type != "at-rule" or rule.lower_at_keyword in ("charset", "font-face", "import"):  # the fonts are icons
        return ""
    if rule.lower_at_keyword in ("media", "supports"):
        inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
        kept = "".join(map(shortened, inner))
        return f"@{rule.at_keyword} {text(rule.prelude)}{{{kept}}}" if kept else ""
    return rule.serialize()


def is_unused(selector):
    """Whether it asks for a class that no page has. What stands in brackets, as in :not(.card), asks for none."""
    outside = re.sub(r"\((?:[^()]|\([^()]*\))*\)|\[[^]]*\]", "", selector)
    classes = re.findall(r"\.((?:[\w-]|\\.)+)", outside)
    return any(map(leaves_out, classes))


def leaves_out(name):
    return bool(UNUSED.fullmatch(name)) and not KEPT.fullmatch(name)


def split_at_commas(tokens):
    groups = [[]]
    for token in tokens:
        if token == ",":
            groups.append([])
        else:
            groups[-1].append(token)
    return [text(group) for group in groups]


def text(tokens):
    return re.sub(r"\s+", " ", tinycss2.serialize(tokens)).strip()
