"""What a cell needs of earlier cells, by names and scopes; in doubt too much rather than too little."""

import ast

import pytest

from website.notebooks.explorer_cells import PROGRAMS, notebook_of
from website.notebooks.needs import Needs, names_used_and_bound
from website.places import read


def needed(*cells):
    return [ast.unparse(statement) for statement in Needs(cells).of(len(cells) - 1)]


@pytest.mark.parametrize(
    ("earlier", "cell", "expected"),
    [
        ("a = 1\nb = 2", "print(b)", ["b = 2"]),
        ("a = 1\nb = a", "print(b)", ["a = 1", "b = a"]),
        ("a = 1\na = 2", "print(a)", ["a = 2"]),
        ("a = 1\na, (b, *c) = f()", "print(a)", ["a, (b, *c) = f()"]),
        ("a = 1\na = a + 1", "print(a)", ["a = 1", "a = a + 1"]),
        ("a = 1\nb = a\na = 2", "print(b)", ["a = 1", "b = a"]),
        # A local variable is not the cell's variable of the same name.
        ("ax = 1\ndef f():\n    ax = 2\n    return ax", "f()", ["def f():\n    ax = 2\n    return ax"]),
        ("ax = 1", "ax = 2\nprint(ax)", []),
        ("x = 1", "[x for x in range(3)]", []),
        ("x = 1", "[x + y for y in range(3)]", ["x = 1"]),
        ("x = 1", "for x in range(3):\n    print(x)", []),
        # A function sees the value that a name has when it is called.
        ("g = 1\ndef f():\n    return g\ng = 2", "f()", ["def f():\n    return g", "g = 2"]),
        ("g = 1\ndef f():\n    return g\nx = f()\ng = 2", "x", ["g = 1", "def f():\n    return g", "x = f()"]),
        ("g = 1", "def f():\n    return g\nf()", ["g = 1"]),
        # An object may change without a new binding.
        ("a = []\na.append(1)", "print(a)", ["a = []", "a.append(1)"]),
        ("a = [0]\na[0] = 1", "print(a)", ["a = [0]", "a[0] = 1"]),
        ("a = 1\na += 1", "print(a)", ["a = 1", "a += 1"]),
        ("a = []\nfor i in range(3):\n    a.append(i)", "print(a)", ["a = []", "for i in range(3):\n    a.append(i)"]),
        ("a, b = [], []\n(a if c else b).append(1)", "print(b)", ["a, b = ([], [])", "(a if c else b).append(1)"]),
        (
            "t = {1: []}\nfor c in t.values():\n    c.append(1)",
            "t",
            ["t = {1: []}", "for c in t.values():\n    c.append(1)"],
        ),
        ("a = [[]]\nb = a[0]\nb.append(1)", "print(a)", ["a = [[]]", "b = a[0]", "b.append(1)"]),
        ("def train(m): ...\nm = 1\ntrain(m)", "print(m)", ["def train(m):\n    ...", "m = 1", "train(m)"]),
        ("m = 1\nx = torch.sin(m)\nprint(m)", "print(m)", ["m = 1"]),
        ("import torch\nm = 1\ntorch.fill_(m)", "print(m)", ["import torch", "m = 1", "torch.fill_(m)"]),
        ("g = G()\nx = draw(1, generator=g)", "draw(2, generator=g)", ["g = G()", "x = draw(1, generator=g)"]),
        ("days = [1, 2]\nRandom(0).shuffle(days)", "days[0]", ["days = [1, 2]", "Random(0).shuffle(days)"]),
        ("w = W()\nloss = w * w\nloss.backward()", "w.grad", ["w = W()", "loss = w * w", "loss.backward()"]),
        ("words = {}\n@words.register\ndef f(): ...", "words", ["words = {}", "@words.register\ndef f():\n    ..."]),
        ("words = {}\n@torch.no_grad()\ndef f(): ...", "torch.sin(1)", []),
        ("def f(phi): ...\nf(torch.relu)\nf(phi=ac.relu)", "torch.sin(ac.x)", []),
        ("from core import a, b", "a()", ["from core import a"]),
        ("row = table[0]\nrow += 1", "table", ["row = table[0]", "row += 1"]),
        # A picture needs its data, but the data does not need the picture.
        ("data = 1\nfig, ax = plt.subplots()\nax.plot(data, label='a')\nshow(fig, 'A.')", "print(data)", ["data = 1"]),
        ("data = 1\nfor ax in axes:\n    ax.plot(data)", "print(data)", ["data = 1"]),
        ("ax = 1\ntiles(ax, data)", "show(ax)", ["ax = 1", "tiles(ax, data)"]),
        # torch's global generator: the seed belongs to the statements after it in its cell.
        (
            "import torch\ntorch.manual_seed(0)\nm = M()\nn = 1",
            "m",
            ["import torch", "torch.manual_seed(0)", "m = M()"],
        ),
        ("torch.manual_seed(0)\nm = M()\nn = N()", "n", ["torch.manual_seed(0)", "m = M()", "n = N()"]),
        ("import torch\ntorch.manual_seed(0)", "torch.sin(1)", ["import torch"]),
        ("import torch\ntorch.set_num_threads(1)", "torch.sin(1)", ["import torch", "torch.set_num_threads(1)"]),
        ("with open(f) as file:\n    a = 1", "a", ["with open(f) as file:\n    a = 1"]),
        ("try:\n    a = 1\nexcept E as e:\n    b = 1", "b", ["try:\n    a = 1\nexcept E as e:\n    b = 1"]),
        ("a = 0\nif c:\n    a = 1", "a", ["a = 0", "if c:\n    a = 1"]),
    ],
)
def test_a_cell_needs_what_its_names_lead_to(earlier, cell, expected):
    assert needed(earlier, cell) == expected


def test_a_cell_needs_single_statements_of_several_cells():
    assert needed("a = 1\nb = 2", "c = b", "d = 3", "print(c)") == ["b = 2", "c = b"]


def test_names_used_and_bound():
    assert names_used_and_bound("a = b\ndef f(x):\n    return x + c + a") == ({"b", "c"}, {"a", "f"})


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_explorer_needs_few_cells(name):
    """Loading one must not train a model: mask_laboratory once ran 36 cells of its chapter, and needs three."""
    sources = [cell.source for cell in read(notebook_of(name)).cells if cell.cell_type == "code"]
    (last,) = [number for number, source in enumerate(sources) if f"def {name}(" in source]
    needs = Needs(sources)
    assert sum(not set(needs.of(last)).isdisjoint(cell) for cell in needs.cells) <= 7
