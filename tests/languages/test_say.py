"""Words in the reader's language: from its folder, with the number's own form; English where there is none."""

import json

import pytest

import languages
from conftest import in_v8
from languages import of_picture, say, say_again, say_list, say_number, shortened

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


def test_a_language_is_a_folder_and_what_it_lacks_stays_english(speak):
    speak(page=PO)
    assert languages.language() == "xx"
    assert say("Right: {words}.", words="a") == "a ok."
    found = [say_number("{n} place", "{n} places", n, where="here") for n in (1, 2, 3)]
    assert found == ["a 1", "b 2", "c 3 here"]
    assert say("old") == "old", "fuzzy"
    assert say("{n} other", n=1) == "1 other"
    assert languages.entry("practice", "no such file") is None


def test_pictures_that_differ_in_their_numbers_share_an_entry(speak):
    sayings = {"slope {1} of {2}": "{2}: {1} ok", "$x_{{1}}$, {2} left": "{2} rest, $x_{{1}}$", "Of it": "all"}
    speak(pictures=sayings)
    expected = {"slope −2.5 of 1.2e-05": "1.2e-05: −2.5 ok", "$x_{3}$, 4 left": "4 rest, $x_{3}$", "Of it": "all"}
    expected |= {"slope two": "slope two", "7": "7"}
    page = in_v8()
    page.eval(f"Object.assign(book.picture_sayings, {json.dumps(sayings)})")
    for text, said in expected.items():
        assert of_picture(text) == page.call("book.of_picture", text) == said


def test_a_text_cut_short_is_found_by_its_beginning(speak):
    speak(pictures={"A slope of {1} over a long way, in {2} steps": "{2} 步 {1} 坡很长很长很长很长很长很长很长"})
    assert say_again("A slope of 0.5 over a long …") == "… 步 0.5 坡很长很长很 …"
    for text in ("1, 2 …", "Nobody has said this …"):
        assert say_again(text) == text


def test_scripts_list_words_as_python_does():
    page = in_v8()
    for words in (["a"], ["a", "b"], ["a", "b", "c"]):
        assert page.call("book.say_list", words) == say_list(words)


def test_what_is_said_leads_around_elements():
    element, *others = in_v8().call("book.with_elements", "Answer, or {button}.", {"button": ["an element"]})[1:]
    assert (element, others) == (["an element"], ["."])


@pytest.mark.parametrize("text", ["short", "ten letters and, more or less", "字" * 40, "a" * 40])
def test_a_text_is_shortened_with_and_without_spaces(text):
    short = shortened(text, 20)
    assert short == {"s": "short", "t": "ten letters and …"}.get(text[0], text[:20] + " …")


def test_what_only_scripts_say_is_not_said_again(speak):
    entries = [("explore/a.py", "{n} lines", "{n} ok"), ("explore/a.js", "{one} and {two}", "{one}+{two}")]
    speak(page="\n".join(f'#: {file}\nmsgid "{words}"\nmsgstr "{said}"\n' for file, words, said in entries))
    assert [say_again(text) for text in ("3 lines", "keys and values")] == ["3 ok", "keys and values"]
