"""Help for readers: the first screen, second readings, definitions of words from earlier chapters, reading times."""

from pathlib import Path

from website.reading import definitions, first_screen, second_reading

STATIC = Path(__file__).parent / "static"
STYLES = ["reading.css"]


def setup(app):
    definitions.setup(app)
    first_screen.setup(app)
    second_reading.setup(app)
