"""The engine of the checkers: it runs a reader's function and judges it. The exercises are in the other modules.

An exercise holds a few inputs on which the right answer and the usual wrong ones differ, and the usual wrong ones
themselves, as short functions with a name and a hint. An answer that agrees with the right one everywhere passes. If an
answer agrees with a wrong one everywhere, that mistake is named. For any other answer, the most telling difference is
reported.
"""

import contextlib
import functools
import html
import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

import torch

from languages import entry


def say(text, /, **values):
    """``text`` in the reader's language, as ``languages.say``, from the file with the words of checkers."""
    said = entry("practice", text) or text
    return said.format(**values) if values else said


@dataclass(frozen=True)
class Verdict:
    """A checker's result: ``mistake`` is a short stable name, None for a right answer; ``text`` is for the reader."""

    exercise: str
    passed: bool
    mistake: str | None
    text: str

    def __repr__(self):
        if self.passed:
            return say("{exercise}: passed. {text}", exercise=self.exercise, text=self.text)
        values = {"exercise": self.exercise, "mistake": self.mistake, "text": self.text}
        return say("{exercise}: not yet ({mistake}). {text}", **values)

    def _repr_html_(self):
        colour, word = ("#00785a", say("Passed.")) if self.passed else ("#b35900", say("Not yet."))
        name = "" if self.passed else f" <small>({html.escape(self.mistake)})</small>"
        return (
            f'<div role="status" style="border-left: 4px solid {colour}; padding: 0.3em 0.8em">'
            f"<strong>{html.escape(word)}</strong> {html.escape(self.text)}{name}</div>"
        )


class Mistake:
    """A mistake that people make: its stable name, a hint, and one or more wrong answers that make it."""

    def __init__(self, name, hint, *functions):
        self.name, self.hint, self.functions = name, hint, functions


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """All that a checker knows: the right function, inputs, known mistakes, and a sentence on what passing shows."""

    name: str
    right: Callable
    cases: list  # of (words, arguments): a tuple of arguments, and words that describe it
    mistakes: list
    shown: str
    returns: str = "tensor"  # or "number", or "mask"
    # For a result that matches no known mistake: from (got, expected, arguments) to (name, words by ``say``), or None.
    explain: Callable = lambda got, expected, arguments: None

    @functools.cached_property
    def outcomes_of_mistakes(self):
        """(mistake, what its function gives in each case) for all functions of all known mistakes.

        They do not depend on the answer, and take most of the time of a check.
        """
        return [
            (mistake, [_outcome(function, _copied(arguments)) for _, arguments in self.cases])
            for mistake in self.mistakes
            for function in mistake.functions
        ]


def checks(**told):
    """A decorator that turns a function with only a docstring into a checker; ``told`` are an exercise's other fields.

    The checker takes the reader's answer and returns a ``Verdict``. Its attribute ``exercise`` is the exercise.
    """

    def checker_from(described):
        @functools.wraps(described)
        def checker(answer):
            mistake, text = _judge(checker.exercise, answer)
            return Verdict(checker.exercise.name, mistake is None, mistake, text)

        checker.exercise = Exercise(name=described.__name__.removeprefix("check_"), **told)
        return checker

    return checker_from


def normal(*shape, seed):
    """Normal numbers with variance 1: smaller ones would hide a missing factor."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float32)


def same(a, b, tolerance=2e-4):
    """Equal in shape, and in value up to ``tolerance``; all exceptions count as equal."""
    if isinstance(a, BaseException) or isinstance(b, BaseException):
        return isinstance(a, BaseException) and isinstance(b, BaseException)
    comparable = [(isinstance(x, torch.Tensor) and not x.is_complex()) or _is_number(x) for x in (a, b)]
    if not all(comparable):
        return type(a) is type(b) and not any(comparable)
    a, b = _as_tensor(a).double(), _as_tensor(b).double()
    atol = tolerance if a.ndim else 1e-8  # a single number must be right even if it is small
    return a.shape == b.shape and torch.allclose(a, b, rtol=tolerance, atol=atol, equal_nan=True)


# How an answer is judged. If a step finds something, it returns (name of the mistake, text), otherwise None.


def _judge(exercise, answer):
    """The result of the first step that finds something; the name is None if the answer has passed."""
    if not callable(answer):
        return "not-a-function", say(
            "Pass the function itself, without calling it; this is {what}.", what=_in_words(answer)
        )
    runs = _run_all(exercise, answer)
    found = (
        # Findings that disqualify at once.
        _changed_input(runs)
        or _two_results(answer, runs)
        # Right numbers: passed, or of the wrong type.
        or _all_right(exercise, runs)
    )
    if found:
        return found
    known = exercise.outcomes_of_mistakes
    return (
        # A known mistake.
        _mistake_in_all_cases(exercise, runs, known)
        or _mistake_where_numbers_are(exercise, runs, known)
        or _transposed(runs)
        # No known mistake: the most telling difference.
        or _first_difference(exercise, runs)
    )


@dataclass(frozen=True)
class _Run:
    """A case of an exercise, and the result that the answer gave for it."""

    words: str
    arguments: tuple
    arguments_after: list  # the arguments that the answer was given, after it has run
    got: object
    expected: object

    @property
    def tolerance(self):
        """The error that rounding in float32 may cause; with scores of 10000, three digits are left."""
        return 1e-3 if _has_large_numbers(self.arguments) else 2e-4

    def gave(self, outcome):
        """Whether the answer gave ``outcome``, up to rounding."""
        return same(self.got, outcome, self.tolerance)

    @property
    def is_right(self):
        return self.gave(self.expected)


def _run_all(exercise, answer):
    """The runs of ``answer``, one for each case."""
    expected = [exercise.right(*_copied(arguments)) for _, arguments in exercise.cases]
    runs = []
    for (words, arguments), right in zip(exercise.cases, expected, strict=True):
        given = _copied(arguments)
        got = _outcome(answer, given)
        runs.append(_Run(say(words), arguments, given, got, right))
    return runs


def _changed_input(runs):
    """Found if an argument is not what it was before."""
    for run in runs:
        if not _unchanged(list(run.arguments), run.arguments_after):
            text = say("On {case} an argument is not what it was before. The caller still needs it.", case=run.words)
            if isinstance(run.got, BaseException):
                text = say("{text} (Then it also raises {error}.)", text=text, error=_error_in_words(run.got))
            return "changes-its-input", text
    return None


def _two_results(answer, runs):
    """Found if a second call gives a different result. Text that it prints is dropped: the first call printed it."""
    with contextlib.redirect_stdout(io.StringIO()):
        again = [_outcome(answer, _copied(run.arguments)) for run in runs]
    if all(run.gave(outcome) for run, outcome in zip(runs, again, strict=True)):
        return None
    return "random", say(
        "Two calls with the same arguments gave different results. Is something random, or kept between calls?"
    )


def _all_right(exercise, runs):
    """Found if the numbers are right in all cases: a pass, which is (None, text), or a wrong type."""
    if not all(run.is_right for run in runs):
        return None
    for run in runs:
        if problem := _wrong_type(exercise, run.got, run.expected):
            return problem
    return None, say(exercise.shown)


def _mistake_in_all_cases(exercise, runs, known):
    """Found if a known mistake gives the same results in all cases, and not all of them are exceptions."""
    return _mistake_among(range(len(runs)), exercise, runs, known)


def _mistake_where_numbers_are(exercise, runs, known):
    """Found if a known mistake gives the same results wherever the answer gives numbers, in two cases or more."""
    numbers = [k for k, run in enumerate(runs) if _gives_numbers(run.got, run.expected)]
    if len(numbers) < 2 or all(runs[k].is_right for k in numbers):
        return None
    return _mistake_among(numbers, exercise, runs, known)


def _mistake_among(some, exercise, runs, known):
    """Found if a known mistake gives the same results in the cases ``some`` (indices), and not all cases raise."""
    results = [run.got for run in runs if not isinstance(run.got, BaseException)]
    numbers_for_mask = exercise.returns == "mask" and any(
        isinstance(got, torch.Tensor) and got.dtype != torch.bool for got in results
    )
    for mistake, outcomes in known:
        if results and all(runs[k].gave(outcomes[k]) for k in some):
            hint = say(mistake.hint)
            return mistake.name, say("{hint} (And it is not boolean.)", hint=hint) if numbers_for_mask else hint
    return None


def _transposed(runs):
    """Found if everything would be right with the last two axes exchanged."""
    results = [run.got for run in runs]
    if not all(isinstance(got, torch.Tensor) and got.ndim >= 2 for got in results):
        return None
    if not all(same(got.mT, run.expected, run.tolerance) for got, run in zip(results, runs, strict=True)):
        return None
    return "transposed", say("The numbers are right, but the last two axes have changed places. What should a row be?")


def _first_difference(exercise, runs):
    """The most telling mistake in the first case that is wrong."""
    run = next(run for run in runs if not run.is_right)
    case = run.words
    if isinstance(run.got, BaseException):
        return "raises", say("On {case} it raises {error}", case=case, error=_error_in_words(run.got))
    if problem := _wrong_type(exercise, run.got, run.expected):
        return problem[0], say("On {case}: {what}", case=case, what=problem[1])
    got, expected = _as_tensor(run.got), _as_tensor(run.expected)
    if got.shape != expected.shape:
        shapes = {"shape": tuple(got.shape), "right": tuple(expected.shape)}
        return "wrong-shape", say("On {case} the shape is {shape}; it should be {right}.", case=case, **shapes)
    if not got.isfinite().all() and expected.isfinite().all() and not _has_large_numbers(run.arguments):
        return "not-finite", say("On {case} there are NaN or infinite numbers in the result.", case=case)
    if found := exercise.explain(got, expected, run.arguments):
        return found[0], say("On {case}: {what}", case=case, what=found[1])
    error = f"{(got.double() - expected.double()).abs().max():.2g}"
    return "different", say(
        "On {case} the result is off by up to {error}, in a way that fits no known mistake.", case=case, error=error
    )


def _wrong_type(exercise, got, expected):
    """Found if the result is not of the type that the exercise asks for."""
    if got is None:
        return "returns-none", say("The function returns None. Is there a return, with something after it?")
    what = _in_words(got)
    if exercise.returns == "number":
        if _is_number(got):
            return None
        return "not-a-number", say("The result should be one number; this is {what}.", what=what)
    if not isinstance(got, torch.Tensor):
        return "not-a-tensor", say("The result should be one tensor; this is {what}.", what=what)
    if exercise.returns == "mask":
        if got.dtype == torch.bool:
            return None
        return "not-boolean", say(
            "The mask should be boolean, True = may attend; this is {what}. Numbers are added to scores.", what=what
        )
    of_another_kind = _kind(got) != _kind(expected)
    if of_another_kind or got.dtype.itemsize < expected.dtype.itemsize == 4:
        return "wrong-dtype", say(
            "The result should be of dtype {dtype}; this is {what}.", dtype=expected.dtype, what=what
        )
    return None


def _kind(tensor):
    """Tells truth values, integers, floating-point numbers and complex numbers apart."""
    return tensor.dtype == torch.bool, tensor.is_floating_point(), tensor.is_complex()


# Parts of the steps.


def _outcome(function, arguments):
    """The function's result, detached and copied, or the exception that it raises; torch's settings are restored."""
    dtype, device = torch.get_default_dtype(), torch.get_default_device()
    try:
        with torch.set_grad_enabled(torch.is_grad_enabled()):
            result = function(*arguments)
        if isinstance(result, torch.Tensor):
            result = result.detach().cpu().to_dense().clone().as_subclass(torch.Tensor)
            if not result.is_complex():
                tuple(result.double().shape)  # anything but an array of numbers raises an error here
        elif getattr(result, "ndim", None) == 0:  # a NumPy array of one number
            result = result.item()
        return result
    except (Exception, SystemExit) as error:
        return error
    finally:
        torch.set_default_dtype(dtype)
        if torch.get_default_device() != device:
            torch.set_default_device(device)


def _copied(x):
    """A copy for a function that may change its arguments: of a tensor, or of a list or tuple and its contents."""
    if isinstance(x, torch.Tensor):
        return x.clone(memory_format=torch.preserve_format)
    return [_copied(item) for item in x] if isinstance(x, (list, tuple)) else x


def _unchanged(before, after):
    """Whether tensors, and lists of them, are as they were; other arguments cannot be changed."""
    if isinstance(before, list):
        return len(before) == len(after) and all(map(_unchanged, before, after))
    if not isinstance(before, torch.Tensor):
        return True
    if not isinstance(after, torch.Tensor) or before.shape != after.shape or before.dtype != after.dtype:
        return False
    return torch.equal(before.nan_to_num(7.25), after.nan_to_num(7.25))


def _gives_numbers(got, expected):
    """Whether an outcome is a tensor or a number, with NaN or infinity only if the right outcome has some."""
    if isinstance(got, BaseException) or not (isinstance(got, torch.Tensor) or _is_number(got)):
        return False
    got, expected = _as_tensor(got), _as_tensor(expected)
    return not got.is_complex() and bool(got.double().isfinite().all() or not expected.double().isfinite().all())


def _is_number(x):
    return (isinstance(x, Real) and not isinstance(x, bool)) or (
        isinstance(x, torch.Tensor) and x.ndim == 0 and x.dtype != torch.bool and not x.is_complex()
    )


def _has_large_numbers(arguments):
    """Whether there are numbers so large that their exponentials or their rounding are a trap."""
    tensors = [x for argument in arguments for x in (argument if isinstance(argument, list) else [argument])]
    return any(isinstance(x, torch.Tensor) and x.is_floating_point() and x.abs().max() > 15 for x in tensors)


def _as_tensor(x):
    """A tensor as it is; a number as a float64 tensor, infinite if it is too large for that."""
    if isinstance(x, torch.Tensor):
        return x
    try:
        x = float(x)
    except OverflowError:
        x = math.inf
    return torch.tensor(x, dtype=torch.float64, device="cpu")


def _in_words(x):
    """A reader's answer, or its result, in words: "an object of type list", "a tensor of dtype … and shape …"."""
    if x is None:
        return "None"
    if isinstance(x, torch.Tensor):
        return say("a tensor of dtype {dtype} and shape {shape}", dtype=x.dtype, shape=tuple(x.shape))
    return say("an object of type {type}", type=type(x).__name__)


def _error_in_words(error):
    """An exception as Python reports it, even if it cannot describe itself."""
    try:
        return f"{type(error).__name__}: {str(error) or say('no message')}"[:300]
    except Exception:
        return type(error).__name__
