"""Kinds of boxes: each has a colour, and a bold word that names no kind is an error."""

import re

import pytest

from explore.figures.colours import THEMES
from website.boxes.kinds import KINDS, class_of, kind_of, style_sheet
from website.grammar import EXERCISE, PREDICT


def test_every_kind_has_a_colour_of_the_page():
    for kind, colour in KINDS.items():
        assert all(colour in theme for theme in THEMES.values()), kind
        assert f".{class_of(kind)} {{ --callout: var(--am-{colour}); }}\n" in style_sheet()


def test_the_bold_words_name_the_kind():
    assert kind_of("Predict.") == PREDICT
    assert kind_of("Exercise 3.1.") == EXERCISE


@pytest.mark.parametrize("words", ["Pitfal.", "predict.", "Predict", "Predict this.", "Exercise 3.1"])
def test_unknown_bold_words_are_an_error_that_names_the_kinds(words):
    with pytest.raises(ValueError, match=re.escape(", ".join(KINDS))) as error:
        kind_of(words)
    assert repr(words) in str(error.value)
