"""The machine as an explorer: with a kernel its picture is drawn by matplotlib, on a page by ``machine.js``."""

import functools
import html
import textwrap

import ipywidgets
import traitlets

from explore import canvas, explore, labelled, table, tiles
from explore.explorers.fields import Text
from explore.explorers.walk import Steps
from explore.mode import is_checked
from four_words.sentences import in_words
from languages import mark, of_picture, say

from . import goals
from .numbers import STAGES, followed, heads_in, matrices, parents, sum_of

SENTENCES = [
    "The machine does not see letters: X has a row of numbers for each of four words. Equal words have equal rows.",
    "Three tables turn each row into a query (what it looks for), a key (what it is found by) and a value (what it "
    "gives).",
    "Every query meets every key: a product for each pair of words.",
    "The scores: products divided by √dₖ, unless that is switched off. A causal mask hides later words.",
    "The softmax turns the scores of each row into weights above 0 with sum 1; a hidden word gets 0.",
    "The output of a word is the average of the values, weighted by its weights.",
]
LOW, HIGH = -4, 4
FOLLOW = [0, 1, 2, 3, 4]  # no word, or the number of one
MOST_LINES = 5  # of the sentences below the tiles
START = {"words": "I saw a saw", "step": "output", "scaled": True, "causal": False, "two_heads": False}
START |= {"goal": "none", "follow": 0, "look": ""}
START |= {"w_q": ((0, 0, 0, 0), (1, 1, 1, 1), (2, 0, 0, -2)), "w_k": ((1, 1, 0, 0), (1, 0, 0, -1), (1, 1, 1, 1))}
START |= {"w_v": ((1, 0), (0, 0), (0, 1))}
ROWS = ["word 1", "word 2", "word 3", "word 4"]  # the different words, in the order in which they first appear
PLACE = r"(x|w_[qkv]|[qkv]|(products|scores|weights)_[01]|output) [0-3] [0-3]"
FOUR_WORDS = mark("{label} must have 4 words, at most {longest} characters")
A_PLACE = mark("{label} must be the place of a number, such as weights_0 3 2")
CAPTION = "The machine: four words, three tables, and every number from there to the output of attention."


def machine(caption=CAPTION, **start):
    """Show the machine. For ``start`` see ``explorer_of``."""
    explorer_of(caption, **start)  # in a notebook it shows itself


def explorer_of(caption=CAPTION, **start):
    """The machine, with a caption that says what to see. ``start`` changes the state that it begins with:
    ``machine(step="scores", causal=True)``.

    words: a line of four words; step: one of ``STAGES``; scaled, causal, two_heads: booleans; w_q, w_k, w_v: rows of
    numbers, one row for each different word; look: the number under the lens, such as ``"weights_0 3 2"``; follow: the
    number of a word, or 0; goal: an id in ``goals.NAMES``.

    Raises ``TypeError`` for an unknown name, ``ValueError`` for a value that the machine does not take.
    """
    if unknown := set(start) - set(START):
        raise TypeError(f"machine takes {', '.join(START)}, got {', '.join(sorted(unknown))}")
    begin = START | start
    for name, possible in (("step", STAGES), ("goal", goals.NAMES.values()), ("follow", FOLLOW)):
        if begin[name] not in possible:
            raise ValueError(f"{name} must be one of {', '.join(map(str, possible))}, got {begin[name]!r}")
    begin["step"] = STAGES.index(begin["step"])
    for name in ("w_q", "w_k", "w_v"):
        rows = [tuple(row) for row in begin[name]]
        begin[name] = tuple(rows + [(0,) * len(rows[0])] * (4 - len(rows)))

    state = functools.partial(drawn, **begin)
    state.__name__, state.__doc__ = "machine", caption
    state.ident = "_".join(["machine", *start])  # a page has one machine; the printed book has all of them
    return explore(
        step=AtStep(SENTENCES),
        words=Text(60, r"^\s*\S+(\s+\S+){3}\s*$", FOUR_WORDS, ["a a a a", "b a a a"]),
        scaled=labelled("÷ √dₖ", [True, False]),
        causal=labelled("causal mask", [False, True]),
        two_heads=[False, True],
        goal=goals.NAMES,
        follow=FOLLOW,
        look=Look(30, rf"^({PLACE})?$", A_PLACE, ["", "weights_0 3 2"]),
        w_q=table(ROWS, ["1", "2", "3", "4"], LOW, HIGH),
        w_k=table(ROWS, ["1", "2", "3", "4"], LOW, HIGH),
        w_v=table(ROWS, ["1", "2"], LOW, HIGH),
    )(state)


class AtStep(Steps):
    """The steps of the machine. It may begin with any of them; in an address, a step is given by its number."""

    def start(self, default):
        return default

    def still(self, start):
        return start

    def __init__(self, sentences):
        super().__init__(sentences)
        self.ids = [str(i + 1) for i in range(len(sentences))]

    def for_the_page(self, start):
        return super().for_the_page(start) | {"kind": "steps", "words": self.ids}


class Look(Text):
    """The number under the lens. With a kernel, menus choose it, because that picture does not feel a pointer."""

    def widget(self, value):
        return LookWidget(value)


class LookWidget(ipywidgets.VBox):
    """The live form of ``Look``: menus for a matrix, a row and a column, and what they and ``follow`` are for."""

    value = traitlets.Unicode()

    def __init__(self, value):
        made = every()
        place = place_of(value, made) or ("", 0, 0)
        names = [(say("no number"), ""), *((matrix.title, name) for name, matrix in made.items())]
        numbers = [(str(i + 1), i) for i in range(4)]
        labels = (of_picture("look"), say("row"), say("column"))
        self.menus = [
            ipywidgets.Dropdown(
                options=options,
                value=now,
                description=label,
                layout={"width": "auto"},
                style={"description_width": "initial"},
            )
            for label, options, now in zip(labels, (names, numbers, numbers), place, strict=True)
        ]
        row = ipywidgets.Box(self.menus, layout={"flex_flow": "row wrap"})
        super().__init__([row, ipywidgets.HTML(help_html())], value=value)
        for menu in self.menus:
            menu.observe(self._read, "value")

    def _read(self, _):
        name, i, j = (menu.value for menu in self.menus)
        self.value = f"{name} {i} {j}" if name else ""


def every():
    """All matrices that a state can have, at their largest; those that one head has, too, have its titles."""
    tables = [[[0.0] * m] * 4 for m in (4, 4, 2)]
    two, one = (matrices([*"abcd"], *tables, scaled=True, causal=False, two_heads=heads) for heads in (True, False))
    return two | one


def help_html():
    follow, look = (f"<b>{html.escape(words)}</b>" for words in map(of_picture, ("follow", "look")))
    words = say(
        "{follow}: a word, whose rows light up. {look}: a number, which lights up with the numbers that it was made "
        "from, as if you pointed at it on the website.",
        follow=follow,
        look=look,
    )
    return f'<p style="line-height: 1.4; margin: 0">{words}</p>'


def drawn(*, words, step, scaled, causal, two_heads, goal, follow, look, w_q, w_k, w_v):
    """The state as a figure: in four columns the matrices up to ``step``, and the sentence of the lens below them; in
    the live form, the sentence is the figure's label.
    """
    made = matrices(words.split(), w_q, w_k, w_v, scaled=scaled, causal=causal, two_heads=two_heads)
    place = place_of(look, made)
    lens = {place, *parents(*place, made)} if place else set()
    if place:
        found = sum_of(*place, made, scaled=scaled)
    elif look:
        found = "nowhere", {}
    else:
        found = followed(follow - 1, made) if follow else None
    sentences = [in_words(found), in_words(goals.verdict(goal, made, causal=causal))]
    heads = range(heads_in(made))
    columns = [["x", "w_q", "w_k", "w_v"], ["q", "k", "v"]]
    products = "products" if STAGES[step] == "products" else "scores"  # the scores take the place of the products
    columns += [[f"{kind}_{h}" for h in heads] for kind in (products, "weights")]
    columns[3].append("output")
    height = max(sum(len(made[name].numbers) + 2 for name in names) for names in columns) + 0.5
    below = 0.8 * MOST_LINES if is_checked() else 0
    fig, axes = canvas(7, 7, 7, 7, height=height + below)
    for ax, names in zip(axes, columns, strict=True):
        left, _, width, _ = ax.get_position().bounds
        ax.set(position=(left, below / (height + below), width, height / (height + below)), ylim=(height, 0))
        y = 1.9
        for name in names:
            matrix = made[name]
            if matrix.stage <= step:
                _draw(ax, (2.3, y), name, matrix, lens, follow)
            y += len(matrix.numbers) + 2
    if not is_checked():
        ask = say("Choose a number at “look”, and the numbers that it was made from light up.")
        fig.set_label("\n".join(filter(None, sentences)) or ask)
        return fig
    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, 62)]
    words = fig.add_axes((0, 0, 0.45, 0.97 * below / (height + below)))  # in all frames
    words.axis("off")
    words.text(0.02, 0.95, "\n".join(lines), size=9, va="top", linespacing=1.5)
    return fig


def _draw(ax, at, name, matrix, lens, follow):
    lit = None
    if lens:
        lit = [[(name, i, j) in lens for j in range(matrix.numbers.shape[1])] for i in range(len(matrix.numbers))]
    elif follow and not name.startswith("w_"):
        lit = [follow - 1]
    is_share = name.startswith("weights")
    tiles(
        ax,
        matrix.numbers,
        at=at,
        role=matrix.role,
        name=f"${matrix.title}$" if name.startswith("w_") else matrix.title,
        rows=matrix.rows,
        columns=matrix.columns if name.startswith(("products", "scores")) else (),
        digits=2 if is_share or name == "output" else None,
        largest=1 if is_share else None,
        lit=lit,
    )


def place_of(look, made):
    """The name, row and column in ``"weights_0 3 2"``; None if ``look`` is empty or this state has no such number."""
    parts = look.split()
    if len(parts) != 3 or parts[0] not in made or not all(part.isdigit() for part in parts[1:]):
        return None
    i, j = map(int, parts[1:])
    n, m = made[parts[0]].numbers.shape
    return (parts[0], i, j) if i < n and j < m else None
