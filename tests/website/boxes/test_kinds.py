"""Kinds of boxes: each has a colour, and a bold word that names no kind is an error."""

import re

import pytest

from explore.figures.colours import THEMES
from website.boxes.kinds import KINDS, kind_of
from website.grammar import EXERCISE, PREDICT


def test_every_kind_has_a_colour_of_the_page():
    assert all(set(KINDS.values()) <= set(theme) for theme in THEMES.values())


def test_the_bold_words_name_the_kind():
    assert kind_of("Predict.") == PREDICT
    assert kind_of("Exercise 3.1.") == EXERCISE


@pytest.mark.parametrize("words", ["Pitfal.", "predict.", "Predict", "Predict this.", "Exercise 3.1"])
def test_unknown_bold_words_are_an_error_that_names_the_kinds(words):
    with pytest.raises(ValueError, match=re.escape(", ".join(KINDS))) as error:
        kind_of(words)
    assert repr(words) in str(error.value)
