"""The page of popular statements: a table with the verdict of each, as the page gives it."""

import pytest
from docutils import nodes
from sphinx.errors import ExtensionError

from website import statements

PAGE = f"{statements.PAGE}.html"


def section(*paragraphs):
    return nodes.section("", nodes.title(text="Said"), *paragraphs)


@pytest.mark.parametrize(("bold", "word"), [("No.", "no"), ("Only as one way,", "only if"), ("Yes,", "yes")])
def test_the_verdict_is_the_first_word_in_bold(bold, word):
    said = nodes.paragraph(text="Said by someone.")
    assert statements.verdict(section(said, nodes.paragraph("", "", nodes.strong(text=bold)))) == word


def test_a_statement_without_a_verdict_fails_the_build():
    with pytest.raises(ExtensionError, match="'Said' needs a verdict"):
        statements.verdict(section(nodes.paragraph(text="Perhaps.")))


def test_ten_verdicts_are_on_the_first_screen_and_each_leads_to_its_statement(open_page):
    page = open_page(PAGE, viewport={"width": 1280, "height": 800})
    rows = page.locator("table.verdicts tbody tr")
    assert rows.count() == page.locator("article h3").count()
    box = rows.nth(9).bounding_box()
    assert box["y"] + box["height"] <= 800
    link = rows.nth(4).get_by_role("link")
    title = link.inner_text()
    link.click()
    assert page.locator(":target h3").inner_text().startswith(title[:20])
    assert page.locator("article .cell_input:visible").count() == 0
    assert page.complaints == []
