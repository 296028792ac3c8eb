"""Exercises: attention."""

from torch.nn import functional as F

import attention_core as ac

from .attention_parts import explain_attention, normal_qkv, scaled_scores, softmax_over_everything
from .engine import Mistake, checks


def _attention_weights(q, k, scale=None):
    return ac.attention_weights(q, k, scale=scale)


@checks(
    right=lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
    cases=[
        ("matrices with L = 3, S = 5", normal_qkv(seed=1)),
        ("square matrices", normal_qkv(L=6, S=6, E=6, Ev=6, seed=2)),
        ("a batch", normal_qkv(2, seed=3)),
        ("a batch with heads", normal_qkv(2, 3, L=4, seed=4)),
        ("large scores", normal_qkv(L=2, size=60.0, seed=5)),
        ("one key", normal_qkv(S=1, seed=6)),
        ("scores around -300", normal_qkv(offset=-300.0, seed=7)),
    ],
    explain=explain_attention,
    shown=(
        "Equal to torch's scaled_dot_product_attention for L ≠ S, for values of a different width, for batches and "
        "heads, one key, and scores in the hundreds, also where all are negative."
    ),
    mistakes=[
        Mistake(
            "no-scale",
            "The scores are not scaled. What is their standard deviation at this width?",
            lambda q, k, v: _attention_weights(q, k, 1.0) @ v,
        ),
        Mistake(
            "no-root",
            "The scores are divided by d_k. Which power of it keeps their standard deviation at 1?",
            lambda q, k, v: _attention_weights(q, k, 1 / q.shape[-1]) @ v,
        ),
        Mistake(
            "precedence",
            "The scores are divided by 2 d_k: ** binds more tightly than /.",
            lambda q, k, v: _attention_weights(q, k, 0.5 / q.shape[-1]) @ v,
        ),
        Mistake(
            "scale-twice",
            "The scale is applied twice.",
            lambda q, k, v: _attention_weights(q, k, 1 / q.shape[-1]) @ v / q.shape[-1] ** 0.5,
        ),
        Mistake(
            "scale-reversed",
            "The scores are multiplied by √d_k.",
            lambda q, k, v: _attention_weights(q, k, q.shape[-1] ** 0.5) @ v,
        ),
        Mistake(
            "scale-of-values",
            "The scale comes from the width of the values. Which vectors are multiplied?",
            lambda q, k, v: _attention_weights(q, k, v.shape[-1] ** -0.5) @ v,
        ),
        Mistake(
            "scale-of-length",
            "The scale comes from the number of keys, not from their width.",
            lambda q, k, v: _attention_weights(q, k, k.shape[-2] ** -0.5) @ v,
        ),
        Mistake(
            "scale-of-length",
            "The scale comes from the number of queries, not from their width.",
            lambda q, k, v: _attention_weights(q, k, q.shape[-2] ** -0.5) @ v,
        ),
        Mistake(
            "scale-of-first-axis",
            "The scale comes from len(), the first axis. Which axis is the width?",
            lambda q, k, v: _attention_weights(q, k, len(k) ** -0.5) @ v,
            lambda q, k, v: _attention_weights(q, k, len(q) ** -0.5) @ v,
        ),
        Mistake(
            "scale-of-fixed-axis",
            "The scale comes from axis 1, which is the width for matrices only.",
            lambda q, k, v: _attention_weights(q, k, q.shape[1] ** -0.5) @ v,
            lambda q, k, v: _attention_weights(q, k, k.shape[1] ** -0.5) @ v,
        ),
        Mistake(
            "fixed-scale",
            "The scores are divided by 8, whatever the width, which is right for 64 only.",
            lambda q, k, v: _attention_weights(q, k, 1 / 8) @ v,
        ),
        Mistake(
            "scale-after-softmax",
            "The factor comes after the softmax: the weights no longer sum to 1.",
            lambda q, k, v: _attention_weights(q, k, 1.0) @ v / q.shape[-1] ** 0.5,
        ),
        Mistake(
            "softmax-over-queries",
            "The softmax runs over the queries. The weights of one query over all keys should sum to 1.",
            lambda q, k, v: scaled_scores(q, k).softmax(-2) @ v,
        ),
        Mistake(
            "softmax-over-fixed-axis",
            "The softmax runs along axis 0.",
            lambda q, k, v: scaled_scores(q, k).softmax(0) @ v,
        ),
        Mistake(
            "softmax-over-fixed-axis",
            "The softmax runs along axis 1, which is the axis of the keys for matrices only.",
            lambda q, k, v: scaled_scores(q, k).softmax(1) @ v,
        ),
        Mistake(
            "softmax-over-fixed-axis",
            "The softmax names no axis, and torch guesses: the first axis of three, the second of four.",
            lambda q, k, v: (s := scaled_scores(q, k)).softmax(0 if s.ndim == 3 else 1) @ v,
        ),
        Mistake("softmax-twice", "There are two softmaxes.", lambda q, k, v: _attention_weights(q, k).softmax(-1) @ v),
        Mistake(
            "sigmoid",
            "Each key gets a weight on its own. They should compete for a sum of 1.",
            lambda q, k, v: scaled_scores(q, k).sigmoid() @ v,
        ),
        Mistake(
            "reversed",
            "The worst key gets the most weight: look at a sign.",
            lambda q, k, v: _attention_weights(-q, k) @ v,
        ),
        Mistake(
            "lost-axis",
            "The sums have lost their axis: they do not fit, or run along the wrong one. What does keepdim do?",
            lambda q, k, v: (e := scaled_scores(q, k).exp()) / e.sum(-1) @ v,
        ),
        Mistake(
            "softmax-over-everything",
            "All weights together sum to 1. Each row should sum to 1.",
            lambda q, k, v: softmax_over_everything(scaled_scores(q, k)) @ v,
        ),
        Mistake("no-softmax", "The scores themselves are the weights.", lambda q, k, v: scaled_scores(q, k) @ v),
        Mistake(
            "no-softmax",
            "The scores themselves are the weights, and they are not scaled.",
            lambda q, k, v: q @ k.mT @ v,
        ),
        Mistake(
            "no-softmax",
            "The scores are divided by their sum, which may be 0 or negative.",
            lambda q, k, v: (s := q @ k.mT / q.shape[-1] ** 0.5) / s.sum(-1, keepdim=True) @ v,
        ),
        Mistake(
            "logarithm",
            "The values are added up with the logarithms of the weights as factors.",
            lambda q, k, v: scaled_scores(q, k).log_softmax(-1) @ v,
        ),
        Mistake(
            "divided-again",
            "The output is divided by the number of keys. What do the weights sum to already?",
            lambda q, k, v: _attention_weights(q, k) @ v / k.shape[-2],
        ),
        Mistake(
            "softmax-of-output",
            "The softmax comes after the values. What should sum to 1?",
            lambda q, k, v: (scaled_scores(q, k) @ v).softmax(-1),
        ),
        Mistake(
            "keys-for-values",
            "The keys are averaged. What are the values for?",
            lambda q, k, v: _attention_weights(q, k) @ k,
        ),
        Mistake(
            "key-and-value-swapped",
            "The values are compared and the keys averaged.",
            lambda q, k, v: _attention_weights(q, v) @ k,
        ),
        Mistake(
            "query-and-key-swapped",
            "Every key asks, and the queries answer: there is a row per key instead of a row per query.",
            lambda q, k, v: _attention_weights(k, q) @ v,
        ),
        Mistake(
            "weights-transposed",
            "The weights are transposed before the average.",
            lambda q, k, v: _attention_weights(q, k).mT @ v,
        ),
        Mistake(
            "returns-weights",
            "The weights are returned; the values are still to be averaged.",
            lambda q, k, v: _attention_weights(q, k),
        ),
        Mistake(
            "matrices-only",
            "Right for matrices, but it fails for a batch: .T reverses all axes, and other ways assume a fixed number "
            "of them. How are axes counted from the end?",
            lambda q, k, v: (q @ k.T / q.shape[-1] ** 0.5).softmax(-1) @ v if q.ndim == 2 else 1 / 0,
        ),
        Mistake(
            "fixed-axes",
            "It works for one fixed number of axes only. Count the axes from the end.",
            lambda q, k, v: (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ v,
        ),
        Mistake(
            "overflow",
            "Right for moderate scores, NaN for large ones. How does a softmax avoid that?",
            lambda q, k, v: (e := scaled_scores(q, k).exp()) / e.sum(-1, keepdim=True) @ v,
        ),
        Mistake(
            "not-normalised",
            "The exponentials are not divided by their sum.",
            lambda q, k, v: scaled_scores(q, k).exp() @ v,
        ),
        Mistake(
            "causal",
            "Later keys are hidden from earlier queries. No mask is asked for here.",
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
            lambda q, k, v: ac.scaled_dot_product_attention(q, k, v, is_causal=True),
        ),
        Mistake(
            "cosine",
            "Queries and keys are brought to length 1 first. Here lengths should count.",
            lambda q, k, v: _attention_weights(F.normalize(q, dim=-1), F.normalize(k, dim=-1), 1.0) @ v,
        ),
        Mistake(
            "plain-mean",
            "Every key counts equally: the plain mean of the values.",
            lambda q, k, v: v.mean(-2, keepdim=True).expand(*v.shape[:-2], q.shape[-2], -1),
        ),
        Mistake(
            "one-hot",
            "Only the best key counts. Attention averages.",
            lambda q, k, v: F.one_hot((q @ k.mT).argmax(-1), k.shape[-2]).float() @ v,
        ),
    ],
)
def check_attention(answer):
    """Check ``answer(query, key, value)``: scaled dot-product attention, for any number of batch axes."""
