"""The machine on its page, in a real Chromium: steps, lens, tables to drag, goals, links, a finger."""

import os

import pytest
from playwright.sync_api import expect

from conftest import sample
from website.places import SITE

PAGE = "chapters/00_attention_in_five_minutes.html"
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

if not (SITE / PAGE).exists():
    if os.environ.get("CI") == "true":
        raise RuntimeError("there is no built site with the machine; run: make book")
    pytestmark = pytest.mark.skip("there is no built site with the machine; run: make book")


class Machine:
    def __init__(self, page):
        self.page, self.figure = page, page.locator("#machine")
        expect(self.figure.locator("fieldset").first).to_be_enabled()

    def tile(self, name, i, j):
        return self.figure.locator(f'[data-at="{name} {i} {j}"]')

    def lit(self):
        self.page.evaluate(DRAWN)
        return set(self.figure.locator(".machine-lit").evaluate_all("tiles => tiles.map(t => t.dataset.at)"))

    @property
    def sum(self):
        return self.figure.locator(".machine-sum")

    def go(self, step):
        self.figure.locator(".explorer-steps input").fill(str(step))
        self.page.evaluate(DRAWN)

    def follow(self, state):
        """Go to the address of a state, as a link on the page does."""
        self.page.evaluate("address => void (location.hash = address)", f"machine&{state}")

    def shown(self):
        """Names of the matrices in sight that have numbers."""
        stages = self.figure.locator('.machine-stage:visible:not([data-when="later"])')
        return set(stages.evaluate_all("stages => stages.map(e => e.dataset.matrix)"))


@pytest.fixture
def machine(share_page):
    """The machine in a page where earlier tests have used it: at its start, with all its stages."""
    opened = Machine(share_page(PAGE))
    opened.figure.locator(".machine-more").evaluate("e => e.ariaExpanded === 'true' && e.click()")
    opened.figure.locator(".explorer-reset").click()
    opened.go(5)
    yield opened
    assert opened.page.complaints == []


def opened_at(open_page, state, **options):
    return Machine(open_page(f"{PAGE}#machine&{state}", **options))


def test_the_lens_lights_the_numbers_that_made_a_number_and_says_the_sum(machine):
    machine.tile("weights_0", 3, 2).hover()
    expect(machine.sum).to_have_text("e2 / (e1 + e0 + e2 + e0) = 0.61: “saw” looks at “a”")
    assert machine.lit() == {"weights_0 3 2", *(f"scores_0 3 {s}" for s in range(4))}
    machine.tile("q", 2, 3).hover()
    expect(machine.sum).to_have_text("“a”: 0 · 0 + 0 · 1 + 1 · (−2) = −2")
    assert machine.lit() == {"q 2 3", *(f"x 2 {a}" for a in range(3)), *(f"w_q {a} 3" for a in range(3))}


def test_steps_show_the_stages_in_turn_with_a_sentence_each(machine):
    sentences = {machine.figure.locator(".explorer-steps output").inner_text()}  # of the last step
    heights = set()
    for step, there in enumerate(["x", "v", "products_0", "scores_0", "weights_0", "output"]):
        machine.go(step)
        shown = machine.shown()
        heights.add(machine.figure.bounding_box()["height"])
        assert there in shown
        assert ("output" in shown) == (step == 5)
        assert ("products_0" in shown) == (step == 2)
        sentences.add(machine.figure.locator(".explorer-steps output").inner_text())
    assert len(sentences) == 6
    assert len(heights) == 1  # what follows stays where it is
    machine.figure.get_by_label("one step back").click()
    assert machine.figure.locator(".explorer-steps input").input_value() == "4"


def test_it_opens_with_its_words_and_outlines_of_all_that_comes(open_page):
    machine = Machine(open_page(PAGE))
    machine.page.evaluate(DRAWN)
    assert machine.shown() == {"x"}
    outlines = machine.figure.locator('.machine-stage[data-when="later"]:visible')
    names = outlines.evaluate_all("stages => stages.map(e => e.dataset.matrix)")
    assert names == ["w_q", "w_k", "w_v", "q", "k", "v", "products_0", "weights_0", "output"]
    assert outlines.locator(".machine-tile").first.evaluate("e => getComputedStyle(e).outlineStyle") == "dashed"
    heads = machine.figure.locator(".machine-head").all_inner_texts()
    assert heads == ["words", "× tables", "= ask, be found, give", "Q · Kᵀ, softmax", "× V"]
    for _ in range(5):
        machine.figure.get_by_label("one step forward").click()
    machine.page.evaluate(DRAWN)
    assert "output" in machine.shown()
    machine.figure.locator(".explorer-reset").click()
    machine.page.evaluate(DRAWN)
    assert machine.shown() == {"x"}


def test_an_outline_has_no_number_under_the_lens(machine):
    machine.tile("weights_0", 3, 2).hover()
    machine.go(2)
    assert machine.lit() == set()
    expect(machine.sum).to_contain_text("Point at a number")


@pytest.mark.parametrize(
    "other", sample(["chapters/03_scaled_dot_product_attention.html", "chapters/05_masking.html"], 1)
)
def test_a_machine_that_begins_at_a_step_opens_there_with_a_caption_of_its_own(other, open_page, share_page):
    page = open_page(other)
    figure = page.locator("figure[id^=machine]")
    expect(figure.locator("fieldset").first).to_be_enabled()
    assert figure.locator(".explorer-steps input").input_value() in ("3", "4")
    caption = figure.locator("figcaption").inner_text()
    assert caption != share_page(PAGE).locator("#machine figcaption").inner_text()


def test_long_words_leave_the_output_in_sight(machine):
    field = machine.figure.locator('[data-control="words"] input')
    field.fill("attention transformers understanding everything")
    field.press("Enter")
    machine.page.evaluate(DRAWN)
    assert machine.figure.locator(".machine-floor").evaluate("e => e.scrollWidth <= e.clientWidth")
    label = machine.figure.locator('[data-matrix="output"] .machine-word').nth(1)
    assert label.get_attribute("title") == "transformers"


def test_a_link_to_no_number_is_refused_in_words(machine):
    machine.follow("look=weights_0+3")
    expect(machine.figure).to_contain_text("look must be the place of a number, such as weights_0 3 2, got")


def test_a_place_that_this_state_lacks_is_said_to_be_nowhere(machine):
    machine.follow("look=weights_1+0+0")
    expect(machine.sum).to_contain_text("no such row, column or head")


def test_play_goes_through_the_steps_and_a_touch_stops_it(machine):
    slider, play = machine.figure.locator(".explorer-steps input"), machine.figure.locator(".explorer-play")
    machine.go(0)
    play.click()
    expect(play).to_have_text("stop")
    expect(slider).to_have_value("1", timeout=6000)
    machine.figure.locator("figcaption").click()
    expect(play).to_have_text("play")


def test_with_reduced_motion_nothing_plays(open_page):
    machine = Machine(open_page(PAGE, reduced_motion="reduce"))
    expect(machine.figure.locator(".explorer-play")).to_be_hidden()


def test_a_table_is_changed_by_dragging_by_keys_and_by_typing(machine):
    tile = machine.tile("w_q", 1, 0)
    tile.scroll_into_view_if_needed()
    box = tile.bounding_box()
    machine.page.mouse.move(box["x"] + 5, box["y"] + 12)
    machine.page.mouse.down()
    machine.page.mouse.move(box["x"] + 5, box["y"] - 12, steps=4)
    machine.page.mouse.up()
    expect(tile).to_have_text("3")
    expect(machine.tile("q", 3, 0)).to_have_text("3")  # both saws
    tile.focus()
    tile.press("ArrowDown")
    expect(tile).to_have_text("2")
    for _ in range(9):
        tile.press("ArrowUp")
    expect(tile).to_have_text("4")  # the largest number that a table takes
    tile.press("ArrowRight")
    assert machine.page.evaluate("document.activeElement.dataset.at") == "w_q 1 1"
    machine.figure.locator(".machine-more").click()
    field = machine.figure.locator('[data-control="w_q"] input').nth(4)
    field.fill("-1.5")
    field.press("Enter")
    field.blur()
    expect(tile).to_have_text("−1.5")


def test_switches_change_the_numbers(machine):
    machine.figure.get_by_label("causal mask").check()
    expect(machine.tile("scores_0", 1, 2)).to_have_text("−∞")
    expect(machine.tile("weights_0", 1, 2)).to_have_text("0.00")
    machine.figure.get_by_label("two heads").check()
    expect(machine.tile("weights_1", 3, 2)).to_have_text("0.67")
    machine.figure.locator(".explorer-reset").click()
    machine.go(5)
    expect(machine.tile("weights_0", 3, 2)).to_have_text("0.61")
    assert machine.tile("weights_1", 3, 2).count() == 0


def test_a_followed_word_stays_lit_in_every_stage(machine):
    machine.figure.locator('[data-matrix="x"] .machine-word').nth(3).click()
    for name in ("x", "q", "k", "v", "scores_0", "weights_0", "output"):
        assert machine.tile(name, 3, 0).evaluate("e => e.classList.contains('machine-follow')"), name
        assert not machine.tile(name, 1, 0).evaluate("e => e.classList.contains('machine-follow')"), name
    expect(machine.figure.locator(".explorer-text")).not_to_be_empty()


def test_words_of_the_reader_and_a_refused_number_of_words(machine):
    field = machine.figure.locator('[data-control="words"] input')
    field.fill("the dog saw me")
    field.press("Enter")
    expect(machine.tile("x", 3, 3)).to_have_text("1")
    field.fill("the dog")
    field.press("Enter")
    expect(machine.figure.locator('[data-control="words"] .explorer-problem')).to_have_text(
        "words must have 4 words, at most 60 characters, got the dog"
    )
    expect(machine.tile("x", 3, 3)).to_have_text("1")  # the machine keeps the last four words that it accepted


def test_all_links_of_the_chapter_open_the_state_that_they_promise(machine):
    links = machine.page.locator('a[href^="#machine&"]')
    assert links.count() >= 10
    for link in links.all():
        machine.page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
        link.click()
        verdict = machine.figure.locator(".machine-goal")
        words = link.inner_text()
        if words == "open":
            expect(verdict).to_contain_text("Reached:")
        elif words == "begin":
            expect(verdict).not_to_contain_text("Reached:")
            expect(verdict).to_be_visible()
        else:
            expect(machine.figure.locator(".machine-eye")).to_have_count(1)


def test_a_finger_at_390_pixels_reaches_every_number(open_page):
    machine = Machine(open_page(PAGE, viewport={"width": 390, "height": 844}, has_touch=True))
    assert machine.figure.locator("fieldset").first.bounding_box()["height"] <= 180
    machine.go(5)
    machine.tile("weights_0", 3, 2).tap()
    expect(machine.sum).to_contain_text("= 0.61")
    assert machine.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    frame = machine.figure.locator(".explorer-frame")
    for step in range(6):
        machine.go(step)
        assert frame.evaluate("e => e.scrollWidth <= e.clientWidth"), step
    boxes = machine.figure.locator(".machine-tile:visible").evaluate_all(
        "tiles => tiles.map(t => t.getBoundingClientRect()).map(b => [b.width, b.height])"
    )
    assert min(min(box) for box in boxes) >= 30
    machine.figure.locator(".machine-more").tap()
    machine.figure.get_by_label("causal mask").check()
    expect(machine.tile("weights_0", 1, 2)).to_have_text("0.00")


def test_draw_again_and_all_zero_change_all_tables(machine):
    before = machine.figure.locator(".machine-tile[role=spinbutton]").all_inner_texts()
    machine.figure.get_by_role("button", name="draw again").click()
    machine.page.evaluate(DRAWN)
    after = machine.figure.locator(".machine-tile[role=spinbutton]").all_inner_texts()
    assert before != after
    machine.figure.locator(".machine-more").click()
    machine.figure.get_by_role("button", name="all zero").click()
    expect(machine.tile("weights_0", 3, 2)).to_have_text("0.25")


def test_in_another_language_its_sentences_are_in_that_language_and_its_states_are_the_same(open_page):
    machine = opened_at(open_page, "goal=third&step=6")
    machine.page.evaluate("""() => {
        for (const [ident, text] of Object.entries(book.four_words))
            book.sayings[text] = `字 ${ident} ${[...text.matchAll(/\\{\\w+\\}/g)].map(([name]) => name).join(" ")}`;
    }""")
    machine.tile("weights_0", 3, 2).hover()
    expect(machine.sum).to_have_text("字 share e2 e1 + e0 + e2 + e0 0.61 saw a")
    goal = machine.figure.locator(".machine-goal")
    expect(goal).to_have_text("字 reached third saw a 0.61")
    assert goal.get_attribute("data-verdict") == "reached"
