"""The parts of the language model that the page needs: the blocks of its file as they are, and its vocabulary."""

import functools
from pathlib import Path

from models.in_worker import files
from models.in_worker.files import SURROGATES, ranges
from models.language_model import STATIC, checkpoint

WORKER = [STATIC / "language_model" / f"{name}.js" for name in ("decoder", "worker")]
STORE = "attention-measured-language-model"  # under this name a browser keeps the model


def write_model(folder):
    """Write all files, unless the files in the folder come from this model and this code."""
    made = files.made_from([Path(__file__), *WORKER], checkpoint.path())
    files.write_model(folder, sent_tensors, WORKER, store=STORE, made=made, vocabulary=vocabulary)


def sent_tensors():
    return {
        packed.name: (packed.tensor_type.name, packed.shape.tolist()[::-1], packed.data.tobytes())
        for packed in checkpoint.file().tensors
    }


@functools.cache
def vocabulary():
    """Tokens, merges, and which characters the tokenizer takes for letters, numbers and spaces.

    The tokenizer's tables of characters are older than a browser's, so we ask it about every existing character.
    """
    _, words = checkpoint.tokenizer().pre_tokenizer  # Digits, ByteLevel
    letters, numbers, spaces = [], [], []
    # For each kind of character: a text, and the number of words in it when such a character follows.
    kinds = (("a", 1, letters), ("1", 1, numbers), ("!", 2, spaces))
    for first in range(0, 0x110000, 256):
        block = [chr(code) for code in range(first, first + 256) if code not in SURROGATES]
        if len(words.pre_tokenize_str("!" + "".join(block))) <= 1:
            continue  # no character in this block is of these kinds; most blocks have none
        for letter in block:
            for before, wanted, found in kinds:
                if len(words.pre_tokenize_str(before + letter)) == wanted:
                    found.append(letter)
                    break
    return {
        "tokens": checkpoint.setting("tokenizer.ggml.tokens"),
        "merges": checkpoint.setting("tokenizer.ggml.merges"),
        "special": checkpoint.special_tokens(),
        "letters": ranges(letters),
        "numbers": ranges(numbers),
        "spaces": ranges(spaces),
    }
