"""Who looks at whom in *I saw a saw*: weights from chapter 0's matrices, and a sentence on them. Copied in looks.js."""

import attention_core as ac
from four_words.machine.explorer import START
from four_words.machine.numbers import matrices

WORDS = START["words"].split()
_TABLES = {name: START[name] for name in ("w_q", "w_k", "w_v")}
MADE = matrices(WORDS, **_TABLES, scaled=True, causal=False, two_heads=False)
QUERY, KEY = MADE["q"].numbers, MADE["k"].numbers
NEARLY = 0.01  # weights that differ by less look equal


def weights_of(asks, sharpness):
    """The weights that word ``asks`` gives to all words; a sharpness of 1 is the usual scale, 1/√d_k."""
    scale = sharpness / KEY.shape[-1] ** 0.5
    return ac.attention_weights(QUERY[[asks]], KEY, scale=scale)[0].tolist()


def sentence(asks, weights):
    """What the picture shows, in words."""
    word, best = f"“{WORDS[asks]}”", max(weights)
    if best - min(weights) < NEARLY:
        why = "Its output is their plain average." if QUERY[asks].any() else "Its query is 0: it asks for nothing."
        return f"{word} looks at all four words alike. {why}"
    at = [j for j, weight in enumerate(weights) if best - weight < 1e-9]
    found = WORDS[at[0]]
    seen = f"both “{found}”, {best:.2f} each" if len(at) > 1 else f"“{found}”, {best:.2f}"
    share = best * len(at)
    if share <= 0.5:
        return f"{word} looks most at {seen}. Its output is a mixture of all."
    if share <= 0.95:
        return f"{word} looks mostly at {seen}. Its output is a mixture, mostly of “{found}”."
    if len(at) > 1:
        return f"{word} looks only at {seen}. They are the same word: no sharpness can choose."
    return f"{word} looks only at {seen}. Attention has become a look-up."
