"""The language model: its tokenizer in the page equals the library's, and its numbers equal a reference's."""

import json
import math

import numpy as np
import pytest
import torch
from odd_texts import texts

import attention_core as ac
from conftest import EVERYWHERE, in_v8
from models.in_worker import files
from models.language_model import STATIC, changes, checkpoint, decoder
from models.language_model import model_files as exported


def test_tokens_equal_the_librarys():
    context = in_v8()
    # This engine has no TextEncoder; the bytes of a text come from its escapes.
    context.eval(
        """globalThis.TextEncoder = class {
            encode(text) {
                const escaped = encodeURIComponent(text.toWellFormed());
                return Uint8Array.from(escaped.match(/%..|[^%]/g) ?? [], c =>
                    c.length > 1 ? parseInt(c.slice(1), 16) : c.charCodeAt(0));
            }
        }"""
    )
    context.eval((STATIC / "language_model" / "bpe.js").read_text(encoding="utf-8"))
    context.eval(f"const tokenizer = book.language_tokenizer({files.as_json(exported.vocabulary())})")
    words = [token[1:] for token in exported.vocabulary()["tokens"] if token[0] == "Ġ" and token[1:].isalpha()]
    written = list(texts(5000 if EVERYWHERE else 500, words))  # EVERYWHERE: in the workflow `weekly`
    ours = json.loads(context.eval(f"JSON.stringify({json.dumps(written)}.map(text => tokenizer.encode(text)))"))
    for text, found in zip(written, ours, strict=True):
        assert found == checkpoint.tokenizer().encode(text).ids, ascii(text)


# Numbers: a forward pass in float64, from the same file, with every change that a reader can make


@pytest.fixture(scope="module")
def weights():
    return {name: torch.from_numpy(np.array(x)).double() for name, x in checkpoint.tensors().items()}


UNTOUCHED = {
    "factor": 1,
    "off": [],
    "hide_first": False,
    "window": 0,
    "keep_first": False,
    "positions": True,
    "causal": True,
}


def rotated(x):
    angles = torch.arange(x.shape[1])[:, None] * 100_000.0 ** (-torch.arange(0, 64, 2, dtype=torch.float64) / 64)
    pairs = torch.view_as_complex(x.unflatten(-1, (32, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


def seen(L, options):
    i, j = torch.arange(L)[:, None], torch.arange(L)
    may_look = torch.ones(L, L, dtype=torch.bool)
    if options["causal"]:
        may_look &= j <= i
    if options["window"]:
        may_look &= ((i - j).abs() < options["window"]) | (options["keep_first"] & (j == 0))
    if options["hide_first"]:
        may_look &= (j > 0) | (i == 0)
    return may_look


def forward(ids, weights, **changes):
    """Weights (30, 9, L, L) and the last token's logits."""
    options = UNTOUCHED | changes
    L = len(ids)

    def norm(x, name):
        return torch.nn.functional.rms_norm(x, (576,), weights[f"{name}.weight"], 1e-5)

    x = weights["token_embd.weight"][torch.tensor(ids)]
    found = []
    for layer in range(30):
        matrix = {name: weights[f"blk.{layer}.{name}.weight"] for name in PARTS}
        before = norm(x, f"blk.{layer}.attn_norm")
        q, k, v = ((before @ matrix[f"attn_{part}"].T).view(L, -1, 64).transpose(0, 1) for part in ("q", "k", "v"))
        if options["positions"]:
            q, k = rotated(q), rotated(k)
        k, v = k.repeat_interleave(3, 0), v.repeat_interleave(3, 0)
        scores = q @ k.mT * (options["factor"] / 8)
        p = scores.masked_fill(~seen(L, options), -math.inf).softmax(-1)
        mixed = p @ v
        mixed[[head for where, head in options["off"] if where == layer]] = 0
        x = x + mixed.transpose(0, 1).reshape(L, 576) @ matrix["attn_output"].T
        middle = norm(x, f"blk.{layer}.ffn_norm")
        gate = torch.nn.functional.silu(middle @ matrix["ffn_gate"].T)
        x = x + (gate * (middle @ matrix["ffn_up"].T)) @ matrix["ffn_down"].T
        found.append(p)
    return torch.stack(found), norm(x[-1], "output_norm") @ weights["token_embd.weight"].T


PARTS = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")


def test_reference_knows_where_paris_is(weights):
    ids = checkpoint.tokenizer().encode("The capital of France is").ids
    p = forward(ids, weights)[1].softmax(-1)
    assert checkpoint.tokenizer().decode([p.argmax().item()]) == " Paris"
    assert p.max() == pytest.approx(0.77, abs=0.01)


# The same model from the book's own functions


@pytest.fixture(scope="module")
def model():
    return decoder.load()


def random_tokens(*shape, seed=0):
    return torch.randint(100, 49_152, shape, generator=torch.Generator().manual_seed(seed))


def test_the_decoder_has_the_settings_of_the_file():
    expected = {
        "rope.freq_base": decoder.BASE,
        "attention.layer_norm_rms_epsilon": pytest.approx(decoder.EPS),
        "attention.head_count": decoder.HEADS,
        "attention.head_count_kv": decoder.KV_HEADS,
        "block_count": decoder.LAYERS,
        "embedding_length": decoder.D,
        "context_length": 8192,
    }
    assert {name: checkpoint.setting(f"llama.{name}") for name in expected} == expected


def test_decoder_equals_the_reference(model, weights):
    tokens = random_tokens(24)
    p, logits = forward(tokens.tolist(), weights)
    assert (model.weights(tokens[None])[:, 0] - p).abs().max() < 1e-4
    assert (model(tokens[None])[0, -1] - logits).abs().max() < 1e-4 * logits.std()


@pytest.fixture(scope="module")
def theirs():
    pytest.importorskip("transformers")
    from models.language_model import llama

    return llama.load()


def test_decoder_equals_transformers_for_whole_texts_and_padded_batches(model, theirs):
    tokens = random_tokens(2, 20, seed=1)
    real = torch.ones(2, 20, dtype=torch.long)
    real[1, 13:] = 0
    found = theirs(tokens, attention_mask=real, output_attentions=True)
    mask = ac.causal_mask(20) & ac.padding_mask(real.sum(1).tolist(), 20)
    logits, p = model(tokens, mask), model.weights(tokens, mask)
    seen = real.bool()
    assert (logits - found.logits)[seen].abs().max() < 1e-4 * found.logits.std()
    off = p - torch.stack(found.attentions)
    assert off.transpose(2, 3)[:, seen].abs().max() < 1e-4  # the padding's own rows have no meaning


def test_decoder_with_a_cache_equals_transformers_token_by_token(model, theirs):
    tokens = random_tokens(1, 12, seed=2)
    expected = theirs(tokens).logits
    caches = decoder.new_caches()
    steps = [model(tokens[:, i : i + 1], caches=caches) for i in range(12)]
    assert (torch.cat(steps, 1) - expected).abs().max() < 1e-4 * expected.std()
    assert sum(cache.nbytes for cache in caches) == 30 * 2 * 3 * 12 * 64 * 4


OPTIONS = [
    {"factor": 0.5},
    {"hide_first": True, "off": ((3, 2), (3, 8), (29, 0))},
    {"window": 4},
    {"window": 5, "keep_first": True},
    {"positions": False, "window": 1},
    {"causal": False, "factor": 2},
    {"causal": False, "window": 3, "hide_first": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_changes_equal_the_reference(model, weights, options):
    tokens = random_tokens(17, seed=3)
    p, logits = forward(tokens.tolist(), weights, **options)
    seen = {name: x for name, x in options.items() if name not in ("factor", "off", "positions")}
    of_attention = {name: x for name, x in options.items() if name in ("factor", "positions")}
    watched = []

    def attention_of(layer):
        off = [head for where, head in options.get("off", ()) if where == layer]
        return changes.attention_with(off=off, watch=watched.append, **of_attention)

    before = [layer.attention.attention for layer in model.layers]
    with changes.changed(model, attention_of):
        found = model(tokens[None], changes.mask(17, **seen))[0, -1]
    assert (torch.cat(watched) - p).abs().max() < 5e-4  # rounding, larger with a factor of 2
    assert (found - logits).abs().max() < 5e-4 * logits.std()
    assert [layer.attention.attention for layer in model.layers] == before
