"""Help for readers: the first screen, second readings, definitions of words from earlier chapters, reading times."""

STYLES = ["reading.css"]


def setup(app):
    from website.reading import definitions, first_screen, second_reading  # here, because readers have no Sphinx

    definitions.setup(app)
    first_screen.setup(app)
    second_reading.setup(app)
