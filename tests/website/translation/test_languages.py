"""The site in another language: every page, a link to the same place, a choice that is kept, and the search."""

import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

import languages
from conftest import SETTLED, in_v8, sample
from website.places import ROOT, SITE, pages
from website.translation import beside
from website.translation.beside import others

LANGUAGES = others(ROOT)
NAMES = [path.relative_to(ROOT).with_suffix("").as_posix() for path in pages()]
WORDS = ROOT / "website" / "search" / "static" / "words.js"
CHAPTER = "chapters/08_local_attention_and_convolution.html"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_there_and_names_its_language_and_the_others(language):
    for name in NAMES:
        for code, path in (("en", SITE / f"{name}.html"), (language, SITE / language / f"{name}.html")):
            text = path.read_text(encoding="utf-8")
            assert re.search(rf'<html[^>]* lang="{code}', text), path
            there = re.search(
                rf'other-language" hreflang="{"en" if code == language else language}"[^>]*href="([^"]+)"', text
            )
            other = SITE / f"{name}.html" if code == language else SITE / language / f"{name}.html"
            assert (path.parent / there[1]).resolve() == other


def test_search_engines_get_whole_addresses(monkeypatch):
    for code in ["en", *LANGUAGES]:
        monkeypatch.setenv(languages.LANGUAGE, code)
        base = f"https://example.org/{'' if code == 'en' else f'{code}/'}"
        app = SimpleNamespace(
            srcdir=ROOT, builder=SimpleNamespace(name="html"), config=SimpleNamespace(html_baseurl=base)
        )
        beside.add_links(app, "index", "page.html", found := {}, None)
        addresses = re.findall(r'rel="alternate" hreflang="(\w+)" href="(.+?)"', found["metatags"])
        others = [(other, f"https://example.org/{other}/index.html") for other in LANGUAGES]
        assert addresses == [("en", "https://example.org/index.html"), *others]
    app.config.html_baseurl = ""
    beside.add_links(app, "index", "page.html", found := {}, None)
    assert "metatags" not in found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_leads_to_the_same_place_and_the_choice_is_kept(language, open_page):
    name = "how-far-does-it-see"
    page = open_page(f"{CHAPTER}#{name}")
    page.wait_for_function(SETTLED)
    link = page.locator(f".other-language[hreflang={language}]")
    link.evaluate("link => link.click()")
    page.wait_for_url(f"**/{language}/{CHAPTER}#{name}")
    expect(page.locator(f"[id='{name}'] > h2")).to_be_in_viewport()
    base = page.url.partition(f"/{language}/")[0]
    page.goto(f"{base}/index.html")
    page.wait_for_url(f"**/{language}/index.html")
    page.locator(".other-language[hreflang=en]").evaluate("link => link.click()")
    page.wait_for_url(f"{base}/index.html")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert not page.complaints


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sample(NAMES, 3))
def test_a_page_has_no_error_and_no_word_of_the_grammar(language, name, open_page):
    page = open_page(f"{language}/{name}.html")
    page.wait_for_function(SETTLED)
    assert not page.complaints
    words = "\n".join(page.locator("article :is(p, li, h1, h2, h3)").all_inner_texts())
    assert not re.search(r"\*\*|\{[a-z_]+\}|^(?:Predict|Quiz|Try|Checked)\.", words, re.MULTILINE)
    page.evaluate("document.querySelector('article p').innerHTML = '<span lang=en>missing</span>'")
    mark = page.evaluate("getComputedStyle(document.querySelector('article [lang=en]'), '::before').content")
    assert "EN" in mark


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_has_the_models_of_the_english_site(language, open_page):
    page = open_page(f"{language}/chapters/12_a_trained_model.html")
    page.wait_for_function(SETTLED)
    figure = page.locator("figure#own_sentence")
    figure.locator("input[type=text]").first.fill("注意力")
    expect(figure.locator(".model-tokens")).to_contain_text("[UNK]")
    assert not page.complaints


def test_a_phrase_that_is_found_is_shown_as_it_is_written(open_page):
    page = open_page("zh/search.html#q=注意力")
    expect(page.locator("main mark").first).to_be_visible()
    assert "注意意" not in page.locator("main").inner_text()


FIND = """((pages, text) => {
  const { known, ranked, sought, words_in } = book.words;
  const entries = Object.values(pages).flatMap(({ places }) =>
    places.map(([id, ...words]) => ({ id, places: words.map(words_in) })));
  const vocabulary = [...new Set(entries.flatMap(({ places }) => places.flat()))];
  const words = sought(text).map((word) => known(word, vocabulary)).filter(Boolean);
  return words.length ? ranked(entries, words, [4, 1, 1]).map(({ id }) => id) : [];
})"""


@pytest.fixture(scope="module")
def find():
    v8 = in_v8(WORDS)

    def found(places, text):
        pages = {"page": {"places": [[name, title, text, ""] for name, (title, text) in places.items()]}}
        return v8.call(FIND, pages, text)

    return found


def test_chinese_is_found_without_spaces_and_as_a_phrase_first(find):
    places = {"apart": ("", "多头的注意力"), "whole": ("", "多头注意力机制的缩放因子"), "none": ("", "掩码")}
    assert find(places, "多头注意力") == ["whole", "apart"]
    assert find(places, "缩放因子") == ["whole"]
    assert find(places, "掩码矩阵") == ["none"]
    assert find(places, "窗口") == []
    assert find(places, "码") == ["none"]


def test_a_term_of_the_glossary_is_found_by_its_english_name():
    v8 = in_v8(WORDS)
    v8.eval('book.terms = {"attention head": "注意力头", "softmax": "软最大"}')
    assert "注意力头" in v8.eval('book.words.sought("Attention head?").join(" ")')
    assert "注意力头" in v8.eval('book.words.sought("换成attention head之后").join(" ")')
    assert "软最" not in v8.eval('book.words.sought("softmaxes").join(" ")')


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_glossary_shows_english_words(language):
    text = (SITE / language / "back_matter" / "glossary.html").read_text(encoding="utf-8")
    shown = re.findall(r'<span class="english-word">([^<]+)</span>', text)
    assert {"attention sink", "causal"} < {*shown}
