"""What the tests of the models' explorers do in the page."""

import re


def told(figure, *parts):
    """The picture's words, once they contain all these parts; "4 tokens" isn't in "14 tokens"."""
    words = figure.locator(".explorer-text").element_handle()
    has_all = "([words, parts]) => parts.every((part) => new RegExp(part).test(words.textContent))"
    # This looks at every frame; expect looks only a few times a second.
    # 512 tokens take a slow machine most of a minute.
    patterns = [rf"(?<!\d){re.escape(part)}" for part in parts]
    figure.page.wait_for_function(has_all, arg=[words, patterns], timeout=120_000)
    return words.text_content()


def write(figure, text, name="text"):
    """Fill this control's field and press Enter."""
    field = figure.locator(f"[data-control={name}] input[type=text]")
    field.fill(text)
    field.press("Enter")
