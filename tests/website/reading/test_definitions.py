"""The glossary's words: the parts that an entry needs, and the places where its words are found."""

import re

import pytest
from sphinx.errors import ExtensionError

from website.reading import definitions


def test_an_entry_names_its_chapter():
    with pytest.raises(ExtensionError, match="softmax"):
        list(definitions.entries("```{glossary}\nsoftmax\n  Something without its chapter.\n```"))


def test_a_word_is_found_alone():
    assert re.search(definitions.in_text("entropy"), "the Entropy of")
    assert not re.search(definitions.in_text("entropy"), "a cross-entropy")
