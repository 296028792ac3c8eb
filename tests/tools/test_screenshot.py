"""The README's picture shows today's page."""

import json

import pytest
from PIL import Image

from tools.draw_screenshot import PAGE, PICTURE, SHOWS, on_the_page
from website.places import ROOT, SITE


@pytest.fixture
def shows():
    return json.loads(Image.open(PICTURE).text[SHOWS])


@pytest.mark.usefixtures("base")
def test_the_picture_shows_what_is_on_the_page(shows):
    today = on_the_page((SITE / PAGE).read_text(encoding="utf-8"))
    today["contents"] = today["contents"][: len(shows["contents"])]
    assert shows == today, "run: make previews"


def test_the_readme_describes_its_picture(shows):
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    (described,) = [line.replace("ₖ", "k") for line in lines if PICTURE.name in line]
    number, title = shows["title"].partition(" — ")[0].split(" · ")
    *controls, last = shows["controls"]
    assert f"chapter {number}, {title}.".replace("ₖ", "k") in described
    assert f"({', '.join(shows['buttons'])})".replace("ₖ", "k") in described
    assert f"controls {', '.join(controls)} and {last} " in described


def test_the_picture_is_small():
    assert PICTURE.stat().st_size < 250_000
