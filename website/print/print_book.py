"""Print the book, built as one page, to a PDF: `make pdf`.

A browser prints it, so that figures look the same as on the pages; Sphinx's own PDF builder needs a TeX installation.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from website.browser import FLAGS, NO_BROWSER, find_browser

NUMBER = '<div style="width: 100%; text-align: center; font: 8pt sans-serif"><span class="pageNumber"></span></div>'


def print_book(source, target):
    path = find_browser() or sys.exit(NO_BROWSER)
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=path, args=FLAGS).new_page(color_scheme="light")
        page.goto(source.resolve().as_uri(), wait_until="load")
        page.emulate_media(media="print")
        page.evaluate("document.fonts.ready.then(() => true)")
        margin = {"top": "18mm", "bottom": "18mm", "left": "16mm", "right": "16mm"}
        page.pdf(
            path=target,
            format="A4",
            margin=margin,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=NUMBER,
            outline=True,
            tagged=True,
        )


if __name__ == "__main__":
    print_book(Path(sys.argv[1]), Path(sys.argv[2]))
