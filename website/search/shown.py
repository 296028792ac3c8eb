"""What a page shows, place by place: the words of each section, without those of the sections in it.

A place is also a name in a list of definitions (the glossary's, the reference's). Folded text counts, because a click
opens the fold; hidden text does not, except for what a question is found by, which no excerpt shows.
"""

import re
from html.parser import HTMLParser
from itertools import repeat

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
INLINE = {"a", "abbr", "b", "code", "em", "i", "kbd", "mark", "q", "s", "small", "span", "strong", "sub", "sup", "u"}
INLINE |= {"math", "mi", "mn", "mo", "mrow", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtext"}
INLINE |= {"mjx-container", "mjx-assistive-mml"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
# Pictures, and formulas for the eye, which are there for screen readers, too: most of a page's elements
LONG = re.compile(r"<(mjx-math|script|style|svg)\b.*?</\1>", re.DOTALL)
CODE = re.compile(r"(?<=<pre>).*?(?=</pre>)", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
NOT_READ = {"button", "fieldset", "noscript", "output", "select", "template"}
# A reply is hidden until its question has been answered; a frame has the numbers of a picture; an open fold's title
NOT_SHOWN = {"expanded", "explorer-frame", "headerlink", "reply", "script-lost", "viewcode-link", "visually-hidden"}
FOUND_BY = "asked-words"
ABOVE, BELOW = str.maketrans("0123456789⊤-n", "⁰¹²³⁴⁵⁶⁷⁸⁹ᵀ⁻ⁿ"), str.maketrans("0123456789ijkmnt", "₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₘₙₜ")
RAISED = {"msup": (None, ABOVE), "msub": (None, BELOW), "msubsup": (None, BELOW, ABOVE)}


def places_of(body):
    """A row [address, title, text, what it is found by] for each place of a page's body that shows any words."""
    parser = Shown()
    parser.feed(CODE.sub(lambda code: TAG.sub("", code[0]), LONG.sub("", body)))
    parser.close()
    rows = [[place.ident, *map(plain, (place.title, place.text, place.found_by))] for place in parser.places]
    return [row for row in rows if row[1] or row[2]]


def plain(parts):
    return " ".join("".join(parts).split())


class Place:
    def __init__(self, ident):
        self.ident, self.title, self.text, self.found_by = ident, [], [], []


class Shown(HTMLParser):
    def __init__(self):
        super().__init__()
        self.places = [Place("")]
        self.place = self.places[0]
        self.words = self.place.text  # where words go; None if they are hidden
        self.open = []  # for each open element: its tag, the place in which it stands, where its words went
        self.letters = [repeat(None)]  # for each: what letters become in the next child, or in its own text

    def begin_place(self, ident):
        self.place = Place(ident)
        self.places.append(self.place)
        self.words = self.place.text

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if self.words is not None and tag not in INLINE:
            self.words.append(" ")
        if tag in VOID:
            return
        self.open.append((tag, self.place, self.words))
        letters = next(self.letters[-1], None)
        self.letters.append(iter(RAISED[tag]) if tag in RAISED else repeat(letters))
        if self.words is None:
            return
        classes = set((attrs.get("class") or "").split())
        if FOUND_BY in classes:
            self.words = self.place.found_by
        elif tag in NOT_READ or classes & NOT_SHOWN or "hidden" in attrs:
            self.words = None
        elif attrs.get("id") and tag in ("section", "dt"):
            self.begin_place(attrs["id"])
            if "sig" in classes:  # a function's parameters are no title
                self.place.title.append(attrs["id"])
            elif tag == "dt":
                self.words = self.place.title
        elif tag in HEADINGS and not self.place.title:
            self.words = self.place.title
        elif tag == "msqrt":
            self.words.append("√")

    def handle_endtag(self, tag):
        if tag not in (one for one, _, _ in self.open):
            return
        ended = None
        while ended != tag:
            ended, place, words = self.open.pop()
            self.letters.pop()
        if tag == "dt" and self.place is not place:  # its definition follows, and belongs to it
            self.words = self.place.text
        else:
            self.place, self.words = place, words
        if self.words is not None and tag not in INLINE:
            self.words.append(" ")

    def handle_data(self, data):
        if self.words is not None:
            letters = next(self.letters[-1], None)
            self.words.append(data.translate(letters) if letters else data)
