"""Rules for the book's text; authors and the build can check pages against them in seconds."""

from website.prose import claims


def setup(app):
    claims.setup(app)
