"""The programs of explorers that compute in the page, against the chapters' functions: numbers and coordinates."""

import itertools
import json
import math
import random
import re

import matplotlib.pyplot as plt
import py_mini_racer
import pytest

from conftest import ROOT
from explore import Explorer, nice_limit, three_digits
from explore.scenes import scene_of

STATIC = ROOT / "_ext" / "static"
PROGRAMS = {path.stem: path for path in sorted((STATIC / "programs").glob("*.js"))}
SETTINGS = 300


def notebook_of(name):
    """The notebook in which an explorer is defined."""
    notebooks = [ROOT / "index.ipynb", *ROOT.glob("chapters/*.ipynb")]
    (path,) = [path for path in notebooks if f"def {name}(" in path.read_text(encoding="utf-8")]
    return path


def explorer_of(name):
    """The explorer, from its notebook's cells up to its own, with as few of them as it needs."""
    cells = json.loads(notebook_of(name).read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    needed = [source for source in sources if "import attention_core" in source or f"def {name}(" in source]
    namespace = {}
    for source in needed:
        exec(source, namespace)
    assert isinstance(namespace[name], Explorer)
    return namespace[name]


@pytest.fixture(scope="module")
def page():
    """``page(name, values)``: the scene that a program returns."""
    context = py_mini_racer.MiniRacer()
    for file in [STATIC / "attention_core.js", STATIC / "scenes.js", *PROGRAMS.values()]:
        context.eval(file.read_text(encoding="utf-8"))
    context.eval("const plain = (_, x) => (ArrayBuffer.isView(x) ? [...x] : x);")

    def scene(name, values):
        return json.loads(context.eval(f"JSON.stringify(explorers.{name}({json.dumps(values)}), plain)"))

    return scene


def settings(explorer):
    """Positions of the controls: all corners, then random ones, even on the sliders."""
    controls = explorer.controls.values()
    yield from itertools.product(*((control.positions()[0], control.positions()[-1]) for control in controls))
    generator = random.Random(0)
    for _ in range(SETTINGS):
        yield [position(control, generator.random()) for control in controls]


def position(control, share):
    """So far along the control, between the places of its slider."""
    if not control.is_open:
        return int(share * len(control.values))
    x = (
        control.low * (control.high / control.low) ** share
        if control.log
        else control.low + share * (control.high - control.low)
    )
    return round(x) if control.whole else x


def values_of(control, at):
    """What the function gets at this position, and what the page's program gets."""
    about = control.for_the_page(at)
    return control.value_at(at), about["start"]


def assert_same_text(ours, theirs):
    """The same words; numbers within one of their last digit, where rounding may fall to either side."""
    number = r"-?\d+(?:\.\d+)?"
    assert re.sub(number, "#", ours) == re.sub(number, "#", theirs)
    for a, b in zip(re.findall(number, ours), re.findall(number, theirs), strict=True):
        digit = 10.0 ** -len(a.partition(".")[2])
        assert abs(float(a) - float(b)) <= 1.01 * digit, (ours, theirs)


@pytest.mark.parametrize("name", PROGRAMS)
def test_page_and_kernel_agree(name, page):
    explorer = explorer_of(name)
    for positions in settings(explorer):
        pairs = [values_of(control, at) for control, at in zip(explorer.controls.values(), positions, strict=True)]
        figure = explorer(**dict(zip(explorer.controls, (ours for ours, _ in pairs), strict=True)))
        expected = scene_of(figure)
        plt.close(figure)
        values = dict(zip(explorer.controls, (theirs for _, theirs in pairs), strict=True))
        scene = page(name, values)
        assert scene.keys() == {"artists", "axes", "words"}
        for kind in ("artists", "axes"):
            assert scene[kind].keys() == expected[kind].keys()
            for part, ours in expected[kind].items():
                assert scene[kind][part].keys() == ours.keys()
                for key, here in ours.items():
                    assert_same(scene[kind][part][key], here, (values, part, key))


def assert_same(theirs, ours, where):
    if isinstance(ours, str):
        assert_same_text(theirs, ours)
    elif ours and isinstance(ours[0], list):  # ticks
        assert [label for _, label in theirs] == [label for _, label in ours], where
        assert [place for place, _ in theirs] == pytest.approx([place for place, _ in ours]), where
    else:
        assert theirs == pytest.approx(ours, rel=1e-6, abs=1e-9), where


def test_helpers_of_both_sides_are_the_same():
    context = py_mini_racer.MiniRacer()
    context.eval((STATIC / "scenes.js").read_text(encoding="utf-8"))
    generator = random.Random(0)
    for x in [*(10 ** generator.uniform(-6, 9) for _ in range(2000)), 1e-4, 0.001, 0.5, 1, 2, 5, 10, 99.94, 99.96, 1e5]:
        assert context.eval(f"scenes.nice_limit({x!r})") == nice_limit(x) >= x
        assert_same_text(context.eval(f"scenes.three_digits({x!r})"), three_digits(x))
    for x in (0, -1, math.inf, math.nan):
        with pytest.raises(ValueError, match="x must be above 0 and finite"):
            nice_limit(x)
