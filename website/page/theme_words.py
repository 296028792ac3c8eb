"""Words of Sphinx and the themes: where their own catalogs have none in the reader's language, ours do."""

import gettext

from sphinx import locale

from languages import mark, say

WORDS = [mark("Link to this heading"), mark("Link to this term"), mark("Link to this definition")]
WORDS += [mark("Link to this equation"), mark("Link to this image"), mark("Link to this table")]
WORDS += [mark("Color mode"), mark("System Settings"), mark("Search this book...")]  # settings.py says the last


class Ours(gettext.NullTranslations):
    def gettext(self, message):
        return say(message)


def setup(app):
    app.connect("builder-inited", add_ours)


def add_ours(app):
    for translator in {app.translator, *locale.translators.values()}:
        translator.add_fallback(Ours())
