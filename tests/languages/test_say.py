"""Words in the reader's language: from its folder, with the number's own form; English where there is none."""

import languages
from languages import say, say_number

PO = """\
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: nplurals=3; plural=(n == 1 ? 0 : n == 2 ? 1 : 2);\\n"

msgid "Right: {words}."
msgstr "{words} ok."

msgid "{n} place"
msgid_plural "{n} places"
msgstr[0] "a {n}"
msgstr[1] "b {n}"
msgstr[2] "c {n} {where}"

#, fuzzy
msgid "old"
msgstr "stale"
"""


def test_english_is_said_as_it_is_written():
    assert say("Right: {words}.", words="{n}") == "Right: {n}."
    assert [say_number("{n} place", "{n} places", n) for n in (0, 1, 2)] == ["0 places", "1 place", "2 places"]
    assert say("a {brace} without values") == "a {brace} without values"


def test_a_language_is_a_folder_and_what_it_lacks_stays_english(tmp_path, monkeypatch):
    folder = tmp_path / "xx"
    folder.mkdir()
    (folder / "page.po").write_text(PO, encoding="utf-8")
    monkeypatch.setenv(languages.LANGUAGE, str(folder))
    assert languages.language() == "xx"
    assert say("Right: {words}.", words="a") == "a ok."
    found = [say_number("{n} place", "{n} places", n, where="here") for n in (1, 2, 3)]
    assert found == ["a 1", "b 2", "c 3 here"]
    assert say("old") == "old", "fuzzy"
    assert say("{n} other", n=1) == "1 other"
    assert languages.entry("practice", "no such file") is None
