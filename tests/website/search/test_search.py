"""Search: what counts as shown, which places come first, and that a result's click brings the match into sight."""

import json
import re

import pytest
from playwright.sync_api import expect

from conftest import EVERYWHERE, SETTLED, in_v8, sample
from website.places import ROOT, SITE
from website.search import BEGINNING, INDEX
from website.search.shown import places_of

TRIES = """rope, mask, nan, kv cache, temperature, sqrt, flash attention, causal, dropout, softmax, variance,
padding mask, sliding window, embedding, gradient, layer norm, cross attention, linear attention, multi head,
induction head, masked_fill, sinusoidal, entropy, attention sink, out of memory"""
TRIES = [words.strip() for words in TRIES.split(",")]
# How many marked matches are in the window. A question that only hidden words have found is itself the match.
SEEN = """() => {
    const marked = [...(CSS.highlights.get("found") ?? [])];
    const found = marked.length ? marked : [document.getElementById(decodeURIComponent(location.hash.slice(1)))];
    return found.map(one => one.getBoundingClientRect()).filter(({width, top, bottom, left, right}) =>
        width && top >= 0 && (marked.length ? bottom : top) <= innerHeight && left >= 0 && right <= innerWidth).length;
}"""


def test_only_what_is_shown_is_found():
    body = """<section id="page"><h1>Page<a class="headerlink">#</a></h1><p>Words <b>bo</b>ld.</p>
        <span class="visually-hidden">spoken</span><svg><text>drawn</text></svg><details class="reply">a reply</details>
        <section id="inner"><h2>Inner</h2><details><summary>a line</summary><pre>co<span>de</span> &amp; more</pre>
        <p>a<br>b</p><span class="asked-words" hidden>typed</span></details></section><p>After.</p>
        <dl><dt id="one">One</dt><dd>First.</dd><dt class="sig" id="a.two">two(b)</dt><dd>Second.</dd></dl><p>End.</p>
        </section>"""
    assert places_of(body) == [
        ["page", "Page", "Words bold. After. End.", ""],
        ["inner", "Inner", "a line code & more a b", "typed"],
        ["one", "One", "First.", ""],
        ["a.two", "a.two", "two(b) Second.", ""],
    ]


def test_formulas_are_written_in_letters():
    math = "<math><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt><msup><mi>K</mi><mi>⊤</mi></msup></math>"
    formula = f"<mjx-container><mjx-math>twice</mjx-math><mjx-assistive-mml>{math}</mjx-assistive-mml></mjx-container>"
    assert places_of(f'<section id="s"><p>Divide by {formula}.</p></section>') == [["s", "", "Divide by √dₖKᵀ.", ""]]


@pytest.fixture(scope="module")
def index(base):
    text = (SITE / "_static" / INDEX).read_text(encoding="utf-8")
    return json.loads(text.removeprefix(BEGINNING))


def test_the_index_shows_no_hidden_phrase_and_no_answer(index):
    places = [place for page in index.values() for place in page["places"]]
    phrases = [phrase for *_, found_by in places for phrase in found_by.split("; ") if len(phrase.split()) > 3]
    assert len(phrases) > 100
    hidden = re.compile(r'<p class="reply-(?:right|measured)">(.*?)</p>')
    replies = [reply for page in SITE.glob("chapters/*.html") for reply in hidden.findall(page.read_text("utf-8"))]
    assert len(replies) > 100
    for place in places:
        assert not place[2].startswith("Right: "), place
    shown = " ".join(text for _, _, text, _ in places)
    assert [phrase for phrase in phrases if f"; {phrase};" in shown] == []
    assert "Measured: " not in shown
    assert {"back_matter/glossary", "chapters/05_masking", "index"} <= set(index)


def results(page, words):
    page.locator(".search-page input").fill(words)
    page.wait_for_function("words => location.hash === '#' + new URLSearchParams({q: words})", arg=words)
    return page.locator(".search-page li")


def test_a_sought_word_comes_before_words_that_only_contain_it(share_page, index):
    page = share_page("search.html")
    rows = {(name, row[0]): " ".join(row[1:]) for name, page in index.items() for row in page["places"]}
    links = [link.get_attribute("href") for link in results(page, "rope").locator("a").all()]
    places = [re.fullmatch(r"(.*)\.html#(.*)&find=.*", link).groups() for link in links]
    assert len(places) == 20
    assert all(re.search(r"\b(?:rope|rotary)", rows[place], re.I) for place in places)
    for words, title in {"causal mask": "causal", "dropout": "dropout", "temperature": "temperature"}.items():
        assert title in results(page, words).locator("a").first.inner_text().lower()
    results(page, "erature")  # the middle of a word: found, after whole words and beginnings
    assert "temp" in page.locator(".search-page mark").first.inner_text().lower()
    assert page.complaints == []


@pytest.mark.parametrize("words", sample(TRIES, 2))
def test_a_results_click_brings_the_match_into_sight(words, open_page):
    for place in range(10 if EVERYWHERE else 1):
        page = open_page("search.html")
        page.set_viewport_size({"width": 1280, "height": 800})
        link = results(page, words).locator("a").nth(place)
        address = link.get_attribute("href")
        link.click()
        page.wait_for_function(f"!location.pathname.endsWith('search.html') && {SETTLED}")
        page.wait_for_timeout(100)
        assert page.evaluate(SEEN), address
        assert page.evaluate("location.hash") == "#" + address.partition("#")[2].partition("&")[0]
        assert page.complaints == []


def test_the_note_leads_on_and_the_marks_end(open_page):
    page = open_page("chapters/05_masking.html#where-to-put-the-mask&find=mask")
    note = page.get_by_role("region", name="Search matches")
    expect(note).to_contain_text("matches here")
    before = page.evaluate("scrollY")
    for _ in range(4):
        note.get_by_role("button", name="Next").click()
    assert page.evaluate("scrollY") != before
    note.get_by_role("button", name="Hide matches").click()
    expect(note).to_have_count(0)
    assert page.evaluate("CSS.highlights.has('found')") is False
    assert page.complaints == []


def test_what_is_sought_reaches_no_server(open_page):
    page = open_page("index.html")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.keyboard.press("Control+k")
    page.keyboard.type("temperature")
    page.keyboard.press("Enter")
    page.wait_for_selector(".search-page li a")
    assert not any("temperature" in address for address in asked)
    page.goto(page.url.partition("#")[0] + "?q=dropout")  # a link that an older page made
    page.wait_for_selector(".search-page li a")
    assert page.evaluate("location.search + location.hash") == "#q=dropout"
    assert page.complaints == []


def test_names_that_every_object_has_are_words(share_page):
    page = share_page("search.html")
    for word in page.evaluate("Object.getOwnPropertyNames(Object.prototype)"):
        results(page, f"softmax {word}")
        expect(page.locator(".search-page [role=status]")).to_contain_text("places, the best first")
    results(page, "zyzzyvas")
    expect(page.locator(".search-page [role=status]")).to_have_text("Nothing found; other words may find it.")
    assert page.complaints == []


def test_the_field_stays_in_sight(open_page):
    page = open_page("chapters/15_a_memory_that_forgets.html")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate("document.querySelector('.bd-sidebar-primary').scrollTop = 9999")
    assert page.locator(".sidebar-primary-item .search-button-field").bounding_box()["y"] >= 0


# Two entries hold the sought word in one phrase each; the second has other phrases besides.
BROAD_AND_NARROW = """() => {
    const entry = (name, ...phrases) => {
        const words = phrases.map(book.words.words_in);
        return { name, places: [words.flat()], phrases: words };
    };
    const others = Array.from({ length: 9 }, (_, i) => entry(`other ${i}`, `alpha${i} beta${i}`));
    const many = ["shape of the mask", "loss", "rubbish after a while", "slow card", "weights of heads"];
    const broad = entry("broad", ...many, "zero gradient"), narrow = entry("narrow", "zero output");
    const sought = book.words.sought("zero").map(book.words.same);
    return book.words.ranked([broad, narrow, ...others], sought, [1]).map(({ name }) => name);
}"""


def test_a_question_with_many_phrases_does_not_win_by_their_number():
    v8 = in_v8(ROOT / "website" / "search" / "static" / "words.js")
    assert json.loads(v8.eval(f"JSON.stringify(({BROAD_AND_NARROW})())")) == ["narrow", "broad"]
