"""What Sphinx and the themes do not say in a language, ours does."""

import gettext
from types import SimpleNamespace

from sphinx import locale

from website.page import theme_words


class Theirs(gettext.NullTranslations):
    def gettext(self, message):
        return "theirs" if message == "Light" else super().gettext(message)


def test_our_words_are_used_where_they_have_none(speak, monkeypatch):
    speak(page={"Light": "ours", "Color mode": "ours"})
    monkeypatch.setattr(locale, "translators", {("general", "sphinx"): Theirs()})
    app = SimpleNamespace(translator=Theirs())  # that of templates may be none of these
    theme_words.add_ours(app)
    assert app.translator.gettext("Color mode") == "ours"
    assert [locale._(words) for words in ("Light", "Color mode", "Other")] == ["theirs", "ours", "Other"]
