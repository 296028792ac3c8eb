"""One style sheet instead of seventeen, without the classes that no page and no script uses.

The theme brings all of Bootstrap and two thousand icons. A phone waited for 83 kB (compressed), but 30 kB are enough.
"""

import re
from pathlib import Path

import tinycss2

from website.places import write_changed

QUIETLY = {"skip_comments": True, "skip_whitespace": True}


def setup(app):
    app.connect("html-page-context", remember, priority=950)  # after the theme and its extensions
    app.connect("build-finished", write, priority=900)  # after other extensions have copied their files


def remember(app, pagename, templatename, context, doctree):
    """Every page has the same sheets; those of the theme itself come first."""
    sheets = ["basic.css", "styles/pydata-sphinx-theme.css"]
    app.builder.sheets = sheets + [str(sheet.filename).partition("_static/")[2] for sheet in context["css_files"]]


def write(app, exception):
    if exception or not getattr(app.builder, "sheets", None):
        return
    static = Path(app.outdir) / "_static"
    is_used = classes_in_use(app)
    sheets = ((static / name).read_text(encoding="utf-8") for name in app.builder.sheets)
    rules = (rule for sheet in sheets for rule in tinycss2.parse_stylesheet(sheet, **QUIETLY))
    write_changed(static / "book-all.css", "".join(shortened(rule, is_used) for rule in rules))


def classes_in_use(app):
    """A function that says whether a class is in use.

    A class is in use if it is on a page, is a word in a script, or begins with a prefix from a script (`bs-${kind}`).
    """
    pages = [path.read_text(encoding="utf-8") for path in Path(app.outdir).rglob("*.html")]
    scripts = {
        Path(app.outdir) / "_static" / name for page in pages for name in re.findall(r'_static/([^"?]+\.js)', page)
    }
    scripts.update(path for folder in app.config.html_static_path for path in (Path(app.srcdir) / folder).rglob("*.js"))
    code = "\n".join(path.read_text(encoding="utf-8") for path in scripts if path.is_file())
    names = {name for page in pages for names in re.findall(r'class="([^"]*)"', page) for name in names.split()}
    names.update(re.findall(r"[\w-]+", code))
    beginnings = tuple(set(re.findall(r"([\w-]+-)\$\{", code)))
    return lambda name: name in names or name.startswith(beginnings)


def shortened(rule, is_used):
    """The rule as text, without the unused selectors and rules."""
    if rule.type == "qualified-rule":
        selectors = [selector for selector in split_at_commas(rule.prelude) if all(map(is_used, asked_for(selector)))]
        return f"{','.join(selectors)}{{{text(rule.content)}}}" if selectors else ""
    if rule.type != "at-rule" or rule.lower_at_keyword in ("charset", "font-face", "import"):  # the fonts are for icons
        return ""
    if rule.lower_at_keyword in ("media", "supports"):
        inner = tinycss2.parse_rule_list(rule.content, **QUIETLY)
        kept = "".join(shortened(part, is_used) for part in inner)
        return f"@{rule.at_keyword} {text(rule.prelude)}{{{kept}}}" if kept else ""
    return rule.serialize()


def asked_for(selector):
    """The classes that a selector needs. Those in brackets, as in :not(.card), need not be in use."""
    outside = re.sub(r"\((?:[^()]|\([^()]*\))*\)|\[[^]]*\]", "", selector)
    return re.findall(r"\.((?:[\w-]|\\.)+)", outside)


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
