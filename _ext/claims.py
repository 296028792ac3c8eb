"""Fail the build where nothing holds a claim, and leave out the marks that say what does: see tools/claims.py."""

import re

from sphinx.util import logging

from tools import claims

HIDDEN_MARK = re.compile(r" ?<!-- held: [^>]* -->")


def setup(app):
    app.connect("source-read", check_and_strip)


def check_and_strip(app, docname, source):
    path = app.env.doc2path(docname)
    for fault in claims.faults(path):
        logging.getLogger(__name__).warning(fault, location=docname)
    for other in claims.pages_cited(path):
        app.env.note_dependency(other)  # its outputs hold numbers of this page
    source[0] = HIDDEN_MARK.sub("", source[0])
