"""A trained model for the page: its tensors, in parts, and its worker's program, as scripts.

The files are scripts, because a page opened from disk cannot fetch data. The page loads none of them until the reader
asks for the model. Matrices are stored in GGUF's blocks, with 4 or 8 bits per number
(https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).
"""

import base64
import gzip
import json
import zlib
from pathlib import Path

import gguf
import numpy as np

from explore.explorers import page
from models.in_worker import STATIC

PAGE = Path(page.__file__).parent / "static"
PROGRAM = STATIC / "in_worker"
SHARED = [*(PAGE / f"{name}.js" for name in ("book", "attention_core"))]
SHARED += [PROGRAM / f"{name}.js" for name in ("linear", "parts", "keeper")]
PART = 2**21  # bytes, before compression
SURROGATES = range(0xD800, 0xE000)
ESCAPE = 1
NOT_IN_LITERALS = [ESCAPE, *map(ord, '\n\r"\\'), *SURROGATES]  # a lone surrogate would become U+FFFD


def write_model(folder, tensors, scripts, *, store, made, vocabulary):
    """Write all files of a model, unless the files in the folder already come from this model and this code.

    ``tensors()`` returns each tensor by its name, as (kind, shape, bytes). ``scripts`` are the paths of the worker's
    own scripts. ``store`` is the name under which a browser keeps the model. ``made`` names the model and the code.
    ``vocabulary()`` returns the data that the page's tokenizer needs.
    """
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / "manifest.js"
    if manifest.is_file() and made in manifest.read_text(encoding="utf-8"):
        return
    for old in folder.glob("*.js"):
        old.unlink()
    contents, data = laid_out(tensors())
    contents |= {"store": store, "made": made, "bytes": len(data), "parts": []}
    for number, at in enumerate(range(0, len(data), PART)):
        part = data[at : at + PART]
        packed = gzip.compress(part, mtime=0)
        checksum = zlib.crc32(part)
        name = f"part_{number:02}_{checksum:08x}.js"  # a cache cannot mix parts of two models
        (folder / name).write_bytes(as_script(name, packed))
        sizes = {"bytes": len(part), "packed": len(packed)}
        contents["parts"].append({"file": name, "at": at, "sum": checksum, **sizes})
    _write(folder / "vocabulary.js", f"book.model_vocabulary = {as_json(vocabulary())};")
    _write(folder / "worker.js", f"book.model_worker = {as_json(worker(scripts))};")
    _write(manifest, f"book.model_manifest = {as_json(contents)};")  # written last: if it exists, all files do


def made_from(sources, *model):
    """A short name for the code in ``sources`` and for the model's own files."""
    code = [*SHARED, PROGRAM / "linear.wasm", Path(__file__), *sources]
    sums = [zlib.crc32(path.read_bytes()) for path in code]
    return "-".join([f"{zlib.crc32(repr(sums).encode()):08x}", *(f"{path.stat().st_size:x}" for path in model)])


def blocks_of_8_bits(weight):
    """A matrix (numpy, float) as GGUF's Q8_0: each block has 32 whole numbers and one step in float16."""
    kind = gguf.GGMLQuantizationType.Q8_0
    return kind.name, list(weight.shape), gguf.quants.quantize(np.ascontiguousarray(weight, np.float32), kind).tobytes()


def floats(tensor):
    return "F32", list(tensor.shape), np.ascontiguousarray(tensor, "<f4").tobytes()


def laid_out(tensors):
    """Where each tensor is, and all bytes. Each tensor begins at a multiple of 16."""
    entries, data, at = {}, [], 0
    for name, (kind, shape, part) in tensors.items():
        entries[name] = {"kind": kind, "shape": shape, "at": at}
        data += [part, bytes(-len(part) % 16)]
        at += len(part) + len(data[-1])
    return {"tensors": entries}, b"".join(data)


def as_script(name, packed):
    """A script that adds the bytes to a table, under ``name``, with two bytes per letter.

    A byte-order mark says that the script is UTF-16, whatever a server says. Base64 would be a third longer. The few
    letters that no literal may contain are written as U+0001 and the letter with its highest bit changed.
    """
    letters = np.frombuffer(packed + bytes(len(packed) % 2), "<u2")
    is_escaped = np.isin(letters, NOT_IN_LITERALS)
    written = np.repeat(letters, 1 + is_escaped)
    after = np.cumsum(1 + is_escaped) - 1
    written[after[is_escaped]] ^= 0x8000
    written[after[is_escaped] - 1] = ESCAPE
    begin, end = f'\N{BYTE ORDER MARK}book.model_parts["{name}"] = "', '";\n'
    return begin.encode("utf-16-le") + written.astype("<u2").tobytes() + end.encode("utf-16-le")


def worker(scripts):
    """The whole program of a worker, with linear.wasm, which linear.js needs."""
    shared, own = ("".join(path.read_text(encoding="utf-8") for path in paths) for paths in (SHARED, scripts))
    products = base64.b64encode((PROGRAM / "linear.wasm").read_bytes()).decode()
    return f'{shared}book.model_products = "{products}";\n{own}'


def ranges(letters):
    """The code points of characters as [first, last, first, last, ...]."""
    found = []
    for code in sorted(map(ord, letters)):
        if found and code == found[-1] + 1:
            found[-1] = code
        else:
            found += [code, code]
    return found


def as_json(data):
    return json.dumps(data, ensure_ascii=True, separators=(",", ":"))


def _write(path, text):
    path.write_text(text + "\n", encoding="utf-8")
