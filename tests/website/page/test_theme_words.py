"""What Sphinx and the themes do not say in a language, ours does."""

import gettext
from types import SimpleNamespace

from sphinx import locale

import languages
from website.page import theme_words


class Theirs(gettext.NullTranslations):
    def gettext(self, message):
        return "theirs" if message == "Light" else super().gettext(message)


def test_our_words_are_used_where_they_have_none(tmp_path, monkeypatch):
    folder = tmp_path / "xx"
    folder.mkdir()
    text = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8"\n'
    for words in ("Light", "Color mode"):
        text += f'\nmsgid "{words}"\nmsgstr "ours"\n'
    (folder / "page.po").write_text(text, "utf-8")
    monkeypatch.setenv(languages.LANGUAGE, str(folder))
    monkeypatch.setattr(locale, "translators", {("general", "sphinx"): Theirs()})
    app = SimpleNamespace(translator=Theirs())  # that of templates may be none of these
    theme_words.add_ours(app)
    assert app.translator.gettext("Color mode") == "ours"
    assert [locale._(words) for words in ("Light", "Color mode", "Other")] == ["theirs", "ours", "Other"]
