"""The language model in the page: its numbers against the same file in float64, and its explorer in Chromium."""

import json
import random
import re
from urllib.parse import parse_qsl

import pytest
import torch
from in_page import array, page_of_worker, told, write
from playwright.sync_api import expect
from test_language_model import forward, weights  # noqa: F401 - a fixture

from conftest import EVERYWHERE, in_v8, sample, weekly
from models.language_model import STATIC, checkpoint
from models.language_model import model_files as exported
from website.places import SITE

MODEL = SITE / "_static" / "language_model" / "model"
PAGE = "chapters/13_a_language_model.html"
RUN = ".model-run"

# Numbers

DECODE = """async ([kind, ids, options]) => {
    const { HEADS, LAYERS, UNTOUCHED, forward, logits, look, new_cache } = book.language_decoder, room = rooms[kind];
    const L = ids.length, seen = new Float32Array(LAYERS * HEADS * L * L), queries = [];
    const visit = (layer, head, i, row) => seen.set(row, ((layer * HEADS + head) * L + i) * L);
    const all = { ...UNTOUCHED, ...options }, cache = new_cache(L);
    const rows = forward(ids, room, cache, all, visit, (layer, q) => (queries[layer] = q.slice()));
    const looked = look(queries[13], cache.layers[13], all);
    return Promise.all([seen, logits(rows, room), looked].map(letters));
}"""


@pytest.fixture(scope="module")
def decode(browser, base):
    """``decode(kind, ids, **options)`` in Chromium: all weights, the last token's logits, layer 14's weights again."""
    page = page_of_worker(browser, base, exported, MODEL, TEXTS)

    def decoded(kind, ids, **options):
        seen, logits, looked = page.evaluate(DECODE, [kind, ids, options])
        L = len(ids)
        return array(seen, 30, 9, L, L), array(logits, -1), array(looked, 9, L, L)

    yield decoded
    page.close()


# How many texts, and the longest one's tokens.
TEXTS = {"simd": (100, 128), "plain": (3, 128)}


def texts(count, longest):
    """Lists of tokens, most of them short, and changes of the model for every second one."""
    generator = random.Random(5)
    lengths = [1, longest, *(round(longest ** generator.random()) for _ in range(count - 2))]
    for number, length in enumerate(lengths):
        options = {}
        if number % 2:
            options = {
                "factor": 2 ** generator.uniform(-1, 1),
                "off": [(generator.randrange(30), generator.randrange(9)) for _ in range(3)],
                "hide_first": generator.random() < 0.3,
                "window": generator.choice([0, 0, 1, 4, 20]),
                "keep_first": generator.random() < 0.5,
                "positions": generator.random() < 0.7,
                "causal": generator.random() < 0.7,
            }
        yield [generator.randrange(100, 49_152) for _ in range(length)], options


@weekly  # the page loads the model for a quarter of a minute; in each run, its table and its maps are compared
@pytest.mark.parametrize("kind", TEXTS)
def test_page_and_kernel_agree(kind, decode, weights):  # noqa: F811
    worst = [0.0, 0.0]
    for ids, options in texts(*TEXTS[kind]):
        p, expected = forward(ids, weights, **options)
        found, logits, looked = decode(kind, ids, **options)
        assert found.isfinite().all()  # max() would lose a NaN
        worst[0] = max(worst[0], (found - p).abs().max().item())
        worst[1] = max(worst[1], ((logits - expected).abs().max() / expected.std()).item())
        assert torch.equal(looked, found[13])
        first, second = expected.topk(2).values
        if first - second > 2e-3 * expected.std():
            assert logits.argmax() == expected.argmax()
    print(f"largest differences: weights {worst[0]:.1e}, logits {worst[1]:.1e} of their spread")
    assert max(worst) < 1e-3


def test_next_probabilities_equal_those_of_transformers():
    from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

    context = in_v8(STATIC / "language_model" / "sampling.js")
    context.eval("const { probabilities, pick } = book.language_sampling")
    generator = torch.Generator().manual_seed(0)
    for temperature, k, p in [(1, 0, 1), (0.5, 5, 1), (2, 0, 0.7), (1.3, 20, 0.9), (1, 1, 1), (0.7, 0, 0.01)]:
        logits = torch.randn(1, 50, generator=generator, dtype=torch.float64) * 3
        settings = json.dumps({"temperature": temperature, "top_k": k, "top_p": p})
        found = context.eval(f"JSON.stringify([...probabilities(new Float64Array({logits[0].tolist()}), {settings})])")
        warped = TemperatureLogitsWarper(float(temperature))(None, logits)
        if k:
            warped = TopKLogitsWarper(k)(None, warped)
        if p < 1:
            warped = TopPLogitsWarper(p)(None, warped)
        expected = warped.softmax(-1)[0]
        assert json.loads(found) == pytest.approx(expected.tolist(), abs=1e-12)
        for u in (0.0, 0.3, 0.999999):
            picked = context.eval(f"pick(new Float64Array({expected.tolist()}), {u})")
            assert picked == (expected.cumsum(0) > u).nonzero()[0].item()
    greedy = context.eval(
        'JSON.stringify([...probabilities([1, 3, 3, 2], {"temperature": 0, "top_k": 0, "top_p": 1})])'
    )
    assert json.loads(greedy) == [0, 1, 0, 0]


# The explorer


def probabilities(figure):
    """For each token of the table, its probabilities, once all models' have arrived."""
    expect(figure.locator(".language-next")).not_to_contain_text("…")
    rows = figure.locator(".language-next tbody tr").all()
    number = lambda text: 0.0005 if text == "<0.001" else float(text)  # noqa: E731
    return {
        row.locator("th").evaluate("e => e.firstChild.data"): [number(x) for x in row.locator("td").all_text_contents()]
        for row in rows
    }


def label(token):
    return checkpoint.tokenizer().decode([token]).replace(" ", "␣").replace("\n", "↵")


def check_table(figure, *all_logits):
    """The table shows these models' probabilities of its tokens, the last model's most probable ones first."""
    shown = probabilities(figure)
    expected = [logits.softmax(-1) for logits in all_logits]
    best = expected[-1].topk(8).indices.tolist()
    assert list(shown)[:8] == [label(token) for token in best]
    for token in best:
        assert shown[label(token)] == pytest.approx([p[token].item() for p in expected], abs=0.0011)


@pytest.fixture(scope="module")
def loaded(share_page):
    page = share_page(PAGE)
    page.wait_for_function("!document.querySelector('#language_model fieldset').disabled")
    figure = page.locator("#language_model")
    figure.locator(RUN).click()
    told(figure, "10 tokens")
    figure.locator(".explorer-more summary").click()
    return page, figure


@pytest.fixture
def running(loaded):
    """The explorer with its model, at its start."""
    page, figure = loaded
    figure.locator(".explorer-reset").click()
    told(figure, "10 tokens. Next")
    yield page, figure
    assert page.complaints == []


def button(figure, name):
    return figure.get_by_role("button", name=name, exact=True)


TEXT = "The capital of France is"


def test_the_table_shows_the_next_token_with_and_without_changes(running, weights):  # noqa: F811
    _, figure = running
    write(figure, TEXT)
    ids = checkpoint.tokenizer().encode(TEXT).ids
    told(figure, "5 tokens", "␣Paris")
    plain = forward(ids, weights)[1]
    check_table(figure, plain)
    options = {}
    settings = [
        ("window", "2", {"window": 2}),
        ("window_keeps", "first", {"keep_first": True}),
        ("factor", "0.5", {"factor": 0.5}),
        ("positions", "none", {"positions": False}),
        ("factor", "1", {"factor": 1}),
        ("first_token", "hidden", {"hide_first": True}),
        ("mask", "none", {"causal": False}),
    ]
    for name, value, change in sample(settings, 2):
        menu = figure.locator(f"[data-control={name}] select")
        menu.select_option(value) if menu.count() else write(figure, value, name)
        options |= change
        expected = forward(ids, weights, **options)[1]
        expect(figure.locator(".language-next tbody td").nth(1)).to_contain_text(f"{expected.softmax(-1).max():.3f}")
        check_table(figure, plain, expected)
    figure.locator(".explorer-reset").click()
    told(figure, "10 tokens", "␣chair")
    figure.locator("[data-control=heads_off] td button").nth(30 * 6 + 18).click()  # layer 19, head 7
    text = figure.locator("[data-control=text] input").input_value()
    ids = checkpoint.tokenizer().encode(text).ids
    told(figure, "head 7 (off)", "Without your changes")
    check_table(figure, forward(ids, weights)[1], forward(ids, weights, off=[(18, 6)])[1])


def test_maps_show_the_models_weights(running, weights):  # noqa: F811
    _, figure = running
    write(figure, TEXT)
    told(figure, "5 tokens")
    p, _ = forward(checkpoint.tokenizer().encode(TEXT).ids, weights)
    share = "cells => cells.map(cell => Number(cell.style.getPropertyValue('--share')))"
    firsts = figure.locator(".language-strip .model-cell").evaluate_all(share)
    assert firsts == pytest.approx(p[:, :, 1:, 0].mean((1, 2)).tolist(), abs=0.00501)
    strip = figure.locator(".language-strip")
    strip.focus()
    for key, layer in [("ArrowUp", 9), ("Home", 1), ("ArrowUp", 1), ("End", 30), ("ArrowUp", 20), ("ArrowLeft", 19)]:
        strip.press(key)  # ten in a row
        told(figure, f"Layer {layer}, head 7")
    strip.press("ArrowLeft")
    told(figure, "Layer 18, head 7")
    assert strip.get_attribute("aria-valuetext") == f"18: weight {p[17, :, 1:, 0].mean():.2f} on the first token"
    heads = figure.locator(".language-heads")
    heads.focus()
    heads.press("ArrowLeft")
    told(figure, f"Layer 18, head 6: mean weight {p[17, 5, 1:, 0].mean():.2f} on the first token")
    opacity = "canvas => [...canvas.getContext('2d').getImageData(0, 0, 5, 5).data].filter((_, i) => i % 4 === 3)"
    painted = torch.tensor(figure.locator(".model-large canvas").evaluate(opacity)).view(5, 5) / 255
    assert (painted - p[17, 5]).abs().max() < 0.006
    small = torch.tensor(strip.locator("canvas").nth(17).evaluate(opacity)).view(5, 5) / 255
    assert (small - p[17].mean(0)).abs().max() < 0.006


def greedy(text, count, weights):  # noqa: F811
    ids = checkpoint.tokenizer().encode(text).ids
    for _ in range(count):
        ids.append(forward(ids, weights)[1].argmax().item())
    return checkpoint.tokenizer().decode(ids)


def test_it_writes_with_the_cache_below_its_button_and_moves_nothing_until_it_is_stopped(running, weights):  # noqa: F811
    page, figure = running
    text = "Once upon a time"
    write(figure, text)
    write(figure, "0", "temperature")
    told(figure, "4 tokens", "“,” 1.00")
    expected = greedy(text, 4 if EVERYWHERE else 2, weights)  # each takes a second
    figure.locator(".explorer-more").evaluate("e => (e.open = false)")
    tops = """() => [".language-write", ".language-page", ".explorer-frame"].map(
        (part) => document.querySelector(`#language_model ${part}`).getBoundingClientRect().top + scrollY)"""
    write_top, page_top, frame_top = page.evaluate(tops)
    assert page_top - write_top < 60
    assert figure.bounding_box()["height"] <= 1150
    button(figure, "Write").click()
    written = figure.locator(".language-text strong")
    page.wait_for_function("document.querySelector('.language-text strong').textContent.length > 30")
    assert page.evaluate(tops)[1:] == [page_top, frame_top]
    figure.locator(".explorer-more").evaluate("e => (e.open = true)")
    expect(figure.locator("output.model-note")).to_contain_text("tokens per second")
    button(figure, "Stop").click()
    expect(button(figure, "Write")).to_be_visible()
    shown = figure.locator(".language-text").text_content()
    assert shown.startswith(expected)
    count = len(checkpoint.tokenizer().encode(shown).ids)
    told(figure, f"{count} tokens")
    expect(figure.locator("output.model-note")).to_contain_text(f"{count} tokens, {count * 46_080 / 1e6:.2f} MB")
    button(figure, "Take back what was written").click()
    told(figure, "4 tokens")
    assert written.text_content() == ""


@weekly
def test_writing_ends_with_the_text_and_needs_a_mask_and_each_click_counts(running):
    page, figure = running
    note = figure.locator("span.model-note")
    write(figure, "0", "temperature")
    write(figure, "The capital of France is")
    told(figure, "5 tokens")
    button(figure, "Write").click()  # some forty tokens
    expect(note).to_have_text("The model ended its text here.", timeout=120_000)
    assert figure.locator(".language-text").text_content().endswith("12:12:53.")
    figure.locator("[data-control=mask] select").select_option("none")
    button(figure, "Write").click()
    expect(note).to_contain_text("Writing needs the causal mask")
    told(figure, "Without your changes")  # the run has ended, and the reason still stands there
    expect(note).to_contain_text("Writing needs the causal mask")
    figure.locator(".explorer-reset").click()
    told(figure, "10 tokens")
    write(figure, "Once upon a time")  # the run begins, and Write is pressed before it has ended
    button(figure, "Write").click()
    expect(button(figure, "Stop")).to_be_visible()
    button(figure, "Stop").click()
    expect(button(figure, "Write")).to_be_visible()
    figure.locator(".explorer-reset").click()
    told(figure, "10 tokens")
    page.evaluate("""() => {  // many clicks in one task; the last one is Stop
        const [write, stop] = document.querySelectorAll("#language_model .language-writing button");
        for (let k = 0; k < 60; k++) (write.click(), stop.click());
    }""")
    expect(button(figure, "Write")).to_be_visible()
    page.wait_for_timeout(1500)
    expect(button(figure, "Write")).to_be_visible()


def test_the_read_out_begins_at_the_largest_weight(running):
    _, figure = running
    expect(figure.locator(".model-read")).to_have_text(re.compile(r"river →\s+chair: weight 0\.9"))


@weekly
def test_the_seed_marks_the_token_that_it_draws(running):
    _, figure = running
    drawn = set()
    for seed in range(6):
        write(figure, str(seed), "seed")
        marked = figure.locator(".language-next th", has_text=f"← seed {seed}")
        expect(marked).to_have_count(1, timeout=30_000)  # a run may be under way
        drawn.add(marked.evaluate("e => e.firstChild.data"))
    assert len(drawn) > 2
    write(figure, "Once upon a time")
    told(figure, "4 tokens")
    button(figure, "Write").click()
    for _ in range(10):  # while it writes, the table marks the token that has just been written
        figure.page.wait_for_timeout(60)
        marked, last = figure.page.evaluate("""() => [
            document.querySelector(".language-next th:has(i)").firstChild.data,
            document.querySelector(".model-tokens span:last-of-type").textContent,
        ]""")
        assert marked == last
    button(figure, "Stop").click()
    expect(button(figure, "Write")).to_be_visible(timeout=30_000)


def test_strange_texts_are_run_or_refused_with_a_reason(running):
    _, figure = running
    if EVERYWHERE:  # such a run takes ten seconds
        write(figure, "word " * 400)
        cut = "this page takes 256: the last 145 are left out"
        expect(figure.locator(".language-tokens summary")).to_contain_text(cut)
        told(figure, "256 tokens")
    write(figure, "🤖")
    told(figure, f"{len(checkpoint.tokenizer().encode('🤖').ids)} tokens")
    write(figure, "a")
    told(figure, "1 token")
    write(figure, "   ")
    assert "; the field is empty" in figure.locator("[data-control=text] [role=alert]").text_content()


def test_links_open_states(running):
    page, figure = running
    links = page.locator("article a[href^='#language_model&']")
    assert links.count() >= 6
    for link in sample(links.all(), 2):
        state = dict(parse_qsl(link.get_attribute("href").partition("&")[2]))
        link.click()
        count = len(checkpoint.tokenizer().encode(state.pop("text")).ids)
        is_changed = state.keys() - {"layer", "head", "temperature"}
        told(figure, f"{count} tokens. Next: ", *(["Without your changes"] if is_changed else []))
