"""The README's picture shows today's page."""

import pytest
from PIL import Image

from tools.draw_screenshot import PICTURE, SHOWS, on_the_page


@pytest.mark.usefixtures("base")
def test_the_picture_shows_what_is_on_the_page():
    assert Image.open(PICTURE).text[SHOWS] == on_the_page(), "run: make previews"
