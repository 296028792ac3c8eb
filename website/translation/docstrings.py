"""Docstrings are in English. In another language, each begins with its first sentence in that language, on the page of
functions; the sentences are in that page's file.
"""

import importlib
import inspect
import operator
import re

import languages

PAGE = "back_matter/api"
DIRECTIVE = re.compile(r"^\.\. auto\w+:: (\w+)((?:\.\w+)*)(?:\n +:members: (.+))?", re.MULTILINE)


def setup(app):
    app.connect("autodoc-process-docstring", begin)


def documented(text):
    """The full names of what directives document, each with the first sentence of its docstring."""
    for module, inner, members in DIRECTIVE.findall(text):
        for name in [inner, *(f"{inner}.{member}" for member in members.split(", ") if member)]:
            found = importlib.import_module(module)
            found = operator.attrgetter(name[1:])(found) if name else found
            yield module + name, first_sentence(inspect.getdoc(found))


def first_sentence(text):
    """In the first paragraph, up to a stop; without the colons of an example that follows."""
    paragraph = " ".join(text.strip().split("\n\n")[0].split())
    return re.split(r"(?<=\.)\s", paragraph)[0].rstrip(":")


def begin(app, what, name, found, options, lines):
    if said := languages.entry(PAGE, first_sentence("\n".join(lines)), name):
        lines[:0] = [said, ""]
