"""The questions that people ask: their folds, and the page on which a field finds one by its words."""

import pytest

from conftest import sample
from website.asked import finder, questions

PAGE = f"{finder.PAGE}.html"
ANSWERS = [f"back_matter/{name}.html" for name in questions.NOTEBOOKS]
SEARCHES = {  # what somebody types, words of the question that must come first, and what is told
    "diferent output with paddding": ("outputs change with the length of the padding", "different instead of diferent"),
    "sofmax dim": ("Over which axis must the softmax run", "softmax instead of sofmax"),
    "normalization over the batch": ("Why is each token’s row normalised", "the best first"),
    "zyzzyva dropout after eval": ("after model.eval()", "nothing here on zyzzyva"),
    "RuntimeError: embed_dim must be divisible by num_heads": ("divisible by the number of heads", "the best first"),
    "why divide by sqrt(d_k)": ("divided by √dₖ", "the best first"),
    "gibberish after the second prompt": ("the second one rubbish", "the best first"),
    "bf16 rope precision": ("Does bfloat16 spoil rotary", "the best first"),
    "dropout zyzzyva zyzyzyva zyzzy zyzygy": ("after model.eval()", "and 1 more word"),
}


@pytest.fixture(scope="module")
def page(share_page):
    return share_page(PAGE)


def find(page, words):
    page.locator("#asked-words").fill(words)
    page.evaluate("() => new Promise(requestAnimationFrame)")  # the page waits for the next frame, too
    return page.locator(".asked-found .asked").all_inner_texts()


# For each text, what the first three questions are found by. The page itself writes the texts into the field: typing
# hundreds of them would take half a minute.
FIRST_THREE = """async texts => {
    const field = document.querySelector("#asked-words"), found = [];
    for (const text of texts) {
        field.value = text;
        field.dispatchEvent(new Event("input", {bubbles: true}));
        await new Promise(requestAnimationFrame);
        found.push([...document.querySelectorAll(".asked-found .asked")].slice(0, 3).map(e => e.dataset.words));
    }
    return found;
}"""


def test_what_a_question_is_found_by_finds_it_among_the_first_three(page):
    found_by = ["; ".join(one.found_by) for one in questions.questions()]
    asked = [(text, words) for words in found_by for text in words.split("; ") if text not in questions.SYMPTOMS]
    assert len(asked) > 200
    asked = sample(asked, 80)
    found = page.evaluate(FIRST_THREE, [text for text, _ in asked])
    assert [text for (text, words), first in zip(asked, found, strict=True) if words not in first] == []


@pytest.mark.parametrize("words", SEARCHES)
def test_spelling_and_unknown_words(page, words):
    question, told = SEARCHES[words]
    found = find(page, words)
    assert question in found[0], found[:5]
    said = page.locator(".asked-field output").inner_text()
    assert said.startswith(f"{len(found)} of ")
    assert told in said


def test_no_word_and_no_question(page):
    assert find(page, "zyzzyva") == []
    assert "0 of " in page.locator(".asked-field output").inner_text()
    assert "other words" in page.locator(".asked-field output").inner_text()
    elsewhere = page.locator(".asked-elsewhere")
    assert elsewhere.get_attribute("href").endswith("search.html#q=zyzzyva")
    assert elsewhere.is_visible()
    assert page.locator("article section:has(> h2):not([hidden])").count() == 6  # the lists stay in sight
    assert find(page, "the of a") == []  # small words alone look for nothing
    order = page.locator(".asked").all_inner_texts()
    assert find(page, "nan") != []
    assert not elsewhere.is_visible()
    find(page, "")
    assert page.locator(".asked").all_inner_texts() == order
    assert page.locator("article section:has(> h2):not([hidden])").count() == 6


# For each button, what it says, what a click shows, and what is in the field after a second click.
CLICK_ALL = """() => [...document.querySelectorAll(".asked-field button")].map(button => {
    const field = document.querySelector("#asked-words");
    button.click();
    const shown = [...document.querySelectorAll(".asked-found .asked")].map(e => e.dataset.words);
    const clicked = [button.textContent, button.ariaPressed, field.value, shown];
    button.click();
    return [...clicked, field.value];
})"""


def test_a_button_shows_the_questions_of_what_a_reader_sees(page):
    named = ["; ".join(one.found_by) for one in questions.questions()]
    buttons = page.evaluate(CLICK_ALL)
    assert [symptom for symptom, *_ in buttons] == page.locator(".asked-field button").all_inner_texts() != []
    for symptom, pressed, written, shown, left in buttons:
        assert (pressed, written, left) == ("true", symptom, "")
        assert 3 <= len(shown) == sum(symptom in words.split("; ") for words in named) <= 20
        before_all_else = [words.split("; ")[0] == symptom for words in shown]
        assert before_all_else == sorted(before_all_else, reverse=True)
        assert before_all_else[0], symptom


def test_no_more_than_twelve_are_shown(page):
    assert len(find(page, "attention mask padding")) == 12
    said = page.locator(".asked-field output").inner_text()
    assert int(said.removeprefix("12 of ").split()[0]) > 12
    assert "that fit, the best first" in said


def test_words_stand_in_the_address_until_a_place_is_chosen(open_page):
    page = open_page(f"{PAGE}#q=sofmax+dim")
    assert page.locator("#asked-words").input_value() == "sofmax dim"
    assert "axis must the softmax run" in page.locator(".asked-found .asked").first.inner_text()
    page.locator("#asked-words").fill("dropout & eval")
    page.wait_for_function("location.hash === '#q=dropout+%26+eval'")
    page.evaluate("location.hash = 'by-chapter'")
    page.wait_for_function("document.getElementById('by-chapter').getBoundingClientRect().top < innerHeight")
    assert page.locator("#asked-words").input_value() == ""
    assert page.locator(".asked-found .asked").count() == 0
    page.go_back()
    page.wait_for_function("document.getElementById('asked-words').value === 'dropout & eval'")
    page.locator("#asked-words").fill("")
    page.wait_for_function("location.hash === ''")
    assert page.complaints == []


@pytest.mark.parametrize("path", sample(ANSWERS, 2))
def test_the_answer_in_one_line_is_in_sight_and_the_rest_is_folded(path, open_page):
    page = open_page(path)
    asked = page.locator("section.asked")
    assert asked.count() == sum(path.endswith(f"{one.notebook}.html") for one in questions.questions()) > 15
    for question in (asked.first, asked.last):
        assert question.locator("summary").is_visible()
        assert not question.locator("details > p").first.is_visible()
        question.locator("summary").click()
        assert question.locator("details > p").first.is_visible()
    assert page.locator(".page-toc a").count() == page.locator("article section > h2").count()  # headings only
    assert page.locator("section.asked summary a").count() == 0  # a link in a fold's line would be two controls in one


def test_an_address_opens_the_answer_that_it_names(open_page):
    page = open_page(ANSWERS[1])
    question = page.locator("section.asked").nth(20)
    cell = question.locator("details [id^='cell-id=']").first.get_attribute("id")
    asked = next(one for one in questions.questions() if ANSWERS[1].endswith(f"{one.notebook}.html"))
    # Chromium itself opens a fold that holds the place; a question's own two places are outside of its fold.
    for place in (question.get_attribute("id"), f"cell-id={asked.ident}", cell):
        page = open_page(f"{ANSWERS[1]}#{place}")
        question = page.locator(f"section.asked:has([id='{place}']), section.asked[id='{place}']").first
        assert question.locator("details").get_attribute("open") is not None, place
        assert question.locator("summary").is_visible()
        assert page.complaints == []


TRACEBACK = "Traceback most recent call last File home user train py line 12 in forward File home user model py " * 4


@pytest.mark.parametrize(
    "words", ["scaled_dot_product_attention_with_a_very_long_name_that_has_no_break_" * 9, TRACEBACK]
)
def test_what_people_paste_leaves_the_page_as_wide_as_the_window(words, open_page):
    page = open_page(f"{PAGE}#q={words.replace(' ', '+')}", viewport={"width": 360, "height": 740})
    assert len(page.locator("#asked-words").input_value()) <= finder.LONGEST
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    output = page.locator(".asked-field output")
    assert output.inner_text().count("nothing here on") <= 3
    assert output.bounding_box()["height"] < 150
    find(page, words[: finder.LONGEST])
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_paper_says_that_only_what_was_found_is_printed(open_page):
    page = open_page(f"{PAGE}#q=dropout")
    page.emulate_media(media="print")
    said = page.locator(".asked-field output").evaluate("e => getComputedStyle(e, '::before').content")
    assert "Only what was found for" in said
    assert not page.locator("#jb-print-toc").is_visible()
    assert not page.locator("#asked-words").is_visible()


def test_an_address_opens_the_solution_that_it_names(open_page):
    page = open_page("chapters/06_positions.html#cell-id=cell-29")
    assert page.locator("[id='cell-id=cell-29'] > details").get_attribute("open") is not None
    assert page.complaints == []


def test_without_a_script_questions_and_their_answers_in_one_line_remain(open_page):
    page = open_page(PAGE, java_script_enabled=False)
    assert not page.locator(".asked-field").is_visible()
    assert page.locator(".asked-line").nth(5).is_visible()
    page = open_page(ANSWERS[0], java_script_enabled=False)
    assert page.locator("section.asked summary").nth(5).is_visible()
