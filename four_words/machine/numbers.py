"""Every matrix of the machine, and for each of its numbers the sum that made it. The page's copy is machine.js."""

from typing import NamedTuple

import torch

import attention_core as ac

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
        of_head = f" of head {h + 1}" if two_heads else ""
        scale = None if scaled else 1.0
        products = q @ k.T
        scores = (products / q.shape[-1] ** 0.5 if scaled else products).masked_fill(~mask, HIDDEN)
        weights = ac.attention_weights(q, k, mask, scale=scale)
        outputs.append(ac.scaled_dot_product_attention(q, k, v, mask, scale=scale))
        made[f"products_{h}"] = Matrix(f"Q Kᵀ{of_head}", 2, "weight", products, words, words)
        made[f"scores_{h}"] = Matrix(f"scores{of_head}", 3, "weight", scores, words, words)
        made[f"weights_{h}"] = Matrix(f"weights{of_head}", 4, "weight", weights, words, words)
    made["output"] = Matrix("output", 5, "output", torch.cat(outputs, -1), words, [])
    return made


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
    """How the number in row i and column j of a matrix came about, written out: ``e² / (e¹ + e⁰ + e² + e⁰) = 0.61``."""
    kind, _, head = name.partition("_")
    matrix = made[name]
    here = short(matrix.numbers[i, j])
    row = matrix.rows[i]
    if kind == "w":
        return f"a number that a model would learn: {here}, for “{row}”. Change it, up or down."
    if kind == "x":
        return f"“{row}” {'is' if matrix.numbers[i, j] else 'is not'} “{matrix.columns[j]}”: {here}"
    places = parents(name, i, j, made)
    pairs = list(zip(places[::2], places[1::2], strict=True))
    terms = " + ".join(f"{in_a_sum(made, a)} · {in_a_sum(made, b)}" for a, b in pairs)
    if kind in "qkv":
        return f"“{row}”: {terms} = {here}"
    if kind == "products":
        return f"query of “{row}” · key of “{matrix.columns[j]}” = {terms} = {here}"
    if kind == "scores":
        if matrix.numbers[i, j] == HIDDEN:
            return f"“{matrix.columns[j]}” comes after “{row}”: hidden, −∞"
        width = 4 // heads_in(made)
        return f"({terms}) ÷ √{width} = {here}" if scaled else f"{terms} = {here}"
    if kind == "weights":
        scores = made[f"scores_{head}"].numbers[i]
        powers = ["0" if s == HIDDEN else f"e^({short(s)})" for s in scores]
        return f"{powers[j]} / ({' + '.join(powers)}) = {here}: “{row}” looks at “{matrix.columns[j]}”"
    return f"{terms} = {here}"


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


def row_in_words(i, made):
    """A sentence for a reader who follows the word in row i."""
    parts = []
    for h in range(heads_in(made)):
        weights = made[f"weights_{h}"]
        shares = ", ".join(
            f"{short(w)} for “{word}”" for w, word in zip(weights.numbers[i], weights.columns, strict=True)
        )
        parts.append(f"{weights.title}: {shares}")
    output = " ".join(map(short, made["output"].numbers[i]))
    return f"“{made['x'].rows[i]}”, word {i + 1}: {'; '.join(parts)}; output: {output}"
