"""The notebook edition: what readers open in JupyterLab, on Colab and on Binder, made from the website's sources.

`python -m website.edition` writes it into the folder `notebooks`, and keeps what readers have changed there. The site's
download buttons give the same notebooks.
"""

from pathlib import Path

FOLDER = "notebooks"  # git ignores it


def setup(app):
    app.connect("build-finished", replace_downloads)


def replace_downloads(app, exception):
    """The download button of a page gives its file in `_sources`; a notebook there becomes the edition's."""
    if exception or app.builder.format != "html":
        return
    from website.edition.pages import edition_of_book  # here, because other builders need none of it

    for name, text in edition_of_book().items():
        target = Path(app.outdir) / "_sources" / name
        if name.endswith(".ipynb") and target.is_file() and target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
