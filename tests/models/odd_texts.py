"""Texts on which tokenizers could differ: alphabets, emoji, blanks, code, and random mixtures."""

import random
import re

PHRASES = """
Café au lait, naïve façade — Ünïcödé!|ΑΒΓ Σίσυφος ΟΔΥΣΣΕΥΣ|İstanbul ISPARTA ı|日本語と中文，混在。カタカナ
안녕하세요 한글|مرحبا بالعالم שלום עולם|👩‍👩‍👧‍👦 🇩🇪 👍🏽 emoji|http://example.org/a?b=c&d=%20e#f
3.14159 1,000,000 1e-9|[MASK] is [SEP] not [CLS] [UNK] [PAD] [mask]|don't stop-gap e.g. U.S.A.
ß ẞ ﬁ ﬀ ǅ Ⅷ ①|हिन्दी தமிழ் ไทย|ñandú Å Ω|<|im_start|>user<|im_end|>|def f(x):\treturn x  # 2 blanks   """
ODD = ["", "   ", "a\u200bb\u200dc\ufeffd", "tab\tnew\nline\r\n", "x" * 200 + " y", "a" * 100 + " " + "a" * 101]
ODD += ["\x00\x01\x7f\x85\u2028", "e\u0301 o\u0308 \u0301", "\ufffd?", "K Å", "word " * 600, "\uf900\ufa30"]
ODD += [
    "I'LL we'll it's 'tis",
    "  two  blanks ",
    "a\n\n\n b",
    "def f(x):\n    return {'k': x**2}\n",
    "<|endoftext|>a<|im_end",
]
ALPHABETS = [(32, 127)] * 20 + [(160, 0x250), (0x370, 0x500), (0x590, 0x700), (0x2000, 0x2070), (0x3040, 0x3100)]
ALPHABETS += [(0x4E00, 0x9FFF), (0x1F300, 0x1F650), (0, 32), (0x900, 0x970), (0xAC00, 0xD7A3), (0xE000, 0x110000)]


def texts(count, words):
    """All odd texts, then ``count`` random ones, half of them made of the ``words``."""
    generator = random.Random(0)
    yield from [*re.split(r"\|(?!>)(?<!<\|)|\n", PHRASES), *ODD]
    for _ in range(count):
        if generator.random() < 0.5:
            chosen = generator.choices(words, k=generator.randint(1, 30))
            ends = generator.choices(["", "s", "ing", ",", ".", "!", "’s", "-"], k=len(chosen))
            yield " ".join(word.capitalize() + end for word, end in zip(chosen, ends, strict=True))
        else:
            ranges = generator.choices(ALPHABETS, k=generator.randint(1, 60))
            yield "".join(chr(generator.randrange(*ends)) for ends in ranges)
