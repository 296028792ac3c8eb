"""Checkers: right answers pass, mistakes in wrong ones are named, and no reader's answer breaks a checker."""

import re

import pytest
import torch
from wrong_answers import BROKEN, RIGHT, WRONG

import languages
import practice

EXERCISES = sorted(name.removeprefix("check_") for name in practice.__all__ if name.startswith("check_"))


def checker(exercise):
    return getattr(practice, f"check_{exercise}")


def check(exercise, answer):
    verdict = checker(exercise)(answer)
    assert isinstance(verdict, practice.Verdict)
    assert verdict.exercise == exercise
    assert verdict.passed == (verdict.mistake is None)
    assert verdict.text
    return verdict


def rows(answers):
    """The rows of a table of answers, as the parameters of a test named after the exercise and the answer."""
    return [
        pytest.param(exercise, *row[1:], id=f"{exercise}-{row[0]}")
        for exercise in EXERCISES
        for row in answers.get(exercise, [])
    ]


@pytest.mark.parametrize(("exercise", "answer"), rows(RIGHT))
def test_right_answer(exercise, answer):
    verdict = check(exercise, answer)
    assert verdict.passed, verdict


@pytest.mark.parametrize(("exercise", "answer", "mistakes"), rows(WRONG))
def test_wrong_answer(exercise, answer, mistakes):
    verdict = check(exercise, answer)
    assert not verdict.passed
    assert verdict.mistake in ({mistakes} if isinstance(mistakes, str) else mistakes), verdict


@pytest.mark.parametrize(("exercise", "answer", "mistake"), rows({exercise: BROKEN for exercise in EXERCISES}))
def test_broken_answer(exercise, answer, mistake):
    assert check(exercise, answer).mistake == mistake


def test_every_exercise_has_right_and_wrong_answers():
    assert set(RIGHT) == set(WRONG) == set(EXERCISES)


RESULTS = [
    *("text", 3, True, [1.0], {}, ..., object(), float("nan"), 1j),
    *(torch.tensor(2), torch.zeros(2, 3), torch.full((3, 5), float("nan")), torch.ones(3, 7).cfloat()),
    *(torch.zeros(3, 7).to_sparse(), torch.zeros(3, device="meta"), torch.zeros(0), torch.nn.Parameter(torch.ones(3))),
    *(10**400, torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])),
]


@pytest.mark.parametrize("exercise", EXERCISES)
@pytest.mark.parametrize("i", range(len(RESULTS)))
def test_checkers_survive_and_reject_any_result(exercise, i):
    assert not check(exercise, lambda *arguments: RESULTS[i]).passed


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_known_mistake_gets_its_own_name(exercise):
    """Each wrong answer inside a checker gets its own name, and its hint does not give the answer away."""
    mistakes = checker(exercise).exercise.mistakes
    assert len({mistake.hint for mistake in mistakes}) == len(mistakes), (
        "functions with the same hint belong to one Mistake"
    )
    for mistake in mistakes:
        assert mistake.functions, mistake.hint
        for function in mistake.functions:
            assert check(exercise, function).mistake == mistake.name, mistake.hint
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", mistake.name)
        assert mistake.hint.endswith((".", "?"))
        assert "keepdim=True" not in mistake.hint
        assert "sqrt" not in mistake.hint


def test_a_verdict_reads_well():
    passed, failed = check("scale", lambda d_k: d_k**-0.5), check("scale", lambda d_k: 1 / d_k)
    assert repr(passed).startswith("scale: passed. For widths")
    assert repr(failed).startswith("scale: not yet (no-root). ")
    assert "<strong>Passed.</strong>" in passed._repr_html_()
    assert "(no-root)" in failed._repr_html_()
    nasty = check("softmax", lambda x: 1 / 0 if False else (_ for _ in ()).throw(ValueError("<b>&</b>")))
    assert "&lt;b&gt;&amp;&lt;/b&gt;" in nasty._repr_html_()


SAID = {
    "{exercise}: passed. {text}": "{exercise}+ {text}",
    "{exercise}: not yet ({mistake}). {text}": "{exercise}- ({mistake}) {text}",
    "Passed.": "<+>",
    "For widths from 1 to 1024 the scaled scores have standard deviation 1.": "shown",
    "The variance becomes 1/d_k. Which power of d_k is a standard deviation?": "hint",
    "On {case} the result is off by up to {error}, in a way that fits no known mistake.": "{error} {case}",
    "d_k = 64": "64",
    "On {case}: {what}": "{case}; {what}",
    "The result should be one number; this is {what}.": "one, not {what}",
    "an object of type {type}": "a {type}",
}


def test_a_checker_speaks_the_readers_language(tmp_path, monkeypatch):
    """A right answer, a known mistake, an unknown one, and a result of a wrong type."""
    folder = tmp_path / "xx"
    folder.mkdir()
    entries = "".join(f'msgid "{english}"\nmsgstr "{said}"\n\n' for english, said in SAID.items())
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8"\n\n'
    (folder / "practice.po").write_text(header + entries, "utf-8")
    monkeypatch.setenv(languages.LANGUAGE, str(folder))
    answers = [lambda d: d**-0.5, lambda d: 1 / d, lambda d: d**-0.5 + 0.25, lambda d: []]
    verdicts = [check("scale", answer) for answer in answers]
    assert list(map(repr, verdicts)) == [
        "scale+ shown",
        "scale- (no-root) hint",
        "scale- (different) 0.25 64",
        "scale- (not-a-number) 64; one, not a list",
    ]
    assert "<strong>&lt;+&gt;</strong> shown</div>" in verdicts[0]._repr_html_()


def test_checkers_leave_torch_as_it_was():
    state = torch.get_rng_state()
    for exercise in EXERCISES:
        check(exercise, RIGHT[exercise][0][1])
    assert torch.equal(torch.get_rng_state(), state)


def spoils_settings(x):
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("meta")
    torch.set_grad_enabled(False)
    return torch.softmax(x, -1)


def test_settings_of_torch_survive_an_answer():
    check("softmax", spoils_settings)
    assert torch.get_default_dtype() == torch.float32
    assert torch.get_default_device() == torch.device("cpu")
    assert torch.is_grad_enabled()
    for exercise in EXERCISES:
        assert check(exercise, RIGHT[exercise][0][1]).passed


def test_answers_do_not_affect_one_another():
    """A function that spoils its arguments is rejected, and does not spoil the next check."""
    check("softmax", lambda x: x.zero_())
    check("attention", lambda q, k, v: v.zero_())
    assert check("softmax", RIGHT["softmax"][0][1]).passed
    assert check("attention", RIGHT["attention"][0][1]).passed
