"""Citations as text: `{cite:p}` and `{cite:t}` as the site shows them, and the list at the end of a notebook."""

import functools
import re

from pybtex.database import parse_file
from pybtex.plugin import find_plugin
from pybtex.richtext import Text

from languages import say, say_list
from website.places import ROOT

CITATION = re.compile(r"\{cite:([pt])\}`([^`]+)`")


def title():
    """The heading of the list, which is also its place in a notebook."""
    return say("References")


@functools.cache
def bibliography():
    return parse_file(ROOT / "references.bib")


def label(key):
    """The authors and the year of an entry: ``("Vaswani et al.", "2017")``."""
    first, *more = names(key)
    if len(more) == 1 and more != ["others"]:
        authors = say("{first} and {second}", first=first, second=more[0])
    else:
        authors = say("{first} et al.", first=first) if more else first
    return authors, bibliography().entries[key].fields["year"]


def in_order_of(authors):
    """By what entries are sorted, in all languages: their English labels."""
    return (f"{authors[0]} et al." if len(authors) > 2 else " and ".join(authors)).lower()


def names(key):
    """The last names of an entry's authors."""
    persons = bibliography().entries[key].persons["author"]
    return [str(Text.from_latex(" ".join([*person.prelast_names, *person.last_names]))) for person in persons]


def with_labels(text):
    """``text`` with its citations as links to the list, and the keys of what it cites."""
    cited, place = [], f"#{title()}"

    def link(match):
        keys = [key.strip() for key in match[2].split(",")]
        cited.extend(keys)
        if match[1] == "t":
            return say_list(["{0} [[{1}]({place})]".format(*label(key), place=place) for key in keys])
        return "[" + "; ".join("[{0}, {1}]({place})".format(*label(key), place=place) for key in keys) + "]"

    return CITATION.sub(link, text), cited


@functools.cache
def style_and_backend():
    return find_plugin("pybtex.style.formatting", "unsrt")(), find_plugin("pybtex.backends", "markdown")()


def listed(keys):
    """These entries as a list in markdown, in the order of their authors."""
    in_order = sorted(set(keys), key=lambda key: (in_order_of(names(key)), label(key)[1], key))
    style, backend = style_and_backend()
    entries = style.format_bibliography(bibliography(), in_order)
    return "\n".join(f"- {' '.join(entry.text.render(backend).split())}" for entry in entries)
