"""Draw _static/screenshot.png, the README's picture, from the built site (`make previews`).

The picture's metadata says what it shows, so that a test can compare it with today's page.
"""

import io
import sys

from bs4 import BeautifulSoup
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import sync_playwright

from website.browser import FLAGS, HEADLESS, NO_BROWSER, find_browser, serving
from website.places import ROOT, SITE

PICTURE = ROOT / "_static" / "screenshot.png"
SHOWS = "Shows"  # the name of the metadata
PAGE, EXPLORER = "chapters/02_why_sqrt_dk.html", "#bench"
WIDTH, MARGIN = 1280, 16
UNDER_THE_BAR = f"scrollBy(0, document.querySelector('{EXPLORER}').getBoundingClientRect().top - 48 - {MARGIN})"
FROM_THE_TOP = "document.querySelector('.bd-sidebar-primary').scrollTop = 0"


def on_the_page():
    """The title of the built page, and the words of its explorer."""
    page = BeautifulSoup((SITE / PAGE).read_text(encoding="utf-8"), "html.parser")
    return " ".join([*page.title.stripped_strings, *page.select_one(EXPLORER).stripped_strings])


def main():
    path = find_browser(HEADLESS) or sys.exit(NO_BROWSER)
    with serving(SITE) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        size = {"width": WIDTH, "height": 900}
        # Playwright waits with `eval`, which our pages' policy forbids.
        page = browser.new_page(viewport=size, device_scale_factor=1.5, reduced_motion="reduce", bypass_csp=True)
        page.goto(address + PAGE + EXPLORER)
        page.wait_for_function("document.documentElement.dataset.settled")
        page.wait_for_selector(f"{EXPLORER} fieldset:enabled")
        page.evaluate(f"{FROM_THE_TOP}; {UNDER_THE_BAR}")
        box = page.locator(EXPLORER).bounding_box()
        height = box["y"] + box["height"] + MARGIN
        drawn = page.screenshot(clip={"x": 0, "y": 0, "width": WIDTH, "height": height})
        browser.close()
    metadata = PngInfo()
    metadata.add_itxt(SHOWS, on_the_page())
    # 256 colours are enough, and need a third of the bytes.
    picture = Image.open(io.BytesIO(drawn)).convert("RGB").quantize(dither=Image.Dither.NONE)
    picture.save(PICTURE, pnginfo=metadata, optimize=True)


if __name__ == "__main__":
    main()
