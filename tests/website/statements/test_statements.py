"""The page of popular statements: a table with the verdict of each, as the page gives it."""

import pytest
from docutils import nodes
from sphinx.errors import ExtensionError

from website import statements

PAGE = f"{statements.PAGE}.html"


def section(*paragraphs):
    return nodes.section("", nodes.title(text="Said"), *paragraphs)


@pytest.mark.parametrize(
    ("bold", "word", "because"),
    [
        ("No: it is not.", "no", "it is not."),
        ("Only if it fits.", "only if", "it fits."),
        ("Yes, in part.", "yes", "in part."),
    ],
)
def test_the_words_in_bold_are_the_verdict_and_why(bold, word, because):
    right = nodes.paragraph("", "", nodes.emphasis(text="What is right:"), nodes.Text(" much."))
    found, why = statements.verdict(section(right, nodes.paragraph("", "", nodes.strong(text=bold))))
    assert (found, "".join(node.astext() for node in why)) == (word, because)


def test_a_statement_without_a_verdict_fails_the_build():
    with pytest.raises(ExtensionError, match="'Said' needs a verdict"):
        statements.verdict(section(nodes.paragraph("", "", nodes.strong(text="Perhaps."))))


def test_the_table_is_on_the_first_screen_and_each_line_leads_to_its_statement(open_page):
    page = open_page(PAGE, viewport={"width": 1280, "height": 800})
    rows = page.locator("table.verdicts tbody tr")
    assert rows.count() == page.locator("article h3").count()
    box = rows.nth(14).bounding_box()
    assert box["y"] + box["height"] <= 800
    link = rows.nth(4).get_by_role("link")
    title = link.inner_text()
    link.click()
    assert page.locator(":target h3").inner_text().startswith(title[:20])
    assert page.locator("article .cell_input:visible").count() == 0
    assert page.complaints == []
