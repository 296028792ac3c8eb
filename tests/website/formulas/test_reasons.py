"""A derivation's reasons are next to their lines on a wide page, and below them on a phone."""

PAGE = "chapters/02_why_sqrt_dk.html"
# For each line with a reason: where the line and its reason are, and how far the formula can be scrolled.
LINES = """() => [...document.querySelectorAll("mjx-mtr:has(> mjx-mtd:nth-child(4) mjx-mtext)")].map(row => {
    const [line, reason] = [row.children[1], row.children[3]].map(cell => cell.getBoundingClientRect());
    const formula = row.closest("mjx-container");
    return [line.bottom, line.right, reason.top, reason.left, formula.scrollWidth - formula.clientWidth];
})"""


def test_reasons_are_beside_their_lines_or_below(open_page):
    page = open_page(PAGE)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        lines = page.evaluate(LINES)
        assert len(lines) >= 7
        for bottom, right, top, left, scrolled in lines:
            assert scrolled <= 1
            assert top >= bottom - 6 if width == 390 else left >= right
