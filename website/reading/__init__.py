"""Help for readers: sections for a second reading, definitions of words from earlier chapters, reading times."""

from pathlib import Path

from website.reading import definitions, second_reading

STATIC = Path(__file__).parent / "static"
STYLES = ["reading.css"]


def setup(app):
    definitions.setup(app)
    second_reading.setup(app)
