"""Rules for what the book says, which authors and the build check in seconds."""

from website.prose import claims


def setup(app):
    claims.setup(app)
