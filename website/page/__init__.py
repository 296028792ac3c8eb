"""The frame of every page: templates, policy, deferred scripts, one style sheet, previews, accessibility."""

import hashlib
import importlib.resources
import os
from pathlib import Path

import yaml

from explore.mode import URL
from languages import say
from website.page import (
    accessibility,
    code_colours,
    code_folds,
    icons,
    policy,
    previews,
    scripts,
    settings,
    styles,
    theme_words,
    title_page,
)
from website.places import ROOT

HERE = Path(__file__).parent
STYLES = ["page.css", "code_folds.css", "tables.css", "title_page.css", "icons.css", "icon_pictures.css"]
MADE = {"icon_pictures.css": icons.style_sheet()}


def setup(app):
    parts = (accessibility, code_colours, code_folds, policy, previews, scripts, settings, styles)
    for part in (*parts, theme_words, title_page):
        part.setup(app)
    app.connect("config-inited", prepare, priority=900)  # after all rooms have named their folders
    app.connect("html-page-context", lambda app, page, template, context, doctree: context.update(say=say))


def prepare(app, config):
    # For a book without a repository, Jupyter Book names its own, and links and notebooks would lead there.
    if config.html_theme_options.get("repository_url") == jupyter_books_own():
        config.html_theme_options["repository_url"] = ""
    if base := os.environ.get(URL) or config.html_baseurl:
        config.html_baseurl = base.rstrip("/") + "/"
    config.templates_path = [str(HERE / "templates"), *config.templates_path]  # before the theme's
    # Sphinx rewrites pages for changed settings, not for changed scripts or styles. So a hash of these is a setting.
    folders = [ROOT / name for name in ("website", "four_words", "explore", "models")]
    files = [path for folder in folders for pattern in ("*.py", "*.html") for path in folder.rglob(pattern)]
    files += [path for folder in config.html_static_path for path in (ROOT / folder).rglob("*.*")]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    config.html_context["assets"] = digest.hexdigest()


def jupyter_books_own():
    defaults = importlib.resources.files("jupyter_book") / "default_config.yml"
    return yaml.safe_load(defaults.read_text(encoding="utf-8"))["repository"]["url"]
