"""Explorers in another language: every word that a reader sees is in it, and ids stay as they are."""

import re

import matplotlib.pyplot as plt
import pytest
from playwright.sync_api import expect
from test_explorer import page_of, parts_of

import languages
from explore import draws, explore, labelled, number, rare, state, walk


@pytest.fixture
def other_language(monkeypatch):
    """A language in which each word is 字."""

    def entry(file, text, context=None):
        return re.sub(r"[A-Za-z']+(?![^{]*\})", "字", text)

    monkeypatch.setattr(languages, "entry", entry)


def curve(slope, rule, is_bent, seed):
    """A line that a rule has drawn; it has a caption of many words, too many for the name of a group of controls."""
    fig, ax = plt.subplots(figsize=(3, 2))
    ax.plot([0, 1], [0, slope], gid="line")
    ax.set_title("slope 2", gid="title")
    return fig


PROGRAM = """
    Object.assign(book.picture_sayings, { "slope {1}": "{1} 字" });
    Object.assign(book.sayings, { "{expected}, got {written}": "{written} 字 {expected}" });
    book.explorers.curve = ({ slope, rule, is_bent }) => ({
        artists: { line: { x: [0, 1], y: [0, slope] }, title: { text: `slope ${slope}` } }, axes: {},
        words: rule === "norm_of_q" && is_bent ? "yes" : "no" });"""


def computing():
    return explore(
        state("A start", "It is flat."),
        state("Another rule", "It follows.", rule="norm_of_q"),
        slope=number(1, 4),
        rule={"sum": "sum", "the norm of q, too": "norm_of_q"},
        is_bent=labelled("bent like a bow", [True, False]),
        seed=rare(draws()),
    )(curve)


def letters_of(markup):
    """What a reader sees or hears of a page, without pictures and their descriptions."""
    markup = re.sub(r'<svg.*?</svg>|<script.*?</script>|explorer-text">[^<]*', "", markup, flags=re.S)
    heard = re.findall(r'(?:aria-label|aria-valuetext|data-sentence|data-lost)="([^"]*)"', markup)
    return " ".join([re.sub(r"<[^>]*>", " ", markup), *heard])


def test_every_word_of_a_page_is_in_the_readers_language(other_language):
    def followed(rule):
        """A flip-book; it has a menu."""
        return "<p>1</p>"

    @walk("The first step.", "The second step.")
    def in_steps(step):
        """A walk; it has steps."""
        return "<p>1</p>"

    for explorer in (explore(rule=["sum", "delta_rule"])(followed), in_steps, computing()):
        said = letters_of(page_of(explorer))
        assert "字" in said
        assert not re.search("[A-Za-z]{2}", said), said


def test_ids_are_the_same_in_every_language(monkeypatch, other_language):
    def told(explorer):
        return [control.for_the_page(explorer.start[name]) for name, control in explorer.controls.items()]

    theirs, about = parts_of(page_of(computing())), told(computing())
    monkeypatch.undo()
    ours = parts_of(page_of(computing()))
    for tag, key in (("option", "value"), ("div", "data-control"), ("button", "data-positions")):
        assert [attrs.get(key) for attrs in theirs(tag)] == [attrs.get(key) for attrs in ours(tag)]
    assert [attrs["value"] for attrs in ours("option")] == ["sum", "norm_of_q"]
    for here, there in zip(told(computing()), about, strict=True):
        assert {key for key in here if here[key] != there[key]} - {"words"} == {"label", "expected"}


def test_a_value_is_chosen_by_its_id_and_not_by_its_words():
    explorer = computing()
    assert explorer.at(rule="norm_of_q").start["rule"] == 1
    with pytest.raises(ValueError, match="rule must be one of sum, norm_of_q, got 'the norm of q, too'"):
        explorer.at(rule="the norm of q, too")
    told = explorer._repr_mimebundle_()[0]["text/plain"]
    assert "rule = the norm of q, too" in told
    assert "bent like a bow = True" in told


def test_a_link_has_ids_and_the_picture_has_words(other_language, page_with):
    page = page_with(computing(), PROGRAM)
    said, title = page.locator(".explorer-text"), page.locator('[data-artist="title"]')
    page.evaluate("location.hash = 'curve&rule=norm_of_q&slope=3'")
    expect(said).to_have_text("yes")
    expect(title).to_have_text("3 字")
    expect(page.locator("select")).to_have_value("norm_of_q")
    expect(page.locator(".explorer-values")).to_have_text("字 = 3, 字 = 字 字 字 字, 字, 字 字 字 字 = 字, 字 = 0")
    page.locator(".explorer-link").click()
    assert page.evaluate("location.hash") == "#curve&slope=3&rule=norm_of_q"
    page.locator("[data-positions]").nth(0).click()
    expect(said).to_have_text("no")
    page.locator("[data-positions]").nth(1).click()
    expect(said).to_have_text("yes")
    page.locator("[data-control=slope] input[type=text]").fill("9")
    page.keyboard.press("Enter")
    expect(page.locator("[data-control=slope] .explorer-problem")).to_have_text(re.compile("^9 字 "))
    assert page.complaints == []
