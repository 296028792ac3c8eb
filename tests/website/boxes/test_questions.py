"""Predictions and quizzes that you can answer: the parts that an answer needs, and its effect on the page."""

import functools
import json
import re

import nbformat
import pytest
from docutils import nodes
from nbformat.v4 import new_code_cell, new_notebook, new_output
from sphinx.errors import ExtensionError

from conftest import in_v8, sample
from website.boxes.questions import Question
from website.places import ROOT, chapters

CHAPTER = "chapters/10_exact_attention_in_blocks.html"


def quotation(text, choices=(), kind="predict"):
    quote = nodes.block_quote("", nodes.paragraph(text="Predict. " + text), classes=["callout", f"callout-{kind}"])
    if choices:
        quote += nodes.bullet_list("", *(nodes.list_item("", nodes.paragraph(text=choice)) for choice in choices))
    return quote


@pytest.fixture
def notebook(tmp_path):
    output = new_output("stream", text="mean 0.25, largest 3\n")
    path = tmp_path / "n.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell(id="abc", outputs=[output])]), path)
    return path


def test_a_measured_number_comes_from_the_stored_output(notebook):
    answer = "right: 2\nbecause: So it is.\nmeasured: {cell: abc, find: 'mean ([\\d.]+)', say: 'the mean is {1}.'}"
    question = Question(quotation("How large?", ["one", "a quarter"]), answer, notebook, "a-question")
    assert question.measured == "the mean is 0.25."
    assert question.entry()["right"] == ["a quarter"]
    assert "the mean is 0.25." in question.folded()
    answer = "right: {unit: bits, within: 10%}\nbecause: So it is.\nmeasured: {cell: abc, find: 'largest (\\d+)'}"
    number = Question(quotation("How large?"), answer, notebook, "a-number")
    assert (number.number, number.words_of_number()) == (3, "3 bits")


def test_a_choice_with_a_formula_is_named_by_its_place():
    quote = quotation("How large?", ["one"])
    quote[-1] += nodes.list_item("", nodes.paragraph("", "", nodes.math(text=r"\beta")))
    with_formula = Question(quote, "right: 2\nbecause: So it is.\n1: It is not.", ROOT / "no.ipynb", "a-question")
    assert "Right: the second." in with_formula.folded()
    assert "<em>The first answer</em>: It is not." in with_formula.folded()


CHOICES = ["one", "two"]
MEASURED = "because: x\nmeasured: {cell: abc, find: 'largest (\\d+)'}"


@pytest.mark.parametrize(
    ("choices", "answer", "message"),
    [
        (CHOICES, "because: No.", "needs 'right' and 'because'"),
        (CHOICES, "right: 1\n2: No.", "needs 'right' and 'because'"),
        (CHOICES, "right: 3\nbecause: x", "names choice 3"),
        (CHOICES, "right: 1\nbecause: $x$", "has $ in 'because', which shows words as they are typed"),
        (CHOICES, "right: 1\nbecause: x\n5: No.", "replies to [5], of 2"),
        (CHOICES, "right: 1\nbecause: x\nrigth: 2", "has unknown parts: {'rigth'}"),
        (
            CHOICES,
            "right: 1\nbecause: x\nmeasured: {cell: abc, find: median}",
            "finds no 'median' in the output of cell abc",
        ),
        (CHOICES, "right: {within: 10%}\nbecause: x", "is a number, but has choices"),
        ((), "right: {within: 10%}\nbecause: x", "none is measured"),
        ((), f"right: {{within: about}}\n{MEASURED}", "needs 'within'"),
    ],
)
def test_an_answer_that_does_not_fit_fails_the_build(notebook, choices, answer, message):
    with pytest.raises(ExtensionError, match=re.escape(message)):
        Question(quotation("How large?", choices), answer, notebook, "a-question")


@pytest.fixture(scope="module")
def answers():
    context = in_v8(ROOT / "website" / "boxes" / "static" / "questions.js")
    return lambda name, *arguments: context.call(f"book.answers.{name}", *arguments)


def test_numbers_are_read_as_people_write_them(answers):
    for text, x in {"1.5": 1.5, " 1,5 ": 1.5, "1/4": 0.25, "2^10": 1024, "1e-9": 1e-9, "50 %": 0.5, "−2": -2}.items():
        assert answers("number_of", text) == pytest.approx(x)
    for text in ("", "many", "1.2.3", "1/2/3", "0x"):
        assert answers("number_of", text) is None, text  # NaN
    for x, right, expected in [(1.1, 1, True), (1.11, 1, False), (-1, 1, False), (-0.9, -1, True), (0, 0, True)]:
        assert answers("is_near", x, right, "10%") == expected, (x, right)


def first(page, kind="predict"):
    box = page.locator(f"blockquote.question.callout-{kind}").first
    box.scroll_into_view_if_needed()  # the box becomes a form once it is near the window
    return box


def test_a_question_can_be_answered_with_the_keyboard_and_the_answer_is_kept(open_page):
    page = open_page(CHAPTER)
    box = first(page)
    box.get_by_role("button").press("Enter")
    assert box.get_by_role("alert").inner_text() == "Choose an answer first."
    choices = box.get_by_role("radio")
    assert choices.count() >= 2
    choices.first.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    status = box.get_by_role("status")
    assert status.locator("strong").inner_text() in ("That is right.", "Not quite.")
    assert box.get_by_role("alert").inner_text() == ""
    said = status.inner_text()
    page.reload()
    assert first(page).get_by_role("status").inner_text() == said
    assert first(page).get_by_role("radio").nth(1).is_checked()
    assert page.context.cookies() == []
    assert page.complaints == []
    mark = page.locator(".bd-links .question-mark")
    assert re.search(r"1/\d+", mark.first.inner_text())


def test_the_first_key_turns_all_questions_into_forms_and_each_names_its_choices(open_page):
    page = open_page(CHAPTER)
    boxes = page.locator("blockquote.question")
    assert page.locator(".question-form").count() < boxes.count()
    page.keyboard.press("Tab")
    assert page.locator(".question-form").count() == boxes.count()
    last = boxes.last
    asked = last.locator("p").first.text_content()
    assert last.get_by_role("group").get_attribute("aria-labelledby") == last.locator("p").first.get_attribute("id")
    assert asked.startswith(("Predict.", "Quiz."))


def test_right_and_wrong_answers_get_their_reply(open_page):
    page = open_page(CHAPTER)
    for box in page.locator("blockquote.question").all():
        box.scroll_into_view_if_needed()
        box.get_by_role("button").wait_for()
        if not box.get_by_role("radio").count():
            continue
        about = json.loads(box.locator("details.reply").get_attribute("data-question"))
        for i, choice in enumerate(box.get_by_role("radio").all(), 1):
            choice.check()
            box.get_by_role("button").click()
            right = i in about["right"]
            status = box.get_by_role("status")
            assert status.locator("strong").inner_text() == ("That is right." if right else "Not quite.")
            others = [r for r in box.locator(".question-said .reply-choice:not([hidden])").all()]
            assert all(int(reply.get_attribute("data-choice")) == i for reply in others)


def test_one_place_answers_a_quiz(open_page):
    """The solution, which is a separate fold in the notebook, opens in the box and occurs nowhere else on the page."""
    page = open_page(CHAPTER)
    quiz = first(page, "quiz")
    solution = quiz.locator("details.reply > p:not([class])").last
    assert not solution.is_visible()
    quiz.get_by_role("radio").first.check()
    quiz.get_by_role("button").click()
    assert solution.is_visible()
    assert not quiz.locator("summary").is_visible()
    folds = page.locator("article details > summary", has_text=re.compile("^Answer$"))
    assert folds.evaluate_all("all => all.every((fold) => fold.closest('blockquote'))")


def test_a_number_can_be_typed(open_page):
    page = open_page("chapters/15_a_memory_that_forgets.html")
    box = page.locator("blockquote.question:has(details[data-question*='number'])").first
    box.scroll_into_view_if_needed()
    field = box.get_by_role("textbox")
    about = json.loads(box.locator("details.reply").get_attribute("data-question"))
    for text, words in [(str(about["number"]), "That is right."), (str(3 * about["number"]), "Not quite.")]:
        field.fill(text)
        field.press("Enter")
        assert box.get_by_role("status").locator("strong").inner_text() == words
    field.fill("many")
    field.press("Enter")
    assert "Expected a number" in box.get_by_role("alert").inner_text()
    assert field.get_attribute("aria-invalid") == "true"
    assert page.complaints == []


def test_without_javascript_the_answer_is_folded(open_page):
    page = open_page(CHAPTER, java_script_enabled=False)
    box = first(page)
    assert box.locator("ul > li").count() >= 2
    assert box.locator("details.reply summary").is_visible()
    box.locator("details.reply summary").click()
    assert box.locator(".reply-right").is_visible()
    quiz = page.locator("blockquote.callout-quiz").first
    assert quiz.locator("xpath=following-sibling::*[1][self::details]").count() == 0


def test_on_paper_answers_follow_the_questions(open_page):
    page = open_page(CHAPTER)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert first(page).locator(".reply-right").first.is_visible()
    assert first(page, "quiz").locator("details.reply > p:not([class])").last.is_visible()
    assert not first(page).get_by_role("button").is_visible()


def test_what_was_missed_comes_back_after_longer_and_longer_times(answers):
    next_time, day = functools.partial(answers, "next_time"), 24 * 60 * 60 * 1000
    assert next_time(None, True, 0) == {}  # right at once: never asked again
    before = next_time(None, False, 0)
    assert before == {"due": day, "step": 0}
    assert next_time(before, True, day - 1) == before  # too early to count
    for now, wait in [(day, 3), (4 * day, 7), (11 * day, 21)]:
        before = next_time(before, True, now)
        assert before["due"] == now + wait * day
    assert next_time(before, False, before["due"])["step"] == 0
    assert next_time(before, True, before["due"]) == {}


def test_several_right_choices_are_right_together_only(answers):
    for chosen, right, expected in [([1], [1], True), ([2], [1], False), ([1, 3], [1, 3], True), ([1], [1, 3], False)]:
        assert answers("is_right", chosen, right) == expected


@pytest.fixture
def missed(open_page):
    """The page of all answers; a function stores answers there that were missed some days ago."""
    page = open_page("back_matter/your_predictions.html")

    def miss(count, days=2):
        page.evaluate(
            """([count, days]) => {
                const then = Date.now() - days * book.answers.DAY;
                const all = book.all_questions.flatMap(({ questions }) => questions);
                const some = all.filter(({ choices }) => choices.length);
                for (const { id } of some.slice(0, count))
                    book.answers.record(id, "x", { said: 9, right: false }, then);
            }""",
            [count, days],
        )
        page.reload()
        return page.locator(".asked-again > li")

    return page, miss


def test_missed_questions_are_asked_again_ten_at_a_visit(missed):
    page, miss = missed
    assert miss(1, days=0.5).count() == 0
    assert "Nothing today" in page.locator("#all-answers").inner_text()
    asked = miss(12)
    assert asked.count() == 10
    assert "2 more can wait" in page.locator("#all-answers").inner_text()
    one, two = asked.first, asked.nth(1)
    one.get_by_role("button", name="Answer").click()
    assert one.get_by_role("status").inner_text() == "Choose an answer first."
    entry, other = (
        page.evaluate(
            "text => book.all_questions.flatMap(({ questions }) => questions).find((q) => q.text === text)",
            box.locator("legend").inner_text(),
        )
        for box in (one, two)
    )
    one.locator(f"input[value='{entry['which'][0]}']").check()
    one.get_by_role("button", name="Answer").press("Enter")
    several = len(entry["which"]) > 1
    assert ("Not quite." if several else "That is right. It comes back in 3 days.") in one.inner_text()
    assert one.get_by_role("link").get_attribute("href").endswith(f"#question-{entry['id']}")
    wrong = set(range(1, len(other["choices"]) + 1)) - set(other["which"])
    two.locator(f"input[value='{min(wrong)}']").check()
    two.get_by_role("button", name="Answer").click()
    assert re.search(r"Not quite\. Right: .+\. It comes back tomorrow\.", two.inner_text())
    page.reload()
    assert page.locator(".asked-again > li").count() == 10  # the two that had to wait are next
    page.get_by_role("button", name="Ask nothing again").click()
    assert page.locator(".asked-again > li").count() == 0
    page.reload()
    page.get_by_role("button", name="Ask again what I missed").click()
    assert page.locator(".asked-again > li").count() == 10
    assert page.complaints == []


def test_the_page_of_all_answers_lists_saves_and_forgets_them(open_page):
    page = open_page("back_matter/your_predictions.html")
    assert page.evaluate("book.all_questions.length") == len(chapters())
    ids = page.evaluate("book.all_questions.find(({ page }) => page.includes('/03_')).questions.map(({ id }) => id)")
    page.evaluate(
        """([a, b, c]) => [a, b, c].forEach((id) => book.answers.record(id, "x", { said: 1, right: id !== b }))""",
        ids[:3],
    )
    page.reload()
    place = page.locator("#all-answers")
    assert place.locator("p").first.inner_text().startswith("3 of ")
    assert place.locator("tbody tr").count() == len(chapters())
    missed = place.locator("ul").first.locator("a")
    assert [link.get_attribute("href").rpartition("question-")[2] for link in missed.all()] == ids[1:2]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as JSON").click()
    saved = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert [(row["id"], row["right"]) for row in saved["answers"]] == [*zip(ids[:3], [True, False, True], strict=True)]
    missed.first.click()
    page.locator(f"#question-{ids[1]}").wait_for()
    page.go_back()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget all answers").click()
    assert page.evaluate("localStorage.getItem(book.answers.KEY)") is None
    assert place.get_by_role("status").inner_text() == "All answers have been forgotten."
    assert place.get_by_role("link", name="Begin with chapter 0").is_visible()
    assert page.complaints == []


def test_a_page_full_of_answers_is_not_cut_off(open_page):
    page = open_page("back_matter/your_predictions.html", viewport={"width": 320, "height": 740})
    page.evaluate("""() => book.all_questions.forEach(({questions: [{id}]}) =>
        book.answers.record(id, "x", {said: 1, right: false}, Date.now() - 2 * book.answers.DAY))""")
    page.reload()
    assert page.locator("#all-answers td").count() > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_answers_to_questions_that_no_longer_exist_do_not_count(open_page):
    page = open_page(CHAPTER)
    page.evaluate("""() => { for (const id of ["0", "1", "2"])
        book.answers.record(id, location.pathname.replace(/^.*\\/|\\.html$/g, ""), {said: 1, right: true}); }""")
    page.reload()
    assert not re.search(r"\d/\d", " ".join(page.locator(".bd-links .question-mark").all_inner_texts()))


ABOUT = "[...document.querySelectorAll('details.reply')].map(reply => reply.dataset.question)"


def test_an_invalid_store_counts_as_no_answer(open_page):
    page = open_page(CHAPTER)
    name = CHAPTER.partition("/")[2].removesuffix(".html")
    ids = [json.loads(about)["id"] for about in page.evaluate(ABOUT)]
    stores = ["no JSON", "null", '{"questions": 5}', f'{{"questions": {{"{ids[0]}": null}}}}']
    stores += [f'{{"questions": {{"{ids[0]}": {{}}}}}}', f'{{"pages": {{"{name}": "abc"}}}}']
    for strange in sample(stores, 3):
        page.evaluate("(text) => localStorage.setItem(book.answers.KEY, text)", strange)
        page.reload()
        box = first(page)
        assert box.get_by_role("button").inner_text() == "Answer"
        box.get_by_role("radio").first.check()
        box.get_by_role("button").click()
        assert box.get_by_role("status").inner_text() != ""
        assert "undefined" not in page.locator(".bd-links").inner_text()
        assert page.complaints == []
