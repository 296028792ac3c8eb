"""Every matrix of the machine, and for each of its numbers the sum that made it. The page's copy is machine.js."""

from typing import NamedTuple

import torch

import attention_core as ac
from languages import say

STAGES = ["X", "Q, K, V", "products", "scores", "weights", "output"]  # each step of the walk makes one of these
HIDDEN = -torch.inf


class Matrix(NamedTuple):
    """A matrix with its name, the step that makes it, and the words at its rows and columns."""

    title: str
    stage: int
    role: str
    numbers: torch.Tensor
    rows: list
    columns: list


def matrices(words, w_q, w_k, w_v, *, scaled, causal, two_heads):
    """A dict of ``Matrix``, in the order of the computation.

    X holds one-hot rows with one entry per different word, so row i of a table belongs to the i-th different word.
    Two heads divide the columns of queries, keys and values between them: each takes two, two and one.
    """
    vocabulary = list(dict.fromkeys(words))
    x = torch.eye(len(vocabulary), dtype=torch.float64)[[vocabulary.index(word) for word in words]]
    tables = [torch.tensor(table, dtype=torch.float64)[: len(vocabulary)] for table in (w_q, w_k, w_v)]
    query, key, value = (x @ table for table in tables)
    made = {"x": Matrix("X", 0, "ink", x, words, vocabulary)}
    for letter, role, table in zip("qkv", ("query", "key", "value"), tables, strict=True):
        made[f"w_{letter}"] = Matrix(f"W_{letter}", 1, role, table, vocabulary, [])
    for letter, role, all_rows in zip("qkv", ("query", "key", "value"), (query, key, value), strict=True):
        made[letter] = Matrix(letter.upper(), 1, role, all_rows, words, [])
    heads = 2 if two_heads else 1
    mask = ac.causal_mask(4) if causal else torch.ones(4, 4, dtype=torch.bool)
    outputs = []
    for h, (q, k, v) in enumerate(zip(*(part.chunk(heads, -1) for part in (query, key, value)), strict=True)):
        scale = None if scaled else 1.0
        products = q @ k.T
        scores = (products / q.shape[-1] ** 0.5 if scaled else products).masked_fill(~mask, HIDDEN)
        weights = ac.attention_weights(q, k, mask, scale=scale)
        outputs.append(ac.scaled_dot_product_attention(q, k, v, mask, scale=scale))
        titles = _of_head(h + 1) if two_heads else ("Q Kᵀ", say("scores"), say("weights"))
        made[f"products_{h}"] = Matrix(titles[0], 2, "weight", products, words, words)
        made[f"scores_{h}"] = Matrix(titles[1], 3, "weight", scores, words, words)
        made[f"weights_{h}"] = Matrix(titles[2], 4, "weight", weights, words, words)
    made["output"] = Matrix(say("output"), 5, "output", torch.cat(outputs, -1), words, [])
    return made


def _of_head(n):
    return say("Q Kᵀ of head {n}", n=n), say("scores of head {n}", n=n), say("weights of head {n}", n=n)


def parents(name, i, j, made):
    """The numbers that the number in row i and column j of a matrix comes from: triples of a name, a row, a column."""
    kind, _, head = name.partition("_")
    width = 4 // heads_in(made)
    if kind in "qkv" and not head:
        return [place for a in range(made["x"].numbers.shape[1]) for place in (("x", i, a), (f"w_{kind}", a, j))]
    if kind in ("products", "scores"):
        columns = range(int(head) * width, int(head) * width + width)
        return [place for e in columns for place in (("q", i, e), ("k", j, e))]
    if kind == "weights":
        return [(f"scores_{head}", i, s) for s in range(4)]
    if kind == "output":
        h = j if heads_in(made) == 2 else 0
        return [place for s in range(4) for place in ((f"weights_{h}", i, s), ("v", s, j))]
    return []


def sum_of(name, i, j, made, *, scaled):
    """How the number in row i and column j of a matrix came about: the id of a sentence, and its values. One says
    ``e^(2) / (e^(1) + e^(0) + e^(2) + e^(0)) = 0.61``.
    """
    kind, _, head = name.partition("_")
    matrix = made[name]
    number = matrix.numbers[i, j]
    found = {"here": short(number), "row": matrix.rows[i], "column": matrix.columns[j] if matrix.columns else ""}
    if kind == "w":
        return "learned", found
    if kind == "x":
        return "same" if number else "other", found
    if kind == "weights":
        powers = ["0" if s == HIDDEN else f"e^({short(s)})" for s in made[f"scores_{head}"].numbers[i]]
        return "share", found | {"power": powers[j], "powers": " + ".join(powers)}
    places = parents(name, i, j, made)
    pairs = zip(places[::2], places[1::2], strict=True)
    found["terms"] = " + ".join(f"{in_a_sum(made, a)} · {in_a_sum(made, b)}" for a, b in pairs)
    if kind == "scores":
        found["width"] = 4 // heads_in(made)
        return "hidden" if number == HIDDEN else "scaled" if scaled else "sum", found
    return {"output": "sum", "products": "product"}.get(kind, "of_row"), found


def in_a_sum(made, place):
    name, i, j = place
    text = short(made[name].numbers[i, j])
    return f"({text})" if text.startswith("−") else text


def short(number):
    """A number on a tile: at most two digits after the point, at most five characters."""
    number = float(number)
    if number == HIDDEN:
        return "−∞"
    text = f"{number:.{2 if abs(number) < 9.995 else 1}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace("-", "−")


def heads_in(made):
    return 2 if "weights_1" in made else 1


def followed(i, made):
    """The id and the values of a sentence for a reader who follows the word in row i."""
    words = made["x"].rows
    found = {"row": words[i], "n": i + 1, "output": " ".join(map(short, made["output"].numbers[i]))}
    for j, word in enumerate(words):
        found[f"word_{j + 1}"] = word
        for h in range(heads_in(made)):
            found[f"share_{h + 1}{j + 1}"] = short(made[f"weights_{h}"].numbers[i, j])
    return "followed_in_heads" if heads_in(made) == 2 else "followed", found
