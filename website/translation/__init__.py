"""Pages in another language: their paragraphs (`pages`), all words that a language needs (`template`), and the site."""

STYLES = ["languages.css"]


def setup(app):
    from website.translation import beside, docstrings, site  # here, because readers have no Sphinx

    site.setup(app)
    beside.setup(app)
    docstrings.setup(app)
