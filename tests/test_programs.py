"""The programs of explorers that compute in the page, against the chapters' functions: numbers and coordinates."""

import json
import random
import re

import matplotlib.pyplot as plt
import py_mini_racer
import pytest

from conftest import ROOT
from explore import Explorer
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
    """Corners and random values, even on the sliders."""
    generator = random.Random(0)
    controls = explorer.controls
    for corner in range(2 ** len(controls)):
        yield {
            name: control.value_at(control.positions()[-((corner >> k) & 1)])
            for k, (name, control) in enumerate(controls.items())
        }
    for _ in range(SETTINGS):
        values = {}
        for name, control in controls.items():
            if not control.is_open:
                values[name] = generator.choice(control.values)
            elif control.log:
                x = control.low * (control.high / control.low) ** generator.random()
                values[name] = round(x) if control.whole else x
            else:
                x = generator.uniform(control.low, control.high)
                values[name] = round(x) if control.whole else x
        yield values


def assert_same_text(ours, theirs):
    """The same words; numbers within one of their last digit, where rounding may fall to either side."""
    number = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
    assert re.sub(number, "#", ours) == re.sub(number, "#", theirs)
    for a, b in zip(re.findall(number, ours), re.findall(number, theirs), strict=True):
        digit = 10.0 ** -len(a.partition(".")[2])
        assert abs(float(a) - float(b)) <= 1.01 * digit, (ours, theirs)


@pytest.mark.parametrize("name", PROGRAMS)
def test_page_and_kernel_agree(name, page):
    explorer = explorer_of(name)
    for values in settings(explorer):
        figure = explorer(**values)
        expected = scene_of(figure)
        plt.close(figure)
        scene = page(name, values)
        assert scene["artists"].keys() == expected["artists"].keys()
        for artist, parts in expected["artists"].items():
            for part, numbers in parts.items():
                got = scene["artists"][artist][part]
                if part == "text":
                    assert_same_text(got, numbers)
                else:
                    assert got == pytest.approx(numbers, rel=1e-6, abs=1e-6), (values, artist, part)
        for axes, limits in scene["axes"].items():
            for which in ("xlim", "ylim"):
                assert limits[which] == pytest.approx(expected["axes"][axes][which], rel=1e-6), (values, axes)
            for letter in "xy":
                if f"{letter}ticks" in limits:
                    places, labels = expected["axes"][axes][f"{letter}ticks"]
                    assert [place for place, _ in limits[f"{letter}ticks"]] == pytest.approx(places)
                    assert [label for _, label in limits[f"{letter}ticks"]] == labels
