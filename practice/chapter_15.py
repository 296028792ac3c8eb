"""Exercises: the delta rule."""

import torch
from torch.nn.functional import normalize

import attention_core as ac

from .engine import Mistake, checks, normal


def _one_by_one(write, *, read_first=False, read=lambda S, q: q @ S):
    """A memory (E, Ev), to which ``write(memory, q, k, v, beta)`` adds at each position, before or after it is read."""

    def rule(query, key, value, beta):
        memory, outputs = torch.zeros(key.shape[-1], value.shape[-1]), []
        for q, k, v, b in zip(query, key, value, beta, strict=True):
            written = memory + write(memory, q, k, v, b)
            outputs.append(read(memory if read_first else written, q))
            memory = written
        return torch.stack(outputs)

    return rule


def _problem(L, E, Ev, seed):
    key = normalize(normal(L, E, seed=seed), dim=-1) * 1.2
    beta = torch.rand(L, 1, generator=torch.Generator().manual_seed(seed))
    return normal(L, E, seed=seed + 1), key, normal(L, Ev, seed=seed + 2), beta


def _right(query, key, value, beta):
    return ac.delta_rule_attention(query, key, value, beta=beta, scale=1.0)


def _delta(memory, q, k, v, b):
    return b * torch.outer(k, v - k @ memory)


def _memories(key, value, beta):
    memory = torch.zeros(key.shape[-1], value.shape[-1])
    for k, v, b in zip(key, value, beta, strict=True):
        memory = memory + _delta(memory, None, k, v, b)
        yield memory


@checks(
    right=_right,
    cases=[
        (f"L = {L}, d = {E}, values of width {Ev}", _problem(L, E, Ev, seed))
        for L, E, Ev, seed in [(7, 4, 4, 201), (12, 3, 5, 211), (5, 6, 2, 221), (1, 4, 4, 231)]
    ],
    shown="Right for keys and values of the same width and of different widths, and for a single position.",
    mistakes=[
        Mistake(
            "no-correction",
            "The value itself is written. What does the memory already answer to this key?",
            _one_by_one(lambda S, q, k, v, b: b * torch.outer(k, v)),
            _one_by_one(lambda S, q, k, v, b: torch.outer(k, v)),
        ),
        Mistake(
            "forgets-beta",
            "Every step has size 1: where is β?",
            _one_by_one(lambda S, q, k, v, b: torch.outer(k, v - k @ S)),
        ),
        Mistake(
            "beta-on-the-value-only",
            "β multiplies the value but not what is subtracted from it.",
            _one_by_one(lambda S, q, k, v, b: torch.outer(k, b * v - k @ S)),
        ),
        Mistake(
            "beta-on-the-answer-only",
            "β multiplies what is subtracted but not the value.",
            _one_by_one(lambda S, q, k, v, b: torch.outer(k, v - b * (k @ S))),
        ),
        Mistake(
            "sign",
            "The sign is wrong, so the error grows.",
            _one_by_one(lambda S, q, k, v, b: b * torch.outer(k, k @ S - v)),
        ),
        Mistake(
            "adds-the-answer",
            "The memory's answer is added to the value, not subtracted.",
            _one_by_one(lambda S, q, k, v, b: b * torch.outer(k, v + k @ S)),
        ),
        Mistake(
            "reads-before-it-writes",
            "Each output comes from the memory before its own position has written.",
            _one_by_one(_delta, read_first=True),
        ),
        Mistake(
            "overwrites",
            "Each position replaces the memory with what it writes itself. What happens to the older memory?",
            _one_by_one(lambda S, q, k, v, b: _delta(S, q, k, v, b) - S),
        ),
        Mistake(
            "fades",
            "The whole memory fades at each position. The delta rule changes what is stored under one key.",
            _one_by_one(lambda S, q, k, v, b: b * torch.outer(k, v) - b * S),
            _one_by_one(lambda S, q, k, v, b: _delta(S, q, k, v, b) - b * S),
            _one_by_one(lambda S, q, k, v, b: _delta((1 - b) * S, q, k, v, b) - b * S),
        ),
        Mistake(
            "beta-twice",
            "β occurs more than once in a product. How many factors of β does one step have?",
            _one_by_one(lambda S, q, k, v, b: b * _delta(S, q, k, v, b)),
            _one_by_one(lambda S, q, k, v, b: b * torch.outer(k, v - b * (k @ S))),
        ),
        Mistake(
            "beta-on-the-output",
            "β multiplies what is read. It is the size of a step and belongs where the memory is written.",
            lambda query, key, value, beta: beta * _right(query, key, value, torch.ones_like(beta)),
            lambda query, key, value, beta: beta * _right(query, key, value, beta),
        ),
        Mistake(
            "beta-reversed",
            "Where β is large the step is small, and vice versa.",
            lambda query, key, value, beta: _right(query, key, value, 1 - beta),
        ),
        Mistake(
            "beta-squashed",
            "β goes through a sigmoid. It should be used as it is.",
            lambda query, key, value, beta: _right(query, key, value, beta.sigmoid()),
        ),
        Mistake(
            "corrects-after-writing",
            "The value is written before the memory is asked, so the answer already contains a part of it.",
            _one_by_one(lambda S, q, k, v, b: b * torch.outer(k, v - k @ (S + b * torch.outer(k, v)))),
        ),
        Mistake(
            "uncorrected-answers",
            "The answers that are subtracted come from a plain sum. Earlier steps have corrected the memory already.",
            lambda query, key, value, beta: (
                (query @ key.T).tril() @ (beta * (value - (key @ key.T).tril(-1) @ (beta * value)))
            ),
        ),
        Mistake(
            "query-and-key-swapped",
            "Query and key have changed places somewhere. Which one asks at the end, and which one writes?",
            lambda query, key, value, beta: _right(key, query, value, beta),
            lambda query, key, value, beta: _right(query, query, value, beta),
            lambda query, key, value, beta: _right(key, key, value, beta),
            _one_by_one(lambda S, q, k, v, b: b * torch.outer(k, v - q @ S)),
            _one_by_one(lambda S, q, k, v, b: b * torch.outer(q, v - k @ S)),
        ),
        Mistake(
            "memory-transposed",
            "Rows and columns of the memory are exchanged in one place but not in another. If values and keys differ "
            "in width, the shapes do not fit.",
            _one_by_one(lambda S, q, k, v, b: b * torch.outer(v - k @ S, k)),
            _one_by_one(lambda S, q, k, v, b: b * torch.outer(k, v - S @ k)),
            _one_by_one(_delta, read=lambda S, q: S @ q),
        ),
        Mistake(
            "no-outer-product",
            "A vector is added to the memory, and broadcasting puts it into every row. How does a key choose where "
            "something is written?",
            _one_by_one(lambda S, q, k, v, b: b * (v - k @ S)),
            _one_by_one(lambda S, q, k, v, b: b * k * (v - k @ S)),
            _one_by_one(lambda S, q, k, v, b: b * torch.outer(k, v) - b * (k @ S)),
        ),
        Mistake(
            "forgets-everything",
            "Each position begins with an empty memory.",
            lambda query, key, value, beta: (query * key).sum(-1, keepdim=True) * beta * value,
        ),
        Mistake(
            "last-memory",
            "All outputs are read from the last memory: the past sees the future.",
            lambda query, key, value, beta: query @ torch.stack([*_memories(key, value, beta)])[-1],
        ),
        Mistake(
            "scaled",
            "The outputs are divided by √d. Here the memory is read as it is.",
            lambda query, key, value, beta: ac.delta_rule_attention(query, key, value, beta=beta),
        ),
        Mistake(
            "normalised-keys",
            "Keys or queries are normalised. They should be used as they are.",
            lambda query, key, value, beta: _right(query, normalize(key, dim=-1), value, beta),
            lambda query, key, value, beta: _right(normalize(query, dim=-1), normalize(key, dim=-1), value, beta),
            lambda query, key, value, beta: _right(normalize(query, dim=-1), key, value, beta),
        ),
        Mistake(
            "softmax",
            "This is softmax attention. Here a memory is read.",
            lambda query, key, value, beta: ac.scaled_dot_product_attention(query, key, value, is_causal=True),
        ),
    ],
)
def check_delta_rule(answer):
    """Check ``answer(query, key, value, beta)``: causal delta rule, ``(L, E)``, ``(L, E)``, ``(L, Ev)``, ``(L, 1)``."""
