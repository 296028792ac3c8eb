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


def look_of(asks, weights):
    """What the picture shows: the id of a sentence, and its values."""
    best, found = max(weights), {"word": WORDS[asks]}
    if best - min(weights) < NEARLY:
        return "average" if QUERY[asks].any() else "no_query", found
    at = [j for j, weight in enumerate(weights) if best - weight < 1e-9]  # if two, they have more than half
    share = best * len(at)
    degree = "most" if share <= 0.5 else "mostly" if share <= 0.95 else "only"
    found |= {"found": WORDS[at[0]], "weight": f"{best:.2f}"}
    return f"{degree}_both" if len(at) > 1 else degree, found
