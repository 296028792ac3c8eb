"""Checkers for the exercises: they run a reader's function and say what was verified, or which mistake it looks like.

    check_softmax(my_softmax)

Each checker holds a few inputs on which the right answer and the usual wrong ones differ, and the usual wrong ones
themselves, as short functions with a name and a hint. What agrees with the right one everywhere has passed; what agrees
with a wrong one everywhere gets its name; the rest gets the most telling thing that is wrong with it.
"""

import contextlib
import functools
import html
import io
import math
from dataclasses import dataclass, field
from numbers import Real

import torch
from torch.nn import functional as F

import attention_core as ac

__all__ = [
    "Verdict",
    "check_attention",
    "check_causal_mask",
    "check_dot_product_variance",
    "check_efficient_attention",
    "check_linear_attention",
    "check_local_mask",
    "check_masked_attention",
    "check_multi_head",
    "check_online_softmax",
    "check_positions",
    "check_scale",
    "check_softmax",
    "check_softmax_vjp",
    "check_split_heads",
]


@dataclass(frozen=True)
class Verdict:
    """What a checker found. ``mistake`` is a short stable name, None for a right answer; ``text`` says it in words."""

    exercise: str
    passed: bool
    mistake: str | None
    text: str

    def __repr__(self):
        return f"{self.exercise}: {'passed' if self.passed else f'not yet ({self.mistake})'}. {self.text}"

    def _repr_html_(self):
        colour, word = ("#00785a", "Passed.") if self.passed else ("#b35900", "Not yet.")
        name = "" if self.passed else f" <small>({html.escape(self.mistake)})</small>"
        return (
            f'<div role="status" style="border-left: 4px solid {colour}; padding: 0.3em 0.8em">'
            f"<strong>{word}</strong> {html.escape(self.text)}{name}</div>"
        )


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that people give: its name, a hint, and the answer itself."""

    name: str
    hint: str
    function: object


@dataclass(frozen=True)
class Exercise:
    """What a checker knows: the right function, inputs, known mistakes, and what passing has shown."""

    name: str
    right: object
    cases: list  # of (words, arguments): a tuple of arguments, and words for it
    mistakes: list
    shown: str
    explain: object = field(default=lambda got, expected, arguments: None)  # of a case that nothing else explains
    kind: str = "tensor"  # or "number", or "mask"


def _check(exercise, answer):
    """Run ``answer`` on every case and judge it; see ``Verdict``."""

    def fails(mistake, text):
        return Verdict(exercise.name, False, mistake, text)

    if not callable(answer):
        return fails("not-a-function", f"Hand over the function itself, without calling it; this is {_kind(answer)}.")
    cases = exercise.cases
    expected = [exercise.right(*_fresh(arguments)) for _, arguments in cases]
    got = []
    for words, arguments in cases:
        mine = _fresh(arguments)
        got.append(_outcome(answer, mine))
        for before, after in zip(arguments, mine, strict=True):
            if not _unchanged(before, after):
                also = f" (And then it raises {_words(got[-1])}.)" if isinstance(got[-1], BaseException) else ""
                return fails(
                    "changes-its-input",
                    f"On {words} an argument is not what it was before. Whoever called the function still needs it."
                    + also,
                )
    with contextlib.redirect_stdout(io.StringIO()):
        again = [_outcome(answer, _fresh(arguments)) for _, arguments in cases]
    close = [_tolerance(arguments) for _, arguments in cases]
    if not all(map(_same, got, again, close)):
        return fails(
            "random",
            "Two calls with the same arguments gave two results. Is there chance, or something kept between calls?",
        )
    if all(map(_same, got, expected, close)):
        for g, e in zip(got, expected, strict=True):
            if problem := _type_problem(exercise.kind, g, e):
                return fails(*problem)
        return Verdict(exercise.name, True, None, exercise.shown)

    # A known mistake: equal to it in every case, or at least in those that give numbers at all.
    outcomes = [[_outcome(m.function, _fresh(arguments)) for _, arguments in cases] for m in exercise.mistakes]
    numbers = [k for k, (g, e) in enumerate(zip(got, expected, strict=True)) if _gives_numbers(g, e)]
    some_result = not all(isinstance(g, BaseException) for g in got)
    telling = [k for k in numbers if not _same(got[k], expected[k], close[k])]
    remark = ""
    if exercise.kind == "mask" and any(isinstance(g, torch.Tensor) and g.dtype != torch.bool for g in got):
        remark = " (And it is not boolean.)"
    for among in (range(len(cases)), numbers if len(numbers) > 1 and telling else ()):
        for mistake, wrong in zip(exercise.mistakes, outcomes, strict=True):
            if len(among) and some_result and all(_same(got[k], wrong[k], close[k]) for k in among):
                return fails(mistake.name, mistake.hint + remark)
    # None: say what is wrong in the first case that is.
    for (words, arguments), g, e, c in zip(cases, got, expected, close, strict=True):
        if _same(g, e, c):
            continue
        if isinstance(g, BaseException):
            return fails("raises", f"On {words} it raises {_words(g)}")
        problem = _type_problem(exercise.kind, g, e)
        if problem:
            return fails(problem[0], f"On {words}: {problem[1]}")
        g, e = _tensor(g), _tensor(e)
        if g.shape != e.shape:
            return fails("wrong-shape", f"On {words} the shape is {tuple(g.shape)}; it should be {tuple(e.shape)}.")
        if not g.isfinite().all() and e.isfinite().all() and not _is_large(arguments):
            return fails("not-finite", f"On {words} there are NaN or infinite numbers in the result.")
        found = exercise.explain(g, e, arguments)
        if found:
            return fails(found[0], f"On {words}: {found[1]}")
        error = (g.double() - e.double()).abs().max()
        return fails("different", f"On {words} the result is off by up to {error:.2g}, in a way no known mistake is.")
    raise AssertionError("unreachable: some case differed")


def _fresh(arguments):
    """A copy for a function that may change what it gets; a list stands for the tensors in it."""
    if isinstance(arguments, torch.Tensor):
        return arguments.clone(memory_format=torch.preserve_format)
    return [_fresh(x) if isinstance(x, (torch.Tensor, list)) else x for x in arguments]


def _outcome(function, arguments):
    """What the function returns, detached and copied, or the exception that it raises; torch's settings stay."""
    dtype, device = torch.get_default_dtype(), torch.get_default_device()
    try:
        with torch.set_grad_enabled(torch.is_grad_enabled()):
            result = function(*arguments)
        if isinstance(result, torch.Tensor):
            result = result.detach().cpu().to_dense().clone().as_subclass(torch.Tensor)
            if not result.is_complex():
                tuple(result.double().shape)  # what is no array of numbers raises here
        elif getattr(result, "ndim", None) == 0:  # a NumPy array of one number
            result = result.item()
        return result
    except (Exception, SystemExit) as error:
        return error
    finally:
        torch.set_default_dtype(dtype)
        if torch.get_default_device() != device:
            torch.set_default_device(device)


def _words(error):
    try:
        return f"{type(error).__name__}: {str(error) or 'no message'}"[:300]
    except Exception:
        return type(error).__name__


def _is_number(x):
    return (isinstance(x, Real) and not isinstance(x, bool)) or (
        isinstance(x, torch.Tensor) and x.ndim == 0 and x.dtype != torch.bool and not x.is_complex()
    )


def _tensor(x):
    if isinstance(x, torch.Tensor):
        return x
    try:
        x = float(x)
    except OverflowError:
        x = math.inf
    return torch.tensor(x, dtype=torch.float64, device="cpu")


def _unchanged(a, b):
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_unchanged, a, b))
    if not isinstance(a, torch.Tensor):
        return True
    return a.shape == b.shape and a.dtype == b.dtype and torch.equal(a.nan_to_num(7.25), b.nan_to_num(7.25))


def _is_large(arguments):
    """Whether there are numbers whose exponentials or whose rounding are a trap."""
    tensors = [x for argument in arguments for x in (argument if isinstance(argument, list) else [argument])]
    return any(isinstance(x, torch.Tensor) and x.is_floating_point() and x.abs().max() > 15 for x in tensors)


def _tolerance(arguments):
    """What rounding in float32 may do; of scores of 10000 it leaves three digits."""
    return 1e-3 if _is_large(arguments) else 2e-4


def _gives_numbers(got, expected):
    """Whether an outcome is a tensor or a number, without the NaN or infinity that the right one does not have."""
    if isinstance(got, BaseException) or not (isinstance(got, torch.Tensor) or _is_number(got)):
        return False
    got, expected = _tensor(got), _tensor(expected)
    return not got.is_complex() and bool(got.double().isfinite().all() or not expected.double().isfinite().all())


def _same(a, b, tolerance):
    """Equal in shape, and in value up to ``tolerance``; exceptions are all alike."""
    if isinstance(a, BaseException) or isinstance(b, BaseException):
        return isinstance(a, BaseException) and isinstance(b, BaseException)
    comparable = [(isinstance(x, torch.Tensor) and not x.is_complex()) or _is_number(x) for x in (a, b)]
    if not all(comparable):
        return type(a) is type(b) and not any(comparable)
    a, b = _tensor(a).double(), _tensor(b).double()
    atol = tolerance if a.ndim else 1e-8  # of a single number, small ones must be right too
    return a.shape == b.shape and torch.allclose(a, b, rtol=tolerance, atol=atol, equal_nan=True)


def _kind(x):
    if x is None:
        return "None"
    if isinstance(x, torch.Tensor):
        return f"a tensor of dtype {x.dtype} and shape {tuple(x.shape)}"
    return f"{'an' if type(x).__name__[0] in 'aeiouAEIOU' else 'a'} {type(x).__name__}"


def _type_problem(kind, got, expected):
    """(name, words) if the result is of the wrong kind, else None."""
    if got is None:
        return "returns-none", "The function returns None. Is there a return, with something behind it?"
    if kind == "number":
        if _is_number(got):
            return None
        return "not-a-number", f"The result should be one number; this is {_kind(got)}."
    if not isinstance(got, torch.Tensor):
        return "not-a-tensor", f"The result should be one tensor; this is {_kind(got)}."
    if kind == "mask":
        if got.dtype != torch.bool:
            return "not-boolean", (
                f"The mask should be boolean, True = may attend; this is {_kind(got)}. Numbers are added to scores."
            )
        return None
    if not got.is_floating_point() or got.dtype.itemsize < expected.dtype.itemsize == 4:
        return "wrong-dtype", f"The result should be of dtype {expected.dtype}; this is {_kind(got)}."
    return None


def _randn(*shape, seed):
    """Normal numbers of variance 1: small ones would hide a missing factor."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float32)


def _sums_to_one(x, dim):
    """Whether ``x`` sums to 1 along a negative ``dim``."""
    return -dim <= x.ndim and torch.allclose(x.sum(dim), torch.ones_like(x.sum(dim)), atol=1e-3)


# Chapter 1


def _explain_softmax(got, expected, arguments):
    if not got.isfinite().all():
        return (
            "overflow",
            "NaN or infinite numbers. How large is exp of the largest score, and which shift is harmless?",
        )
    if (got < -1e-6).any():
        return "negative", "some weights are negative."
    if not _sums_to_one(got, -1):
        if any(_sums_to_one(got, dim) for dim in range(-got.ndim, -1)):
            return "wrong-axis", "the sums along another axis than the last are 1."
        return "not-normalised", "the weights along the last axis do not sum to 1."
    if ((got.argsort(-1) != expected.argsort(-1)) & (expected > 1e-3)).any():
        return "wrong-order", "a larger score does not always get a larger weight."
    return "wrong-weights", "each row sums to 1, but how the weights are shared out is not that of a softmax."


def _exp_over(total):
    """A softmax whose exponentials are divided by ``total`` of them, with a harmless shift."""
    return lambda x: (x - x.max()).exp() / total((x - x.max()).exp())


SOFTMAX = Exercise(
    "softmax",
    functools.partial(torch.softmax, dim=-1),
    [
        ("a matrix (3, 7)", (2 * _randn(3, 7, seed=1),)),
        ("a square matrix", (2 * _randn(4, 4, seed=2),)),
        ("a vector (6,)", (_randn(6, seed=3),)),
        ("a tensor (2, 3, 5)", (2 * _randn(2, 3, 5, seed=4),)),
        ("scores of ±10000", (torch.tensor([[1e4, -1e4, 1e4], [-1e4, -1e4 + 1, -1e4]]),)),
        ("a single score", (torch.tensor([[3.0]]),)),
    ],
    [
        Mistake(
            "overflow",
            "Right for moderate scores; for scores of 10000 it gives NaN. Softmax does not change when a constant is "
            "added to all scores: which constant keeps every exponential finite?",
            lambda x: x.exp() / x.exp().sum(-1, keepdim=True),
        ),
        Mistake(
            "overflow",
            "A shift by the smallest score makes the others larger still. Which end can overflow?",
            lambda x: (x - x.amin(-1, keepdim=True)).exp() / (x - x.amin(-1, keepdim=True)).exp().sum(-1, keepdim=True),
        ),
        Mistake(
            "overflow",
            "A shift by the mean leaves half of the exponents above 0. Which shift leaves none?",
            lambda x: (x - x.mean(-1, keepdim=True)).exp() / (x - x.mean(-1, keepdim=True)).exp().sum(-1, keepdim=True),
        ),
        Mistake(
            "global-maximum",
            "Right for moderate scores. A row far below the number that is subtracted underflows to 0/0: whose maximum "
            "does each row need?",
            lambda x: (x - x.max()).exp() / (x - x.max()).exp().sum(-1, keepdim=True),
        ),
        Mistake(
            "wrong-axis",
            "The first axis sums to 1, the last one does not. Along which axis do the scores compete?",
            lambda x: x.softmax(0),
        ),
        Mistake("wrong-axis", "It runs along axis 1, which is not always the last one.", lambda x: x.softmax(1)),
        Mistake("wrong-axis", "It runs along the last axis but one.", lambda x: x.softmax(-2)),
        Mistake(
            "whole-tensor",
            "All numbers of the tensor together sum to 1. Each row should.",
            _exp_over(torch.sum),
        ),
        Mistake(
            "lost-axis",
            "The sums have lost their axis, and are divided along the wrong one or do not fit. What does keepdim do?",
            lambda x: (x - x.amax(-1, keepdim=True)).exp() / (x - x.amax(-1, keepdim=True)).exp().sum(-1),
        ),
        Mistake(
            "lost-axis",
            "The sums have lost their axis, and are divided along the wrong one or do not fit. What does keepdim do?",
            lambda x: x.exp() / x.exp().sum(-1),
        ),
        Mistake(
            "no-exponential",
            "Scores are divided by their sum. They may be negative, and their sum may be 0: what comes first?",
            lambda x: x / x.sum(-1, keepdim=True),
        ),
        Mistake(
            "not-normalised",
            "The exponentials are there; nothing makes them sum to 1.",
            lambda x: (x - x.amax(-1, keepdim=True)).exp(),
        ),
        Mistake("not-normalised", "The exponentials are there; nothing makes them sum to 1.", torch.exp),
        Mistake("logarithm", "This is the logarithm of the softmax.", lambda x: x.log_softmax(-1)),
        Mistake("sigmoid", "Each score gets a weight on its own; they should compete for a sum of 1.", torch.sigmoid),
        Mistake("reversed", "The smallest score gets the largest weight. Look at a sign.", lambda x: (-x).softmax(-1)),
        Mistake(
            "one-hot",
            "All weight goes to the largest score: that is the limit of a softmax, not the softmax.",
            lambda x: F.one_hot(x.argmax(-1), x.shape[-1]).float(),
        ),
        Mistake("base", "Powers of 2 in place of powers of e.", lambda x: (x * math.log(2)).softmax(-1)),
        Mistake(
            "euclidean",
            "The exponentials are divided by their Euclidean length. What should sum to 1?",
            lambda x: F.normalize((x - x.amax(-1, keepdim=True)).exp(), dim=-1),
        ),
        Mistake("absolute-value", "The sign of the scores is lost.", lambda x: x.abs().softmax(-1)),
        Mistake("squares", "Squares are positive too, but not what is asked for.", lambda x: (x * x).softmax(-1)),
        Mistake("hand-back", "The input comes back as it was.", lambda x: x),
    ],
    "Equal to torch's softmax on vectors, matrices and a three-axis tensor, along the last axis, for scores up to "
    "±10000, with the input left as it was.",
    _explain_softmax,
)


def check_softmax(answer):
    """Check ``answer(x)``, a softmax along the last axis of ``x``. Returns a ``Verdict``."""
    return _check(SOFTMAX, answer)


def _vjp(p, g):
    return p * (g - (g * p).sum(-1, keepdim=True))


def _explain_vjp(got, expected, arguments):
    if got.isfinite().all() and not torch.allclose(got.sum(-1), torch.zeros_like(got.sum(-1)), atol=1e-3):
        return (
            "rows-not-zero",
            "the result does not sum to 0 along each row, though the rows of J do. Is a term missing?",
        )
    return None


SOFTMAX_VJP = Exercise(
    "softmax_vjp",
    _vjp,
    [
        (words, (torch.softmax(1.5 * _randn(*shape, seed=seed), -1), _randn(*shape, seed=seed + 1)))
        for seed, (words, shape) in enumerate(
            [
                ("a batch (4, 7)", (4, 7)),
                ("a square batch", (5, 5)),
                ("a vector (6,)", (6,)),
                ("three axes (2, 3, 4)", (2, 3, 4)),
            ],
            start=10,
        )
    ],
    [
        Mistake(
            "diagonal-only",
            "Only the diagonal of J is used. A score also moves the weights of the others: the sum in the chain rule "
            "runs over all of them.",
            lambda p, g: p * (1 - p) * g,
        ),
        Mistake("no-mean", "A term is missing: what does every g have subtracted?", lambda p, g: p * g),
        Mistake(
            "plain-mean",
            "The mean of g is subtracted, each entry counted alike. Which mean does the derivation ask for?",
            lambda p, g: p * (g - g.mean(-1, keepdim=True)),
        ),
        Mistake(
            "no-mean",
            "The sum of g is subtracted, not weighted by anything.",
            lambda p, g: p * (g - g.sum(-1, keepdim=True)),
        ),
        Mistake("not-weighted", "The last factor is missing.", lambda p, g: g - (g * p).sum(-1, keepdim=True)),
        Mistake("sign", "Right up to the sign.", lambda p, g: -_vjp(p, g)),
        Mistake("sign", "A minus should stand where a plus is.", lambda p, g: p * (g + (g * p).sum(-1, keepdim=True))),
        Mistake(
            "wrong-axis",
            "The mean is taken over the whole batch. Each row has its own.",
            lambda p, g: p * (g - (g * p).sum()),
        ),
        Mistake(
            "wrong-axis", "The mean runs along the first axis.", lambda p, g: p * (g - (g * p).sum(0, keepdim=True))
        ),
        Mistake(
            "lost-axis",
            "The means have lost their axis, and do not fit, or go along the wrong one. What does keepdim do?",
            lambda p, g: p * (g - (g * p).sum(-1)),
        ),
        Mistake(
            "logarithm",
            "That is the gradient behind a logarithm of the softmax.",
            lambda p, g: g - p * g.sum(-1, keepdim=True),
        ),
        Mistake(
            "bracket",
            "The mean is subtracted too late: what does p multiply?",
            lambda p, g: p * g - (g * p).sum(-1, keepdim=True),
        ),
        Mistake("divided", "It is divided by the number of scores.", lambda p, g: _vjp(p, g) / p.shape[-1]),
        Mistake(
            "swapped",
            "The roles of p and g are exchanged.",
            lambda p, g: g * (p - (g * p).sum(-1, keepdim=True)),
        ),
        Mistake(
            "once-more",
            "p is multiplied once too often.",
            lambda p, g: p * p * (g - (g * p).sum(-1, keepdim=True)),
        ),
        Mistake(
            "softmax-again",
            "p is already the softmax; here it goes through another one.",
            lambda p, g: _vjp(p.softmax(-1), g),
        ),
        Mistake("cross-entropy", "That is the gradient of a cross-entropy.", lambda p, g: p - g),
        Mistake(
            "scalar",
            "One number for each row came back; the gradient has one for each score.",
            lambda p, g: (p * g).sum(-1),
        ),
    ],
    "Equal to the product with the full Jacobian for single vectors and for batches; each row sums to 0.",
    _explain_vjp,
)


def check_softmax_vjp(answer):
    """Check ``answer(p, g)``: the gradient at the scores, for weights ``p`` and upstream gradient ``g``."""
    return _check(SOFTMAX_VJP, answer)


# Chapter 2

SCALE = Exercise(
    "scale",
    lambda d_k: 1 / math.sqrt(d_k),
    [(f"d_k = {d_k}", (d_k,)) for d_k in (64, 1, 2, 16, 456, 1024)],
    [
        Mistake("no-root", "The variance becomes 1/d_k. Which power of d_k is a standard deviation?", lambda d: 1 / d),
        Mistake("reversed", "It grows with d_k. Are scores multiplied or divided by it?", math.sqrt),
        Mistake("reversed", "It grows with d_k, and without a root.", lambda d: d),
        Mistake("no-scale", "It is 1 for every d_k, while the scores grow.", lambda d: 1),
        Mistake("fixed", "It is 1/8 for every d_k: right for 64 only.", lambda d: 1 / 8),
        Mistake("truncated", "It is 0 nearly everywhere: // divides whole numbers.", lambda d: 1 // math.sqrt(d)),
        Mistake("truncated", "It is 0 nearly everywhere: // divides whole numbers.", lambda d: 1 // d),
        Mistake("factor-two", "Too small by √2: q and k have d_k coordinates each, and d_k products are summed.",
                lambda d: 1 / math.sqrt(2 * d)),
        Mistake("precedence", "** binds more tightly than /: what is raised to which power here?", lambda d: d**-1 / 2),
        Mistake("square", "The square in place of the root.", lambda d: 1 / d**2),
        Mistake("fourth-root", "That would be the factor for q and for k each, not for q·k.", lambda d: d**-0.25),
        Mistake("logarithm", "The logarithm grows much more slowly than the standard deviation of the scores.",
                lambda d: 1 / math.log(d) if d > 1 else math.inf),
        Mistake("shifted", "Off by one in d_k.", lambda d: 1 / math.sqrt(d + 1)),
        Mistake("shifted", "Off by one in d_k.", lambda d: 1 / math.sqrt(d - 1)),
        Mistake("sign", "Negative: it would turn the best key into the worst.", lambda d: -1 / math.sqrt(d)),
    ],
    "For widths from 1 to 1024 the scaled scores have standard deviation 1.",
    kind="number",
)  # fmt: skip


def check_scale(answer):
    """Check ``answer(d_k)``: the factor that gives q·k standard deviation 1, for coordinates of mean 0, variance 1."""
    return _check(SCALE, answer)


def _variance(d, mq, vq, mk, vk):
    return d * (vq * vk + mq**2 * vk + mk**2 * vq)


VARIANCE = Exercise(
    "dot_product_variance",
    _variance,
    [
        ("coordinates with means", (456, 1.56, 0.36**2, -0.34, 1.44)),
        ("zero means", (64, 0.0, 1.0, 0.0, 1.0)),
        ("other variances", (16, 0.0, 4.0, 0.0, 0.25)),
        ("constant keys", (8, 0.5, 2.0, 3.0, 0.0)),
        ("one coordinate", (1, -2.0, 0.5, 1.5, 3.0)),
        ("constant queries", (8, 1.5, 0.0, -1.0, 2.0)),
    ],
    [
        Mistake("zero-means", "Right where both means are 0. Which terms of the derivation vanish only then?",
                lambda d, mq, vq, mk, vk: d * vq * vk),
        Mistake("one-mean", "The mean of the query counts, that of the key does not (as within one row of scores).",
                lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 * vk)),
        Mistake("one-mean", "The mean of the key counts, that of the query does not.",
                lambda d, mq, vq, mk, vk: d * (vq * vk + mk**2 * vq)),
        Mistake("no-product", "The term with both variances is missing.",
                lambda d, mq, vq, mk, vk: d * (mq**2 * vk + mk**2 * vq)),
        Mistake("crossed", "Each mean goes with its own variance here. With whose should it?",
                lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 * vq + mk**2 * vk)),
        Mistake("mean-square", "This is the mean of (q_i k_i)², summed. What does a variance subtract from it?",
                lambda d, mq, vq, mk, vk: d * (vq + mq**2) * (vk + mk**2)),
        Mistake("not-squared", "The means enter without a square.",
                lambda d, mq, vq, mk, vk: d * (vq * vk + mq * vk + mk * vq)),
        Mistake("one-coordinate", "Right for one coordinate, or after division by √d_k. How many are there?",
                lambda d, mq, vq, mk, vk: _variance(1, mq, vq, mk, vk)),
        Mistake("d-squared", "d_k comes in squared. Are the variances of independent terms added, or their deviations?",
                lambda d, mq, vq, mk, vk: d * _variance(d, mq, vq, mk, vk)),
        Mistake("root-of-d", "d_k comes in under a root.",
                lambda d, mq, vq, mk, vk: _variance(1, mq, vq, mk, vk) * math.sqrt(d)),
        Mistake("standard-deviation", "This is the standard deviation.",
                lambda d, mq, vq, mk, vk: math.sqrt(_variance(d, mq, vq, mk, vk))),
        Mistake("squared-variances", "q_var and k_var are variances already; here they are squared.",
                lambda d, mq, vq, mk, vk: _variance(d, mq, vq**2, mk, vk**2)),
        Mistake("roots-of-variances", "Standard deviations where variances should stand.",
                lambda d, mq, vq, mk, vk: _variance(d, mq, vq**0.5, mk, vk**0.5)),
        Mistake("one-coordinate", "Right for one coordinate and zero means.", lambda d, mq, vq, mk, vk: vq * vk),
        Mistake("factor-two", "A term is counted twice, as in the square of a sum. Are q and k not independent?",
                lambda d, mq, vq, mk, vk: _variance(d, mq, vq, mk, vk) + 2 * d * mq * mk),
        Mistake("d-squared", "d_k comes in squared, and the means do not count.",
                lambda d, mq, vq, mk, vk: d * d * vq * vk),
        Mistake("sum-of-variances", "That would be the variance of q_i + k_i.",
                lambda d, mq, vq, mk, vk: d * (vq + vk)),
        Mistake("mean", "This is the mean of q·k.", lambda d, mq, vq, mk, vk: d * mq * mk),
        Mistake("sign", "A minus stands where a plus should.",
                lambda d, mq, vq, mk, vk: d * (vq * vk - mq**2 * vk - mk**2 * vq)),
        Mistake("product-of-means", "The product of the means is added; where does it cancel?",
                lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 * mk**2)),
    ],
    "Right with and without means, for unequal variances, for one coordinate and for constant ones.",
    kind="number",
)  # fmt: skip


def check_dot_product_variance(answer):
    """Check ``answer(d_k, q_mean, q_var, k_mean, k_var)``: the variance of q·k for independent coordinates."""
    return _check(VARIANCE, answer)


# Chapter 3


def _qkv(*batch, L=3, S=5, E=8, Ev=4, seed, size=1.0):
    shapes = [(*batch, L, E), (*batch, S, E), (*batch, S, Ev)]
    q, k, v = (_randn(*shape, seed=10 * seed + i) for i, shape in enumerate(shapes))
    return size * q, size * k, v


def _weights(q, k, scale=None, mask=None):
    return ac.attention_weights(q, k, mask, scale=scale)


def _explain_attention(got, expected, arguments):
    value = arguments[2]
    if not got.isfinite().all():
        return "overflow", "NaN or infinite numbers: is the softmax safe for large scores?"
    low, high = value.amin(-2, keepdim=True), value.amax(-2, keepdim=True)
    if (got < low - 1e-3).any() or (got > high + 1e-3).any():
        return "not-an-average", (
            "an output lies outside of the range of the values, as no average does. Do the weights sum to 1?"
        )
    return "wrong-weights", "each output is an average of the values, with other weights than asked for."


ATTENTION_CASES = [
    ("matrices with L = 3, S = 5", _qkv(seed=1)),
    ("square matrices", _qkv(L=6, S=6, E=6, Ev=6, seed=2)),
    ("a batch", _qkv(2, seed=3)),
    ("a batch with heads", _qkv(2, 3, L=4, seed=4)),
    ("large scores", _qkv(L=2, size=60.0, seed=5)),
    ("one key", _qkv(S=1, seed=6)),
]

ATTENTION = Exercise(
    "attention",
    lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
    ATTENTION_CASES,
    [
        Mistake(
            "no-scale",
            "The scores are not scaled. What is their standard deviation at this width?",
            lambda q, k, v: _weights(q, k, 1.0) @ v,
        ),
        Mistake(
            "no-root",
            "The scores are divided by d_k. Which power of it keeps their standard deviation at 1?",
            lambda q, k, v: _weights(q, k, 1 / q.shape[-1]) @ v,
        ),
        Mistake(
            "precedence",
            "The scores are divided by 2 d_k: ** binds more tightly than /.",
            lambda q, k, v: _weights(q, k, 0.5 / q.shape[-1]) @ v,
        ),
        Mistake(
            "scale-twice",
            "The scale is applied twice.",
            lambda q, k, v: _weights(q, k, 1 / q.shape[-1]) @ v / q.shape[-1] ** 0.5,
        ),
        Mistake(
            "scale-reversed",
            "The scores are multiplied by √d_k.",
            lambda q, k, v: _weights(q, k, q.shape[-1] ** 0.5) @ v,
        ),
        Mistake(
            "scale-of-values",
            "The scale comes from the width of the values. Which vectors are multiplied?",
            lambda q, k, v: _weights(q, k, v.shape[-1] ** -0.5) @ v,
        ),
        Mistake(
            "scale-of-length",
            "The scale comes from the number of keys, not from their width.",
            lambda q, k, v: _weights(q, k, k.shape[-2] ** -0.5) @ v,
        ),
        Mistake(
            "scale-of-length",
            "The scale comes from the number of queries, not from their width.",
            lambda q, k, v: _weights(q, k, q.shape[-2] ** -0.5) @ v,
        ),
        Mistake(
            "scale-of-first-axis",
            "The scale comes from len(), the first axis. Where does the width stand?",
            lambda q, k, v: _weights(q, k, len(k) ** -0.5) @ v,
        ),
        Mistake(
            "scale-of-first-axis",
            "The scale comes from len(), the first axis. Where does the width stand?",
            lambda q, k, v: _weights(q, k, len(q) ** -0.5) @ v,
        ),
        Mistake(
            "scale-of-fixed-axis",
            "The scale comes from axis 1, which is the width for matrices only.",
            lambda q, k, v: _weights(q, k, q.shape[1] ** -0.5) @ v,
        ),
        Mistake(
            "scale-of-fixed-axis",
            "The scale comes from axis 1, which is the width for matrices only.",
            lambda q, k, v: _weights(q, k, k.shape[1] ** -0.5) @ v,
        ),
        Mistake(
            "scale-after-softmax",
            "The factor comes after the softmax: the weights no longer sum to 1.",
            lambda q, k, v: _weights(q, k, 1.0) @ v / q.shape[-1] ** 0.5,
        ),
        Mistake(
            "softmax-over-queries",
            "The softmax runs over the queries. The weights of one query over all keys should sum to 1.",
            lambda q, k, v: (q @ k.mT / q.shape[-1] ** 0.5).softmax(-2) @ v,
        ),
        Mistake(
            "softmax-over-fixed-axis",
            "The softmax runs along axis 0.",
            lambda q, k, v: (q @ k.mT / q.shape[-1] ** 0.5).softmax(0) @ v,
        ),
        Mistake(
            "softmax-over-fixed-axis",
            "The softmax runs along axis 1, which is that of the keys for matrices only.",
            lambda q, k, v: (q @ k.mT / q.shape[-1] ** 0.5).softmax(1) @ v,
        ),
        Mistake(
            "softmax-over-fixed-axis",
            "The softmax names no axis, and torch guesses: the first one of three, the second of four.",
            lambda q, k, v: (s := q @ k.mT / q.shape[-1] ** 0.5).softmax(0 if s.ndim == 3 else 1) @ v,
        ),
        Mistake("softmax-twice", "There are two softmaxes.", lambda q, k, v: _weights(q, k).softmax(-1) @ v),
        Mistake(
            "sigmoid",
            "Each key gets a weight on its own. They should compete for a sum of 1.",
            lambda q, k, v: (q @ k.mT / q.shape[-1] ** 0.5).sigmoid() @ v,
        ),
        Mistake("reversed", "The worst key gets most: look at a sign.", lambda q, k, v: _weights(-q, k) @ v),
        Mistake(
            "lost-axis",
            "The sums have lost their axis, and do not fit, or go along the wrong one. What does keepdim do?",
            lambda q, k, v: (e := _scores(q, k).exp()) / e.sum(-1) @ v,
        ),
        Mistake(
            "softmax-over-everything",
            "All weights together sum to 1. Each row should.",
            lambda q, k, v: _exp_over(torch.sum)(q @ k.mT / q.shape[-1] ** 0.5) @ v,
        ),
        Mistake(
            "no-softmax",
            "The scores themselves are the weights.",
            lambda q, k, v: q @ k.mT / q.shape[-1] ** 0.5 @ v,
        ),
        Mistake("no-softmax", "The scores themselves are the weights, and not scaled.", lambda q, k, v: q @ k.mT @ v),
        Mistake(
            "no-softmax",
            "The scores are divided by their sum, which may be 0 or negative.",
            lambda q, k, v: (s := q @ k.mT / q.shape[-1] ** 0.5) / s.sum(-1, keepdim=True) @ v,
        ),
        Mistake(
            "softmax-of-output",
            "The softmax comes after the values. What is it that should sum to 1?",
            lambda q, k, v: (q @ k.mT / q.shape[-1] ** 0.5 @ v).softmax(-1),
        ),
        Mistake(
            "keys-for-values",
            "The keys are averaged. What are the values for?",
            lambda q, k, v: _weights(q, k) @ k,
        ),
        Mistake(
            "key-and-value-swapped",
            "The values are compared and the keys averaged.",
            lambda q, k, v: _weights(q, v) @ k,
        ),
        Mistake(
            "query-and-key-swapped",
            "Every key asks, and the queries answer: the rows are those of the wrong side.",
            lambda q, k, v: _weights(k, q) @ v,
        ),
        Mistake(
            "weights-transposed",
            "The weights are transposed before the average.",
            lambda q, k, v: _weights(q, k).mT @ v,
        ),
        Mistake(
            "returns-weights",
            "The weights come back; the average of the values is still to be taken.",
            lambda q, k, v: _weights(q, k),
        ),
        Mistake(
            "matrices-only",
            "Right for matrices, and fails in a batch: .T turns all axes around, and other ways name a fixed number of "
            "them. How are axes counted from the end?",
            lambda q, k, v: (q @ k.T / q.shape[-1] ** 0.5).softmax(-1) @ v if q.ndim == 2 else 1 / 0,
        ),
        Mistake(
            "fixed-axes",
            "It works for one number of axes only. Count the axes from the end.",
            lambda q, k, v: (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ v,
        ),
        Mistake(
            "overflow",
            "Right for moderate scores, NaN for large ones. How does a softmax avoid that?",
            lambda q, k, v: (e := (q @ k.mT / q.shape[-1] ** 0.5).exp()) / e.sum(-1, keepdim=True) @ v,
        ),
        Mistake(
            "not-normalised",
            "The exponentials are not divided by their sum.",
            lambda q, k, v: (q @ k.mT / q.shape[-1] ** 0.5).exp() @ v,
        ),
        Mistake(
            "causal",
            "Later keys are hidden from earlier queries. Nobody asked for a mask here.",
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        ),
        Mistake(
            "causal",
            "Later keys are hidden from earlier queries. Nobody asked for a mask here.",
            lambda q, k, v: ac.scaled_dot_product_attention(q, k, v, is_causal=True),
        ),
        Mistake(
            "cosine",
            "Queries and keys are brought to length 1 first. Here lengths should count.",
            lambda q, k, v: _weights(F.normalize(q, dim=-1), F.normalize(k, dim=-1), 1.0) @ v,
        ),
        Mistake(
            "plain-mean",
            "Every key counts alike: the plain mean of the values.",
            lambda q, k, v: v.mean(-2, keepdim=True).expand(*v.shape[:-2], q.shape[-2], -1),
        ),
        Mistake(
            "one-hot",
            "Only the best key counts. Attention averages.",
            lambda q, k, v: F.one_hot((q @ k.mT).argmax(-1), k.shape[-2]).float() @ v,
        ),
    ],
    "Equal to torch's scaled_dot_product_attention for L ≠ S, for values of another width, for batches and heads, one "
    "key, and scores in the hundreds.",
    _explain_attention,
)


def check_attention(answer):
    """Check ``answer(query, key, value)``: scaled dot-product attention, for any number of batch axes."""
    return _check(ATTENTION, answer)


# Chapter 4


def _explain_split(got, expected, arguments):
    if sorted(got.flatten().tolist()) == sorted(expected.flatten().tolist()):
        return "wrong-order", "all numbers are there, in other places. Which columns of x belong to head 0?"
    return "changed", "the numbers are not those of x. Splitting only moves them."


SPLIT_HEADS = Exercise(
    "split_heads",
    lambda x, h: x.unflatten(-1, (h, -1)).transpose(1, 2),
    [
        ("x of (2, 5, 12) with 4 heads", (_randn(2, 5, 12, seed=21), 4)),
        ("x of (2, 4, 16) with 4 heads", (_randn(2, 4, 16, seed=22), 4)),
        ("one head", (_randn(3, 2, 6, seed=23), 1)),
        ("heads of width 1", (_randn(1, 3, 4, seed=24), 4)),
        ("a transposed x", (_randn(2, 12, 5, seed=25).mT, 3)),
        ("one position", (_randn(2, 1, 8, seed=26), 2)),
    ],
    [
        Mistake(
            "view-without-transpose",
            "The shape is right, the contents are not: cut in this order, a head gets whole positions instead of "
            "columns of every position. Which axis does D stand next to?",
            lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1),
        ),
        Mistake(
            "not-transposed",
            "The heads are cut; they should stand in front of the positions.",
            lambda x, h: x.unflatten(-1, (h, -1)),
        ),
        Mistake(
            "interleaved",
            "Neighbouring columns go to different heads. Head 0 should get the first D/H columns.",
            lambda x, h: x.unflatten(-1, (-1, h)).permute(0, 3, 1, 2),
        ),
        Mistake(
            "heads-as-width",
            "There are as many heads as a head should be wide, and the other way round.",
            lambda x, h: x.unflatten(-1, (-1, h)).transpose(1, 2),
        ),
        Mistake(
            "heads-before-batch",
            "The heads stand in front of the batch.",
            lambda x, h: x.unflatten(-1, (h, -1)).permute(2, 0, 1, 3),
        ),
        Mistake(
            "merged-with-batch",
            "Batch and heads share one axis. They should be two.",
            lambda x, h: x.unflatten(-1, (h, -1)).transpose(1, 2).flatten(0, 1),
        ),
        Mistake(
            "last-axes-swapped",
            "In each head, positions and columns have changed places.",
            lambda x, h: x.unflatten(-1, (h, -1)).permute(0, 2, 3, 1),
        ),
        Mistake(
            "last-axes-swapped",
            "The shape is right, but the last two axes were filled in the wrong order.",
            lambda x, h: x.unflatten(-1, (h, -1)).permute(0, 2, 3, 1).reshape(x.shape[0], h, x.shape[1], -1),
        ),
        Mistake(
            "splits-positions",
            "The positions are cut into heads. Each head should see all of them.",
            lambda x, h: x.unflatten(1, (h, -1)),
        ),
        Mistake(
            "copies",
            "Each head gets all columns.",
            lambda x, h: x[:, None].expand(-1, h, -1, -1),
        ),
        Mistake("first-head-only", "Only one head came back.", lambda x, h: x[..., : x.shape[-1] // h]),
        Mistake("hand-back", "The input comes back as it was.", lambda x, h: x),
        Mistake(
            "one-position",
            "It works for one position only.",
            lambda x, h: x.view(x.shape[0], h, 1, x.shape[-1] // h),
        ),
        Mistake(
            "reversed",
            "The heads come in reversed order.",
            lambda x, h: x.unflatten(-1, (h, -1)).transpose(1, 2).flip(1),
        ),
    ],
    "Every head holds its own D/H neighbouring columns of every position, for several shapes and numbers of heads, one "
    "head and heads of width 1 among them.",
    _explain_split,
)


def check_split_heads(answer):
    """Check ``answer(x, num_heads)``: ``(N, L, D)`` to ``(N, num_heads, L, D / num_heads)``."""
    return _check(SPLIT_HEADS, answer)


def _multi_head(
    query,
    key,
    value,
    W,
    b,
    W_o,
    b_o,
    num_heads,
    *,
    order=(0, 1, 2),
    biases=(1, 1, 1, 1),
    scale=None,
    split=ac.split_heads,
    merge=ac.merge_heads,
    weights=ac.attention_weights,
    project=F.linear,
    swap=False,
):
    """Multi-head attention with a place for each of the mistakes below."""
    Ws, bs = W.chunk(3), [bias * used for bias, used in zip(b.chunk(3), biases, strict=False)]
    projected = [project(x, Ws[i], bs[i]) for x, i in zip((query, key, value), order, strict=True)]
    q, k, v = (split(x, num_heads) for x in projected)
    if swap:
        k, v = v, k
    output = merge(weights(q, k, scale=scale) @ v)
    return F.linear(output, W_o, b_o * biases[3])


def _block_diagonal(query, key, value, W, b, W_o, b_o, num_heads):
    """The inputs are split first: each head projects its own columns with its own block."""
    E = W.shape[1] // num_heads
    mask = torch.block_diag(*num_heads * [torch.ones(E, E, dtype=W.dtype)]).repeat(3, 1)
    return _multi_head(query, key, value, W * mask, b, W_o, b_o, num_heads)


def _one_head_of_many(*arguments):
    return _multi_head(*arguments[:7], 1)


def _mean_of_heads(query, key, value, W, b, W_o, b_o, num_heads):
    def merge(x):
        return x.mean(1).repeat(1, 1, num_heads)

    return _multi_head(query, key, value, W, b, W_o, b_o, num_heads, merge=merge)


def _interleaved(x, h):
    return x.unflatten(-1, (-1, h)).permute(0, 3, 1, 2)


def _without_output(query, key, value, W, b, W_o, b_o, num_heads):
    return _multi_head(query, key, value, W, b, torch.eye(len(W_o), dtype=W_o.dtype), 0 * b_o, num_heads)


def _mh_mistake(name, hint, **changes):
    return Mistake(name, hint, functools.partial(_multi_head, **changes))


def _mh_case(N, L, S, D, H, seed):
    inputs = [_randn(N, n, D, seed=seed + i) for i, n in enumerate((L, S, S))]
    W, W_o = _randn(3 * D, D, seed=seed + 3) * (1.5 / D**0.5), _randn(D, D, seed=seed + 4) / D**0.5
    return (*inputs, W, _randn(3 * D, seed=seed + 5), W_o, _randn(D, seed=seed + 6), H)


MULTI_HEAD = Exercise(
    "multi_head",
    _multi_head,
    [
        ("N = 2, L = 3, S = 5, D = 12, four heads", _mh_case(2, 3, 5, 12, 4, 30)),
        ("L = S = 4, D = 8, two heads", _mh_case(3, 4, 4, 8, 2, 40)),
        ("one head", _mh_case(1, 3, 6, 6, 1, 50)),
        ("large scores", tuple(30 * x if i < 2 else x for i, x in enumerate(_mh_case(1, 3, 4, 8, 2, 80)))),
        ("heads of width 1", _mh_case(2, 5, 2, 3, 3, 60)),
    ],
    [
        _mh_mistake("no-scale", "The scores are not scaled.", scale=1.0),
        Mistake(
            "scale-of-model",
            "The scale comes from the width of the model. How wide are the vectors whose products are taken?",
            lambda *a: _multi_head(*a, scale=a[0].shape[-1] ** -0.5),
        ),
        Mistake(
            "no-root",
            "The scores are divided by the width of a head. By which power of it?",
            lambda *a: _multi_head(*a, scale=a[7] / a[0].shape[-1]),
        ),
        Mistake(
            "precedence",
            "The scores are divided by twice the width of a head: ** binds more tightly than /.",
            lambda *a: _multi_head(*a, scale=0.5 * a[7] / a[0].shape[-1]),
        ),
        Mistake(
            "scale-reversed",
            "The scores are multiplied where they should be divided.",
            lambda *a: _multi_head(*a, scale=(a[0].shape[-1] / a[7]) ** 0.5),
        ),
        Mistake(
            "scale-of-heads",
            "The scale comes from the number of heads, not from their width.",
            lambda *a: _multi_head(*a, scale=a[7] ** -0.5),
        ),
        Mistake(
            "stacked-per-head",
            "in_proj_weight is cut head by head. It holds all queries, then all keys, then all values.",
            lambda q, k, v, W, b, W_o, b_o, H: _multi_head(
                q,
                k,
                v,
                W.view(H, 3, -1, W.shape[1]).transpose(0, 1).reshape(W.shape),
                b.view(H, 3, -1).transpose(0, 1).reshape(b.shape),
                W_o,
                b_o,
                H,
            ),
        ),
        Mistake(
            "overflow",
            "Right for moderate scores; for large ones an exponential overflows. How does a softmax avoid that?",
            lambda *a: _multi_head(
                *a, weights=lambda q, k, scale: (e := _scores(q, k).exp()) / e.sum(-1, keepdim=True)
            ),
        ),
        Mistake(
            "causal",
            "Later keys are hidden. Nobody asked for a mask here.",
            lambda *a: _multi_head(
                *a, weights=lambda q, k, scale: ac.attention_weights(q, k, is_causal=True, scale=scale)
            ),
        ),
        Mistake(
            "weights-transposed",
            "All matrices are multiplied from the other side. What does F.linear do with its weight?",
            lambda q, k, v, W, b, W_o, b_o, H: _multi_head(
                q, k, v, W, b, W_o.T, b_o, H, project=lambda x, W, b: x @ W + b
            ),
        ),
        Mistake("value-for-key", "The keys are made from the value.", lambda q, k, v, *a: _multi_head(q, v, v, *a)),
        _mh_mistake("no-biases", "Right if all biases were 0; they are not.", biases=(0, 0, 0, 0)),
        _mh_mistake("no-input-bias", "in_proj_bias has no effect.", biases=(0, 0, 0, 1)),
        _mh_mistake("no-output-bias", "out_proj_bias has no effect.", biases=(1, 1, 1, 0)),
        _mh_mistake("no-query-bias", "The queries get no bias.", biases=(0, 1, 1, 1)),
        # A bias of the keys adds the same number to a query's scores, which the softmax does not see.
        _mh_mistake("no-value-bias", "The values get no bias.", biases=(1, 1, 0, 1)),
        *(
            Mistake(
                "biases-swapped",
                "The parts of in_proj_bias go to the wrong projections. In which order are they stacked?",
                lambda q, k, v, W, b, W_o, b_o, H, order=order: _multi_head(
                    q, k, v, W, torch.cat([b.chunk(3)[i] for i in order]), W_o, b_o, H
                ),
            )
            for order in [(1, 0, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0), (2, 0, 1)]
        ),
        *(
            Mistake(
                "projections-swapped",
                "The parts of in_proj_weight go to the wrong inputs. In which order are they stacked?",
                lambda *a, order=order: _multi_head(*a, order=order),
            )
            for order in [(1, 0, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0), (2, 0, 1)]
        ),
        *(
            Mistake(
                "projections-swapped",
                "The parts of in_proj_weight go to the wrong inputs. In which order are they stacked?",
                lambda q, k, v, W, *a, order=order: _multi_head(q, k, v, torch.cat([W.chunk(3)[i] for i in order]), *a),
            )
            for order in [(1, 0, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0), (2, 0, 1)]
        ),
        _mh_mistake(
            "weight-transposed",
            "The input matrices are multiplied from the other side. What does F.linear do with its weight?",
            project=lambda x, W, b: x @ W + b,
        ),
        Mistake(
            "output-weight-transposed",
            "W_O is multiplied from the other side. What does F.linear do with its weight?",
            lambda q, k, v, W, b, W_o, b_o, H: _multi_head(q, k, v, W, b, W_o.T, b_o, H),
        ),
        _mh_mistake(
            "split-without-transpose",
            "The heads are cut by a view alone, so that a head gets whole positions instead of columns.",
            split=lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1),
        ),
        _mh_mistake(
            "merge-without-transpose",
            "The heads are split well and merged badly: positions and heads have to change places first.",
            merge=lambda x: x.reshape(x.shape[0], x.shape[2], -1),
        ),
        _mh_mistake(
            "split-without-transpose",
            "Splitting and merging are both views alone, so that a head gets whole positions instead of columns.",
            split=lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1),
            merge=lambda x: x.reshape(x.shape[0], x.shape[2], -1),
        ),
        _mh_mistake(
            "interleaved",
            "Neighbouring columns go to different heads. Head 0 should get the first D/H.",
            split=_interleaved,
            merge=lambda x: x.permute(0, 2, 3, 1).flatten(2),
        ),
        _mh_mistake(
            "interleaved",
            "Neighbouring columns go to different heads. Head 0 should get the first D/H.",
            split=_interleaved,
        ),
        _mh_mistake(
            "heads-attend-to-heads",
            "Positions and heads were not exchanged: in each position the heads attend to one another.",
            split=lambda x, h: x.unflatten(-1, (h, -1)),
            merge=lambda x: x.flatten(2),
        ),
        Mistake(
            "split-before-projecting",
            "The inputs are split before they are projected, so that a head sees its own columns of the input only.",
            _block_diagonal,
        ),
        Mistake("no-output-projection", "The heads are concatenated; what mixes them is missing.", _without_output),
        Mistake(
            "no-output-projection",
            "The output's bias is added, W_O is missing.",
            lambda q, k, v, W, b, W_o, b_o, H: _multi_head(q, k, v, W, b, torch.eye(len(W_o), dtype=W_o.dtype), b_o, H),
        ),
        Mistake("one-head", "num_heads has no effect: this is one wide head.", _one_head_of_many),
        Mistake("mean-of-heads", "The heads are averaged. They should stand side by side.", _mean_of_heads),
        _mh_mistake(
            "softmax-over-queries",
            "The softmax runs over the queries.",
            weights=lambda q, k, scale: (q @ k.mT / q.shape[-1] ** 0.5).softmax(-2),
        ),
        _mh_mistake(
            "softmax-over-heads",
            "The softmax runs over the heads.",
            weights=lambda q, k, scale: (q @ k.mT / q.shape[-1] ** 0.5).softmax(1),
        ),
        _mh_mistake(
            "no-softmax",
            "There is no softmax.",
            weights=lambda q, k, scale: q @ k.mT / q.shape[-1] ** 0.5,
        ),
        _mh_mistake("key-and-value-swapped", "Projected values are compared and projected keys averaged.", swap=True),
        Mistake(
            "self-attention-only",
            "Keys and values are made from the query. There are three inputs.",
            lambda q, k, v, *a: _multi_head(q, q, q, *a),
        ),
        Mistake("key-for-value", "The values are made from the key.", lambda q, k, v, *a: _multi_head(q, k, k, *a)),
        Mistake(
            "key-and-value-swapped",
            "The inputs key and value are exchanged.",
            lambda q, k, v, *a: _multi_head(q, v, k, *a),
        ),
        Mistake(
            "wrong-batch-axis",
            "The first axis is taken for the positions, as torch does without batch_first.",
            lambda q, k, v, *a: _multi_head(*(x.transpose(0, 1) for x in (q, k, v)), *a).transpose(0, 1),
        ),
        Mistake(
            "residual",
            "The query is added to the result; that is a block's business, not attention's.",
            lambda *a: a[0] + _multi_head(*a),
        ),
    ],
    "Equal to torch's multi-head attention with random biases, L ≠ S, three different inputs, several heads, one head "
    "and heads of width 1.",
    lambda got, expected, arguments: ("not-finite", "NaN or infinite numbers.") if not got.isfinite().all() else None,
)


def check_multi_head(answer):
    """Check ``answer(query, key, value, in_proj_weight, in_proj_bias, out_proj_weight, out_proj_bias, num_heads)``.

    Inputs ``(N, L, D)``, ``(N, S, D)``, ``(N, S, D)``; parameters as in ``torch.nn.MultiheadAttention``.
    """
    return _check(MULTI_HEAD, answer)


# Chapter 5


def _explain_mask(got, expected, arguments):
    L, S = arguments
    if not got.any(-1).all() and L <= S:
        return "nothing-to-see", "a query may attend to nothing, not even to itself."
    if not got.double().isfinite().all():
        return "not-finite", "NaN in a mask."
    if (got & ~expected).any():
        return "sees-the-future", "a query may attend to a later key. For L ≠ S the last query belongs to the last key."
    return "hides-the-past", "a key that is not later than the query is hidden."


def _grid(compare):
    """A mask from a comparison of rows i and columns j."""
    return lambda L, S: compare(torch.arange(L)[:, None], torch.arange(S), L, S)


CAUSAL_MASK = Exercise(
    "causal_mask",
    lambda L, S: ac.causal_mask(L, S),
    [(f"L = {L}, S = {S}", (L, S)) for L, S in [(4, 4), (3, 5), (5, 3), (1, 6), (2, 2), (1, 1), (6, 1)]],
    [
        Mistake("inverted", "True stands where nothing may be seen. In this book True = may attend.",
                _grid(lambda i, j, L, S: j > i + S - L)),
        Mistake("aligned-to-start", "Right for L = S. With more keys than queries, the last query should see all.",
                _grid(lambda i, j, L, S: j <= i)),
        Mistake("inverted", "True stands where nothing may be seen, and for L ≠ S it is aligned to the start.",
                _grid(lambda i, j, L, S: j > i)),
        Mistake("hides-itself", "A query may not see its own position. May a word look at itself?",
                _grid(lambda i, j, L, S: j < i + S - L)),
        Mistake("hides-itself", "A query may not see its own position, and the alignment is to the start.",
                _grid(lambda i, j, L, S: j < i)),
        Mistake("sees-the-future", "Each query sees one key too many.", _grid(lambda i, j, L, S: j <= i + S - L + 1)),
        Mistake("sees-the-future", "Each query sees one key too many.", _grid(lambda i, j, L, S: j <= i + 1)),
        Mistake("looks-ahead", "Queries see the future and not the past: the triangle is the other one.",
                _grid(lambda i, j, L, S: j >= i + S - L)),
        Mistake("looks-ahead", "Queries see the future and not the past: the triangle is the other one.",
                _grid(lambda i, j, L, S: j >= i)),
        Mistake("transposed", "Rows and columns are exchanged: one row for each query.",
                lambda L, S: ac.causal_mask(S, L)),
        Mistake("transposed", "Rows and columns are exchanged: one row for each query.",
                lambda L, S: ac.causal_mask(L, S).T),
        Mistake("square", "The mask is L × L. There are S keys.", lambda L, S: ac.causal_mask(L)),
        Mistake("square", "The mask is S × S. There are L queries.", lambda L, S: ac.causal_mask(S)),
        Mistake("hides-nothing", "Everything may be seen.", lambda L, S: torch.ones(L, S).bool()),
        Mistake("hides-everything", "Nothing may be seen.", lambda L, S: torch.zeros(L, S).bool()),
        Mistake("diagonal", "Each query sees its own position only.", _grid(lambda i, j, L, S: j == i + S - L)),
        Mistake("diagonal", "Each query sees its own position only.", _grid(lambda i, j, L, S: j == i)),
        Mistake("wrong-shift", "The shift between queries and keys has the wrong sign.",
                _grid(lambda i, j, L, S: j <= i + L - S)),
        Mistake("additive", "These are numbers to be added to scores. A boolean mask is asked for, True = may attend.",
                lambda L, S: ac.to_additive(ac.causal_mask(L, S), torch.float32)),
        Mistake("additive", "Numbers to be added to scores, and aligned to the start. Which type is asked for?",
                lambda L, S: torch.full((L, S), -math.inf).triu(1)),
        Mistake("additive", "These are numbers to be added to scores. A boolean mask is asked for.",
                lambda L, S: torch.full((L, S), -1e9).triu(S - L + 1)),
        Mistake("additive", "Numbers to be added to scores, and aligned to the start. Which type is asked for?",
                lambda L, S: torch.full((L, S), -1e9).triu(1)),
    ],
    "Right for L = S, L < S, L > S and single rows: boolean, True = may attend, the last query sees all keys.",
    _explain_mask,
    kind="mask",
)  # fmt: skip


def check_causal_mask(answer):
    """Check ``answer(L, S)``: a boolean causal mask, True = may attend, aligned to the end."""
    return _check(CAUSAL_MASK, answer)


def _masked_case(*batch, L=4, S=6, seed, mask, offset=0.0):
    """Attention with a mask; ``offset`` is added to all scores, by the first coordinate of query and key."""
    q, k, v = _qkv(*batch, L=L, S=S, seed=seed)
    if offset:
        q[..., 0], k[..., 0] = 20.0, offset * q.shape[-1] ** 0.5 / 20
    q[..., 1, :] = 0  # a query with equal scores, of exactly 0
    return q, k, v, mask


def _some_mask(*shape, seed):
    mask = torch.rand(*shape, generator=torch.Generator().manual_seed(seed)) < 0.6
    mask[..., 0] = True
    return mask


EMPTY_ROW = _some_mask(4, 6, seed=3)
EMPTY_ROW[2] = False


def _scores(q, k):
    return q @ k.mT / q.shape[-1] ** 0.5


def _explain_masked(got, expected, arguments):
    empty = (~arguments[3].any(-1)).expand(got.shape[:-1])
    if empty.any() and _same(got[~empty], expected[~empty]):
        if got[empty].isnan().any():
            return "empty-row-nan", "a query that may attend to nothing gets NaN. It should get 0."
        return "empty-row-not-zero", "a query that may attend to nothing should get 0, as no value may reach it."
    return _explain_attention(got, expected, arguments)


MASKED_ATTENTION = Exercise(
    "masked_attention",
    ac.scaled_dot_product_attention,
    [
        ("a random mask", _masked_case(seed=71, mask=_some_mask(4, 6, seed=1))),
        ("a causal mask", _masked_case(L=5, S=5, seed=72, mask=ac.causal_mask(5))),
        ("a mask for every element of a batch", _masked_case(2, seed=73, mask=_some_mask(2, 4, 6, seed=2))),
        ("a padding mask, with heads", _masked_case(2, 3, seed=74, mask=ac.padding_mask([6, 2], 6))),
        ("a mask that hides nothing", _masked_case(seed=75, mask=torch.ones(4, 6).bool())),
        ("scores around -100", _masked_case(seed=77, mask=_some_mask(4, 6, seed=5), offset=-100.0)),
        ("a query that may attend to nothing", _masked_case(seed=76, mask=EMPTY_ROW)),
    ],
    [
        Mistake(
            "inverted",
            "What should be seen is hidden and what should be hidden is seen. In this book True = may attend.",
            lambda q, k, v, m: ac.scaled_dot_product_attention(q, k, v, ~m),
        ),
        Mistake(
            "inverted",
            "What should be seen is hidden and what should be hidden is seen. In this book True = may attend.",
            lambda q, k, v, m: _scores(q, k).masked_fill(m, -math.inf).softmax(-1) @ v,
        ),
        Mistake(
            "inverted",
            "What should be seen is hidden and what should be hidden is seen. In this book True = may attend.",
            lambda q, k, v, m: _scores(q, k).masked_fill(m, -1e9).softmax(-1) @ v,
        ),
        Mistake(
            "mask-after-softmax",
            "The mask comes after the softmax: what is left of a row no longer sums to 1.",
            lambda q, k, v, m: _scores(q, k).softmax(-1) * m @ v,
        ),
        Mistake(
            "scores-to-zero",
            "Masked scores are set to 0, and exp(0) = 1 is a weight like others. Which number has the exponential 0?",
            lambda q, k, v, m: (_scores(q, k) * m).softmax(-1) @ v,
        ),
        Mistake(
            "scores-to-zero",
            "Masked scores are set to a tiny number, whose exponential is 1. Which number has the exponential 0?",
            lambda q, k, v, m: _scores(q, k).masked_fill(~m, 1e-9).softmax(-1) @ v,
        ),
        Mistake(
            "mask-added",
            "The mask is added as 0 and 1. What should be added where nothing may be seen?",
            lambda q, k, v, m: (_scores(q, k) + m).softmax(-1) @ v,
        ),
        Mistake(
            "mask-too-weak",
            "Masked scores are set to -1, which is a score like others.",
            lambda q, k, v, m: _scores(q, k).masked_fill(~m, -1.0).softmax(-1) @ v,
        ),
        Mistake(
            "mask-ignored",
            "The mask has no effect.",
            lambda q, k, v, m: ac.scaled_dot_product_attention(q, k, v),
        ),
        Mistake(
            "empty-row-uniform",
            "Right where anything may be seen. A query that may attend to nothing gets the mean of all values instead "
            "of 0: after a large negative number all scores are equal again.",
            lambda q, k, v, m: _scores(q, k).masked_fill(~m, -1e9).softmax(-1) @ v,
        ),
        Mistake(
            "empty-row-nan",
            "Right where anything may be seen. A query that may attend to nothing gets 0/0 = NaN. It should get 0.",
            lambda q, k, v, m: _scores(q, k).masked_fill(~m, -math.inf).softmax(-1) @ v,
        ),
        Mistake(
            "no-scale",
            "The scores are not scaled.",
            lambda q, k, v, m: ac.scaled_dot_product_attention(q, k, v, m, scale=1.0),
        ),
        Mistake(
            "no-scale",
            "The scores are not scaled; and a query that may attend to nothing gets the mean of all values.",
            lambda q, k, v, m: (q @ k.mT).masked_fill(~m, -1e9).softmax(-1) @ v,
        ),
        Mistake(
            "no-root",
            "The scores are divided by d_k. By which power of it should they be?",
            lambda q, k, v, m: ac.scaled_dot_product_attention(q, k, v, m, scale=1 / q.shape[-1]),
        ),
        Mistake(
            "returns-weights",
            "The weights come back; the average of the values is still to be taken.",
            lambda q, k, v, m: ac.attention_weights(q, k, m),
        ),
        Mistake(
            "infinity-after-softmax",
            "Minus infinity belongs into the scores, before the softmax makes weights of them.",
            lambda q, k, v, m: _scores(q, k).softmax(-1).masked_fill(~m, -math.inf) @ v,
        ),
        Mistake(
            "plus-infinity",
            "The infinity has the wrong sign: the hidden keys win everything.",
            lambda q, k, v, m: _scores(q, k).masked_fill(~m, math.inf).softmax(-1) @ v,
        ),
        Mistake(
            "mask-after-softmax",
            "The mask comes after the softmax, and the scores are not scaled either.",
            lambda q, k, v, m: (q @ k.mT).softmax(-1) * m @ v,
        ),
        Mistake(
            "overflow",
            "Right for moderate scores; far from 0 the exponentials overflow or vanish. How does a softmax avoid that?",
            lambda q, k, v, m: (e := _scores(q, k).exp() * m) / e.sum(-1, keepdim=True).clamp_min(1e-9) @ v,
        ),
        Mistake(
            "mask-too-weak",
            "Masked scores are set to a number that other scores fall below. What is below all of them?",
            lambda q, k, v, m: _scores(q, k).masked_fill(~m, -20.0).softmax(-1) * m.any(-1, keepdim=True) @ v,
        ),
        Mistake(
            "no-scale",
            "The scores are not scaled; and a query that may attend to nothing gets NaN.",
            lambda q, k, v, m: (q @ k.mT).masked_fill(~m, -math.inf).softmax(-1) @ v,
        ),
        Mistake(
            "always-causal",
            "The mask has no effect; a causal one has.",
            lambda q, k, v, m: ac.scaled_dot_product_attention(q, k, v, is_causal=True),
        ),
        Mistake(
            "softmax-over-queries",
            "The softmax runs over the queries.",
            lambda q, k, v, m: _scores(q, k).masked_fill(~m, -math.inf).softmax(-2) @ v,
        ),
        Mistake(
            "softmax-over-queries",
            "The softmax runs over the queries.",
            lambda q, k, v, m: _scores(q, k).masked_fill(~m, -math.inf).softmax(-2).nan_to_num() @ v,
        ),
        Mistake(
            "no-softmax",
            "The scores themselves are the weights.",
            lambda q, k, v, m: _scores(q, k).masked_fill(~m, 0) @ v,
        ),
        Mistake(
            "multiplied-by-infinity",
            "0 · ∞ is NaN: a mask of numbers cannot be made by multiplying with infinity.",
            lambda q, k, v, m: (_scores(q, k) + (~m).float() * -math.inf).softmax(-1) @ v,
        ),
        Mistake(
            "mask-transposed",
            "The mask is transposed.",
            lambda q, k, v, m: ac.scaled_dot_product_attention(q, k, v, m.mT),
        ),
    ],
    "Equal to torch's masked attention for masks of queries, batches and padding; rows sum to 1 over what may be seen; "
    "a query that may attend to nothing gets 0.",
    _explain_masked,
)


def check_masked_attention(answer):
    """Check ``answer(query, key, value, attn_mask)``: attention with a boolean mask, True = may attend.

    The mask broadcasts to ``(..., L, S)``; a query that may attend to nothing gets 0.
    """
    return _check(MASKED_ATTENTION, answer)


# Chapter 6


def _waves(even=torch.sin, odd=torch.cos, base=10_000.0, exponent=2, start=0, arrange="pairs"):
    def positions(length, dim):
        p = torch.arange(start, start + length, dtype=torch.float64)[:, None]
        angles = p / base ** (exponent * torch.arange(dim // 2) / dim)
        if arrange == "pairs":
            return torch.stack([even(angles), odd(angles)], -1).flatten(-2).float()
        return torch.cat([even(angles), odd(angles)], -1).float()

    return positions


def _by_column(even, odd):
    """Frequencies by the column itself, not by the pair."""

    def positions(length, dim):
        p, column = torch.arange(length, dtype=torch.float64)[:, None], torch.arange(dim)
        angles = p / 10_000.0 ** (column / dim)
        return torch.where(column % 2 == 0, even(angles), odd(angles)).float()

    return positions


def _by_parity_of_position(length, dim):
    """Sines in even rows, cosines in odd ones."""
    p = torch.arange(length, dtype=torch.float64)[:, None]
    angles = (p / 10_000.0 ** (2 * torch.arange(dim // 2) / dim)).repeat_interleave(2, -1)
    return torch.where(p % 2 == 0, angles.sin(), angles.cos()).float()


def _explain_positions(got, expected, arguments):
    if got.isfinite().all() and got.abs().max() > 1.001:
        return "out-of-range", "some numbers are beyond ±1, which no sine or cosine is."
    if len(got) and torch.allclose(got[0].double(), expected[0].double(), atol=1e-3):
        return "wrong-frequencies", "position 0 is right, and others are not. How fast does each pair turn?"
    return None


POSITIONS = Exercise(
    "positions",
    lambda length, dim: _waves()(length, dim),
    [(f"length {n}, dim {dim}", (n, dim)) for n, dim in [(10, 8), (1, 2), (50, 6), (7, 4), (4, 16), (6, 6)]],
    [
        Mistake("halves", "Sines fill the first half and cosines the second: a convention that is in use, too. Here "
                "they take turns.", _waves(arrange="halves")),
        Mistake("cosine-first", "Sine and cosine have changed places.", _waves(torch.cos, torch.sin)),
        Mistake("halves", "Cosines fill the first half and sines the second. Here they take turns, sine first.",
                _waves(torch.cos, torch.sin, arrange="halves")),
        Mistake("odd-positions", "The rows alternate between sine and cosine. Is it the positions or the dimensions "
                "that do?", _by_parity_of_position),
        Mistake("column-frequencies", "Each column has a frequency of its own. Sine and cosine of a pair share one.",
                _by_column(torch.sin, torch.cos)),
        Mistake("wrong-exponent", "The frequencies fall too slowly: a factor 2 is missing in the exponent.",
                _waves(exponent=1)),
        Mistake("wrong-exponent", "The frequencies fall too fast: look at the exponent.", _waves(exponent=4)),
        Mistake("rising-frequencies", "The exponent has the wrong sign: the later pairs should turn more slowly.",
                _waves(exponent=-2)),
        Mistake("wrong-base", "The base is 1000.", _waves(base=1000.0)),
        Mistake("wrong-base", "The base is 100000.", _waves(base=100_000.0)),
        Mistake("wrong-base", "The base is e.", _waves(base=math.e)),
        Mistake("one-frequency", "All pairs turn at the same speed.", _waves(base=1.0)),
        Mistake("starts-at-one", "The first position is 1; it should be 0.", _waves(start=1)),
        Mistake("sines-only", "There are sines only. From a sine alone two angles are possible.",
                _waves(torch.sin, torch.sin)),
        Mistake("sines-only", "There are cosines only.", _waves(torch.cos, torch.cos)),
        Mistake("sines-only", "Sines of all columns, each with a frequency of its own.",
                _by_column(torch.sin, torch.sin)),
        Mistake("no-waves", "These are the angles; their sines and cosines are asked for.",
                _waves(lambda a: a, lambda a: a)),
        Mistake("degrees", "The angles are taken for degrees.",
                _waves(lambda a: a.deg2rad().sin(), lambda a: a.deg2rad().cos())),
        Mistake("transposed", "Rows and columns are exchanged: one row for each position.",
                lambda length, dim: _waves()(length, dim).T),
        Mistake("half-width", "Half of the columns are missing.", lambda length, dim: _waves()(length, dim)[:, ::2]),
    ],
    "Sine in the even and cosine in the odd columns, for lengths from 1 to 50 and widths from 2 to 16.",
    _explain_positions,
)  # fmt: skip


def check_positions(answer):
    """Check ``answer(length, dim)``: sinusoidal positions, ``(length, dim)``, for even ``dim`` and base 10000."""
    return _check(POSITIONS, answer)


# Chapter 7


def _square(compare):
    """A mask over L × L positions from a comparison of rows i and columns j."""
    return lambda L, window: compare(torch.arange(L)[:, None], torch.arange(L), L, window)


LOCAL_MASK = Exercise(
    "local_mask",
    ac.sliding_window_mask,
    [(f"L = {L}, window = {w}", (L, w)) for L, w in [(6, 1), (8, 2), (5, 3), (3, 7), (1, 1), (9, 4)]],
    [
        Mistake("inverted", "True stands where nothing may be seen. In this book True = may attend.",
                _square(lambda i, j, L, w: (i - j).abs() > w)),
        Mistake("too-narrow", "The border of the window is left out: is the distance allowed to be the window itself?",
                _square(lambda i, j, L, w: (i - j).abs() < w)),
        Mistake("too-wide", "One position too many on each side.", _square(lambda i, j, L, w: (i - j).abs() <= w + 1)),
        Mistake("looks-back-only", "Only earlier positions are seen. The window has two sides here.",
                _square(lambda i, j, L, w: (i - j >= 0) & (i - j <= w))),
        Mistake("looks-ahead-only", "Only later positions are seen. The window has two sides.",
                _square(lambda i, j, L, w: (j - i >= 0) & (j - i <= w))),
        Mistake("no-absolute-value", "Negative differences are all allowed: everything later is seen.",
                _square(lambda i, j, L, w: i - j <= w)),
        Mistake("no-absolute-value", "Negative differences are all allowed: everything earlier is seen.",
                _square(lambda i, j, L, w: j - i <= w)),
        Mistake("total-width", "The window is taken for the whole width. It counts the positions on each side.",
                _square(lambda i, j, L, w: (i - j).abs() <= w // 2)),
        Mistake("double-width", "The window is doubled. It counts the positions on each side.",
                _square(lambda i, j, L, w: (i - j).abs() <= 2 * w)),
        Mistake("hides-itself", "A position does not see itself.",
                _square(lambda i, j, L, w: ((i - j).abs() <= w) & (i != j))),
        Mistake("blocks", "These are blocks side by side. A window moves along with the query.",
                _square(lambda i, j, L, w: i // w == j // w)),
        Mistake("ring", "The ends are joined to a ring.",
                _square(lambda i, j, L, w: torch.minimum((i - j) % L, (j - i) % L) <= w)),
        Mistake("hides-nothing", "Everything may be seen.", lambda L, w: torch.ones(L, L).bool()),
        Mistake("hides-everything", "Nothing may be seen.", lambda L, w: torch.zeros(L, L).bool()),
        Mistake("causal", "A causal mask, whatever the window.", lambda L, w: ac.causal_mask(L)),
        Mistake("additive", "These are numbers to be added to scores. A boolean mask is asked for, True = may attend.",
                lambda L, w: ac.to_additive(ac.sliding_window_mask(L, w), torch.float32)),
        Mistake("additive", "These are numbers to be added to scores. A boolean mask is asked for, True = may attend.",
                lambda L, w: torch.zeros(L, L).masked_fill(~ac.sliding_window_mask(L, w), -1e9)),
    ],
    "Right for windows narrower and wider than the sequence: boolean, True where the distance is at most the window.",
    lambda got, expected, arguments: (
        ("sees-too-far", "a position outside of the window may be seen.") if (got & ~expected).any()
        else ("sees-too-little", "a position inside the window is hidden.")
    ),
    kind="mask",
)  # fmt: skip


def check_local_mask(answer):
    """Check ``answer(L, window)``: a boolean mask, True where the distance of two positions is at most ``window``."""
    return _check(LOCAL_MASK, answer)


# Chapter 8


def _linear(q, k, v, *, phi=ac.elu_plus_one, triangle=0, normalise=True, phi_k=None):
    """Causal linear attention by its weights, with a place for each mistake."""
    weights = phi(q) @ (phi_k or phi)(k).mT
    weights = weights if triangle is None else weights.tril(triangle)
    total = weights.sum(-1, keepdim=True)
    return (weights / total.where(total != 0, 1) if normalise else weights) @ v


def _self_case(*batch, L=7, seed):
    return _qkv(*batch, L=L, S=L, E=4, Ev=3, seed=seed)


def _explain_linear(got, expected, arguments):
    if torch.allclose(got[..., -1, :].double(), expected[..., -1, :].double(), atol=1e-3):
        return "not-causal", "the last output is right, earlier ones are not. Which keys does each of them see?"
    return _explain_attention(got, expected, arguments)


LINEAR_ATTENTION = Exercise(
    "linear_attention",
    functools.partial(ac.linear_attention, is_causal=True),
    [
        ("matrices", _self_case(seed=81)),
        ("a batch", _self_case(2, seed=82)),
        ("a batch with heads", _self_case(2, 3, L=5, seed=83)),
        ("one position", _self_case(L=1, seed=84)),
        ("300 positions", _self_case(L=300, seed=85)),
    ],
    [
        Mistake("not-causal", "Every output sees all positions. The sums should run over the positions up to its own.",
                functools.partial(_linear, triangle=None)),
        Mistake("not-normalised", "The weights do not sum to 1: what is missing is the denominator.",
                functools.partial(_linear, normalise=False)),
        Mistake("not-normalised", "There is no denominator, and every output sees all positions.",
                functools.partial(_linear, normalise=False, triangle=None)),
        Mistake("hides-itself", "A position does not see itself: is its own key added before or after it asks?",
                functools.partial(_linear, triangle=-1)),
        Mistake("sees-the-future", "Each position sees the next one.", functools.partial(_linear, triangle=1)),
        Mistake("no-feature-map", "Queries and keys are multiplied as they are; weights may be negative.",
                functools.partial(_linear, phi=lambda x: x)),
        Mistake("no-feature-map", "Only the queries go through the feature map.",
                functools.partial(_linear, phi_k=lambda x: x)),
        Mistake("wrong-feature-map", "The feature map is relu, without gradient below 0. Which one is asked for?",
                functools.partial(_linear, phi=torch.relu)),
        Mistake("wrong-feature-map", "The feature map is elu without the 1, which may be negative.",
                functools.partial(_linear, phi=F.elu)),
        Mistake("wrong-feature-map", "The feature map is relu + 1.",
                functools.partial(_linear, phi=lambda x: x.relu() + 1)),
        Mistake("wrong-feature-map", "The feature map is exp.", functools.partial(_linear, phi=torch.exp)),
        Mistake("wrong-feature-map", "The feature map is a softmax of the features.",
                functools.partial(_linear, phi=lambda x: x.softmax(-1))),
        Mistake("scaled", "Queries are divided by a root first. There are no scores to scale here.",
                lambda q, k, v: _linear(q / q.shape[-1] ** 0.5, k, v)),
        Mistake("softmax", "This is softmax attention.",
                lambda q, k, v: ac.scaled_dot_product_attention(q, k, v, is_causal=True)),
        Mistake("softmax", "This is softmax attention, and not causal.",
                lambda q, k, v: ac.scaled_dot_product_attention(q, k, v)),
        Mistake("softmax", "The products of features go through a softmax as well.",
                lambda q, k, v: ac.scaled_dot_product_attention(
                    ac.elu_plus_one(q), ac.elu_plus_one(k), v, is_causal=True, scale=1.0)),
        Mistake("whole-denominator", "The numerator sums over earlier positions, the denominator over all.",
                lambda q, k, v: (w := ac.elu_plus_one(q) @ ac.elu_plus_one(k).mT).tril()
                / w.sum(-1, keepdim=True) @ v),
        Mistake("denominator-without-query", "The denominator sums features of keys; the query has a part in it.",
                lambda q, k, v: (ac.elu_plus_one(q) @ ac.elu_plus_one(k).mT).tril() @ v
                / ac.elu_plus_one(k).cumsum(-2).sum(-1, keepdim=True)),
        Mistake("mean", "The sum is divided by the number of positions.",
                lambda q, k, v: (ac.elu_plus_one(q) @ ac.elu_plus_one(k).mT).tril() @ v
                / torch.arange(1, q.shape[-2] + 1)[:, None]),
        Mistake("efficient", "This is Efficient Attention.", ac.efficient_attention),
        Mistake("sums-over-batch", "The sums run along the first axis, which is the batch.",
                lambda q, k, v: _linear(q, k, v) if q.ndim == 2 else _linear(*(x.transpose(0, -2) for x in (q, k, v)))
                .transpose(0, -2)),
    ],
    "Equal to the quadratic form with weights φ(q)·φ(k), for matrices, batches and heads, one position and 300; no "
    "output sees a later position.",
    _explain_linear,
)  # fmt: skip


def check_linear_attention(answer):
    """Check ``answer(query, key, value)``: causal linear attention with the feature map elu + 1."""
    return _check(LINEAR_ATTENTION, answer)


EFFICIENT_ATTENTION = Exercise(
    "efficient_attention",
    lambda q, k, v: ac.efficient_attention(q, k, v),
    [
        ("matrices with L = 3, S = 5", _qkv(E=4, Ev=2, seed=91)),
        ("a batch", _qkv(2, E=4, Ev=2, seed=92)),
        ("a batch with heads", _qkv(2, 3, L=4, E=4, Ev=2, seed=93)),
        ("square matrices", _qkv(L=4, S=4, E=4, Ev=4, seed=94)),
        ("large numbers", _qkv(E=4, Ev=2, size=300.0, seed=95)),
        ("one key", _qkv(S=1, E=4, Ev=2, seed=96)),
    ],
    [
        Mistake("keys-by-row", "The keys are normalised along their features. A map is a distribution over positions.",
                lambda q, k, v: q.softmax(-1) @ (k.softmax(-1).mT @ v)),
        Mistake("queries-by-column", "The queries are normalised along the positions. A query mixes maps.",
                lambda q, k, v: q.softmax(-2) @ (k.softmax(-2).mT @ v)),
        Mistake("exchanged", "The two softmaxes are exchanged: which one runs along the positions?",
                lambda q, k, v: q.softmax(-2) @ (k.softmax(-1).mT @ v)),
        Mistake("queries-not-normalised", "The queries are used as they are; outputs are no averages.",
                lambda q, k, v: q @ (k.softmax(-2).mT @ v)),
        Mistake("keys-not-normalised", "The keys are used as they are; the maps do not sum to 1.",
                lambda q, k, v: q.softmax(-1) @ (k.mT @ v)),
        Mistake("no-softmax", "There is no softmax at all.", lambda q, k, v: q @ (k.mT @ v)),
        Mistake("softmax", "This is softmax attention.", F.scaled_dot_product_attention),
        Mistake("softmax", "This is softmax attention, without a scale.",
                lambda q, k, v: ac.scaled_dot_product_attention(q, k, v, scale=1.0)),
        Mistake("scaled", "The queries are divided by a root first. There are no scores to scale here.",
                lambda q, k, v: ac.efficient_attention(q / q.shape[-1] ** 0.5, k, v)),
        Mistake("scaled", "Queries and keys are divided by a root first. There are no scores to scale here.",
                lambda q, k, v: ac.efficient_attention(q / q.shape[-1] ** 0.5, k / q.shape[-1] ** 0.5, v)),
        Mistake("scaled", "The output is divided by a root. There is nothing to scale here.",
                lambda q, k, v: ac.efficient_attention(q, k, v) / q.shape[-1] ** 0.5),
        Mistake("fixed-axes", "The keys are normalised along axis 0, which is the positions for matrices only.",
                lambda q, k, v: q.softmax(-1) @ (k.softmax(0).mT @ v)),
        Mistake("fixed-axes", "The keys are normalised along axis 1.",
                lambda q, k, v: q.softmax(-1) @ (k.softmax(1).mT @ v)),
        Mistake("matrices-only", "Right for matrices, and fails in a batch. How are axes counted from the end?",
                lambda q, k, v: q.softmax(-1) @ (k.softmax(-2).T @ v) if q.ndim == 2 else 1 / 0),
        Mistake("causal", "Later positions are hidden. Nobody asked for a mask here.",
                lambda q, k, v: ac.efficient_attention(q, k, v, is_causal=True)),
        Mistake("linear", "This is linear attention with the feature map elu + 1.", ac.linear_attention),
        Mistake("returns-maps", "The averages of the maps come back; the queries are still to mix them.",
                lambda q, k, v: k.softmax(-2).mT @ v),
        Mistake("returns-weights", "The weights come back; the values are still to be averaged.",
                lambda q, k, v: q.softmax(-1) @ k.softmax(-2).mT),
        Mistake("overflow", "Right for moderate numbers, NaN for large ones.",
                lambda q, k, v: (a := q.exp()) / a.sum(-1, keepdim=True)
                @ (((b := k.exp()) / b.sum(-2, keepdim=True)).mT @ v)),
        Mistake("key-and-value-swapped", "Keys and values are exchanged.",
                lambda q, k, v: q.softmax(-1) @ (v.softmax(-2).mT @ k)),
    ],
    "Equal to the definition for L ≠ S, batches and heads, large numbers and one key; rows of the weights sum to 1.",
    _explain_attention,
)  # fmt: skip


def check_efficient_attention(answer):
    """Check ``answer(query, key, value)``: Efficient Attention, not causal, for any number of batch axes."""
    return _check(EFFICIENT_ATTENTION, answer)


# Chapter 9


def _chunks(*sizes, seed, size=2.0, offset=0.0):
    return ([size * _randn(n, seed=seed + i) + offset for i, n in enumerate(sizes)],)


def _running(chunks, *, correct=True, weights=None, first=None):
    """The running largest score and sum, with a place for each mistake; then the weights of all scores."""
    largest, total = torch.tensor(-math.inf), torch.tensor(0.0)
    for chunk in chunks:
        larger = torch.maximum(largest, chunk.max())
        total = (total * (largest - larger).exp() if correct else total) + (chunk - larger).exp().sum()
        largest = larger
    return torch.cat([(chunk - largest).exp() / total for chunk in chunks])


def _explain_online(got, expected, arguments):
    if not got.isfinite().all():
        return "overflow", "NaN or infinite numbers: which number is subtracted before exp?"
    if abs(got.sum().item() - 1) > 1e-3:
        return "not-normalised", f"the weights of all scores together sum to {got.sum():.2f}, not to 1."
    return "wrong-weights", "the weights sum to 1, but are shared out in another way than by a softmax of all scores."


ONLINE_SOFTMAX = Exercise(
    "online_softmax",
    lambda chunks: torch.cat(chunks).softmax(0),
    [
        ("three chunks", _chunks(4, 3, 5, seed=101)),
        ("rising chunks", ([torch.tensor([0.0, 1.0]), torch.tensor([3.0, 2.0]), torch.tensor([5.0])],)),
        ("falling chunks", ([torch.tensor([5.0, 4.0]), torch.tensor([1.0]), torch.tensor([0.0, -2.0])],)),
        ("one chunk", _chunks(6, seed=110)),
        ("scores in the thousands", _chunks(3, 4, 3, seed=120, size=1000.0)),
        ("scores around -1000", _chunks(3, 3, seed=130, offset=-1000.0)),
        ("chunks of one score", _chunks(1, 1, 1, 1, seed=140)),
    ],
    [
        Mistake("each-chunk", "Each chunk is a softmax of its own; together they should sum to 1.",
                lambda chunks: torch.cat([c.softmax(0) for c in chunks])),
        Mistake("each-chunk", "Each chunk is a softmax of its own, all divided by their number.",
                lambda chunks: torch.cat([c.softmax(0) / len(chunks) for c in chunks])),
        Mistake("no-correction", "The sum is not corrected when a larger score comes by.",
                functools.partial(_running, correct=False)),
        Mistake("wrong-correction", "The sum is corrected by the inverse of the factor.",
                lambda chunks: _online_with(chunks, lambda old, new: (new - old).exp())),
        Mistake("overflow", "No largest score is subtracted: exponentials overflow.",
                lambda chunks: (e := torch.cat(chunks).exp()) / e.sum()),
        Mistake("overflow", "The first chunk's largest score is subtracted from all: a later one may be far larger.",
                lambda chunks: (e := (torch.cat(chunks) - chunks[0].max()).exp()) / e.sum()),
        Mistake("last-chunk", "The largest score of the last chunk is taken for that of all.",
                lambda chunks: (e := (torch.cat(chunks) - chunks[-1].max()).exp()) / e.sum()),
        Mistake("last-chunk", "The sum is that of the last chunk.",
                lambda chunks: (e := (torch.cat(chunks) - torch.cat(chunks).max()).exp())
                / e[-len(chunks[-1]) :].sum()),
        Mistake("mixed-shifts", "Each chunk is shifted by its own largest score, and nothing brings them together.",
                lambda chunks: (e := torch.cat([(c - c.max()).exp() for c in chunks])) / e.sum()),
        Mistake("mixed-shifts", "Weights are written down with the largest score so far, and not corrected afterwards.",
                lambda chunks: _written_at_once(chunks)),
        Mistake("not-normalised", "The exponentials are right; their sum is missing.",
                lambda chunks: (torch.cat(chunks) - torch.cat(chunks).max()).exp()),
        Mistake("returns-log-sum-exp", "This is the log-sum-exp. The weights are asked for.",
                lambda chunks: torch.cat(chunks).logsumexp(0)),
        Mistake("returns-last-chunk", "Only the weights of the last chunk came back.",
                lambda chunks: torch.cat(chunks).softmax(0)[-len(chunks[-1]) :]),
        Mistake("logarithm", "These are the logarithms of the weights.",
                lambda chunks: torch.cat(chunks).log_softmax(0)),
        Mistake("hand-back", "The scores come back.", torch.cat),
    ],
    "Equal to the softmax of all scores, for rising and falling chunks, chunks of one score, and scores in thousands.",
    _explain_online,
)  # fmt: skip


def _online_with(chunks, factor):
    largest, total = chunks[0].max(), (chunks[0] - chunks[0].max()).exp().sum()
    for chunk in chunks[1:]:
        larger = torch.maximum(largest, chunk.max())
        total = total * factor(largest, larger) + (chunk - larger).exp().sum()
        largest = larger
    return torch.cat([(chunk - largest).exp() / total for chunk in chunks])


def _written_at_once(chunks):
    largest, exps = torch.tensor(-math.inf), []
    for chunk in chunks:
        largest = torch.maximum(largest, chunk.max())
        exps.append((chunk - largest).exp())
    return torch.cat(exps) / torch.cat(exps).sum()


def check_online_softmax(answer):
    """Check ``answer(chunks)``: the softmax over all scores of a list of one-dimensional tensors, as one tensor."""
    return _check(ONLINE_SOFTMAX, answer)
