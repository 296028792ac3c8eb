"""The reference manual of Python 3.11.7, as its ``pydoc_data`` has it: a text to train on and to test with.

It is a copy, because each edition of Python brings another, and with it other tokens and other losses.
"""

import json
import lzma
from pathlib import Path

FILE = Path(__file__).resolve().parent / "texts" / "python_manual.json.xz"
topics = json.loads(lzma.decompress(FILE.read_bytes()))  # by name
