"""Texts of Python 3.11.7 to train on and to test with: its reference manual, as its ``pydoc_data`` has it, and the
docstrings of its standard library with more than 60 characters, once each.

They are copies, because each edition of Python brings others, and with them other tokens and other losses.
"""

import json
import lzma
from pathlib import Path

TEXTS = Path(__file__).resolve().parent / "texts"


def _read(name):
    return json.loads(lzma.decompress((TEXTS / f"{name}.json.xz").read_bytes()))


topics = _read("python_manual")  # by name
docstrings = _read("python_docstrings")
