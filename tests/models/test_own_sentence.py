"""Compare the tokens and numbers of the trained encoder in the page with the libraries'; test its explorer."""

import contextlib
import json
import math
import random
from urllib.parse import parse_qsl

import gguf
import numpy as np
import psutil
import pytest
import torch
from in_page import array, page_of_worker, told, write
from odd_texts import texts
from playwright.sync_api import expect
from tokenizers import Tokenizer

import attention_core as ac
from conftest import EVERYWHERE, HEAP_FLAGS, in_v8, sample, weekly
from models.in_worker import files
from models.own_sentence import STATIC
from models.own_sentence import model_files as exported
from website.places import SITE

MODEL = SITE / "_static" / "own_sentence" / "model"
PAGE = "chapters/12_a_trained_model.html"


@pytest.fixture(scope="module")
def tokenizer():
    made = Tokenizer.from_file(str(exported.get_model_path() / "tokenizer.json"))
    made.no_truncation()
    made.no_padding()
    return made


# Tokens


def test_tokens_equal_the_librarys(tokenizer):
    context = in_v8(STATIC / "own_sentence" / "wordpiece.js")
    context.eval(f"const tokenize = book.sentence_tokenizer({files.as_json(exported.vocabulary())})")
    words = [token for token in exported.vocabulary()["tokens"] if token.isalpha()]
    written = list(texts(5000 if EVERYWHERE else 1000, words))  # EVERYWHERE: in the workflow `weekly`
    ours = json.loads(context.eval(f"JSON.stringify({json.dumps(written)}.map(text => tokenize(text, 1e6)))"))
    for text, found in zip(written, ours, strict=True):
        expected = tokenizer.encode(text)
        assert (found["tokens"], found["ids"]) == (expected.tokens, expected.ids), ascii(text)
        assert found["cut"] == 0
    cut = json.loads(context.eval("JSON.stringify(tokenize('word '.repeat(600)))"))
    assert (len(cut["ids"]), cut["ids"][-1], cut["cut"]) == (512, 102, 90)


# Numbers


@pytest.fixture(scope="module")
def weights():
    """The page's weights; in float64, so that every rounding error is the page's own."""
    return {name: torch.from_numpy(read(*sent)).double() for name, sent in exported.sent_tensors().items()}


def read(kind, shape, data):
    kind = gguf.GGMLQuantizationType[kind]
    blocks = np.frombuffer(data, np.uint8 if kind != gguf.GGMLQuantizationType.F32 else np.float32)
    return gguf.quants.dequantize(blocks, kind).reshape(shape)


def forward(ids, weights, factors=(1,) * 6, off=(), hide_separators=False, is_causal=False):
    """Weights and scaled scores (6, 12, L, L), values and rows, from torch's own functions."""
    functional = torch.nn.functional

    def linear(name, x):
        return functional.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, x):
        return functional.layer_norm(x, (384,), weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-12)

    L = len(ids)
    may_look = torch.ones(L, L).tril().bool() if is_causal else torch.ones(L, L).bool()
    may_look[:, [0, -1]] &= not hide_separators
    x = norm("norm", weights["words"][ids] + weights["positions"][:L] + weights["segment"])
    found = []
    for i in range(6):
        q, k, v = (
            linear(f"layers.{i}.{name}", x).view(L, 12, 32).transpose(0, 1) for name in ("query", "key", "value")
        )
        scores = q @ k.mT * (factors[i] / math.sqrt(32))
        p = scores.masked_fill(~may_look, -math.inf).softmax(-1).nan_to_num(0.0)
        mixed = p @ v
        mixed[[head for layer, head in off if layer == i]] = 0
        x = norm(f"layers.{i}.norms.0", x + linear(f"layers.{i}.out", mixed.transpose(0, 1).reshape(L, 384)))
        network = linear(f"layers.{i}.narrow", functional.gelu(linear(f"layers.{i}.widen", x)))
        x = norm(f"layers.{i}.norms.1", x + network)
        found.append((p, scores, v))
    return *(torch.stack(parts) for parts in zip(*found, strict=True)), x


ENCODE = """async ([kind, ids, options]) => {
    const L = ids.length, seen = [new Float32Array(72 * L * L), new Float32Array(72 * L * L)];
    const measured = [];
    const visit = (layer, head, found) => {
        const first = (12 * layer + head) * L;
        found.weights.forEach((row, i) => seen[0].set(row, (first + i) * L));
        found.scores.forEach((row, i) => seen[1].set(row, (first + i) * L));
        measured.push(book.sentence_measure.measure(found, ids));
    };
    const { rows } = book.sentence_encoder.encode(ids, rooms[kind], { ...options, visit });
    const stds = [0, 1, 2, 3, 4, 5].map(i => book.sentence_measure.std_of_layer(measured.slice(12 * i, 12 * i + 12)));
    return { arrays: await Promise.all([...seen, rows].map(letters)), measured, stds };
}"""


@pytest.fixture(scope="module")
def encode(browser, base):
    """``encode(kind, ids, **options)`` in Chromium: weights, scores, rows, and the measurements."""
    page = page_of_worker(browser, base, exported, MODEL, SENTENCES)

    def encoded(kind, ids, **options):
        answer = page.evaluate(ENCODE, [kind, ids, options])
        L = len(ids)
        p, scores, rows = answer["arrays"]
        found = array(p, 6, 12, L, L), array(scores, 6, 12, L, L), array(rows, L, 384)
        return found, answer["measured"], answer["stds"]

    yield encoded
    page.close()


# How many sentences, and the longest one's tokens; every third sentence goes through a changed model. Longer sentences
# take the same way through the model. The workflow `weekly` compares more and longer ones.
SENTENCES = {"simd": (60, 128), "plain": (6, 128)} if EVERYWHERE else {"simd": (9, 40), "plain": (3, 20)}


def sentences(count, longest):
    """Lists of tokens between separators, most of them short."""
    generator = random.Random(1)
    lengths = [1, longest, *(round(longest ** generator.random()) for _ in range(count - 2))]
    known = [range(1000, 30000), range(2000, 2020)]  # among only twenty words, some occur twice
    return [[101, *generator.choices(known[k % 2], k=length), 102] for k, length in enumerate(lengths)]


@pytest.mark.parametrize("kind", SENTENCES)
def test_page_and_torch_agree(kind, encode, weights):
    """Every weight, score and output, with the unchanged model and with every kind of change to it."""
    generator = random.Random(2)
    worst = [0.0, 0.0, 0.0]
    for number, ids in enumerate(sentences(*SENTENCES[kind])):
        options = {}
        if number % 3 == 2:
            options["factors"] = [2 ** generator.uniform(-2, 2) for _ in range(6)]
            options["off"] = [(generator.randrange(6), generator.randrange(12)) for _ in range(3)]
            options["hide_separators"] = generator.random() < 0.5
            options["is_causal"] = generator.random() < 0.5
        found, measured, stds = encode(kind, ids, **options)
        p, scores, values, rows = forward(torch.tensor(ids), weights, **options)
        for k, (ours, theirs) in enumerate(zip(found, (p, scores, rows), strict=True)):
            assert ours.isfinite().all()  # max() would lose a NaN
            worst[k] = max(worst[k], (ours - theirs).abs().max().item())
        if number < 20:
            check_measured(measured, stds, ids, p, scores, values)
    print(f"largest differences: weights {worst[0]:.1e}, scores {worst[1]:.1e}, rows {worst[2]:.1e}")
    assert max(worst) < 1e-4


def test_rounding_to_8_bits_hardly_changes_what_is_shown(weights, tokenizer):
    """The page's matrices have 8 bits per number; the chapter's are float32."""
    exact = {name: tensor.double() for name, tensor in exported.stored_weights().items()}
    sentences = [
        "I saw a saw that could not saw.",
        "The keys to the old house are on the table.",
        "The film was not good.",
        "Der Hund schläft.",
        "With great power comes great responsibility. " * 3,
    ]
    for sentence in sentences:
        ids = torch.tensor(tokenizer.encode(sentence).ids)
        (ours, _, _, rows), (theirs, _, _, exact_rows) = (forward(ids, w) for w in (weights, exact))
        assert (ours - theirs).abs().max() < 0.1
        assert (ours - theirs).abs().mean() < 0.002
        assert torch.cosine_similarity(rows.mean(0), exact_rows.mean(0), dim=0) > 0.998


def check_measured(measured, stds, ids, p, scores, values):
    tokens, L = torch.tensor(ids), len(ids)
    i, j = torch.arange(L)[:, None], torch.arange(L)
    is_word = (torch.arange(L) > 0) & (torch.arange(L) < L - 1)
    kinds = [i - 1 == j, i + 1 == j, is_word[:, None] & ~is_word, i == j, (tokens[:, None] == tokens) & (i != j)]
    assert stds == pytest.approx(scores.flatten(1).std(1, correction=0).tolist(), rel=1e-4)
    for number, report in enumerate(measured):
        layer, head = divmod(number, 12)
        weights, here, lengths = p[layer, head], scores[layer, head], values[layer, head].norm(dim=-1)
        shares = [(weights * kind).sum(-1)[kind.any(-1)].mean().item() for kind in kinds]
        assert [math.nan if x is None else x for x in report["shares"].values()] == pytest.approx(
            shares, abs=1e-4, nan_ok=True
        )
        assert report["in_use"] == pytest.approx(ac.entropy(weights).exp().mean().item(), rel=1e-3)
        assert report["std"] == pytest.approx(here.std(correction=0).item(), rel=1e-4)
        assert report["within"] == pytest.approx(here.var(-1, correction=0).mean().sqrt().item(), rel=1e-4)
        assert [report["at_cls"], report["at_sep"]] == pytest.approx(lengths[[0, -1]].tolist(), rel=1e-4)
        assert report["at_words"] == pytest.approx(lengths[1:-1].mean().item(), rel=1e-4)


# The explorer

RUN = ".model-run"


def cosine(weights, tokenizer, first, second, **options):
    means = [
        forward(torch.tensor(tokenizer.encode(text).ids), weights, **options)[3].mean(0) for text in (first, second)
    ]
    return torch.cosine_similarity(*means, dim=0).item()


@pytest.fixture(scope="module")
def loaded(share_page):
    page = share_page(PAGE)
    page.wait_for_function("!document.querySelector('#own_sentence fieldset').disabled")
    figure = page.locator("#own_sentence")
    figure.locator(RUN).click()
    told(figure, "13 tokens")
    return page, figure


@pytest.fixture
def running(loaded):
    """The explorer with its model, at its start."""
    page, figure = loaded
    figure.locator(".explorer-reset").click()
    told(figure, "13 tokens. Layer 1, head 3")
    yield page, figure
    assert page.complaints == []


def test_results_keep_up_with_the_sentence_and_every_change(running, weights, tokenizer):
    _, figure = running
    first, second = "The dog bit the man.", "The man bit the dog!"
    write(figure, first, "sentence")
    write(figure, second, "second")
    before = cosine(weights, tokenizer, first, second)
    told(figure, "8 tokens", f"{before:.3f} without your changes, {before:.3f} with them")
    shown = figure.locator(".model-tokens span").all_text_contents()
    assert shown == ["[CLS]", "the", "dog", "bit", "the", "man", ".", "[SEP]"]
    figure.locator(".explorer-more summary").click()
    changes = [
        ("factor", "0.25", {"factors": [0.25] * 6}),
        ("factor_in", "layer_3", {"factors": [1, 1, 0.25, 1, 1, 1]}),
        ("factor", "1", {}),
        ("mask", "causal", {"is_causal": True}),
        ("mask", "separators_hidden", {"hide_separators": True}),
    ]
    for name, value, options in sample(changes, 3):
        menu = figure.locator(f"[data-control={name}] select")
        menu.select_option(value) if menu.count() else write(figure, value, name)
        after = cosine(weights, tokenizer, first, second, **options)
        told(figure, f"{before:.3f} without your changes, {after:.3f} with them")
    figure.locator("[data-control=mask] select").select_option("none")
    write(figure, "2", "swap_token")
    ids = tokenizer.encode(first).ids
    ids[2], ids[3] = ids[3], ids[2]
    vectors = [forward(torch.tensor(x), weights)[3].mean(0) for x in (ids, tokenizer.encode(first).ids)]
    told(figure, f"without your changes: cosine {torch.cosine_similarity(*vectors, dim=0):.3f}.")
    write(figure, "0", "swap_token")
    figure.locator(".model-heads td button").nth(12 * 5 + 2).click()
    after = cosine(weights, tokenizer, first, second, off=[(5, 2)])
    told(figure, f"{before:.3f} without your changes, {after:.3f} with them")


def test_maps_lines_and_numbers_show_the_models_weights(running, weights, tokenizer):
    _, figure = running
    p, scores, values, _ = forward(
        torch.tensor(tokenizer.encode("The keys to the old house are on the table.").ids), weights
    )
    maps = figure.locator(".model-maps")
    assert maps.locator("canvas").count() == 72
    maps.focus()
    maps.press("ArrowDown")
    maps.press("ArrowRight")
    told(figure, "Layer 2, head 4")
    large = figure.locator(".model-large")
    large.focus()
    large.press("ArrowDown")
    large.press("ArrowRight")
    expected = f"keys → the: weight {p[1, 3, 2, 1]:.2f}, scaled score {scores[1, 3, 2, 1]:.2f}"
    expect(figure.locator(".model-read")).to_have_text(expected)
    canvas = figure.locator(".model-large canvas")
    canvas.hover(position={"x": canvas.bounding_box()["width"] * 4.5 / 13, "y": 2})
    expect(figure.locator(".model-read")).to_contain_text("[CLS] → the: weight")
    opacity = "canvas => [...canvas.getContext('2d').getImageData(0, 0, 13, 13).data].filter((_, i) => i % 4 === 3)"
    painted = torch.tensor(canvas.evaluate(opacity)).view(13, 13) / 255
    assert (painted - p[1, 3]).abs().max() < 0.006
    canvas.hover(position={"x": 2, "y": canvas.bounding_box()["height"] * 5.5 / 13})
    assert figure.locator(".model-lines line").count() == (p[1, 3, 5] > 0.005).sum()
    lengths, in_use = values.norm(dim=-1), ac.entropy(p).exp()
    rows = [
        scores.flatten(1).std(1, correction=0),
        scores.var(-1, correction=0).mean(-1).sqrt().sort(1).values[:, 5:7].mean(1),
        in_use.mean((1, 2)),
        p[:, :, 1:-1, [0, -1]].sum(-1).mean((1, 2)),
        lengths[:, :, 0].mean(1),
        lengths[:, :, -1].mean(1),
        lengths[:, :, 1:-1].mean((1, 2)),
    ]
    shown = figure.locator(".model-view tbody tr").all()
    for line, numbers in zip(shown, rows, strict=True):
        found = [float(cell) for cell in line.locator("td").all_text_contents()]
        assert found == pytest.approx(numbers.tolist(), abs=0.0501)
    letters = dict(enumerate(maps.locator("b").all_text_contents()))
    assert letters[2] == "P"  # layer 1, head 3
    for head, letter in letters.items():
        resting = p[head // 12, head % 12, 1:-1][:, [0, -1]].sum(-1).mean()
        assert letter == "S" or resting < 0.501


def test_the_chosen_head_and_one_that_is_off_can_be_told_in_forced_colours(running):
    page, figure = running
    page.emulate_media(forced_colors="active")
    figure.locator(".explorer-reset").click()
    told(figure, "13 tokens. Layer 1, head 3")
    figure.locator(".model-heads td button").nth(12 * 5 + 2).click()
    told(figure, "without your changes")
    outline = "e => getComputedStyle(e).outline"
    cells = figure.locator(".model-cell")
    expect(cells.nth(12 * 5 + 2)).to_have_class("model-cell model-off")
    outlines = [cells.nth(k).evaluate(outline) for k in (0, 2, 12 * 5 + 2)]
    assert len(set(outlines)) == 3, outlines
    page.emulate_media(forced_colors="none")


def test_a_head_chosen_while_a_text_runs_is_shown_at_the_end(running):
    page, figure = running
    page.evaluate("""() => {
        const control = name => document.querySelector(`#own_sentence [data-control=${name}]`);
        const field = control("sentence").querySelector("input"), head = control("head").querySelector("input");
        field.value = "one two ".repeat(80);  // takes half a second
        field.dispatchEvent(new Event("change"));
        const choose = value => ((head.value = value), head.dispatchEvent(new Event("input", {bubbles: true})));
        setTimeout(choose, 150, 6);
        setTimeout(choose, 200, 10);
    }""")
    told(figure, "162 tokens", "head 11:")


def test_strange_texts_are_run_or_refused_with_a_reason(running):
    _, figure = running
    if EVERYWHERE:  # such a run takes seconds
        write(figure, "word " * 600, "sentence")
        expect(figure.locator(".model-tokens")).to_contain_text("the last 90 tokens are left out")
        told(figure, "512 tokens")
        expect(figure.locator(".model-lines")).to_be_hidden()  # there is no room for so many lines
    write(figure, "🤖", "sentence")
    told(figure, "3 tokens")
    write(figure, "\u200b", "sentence")
    told(figure, "2 tokens")
    write(figure, "   ", "sentence")
    assert "; the field is empty" in figure.locator("[data-control=sentence] [role=alert]").text_content()
    write(figure, "word " * 1000, "sentence")
    assert "at most 4000" in figure.locator("[data-control=sentence] [role=alert]").text_content()
    expect(figure.locator(".model-tokens")).to_have_text("2 tokens: [CLS] [SEP]")  # the tokens of the current text
    write(figure, "one two", "sentence")
    write(figure, "7", "swap_token")
    expect(figure.locator(".model-tokens")).to_contain_text("tokens 7 and 8 cannot change places: choose 1")
    write(figure, "1", "swap_token")
    expect(figure.locator(".model-tokens")).to_contain_text("[CLS] two one [SEP]")


def test_links_open_sentences(running, tokenizer):
    page, figure = running
    links = page.locator("article a[href^='#own_sentence&']")
    assert links.count() == 5
    for link in sample(links.all(), 3):
        state = dict(parse_qsl(link.get_attribute("href").partition("&")[2]))
        link.click()
        for name in ("sentence", "second"):
            field = figure.locator(f"[data-control={name}] input")
            expect(field).to_have_value(state.get(name, ""))
        ids = tokenizer.encode(state["sentence"]).ids
        expect(figure.locator(".model-tokens")).to_contain_text(f"{len(ids)} tokens")
        told(figure, f"{len(ids)} tokens", *(["The two sentences"] if "second" in state else []))


def test_a_long_run_can_be_cancelled(running):
    _, figure = running
    cancel = figure.get_by_role("button", name="Cancel")
    expect(cancel).to_be_hidden()
    write(figure, "word " * 600, "sentence")
    cancel.click()
    expect(figure.locator(".model-note")).to_have_text("Cancelled.")
    expect(cancel).to_be_hidden()
    write(figure, "The dog bit the man.", "sentence")
    expect(figure.locator(".model-note")).to_contain_text("until the model is loaded")
    figure.locator(RUN).click()
    told(figure, "8 tokens. Layer 1")


def test_the_model_is_kept_for_later_visits_and_can_be_removed(loaded):
    """The last test of this page: it ends without the model."""
    page, figure = loaded
    page.reload()
    page.route("**/part_*", lambda route: route.abort())
    figure.locator(RUN).click()
    told(figure, "13 tokens. Layer 1")
    figure.get_by_text("Remove the model").click()
    expect(figure.locator(".model-note")).to_contain_text("Removed")
    page.reload()
    figure.locator(RUN).click()
    expect(figure.locator(".model-note")).to_contain_text("could not be loaded", timeout=20_000)


def test_the_model_runs_straight_from_a_disk(browser, base):
    page = browser.new_page()
    page.goto((SITE / PAGE).as_uri() + "#own_sentence&sentence=Hello+world")
    figure = page.locator("#own_sentence")
    figure.locator(RUN).click()
    told(figure, "4 tokens")
    page.close()


def change(route):
    (part,) = MODEL.glob("part_03_*.js")
    changed = bytearray(part.read_bytes())
    changed[10_000] ^= 64  # in one of a letter's two bytes
    route.fulfill(body=bytes(changed), content_type="text/javascript")


FAULTS = {
    "gone": (lambda route: route.abort(), "part_03"),
    "half": (
        lambda route: route.fulfill(body="book.model_parts['x", content_type="text/javascript"),
        "incomplete",
    ),
    "changed": (change, "checksum is wrong"),
}


# What is wrong with a part at first, and when Cancel is pressed afterwards.
TROUBLES = [("gone", "13 of 24 MB"), ("half", "23 of 24 MB"), ("changed", "13 of 24 MB")]
TROUBLES += [("", "a part never comes"), ("", "2 of 24 MB")]


@pytest.mark.parametrize(("fault", "when"), sample(TROUBLES, 1))
def test_a_missing_part_is_reported_and_loading_can_be_cancelled_and_started_again(fault, when, browser, base):
    page = browser.new_page()
    page.goto(base + PAGE + "#own_sentence")
    figure = page.locator("#own_sentence")
    note = figure.locator(".model-note")
    if fault:
        answer, message = FAULTS[fault]
        page.route("**/part_03_*", answer)
        figure.locator(RUN).click()
        expect(note).to_contain_text(message, timeout=20_000)
        expect(note).to_contain_text("Press the button to try again", timeout=20_000)
        assert figure.locator(".explorer-frame svg").first.is_visible()  # the first picture
        page.unroute("**/part_03_*")
    if when == "a part never comes":
        page.route("**/part_02_*", lambda route: None)
    # The page itself presses Cancel as soon as the note appears, because a command to the browser would come too late.
    page.evaluate(
        """when => {
        const note = document.querySelector(".model-note");
        const cancel = [...document.querySelectorAll(".model-status button")].find(e => e.textContent === "Cancel");
        const wanted = () => (when.includes("MB") ? note.textContent === when : note.textContent === "4 of 24 MB");
        const watch = new MutationObserver(() => wanted() && (watch.disconnect(), cancel.click()));
        watch.observe(note, {childList: true});
    }""",
        when,
    )
    figure.locator(RUN).click()
    expect(note).to_contain_text("Stopped", timeout=20_000)
    expect(figure.get_by_role("button", name="Cancel")).to_be_hidden()
    expect(figure.locator(RUN)).to_be_enabled()
    page.unroute_all(behavior="ignoreErrors")
    figure.locator(RUN).click()
    told(figure, "13 tokens. Layer 1")
    page.close()


def test_a_browser_without_workers_says_so(browser, base):
    page = browser.new_page()
    page.add_init_script("globalThis.Worker = class { constructor() { throw Error('not allowed') } }")
    page.goto(base + PAGE + "#own_sentence")
    figure = page.locator("#own_sentence")
    for message in ("not allowed", "has no workers"):
        figure.locator(RUN).click()
        expect(figure.locator(".model-note")).to_contain_text(message)
        assert figure.locator(".explorer-frame svg").first.is_visible()
        page.evaluate("delete globalThis.Worker")
    page.close()


def test_a_lack_of_memory_is_reported(browser, base):
    page = browser.new_page()
    path = MODEL / "worker.js"
    broken = path.read_text(encoding="utf-8").replace("memory.grow(", "(() => { throw RangeError('no memory') })(", 1)
    page.route("**/model/worker.js*", lambda route: route.fulfill(body=broken, content_type="text/javascript"))
    page.goto(base + PAGE + "#own_sentence")
    figure = page.locator("#own_sentence")
    figure.locator(RUN).click()
    expect(figure.locator(".model-note")).to_contain_text("no memory", timeout=20_000, ignore_case=True)
    page.close()


def renderers():
    """The processes that show pages: their memory is measured, because a worker's heap cannot be read."""
    found = set()
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):  # the process has just ended
            if "--type=renderer" in child.cmdline():
                found.add(child)
    return found


# Write one sentence after another, each once the picture shows the previous one, whose number of tokens differs.
WRITE = """async ([first, last]) => {
    const figure = document.querySelector("#own_sentence"), words = figure.querySelector(".explorer-text");
    const field = figure.querySelector("[data-control=sentence] input[type=text]");
    for (let number = first; number <= last; number++) {
        field.value = `This is sentence ${"and so ".repeat(number % 4)}${number}`;
        field.dispatchEvent(new Event("change", {bubbles: true}));
        while (!words.textContent.includes(`${6 + 2 * (number % 4)} tokens`)) await new Promise(requestAnimationFrame);
    }
}"""


@weekly
def test_many_sentences_take_no_more_memory_than_three(chromium_with, base):
    others = renderers()
    page = chromium_with(*HEAP_FLAGS).new_page()
    page.goto(base + PAGE + "#own_sentence")
    figure = page.locator("#own_sentence")
    figure.locator(RUN).click()
    told(figure, "13 tokens. Layer 1")
    sizes = []
    for first, last in ((1, 3), (4, 100)):
        page.evaluate(WRITE, [first, last])
        page.wait_for_timeout(1500)
        for side in (page, *page.workers):
            side.evaluate("gc()")
        sizes.append(sum(process.memory_info().rss for process in renderers() - others))
    assert sizes[1] < 1.1 * sizes[0], sizes
    page.close()
