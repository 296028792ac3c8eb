"""What every written page gets in the end: its formulas set, its explorers' frames in files, one short style sheet.

Formulas are set by MathJax while the book is built and not in each reader's browser: no page loads a formula script,
moves while formulas appear, or needs JavaScript to show them.
"""

import functools
import hashlib
import html
import json
import os
import re
from pathlib import Path

import tinycss2
from py_mini_racer import MiniRacer
from sphinx.errors import ExtensionError

FINISHED = ("html", "singlehtml")  # Sphinx's builders whose pages come here
FORMULA = re.compile(r'(<(span|div) class="(?:amsmath )?math notranslate nohighlight"[^>]*>)(.*?)(</\2>)', re.DOTALL)
BEFORE_A_STOP = re.compile(
    r'(<span class="math notranslate nohighlight">(?:(?!<span|</span>).)*</span>[.,:;!?)]+)', re.DOTALL
)
FRAMES = re.compile(
    r'(<figure class="explorer" id="([^"]+)">(?:(?!</figure>).)*?)<script type="application/json">(.*?)</script>',
    re.DOTALL,
)
STYLES = re.compile(r'\s*<link (?=[^>]*rel="stylesheet")[^>]*_static/[^>]*>')
# What theme and extensions put on every page, and ours do not use: 700 kB of icons (book.css has those that are shown),
# scripts ahead of what is read first, settings for a server of kernels. The search's index is for its own page.
UNUSED = re.compile(
    r'\s*<script[^>]* src="[^"]*fontawesome\.js[^>]*></script>'
    r'|\s*<link rel="preload" as="script"[^>]*>'
    r'|\s*<script type="text/x-thebe-config">.*?</script>'
    r"|\s*<script>kernelName = [^<]*</script>",
    re.DOTALL,
)
# Small faults of theme and extensions, most of them against the rules of accessibility, each with its repair.
REPAIRS = {
    '<summary aria-label="Toggle hidden content">': "<summary>",  # its text says more
    '<div id="pst-primary-sidebar"': '<div id="pst-primary-sidebar" role="navigation" aria-label="Book"',
    '<th class="head"><p></p></th>': "<td></td>",  # a header without a word
    ' role="doc-biblioentry"': "",  # withdrawn from the standard
    '<div role="list" class="citation-list">': '<div class="citation-list">',  # its children are no items
    # The theme's script comes late: until then a reader of dark pages would see a light one, and boxes without borders.
    'dataset.theme = localStorage.getItem("theme") || "auto"': "dataset.theme = "
    '(document.documentElement.dataset.mode !== "auto" && localStorage.getItem("theme"))'
    ' || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")',
}
# Excerpts in the list of results are fetched, which a page on a disk may not do.
FROM_DISK = '<script>if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;</script>'
SEARCH = re.compile(r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^>]*></script>')
# The theme asks for the widths of all code and tables as the page begins, which lays out all of it: a tenth of a second
# in which nothing else goes on. explorer.js does it by sections.
ALL_AT_ONCE = "childList:!0}),e()"
COMPOSED = {"bs-tooltip-auto", "bs-popover-auto"}  # names that Bootstrap puts together
NAME = re.compile(r"[A-Za-z_][\w-]*")


def finish(app, exception):
    """Sphinx's last event. Pages that were not written anew this time are finished already, but for the style sheet."""
    if exception or app.builder.name not in FINISHED:
        return
    out, static = Path(app.outdir), Path(app.outdir) / "_static"
    typesetter = functools.cache(lambda: Typesetter(static / "mathjax"))
    paths = sorted(path for path in out.rglob("*.html") if static not in path.parents)
    before = {path: path.read_text(encoding="utf-8") for path in paths}
    roots = {path: os.path.relpath(out, path.parent).replace(os.sep, "/") for path in before}
    after = {}
    for path, text in before.items():
        text = UNUSED.sub("", text)
        if path.stem != "search":
            text = SEARCH.sub("", text)
        elif FROM_DISK not in text:
            text = text.replace("</head>", f"{FROM_DISK}\n</head>", 1)
        if "<link" in text and 'role="navigation" aria-label="Book"' not in text:
            for fault, repair in REPAIRS.items():
                text = text.replace(fault, repair)
        if FORMULA.search(text) and "<mjx-container" not in text:
            fonts = f"{roots[path]}/_static/mathjax/output/chtml/fonts/woff-v2"
            try:
                text = typesetter().page(text, fonts)
            except ValueError as error:
                raise ExtensionError(f"{path.relative_to(out)}: {error}") from error
        after[path] = move_frames(text, static / "explorers", roots[path])

    theme = static / "scripts" / "pydata-sphinx-theme.js"
    theme.write_text(theme.read_text(encoding="utf-8").replace(ALL_AT_ONCE, "childList:!0})"), encoding="utf-8")

    scripts = [path for path in static.rglob("*.js") if not {"mathjax", "explorers"} & set(path.parts)]
    scripts = [path.read_text(encoding="utf-8") for path in scripts if path.stem != "fontawesome"]
    everything = " ".join([*after.values(), *scripts])
    sheets = StyleSheets(static, set(NAME.findall(everything)) | COMPOSED)
    for path, text in after.items():
        text = sheets.bundle(text, roots[path])
        if text != before[path]:
            path.write_text(text, encoding="utf-8")
    for stale in {*static.glob("pages-*.css"), *static.glob("explorers/*.js")}:
        if stale.name not in sheets.written and (stale.suffix == ".css" or f'/{stale.name}"' not in everything):
            stale.unlink()


class Typesetter:
    """MathJax in a JavaScript engine inside Python: the program that browsers run, run once."""

    parts = ("adaptors/liteDOM", "input/tex-full", "output/chtml", "output/chtml/fonts/tex", "a11y/assistive-mml")

    def __init__(self, mathjax):
        options = {
            "loader": {"load": self.parts, "paths": {"mathjax": ""}},
            "startup": {"typeset": False, "document": ""},
            "tex": {"packages": ["base", "ams", "boldsymbol", "configmacros"]},  # no macro goes from page to page
            "chtml": {"fontURL": "FONTS"},
        }
        self.engine = MiniRacer()
        self.engine.eval("var console = {log() {}, warn() {}, error() {}}; 0")
        self.engine.eval(f"var MathJax = {json.dumps(options)}; MathJax.loader.require = () => {{}}; 0")
        for part in ("startup", "core", *self.parts):
            self.engine.eval((mathjax / f"{part}.js").read_text(encoding="utf-8") + "; 0")
        self.engine.eval("MathJax.startup.getComponents(); MathJax.startup.makeMethods(); 0")

    def page(self, text, fonts):
        """The page with its formulas set, and with the style for the characters in them."""
        self.engine.eval("MathJax.startup.output.clearCache(); MathJax.texReset(); 0")
        text = BEFORE_A_STOP.sub(r'<span class="together">\1</span>', text)
        text = FORMULA.sub(lambda match: match[1] + self.formula(match[3]) + match[4], text)
        style = self.engine.eval("MathJax.startup.adaptor.textContent(MathJax.chtmlStylesheet())")
        style = re.sub(r"\s*([{};])\s*", r"\1", style.replace("FONTS", fonts))
        return text.replace("</head>", f"<style>{style}</style>\n</head>", 1)

    def formula(self, delimited):
        r"""``\(…\)`` or ``\[…\]`` as HTML for the eye and MathML for a screen reader."""
        parts = re.fullmatch(r'\s*(<span class="eqno">.*</span>)?\s*\\([(\[])(.*)\\[)\]]\s*', delimited, re.DOTALL)
        number, display, tex = (parts[1] or "", parts[2] == "[", parts[3]) if parts else ("", True, delimited)
        tex = html.unescape(tex)
        call = f"MathJax.tex2chtml({json.dumps(tex)}, {{display: {json.dumps(display)}}})"
        result = self.engine.eval(f"MathJax.startup.adaptor.outerHTML({call})")
        if "mjx-merror" in result:
            reason = re.search(r'data-mjx-error="([^"]*)"', result)
            raise ValueError(
                f"MathJax cannot read the formula {tex}: {html.unescape(reason[1]) if reason else 'unknown'}"
            )
        return number + result


def move_frames(text, folder, root):
    """Each explorer's frames into a file that explorer.js loads: a script, as a page on a disk may not fetch data."""

    def move(match):
        figure, ident, data = match.groups()
        literal = data.replace("`", r"\u0060").replace("${", r"\u0024{")
        folder.mkdir(exist_ok=True)
        script = f'(globalThis.explorerFrames ??= {{}})["{ident}"] = String.raw`{literal}`;\n'
        (folder / f"{ident}.js").write_text(script, encoding="utf-8")
        return figure.replace(">", f' data-frames="{root}/_static/explorers/{ident}.js">', 1)

    return FRAMES.sub(move, text)


class StyleSheets:
    """The theme's ten style sheets as one, less the rules that no page and no script has a use for: 26 kB for 92."""

    def __init__(self, static, used):
        self.static, self.used, self.written = static, used, set()
        self.write = functools.cache(self.write)

    def bundle(self, text, root):
        """The page with one style sheet, which remembers its sources."""
        links = STYLES.findall(text)
        if not links:
            return text
        known = re.search(r'data-sources="([^"]*)"', links[0])
        sources = known[1].split() if known else [re.search(r'_static/([^"?]+)', link)[1] for link in links]
        sheet = f"{root}/_static/{self.write(*sources)}"
        link = f'<link rel="stylesheet" href="{sheet}" data-sources="{" ".join(sources)}">\n</head>'
        return STYLES.sub("", text).replace("</head>", link, 1)

    def write(self, *sources):
        sheet = "".join(self.sheet(self.static / source) for source in sources)
        name = f"pages-{hashlib.sha256(sheet.encode()).hexdigest()[:8]}.css"
        (self.static / name).write_text(sheet, encoding="utf-8")
        self.written.add(name)
        return name

    def sheet(self, path):
        rules = tinycss2.parse_stylesheet(path.read_text(encoding="utf-8"), skip_comments=True, skip_whitespace=True)
        return "".join(self.rule(rule, path) for rule in rules)

    def rule(self, rule, path):
        if rule.type == "qualified-rule":
            selectors = [selector for selector in _selectors(rule.prelude) if self.is_used(selector)]
            return f"{','.join(selectors)}{{{_short(rule.content)}}}" if selectors else ""
        if rule.type != "at-rule" or rule.lower_at_keyword in ("charset", "font-face"):  # the fonts are icons
            return ""
        if rule.lower_at_keyword == "import":
            name = next(token.value for token in rule.prelude if token.type in ("string", "url"))
            return self.sheet(path.parent / name)
        if rule.lower_at_keyword in ("media", "supports"):
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            kept = "".join(self.rule(each, path) for each in inner)
            return f"@{rule.at_keyword} {_short(rule.prelude)}{{{kept}}}" if kept else ""
        return rule.serialize()

    def is_used(self, selector):
        """Whether each class and id in it, but for those in brackets, is a word of some page or script."""
        selector = re.sub(r"\((?:[^()]|\([^()]*\))*\)|\[[^]]*\]", "", selector)
        names = re.findall(r"[.#]((?:[\w-]|\\.)+)", selector)
        return all(name.replace("\\", "") in self.used for name in names)


def _selectors(tokens):
    """A rule's selectors, which are what stands between its commas."""
    groups = [[]]
    for token in tokens:
        if token == ",":
            groups.append([])
        else:
            groups[-1].append(token)
    return [_short(group) for group in groups]


def _short(tokens):
    return re.sub(r"\s+", " ", tinycss2.serialize(tokens)).strip()
