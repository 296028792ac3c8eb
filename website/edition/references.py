"""Citations as text: `{cite:p}` and `{cite:t}` as the site shows them, and the list at the end of a notebook."""

import functools
import re

from pybtex.database import parse_file
from pybtex.plugin import find_plugin

from website.places import ROOT

CITATION = re.compile(r"\{cite:([pt])\}`([^`]+)`")
TITLE = "References"


@functools.cache
def bibliography():
    return parse_file(ROOT / "references.bib")


def label(key):
    """The authors and the year of an entry: ``("Vaswani et al.", "2017")``."""
    entry = bibliography().entries[key]
    names = [" ".join([*person.prelast_names, *person.last_names]) for person in entry.persons["author"]]
    names = [re.sub(r"[{}]", "", name) for name in names]
    return names[0] + " et al." if len(names) > 2 else " and ".join(names), entry.fields["year"]


def with_labels(text):
    """``text`` with its citations as links to the list, and the keys of what it cites."""
    cited, place = [], f"#{TITLE}"

    def link(match):
        keys = [key.strip() for key in match[2].split(",")]
        cited.extend(keys)
        if match[1] == "t":
            return " and ".join("{0} [[{1}]({place})]".format(*label(key), place=place) for key in keys)
        return "[" + "; ".join("[{0}, {1}]({place})".format(*label(key), place=place) for key in keys) + "]"

    return CITATION.sub(link, text), cited


@functools.cache
def style_and_backend():
    return find_plugin("pybtex.style.formatting", "unsrt")(), find_plugin("pybtex.backends", "markdown")()


def listed(keys):
    """These entries as a list in markdown, in the order of their authors."""
    in_order = sorted(set(keys), key=lambda key: (label(key)[0].lower(), label(key)[1], key))
    style, backend = style_and_backend()
    entries = style.format_bibliography(bibliography(), in_order)
    return "\n".join(f"- {' '.join(entry.text.render(backend).split())}" for entry in entries)
