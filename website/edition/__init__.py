"""The notebook edition: what readers open in JupyterLab, on Colab and on Binder, made from the website's sources.

`python -m website.edition` writes it into the folder `notebooks`, and keeps what readers have changed there. The site's
download buttons give the same notebooks.
"""

from pathlib import Path

FOLDER = "notebooks"  # git ignores it


def setup(app):
    app.connect("html-collect-pages", replace_downloads)  # only if pages have been written, and after them


def replace_downloads(app):
    """The download button of a page gives its file in `_sources`; a notebook there becomes the edition's."""
    from website.edition.pages import edition_of  # here, because other builders need none of it
    from website.places import ROOT, notebooks, write_changed

    address = app.config.html_theme_options.get("repository_url", "")
    for path in notebooks():
        target = Path(app.outdir) / "_sources" / path.relative_to(ROOT)
        if target.is_file():
            write_changed(target, edition_of(path, address))
    return []  # no further pages
