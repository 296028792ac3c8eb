"""The page of questions that people ask: its folds, and the field that finds a question by its words."""

import pytest
from docutils import nodes
from sphinx.errors import ExtensionError

from website.asked import folds

PAGE = f"{folds.PAGE}.html"
SEARCHES = {  # what somebody types, and words of a question that must be among the first three
    "loss becomes NaN after masking": "why is the output NaN",
    "output changes when I pad the batch": "outputs change with the length of the padding",
    "dropout still active after eval": "after model.eval()",
    "float16 inf": "inf or NaN in float16",
    "out of memory on a long text": "memory of training grow",
    "training loss stands still": "stands still at 2.3",
    "weights do not sum to 1": "does not sum to 1",
    "rubbish beyond the training length": "beyond the length",
    "batch_first shape error": "batch_first",
    "why divide by sqrt(d_k)": "divided by √dₖ",
    "slower although the complexity is lower": "lower complexity run slower",
    "my attention returns NaN for some rows": "why is the output NaN",
    "loss stuck": "stands still at 2.3",
    "works up to 512 tokens then gibberish": "beyond the length",
    "CUDA out of memory for a long sequence": "memory of training grow",
    "different output with and without KV cache": "when a cache is used",
    "all attention weights nearly the same": "nearly the same weight",
}


@pytest.fixture(scope="module")
def page(share_page):
    return share_page(PAGE)


def find(page, words):
    page.locator("#asked-words").fill(words)
    return page.locator(".asked-found h3").all_inner_texts()


@pytest.mark.parametrize("words", SEARCHES)
def test_a_symptom_finds_its_question_among_the_first_three(page, words):
    found = find(page, words)
    assert any(SEARCHES[words] in question for question in found[:3]), found[:5]
    said = page.locator(".asked-field output").inner_text()
    assert said.startswith(f"{len(found)} of ")


def test_no_word_and_no_question(page):
    assert find(page, "zyzzyva") == []
    assert "0 of " in page.locator(".asked-field output").inner_text()
    assert "other words" in page.locator(".asked-field output").inner_text()
    assert find(page, "the of a") == []  # small words alone look for nothing
    order = page.locator("section.asked h3").all_inner_texts()
    assert find(page, "nan") != []
    find(page, "")
    assert page.locator("section.asked h3").all_inner_texts() == order
    assert page.locator("article section:has(> h2):not([hidden])").count() > 10


def test_a_button_looks_for_what_a_reader_sees(page):
    for button in page.locator(".asked-field button").all():
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
        assert 3 <= page.locator(".asked-found section.asked").count() <= 60
        button.click()
        assert page.locator("#asked-words").input_value() == ""


def test_the_answer_in_one_line_is_in_sight_and_the_rest_is_folded(page):
    find(page, "")
    questions = page.locator("section.asked")
    assert questions.count() >= 223
    for question in (questions.first, questions.last):
        assert question.locator("summary").is_visible()
        assert not question.locator("details > p").first.is_visible()
        question.locator("summary").click()
        assert question.locator("details > p").first.is_visible()
    assert page.locator("section.asked summary a").count() == 0  # a link in a fold's line would be two controls in one


def test_an_address_opens_the_answer_that_it_names(open_page):
    page = open_page(PAGE)
    question = page.locator("section.asked").nth(40)
    cell = question.locator("details [id^='cell-id=']").first.get_attribute("id")
    # Chromium itself opens a fold that holds the place; a question's own place is outside of its fold.
    for place in (question.get_attribute("id"), cell):
        page = open_page(f"{PAGE}#{place}")
        question = page.locator("section.asked").nth(40)
        assert question.locator("details").get_attribute("open") is not None, place
        assert question.locator("summary").is_visible()
        assert page.complaints == []


def test_without_a_script_questions_and_their_answers_in_one_line_remain(open_page):
    page = open_page(PAGE, java_script_enabled=False)
    assert not page.locator(".asked-field").is_visible()
    assert page.locator("section.asked summary").nth(5).is_visible()


def test_an_answer_without_a_line_in_bold_fails_the_build():
    section = nodes.section("", nodes.title(text="Why?"), nodes.paragraph(text="Asked."), nodes.paragraph(text="So."))
    with pytest.raises(ExtensionError, match="'Why\\?' must begin with one line in bold"):
        folds.Folds.fold(None, section)
