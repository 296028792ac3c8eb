"""Compare the programs of explorers that compute in the page with the chapters' functions: numbers and coordinates."""

import contextlib
import io
import itertools
import json
import math
import random
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.lines import Line2D
from matplotlib.patches import StepPatch
from matplotlib.text import Text

import attention_core as ac
from conftest import EVERYWHERE, in_v8
from explore import decades, nice_limit, normal, power_of_ten, three_digits, tick
from explore.explorers import scenes
from explore.explorers.fields import Draws
from explore.explorers.page import STATIC
from explore.figures.cells import Cells
from website.notebooks import explorer_cells
from website.notebooks.explorer_cells import PROGRAMS, position

# An explorer with ten controls has 1024 corners. The workflow `weekly` compares all of them.
SETTINGS, MOST_CORNERS = (300, 10**6) if EVERYWHERE else (4, 8)


def explorer_of(name):
    """The explorer, without what its cells print: pictures in base64 would hide the reason of a failure."""
    with contextlib.redirect_stdout(io.StringIO()):
        return explorer_cells.explorer_of(name)


def scene_of(fig):
    """``{"artists": {name: coordinates or text}, "axes": {name: limits and ticks}}``, as a program returns it."""
    plt.close(fig)
    artists = {artist.get_gid(): parts_of_artist(artist) for _, artist in scenes._artists(fig)}
    limits = {name: along(ax.xaxis) | along(ax.yaxis) for name, ax in scenes._axes(fig) if name == ax.get_label()}
    return {"artists": artists, "axes": limits}


def parts_of_artist(artist):
    if isinstance(artist, Text):
        return {"text": artist.get_text()}
    if isinstance(artist, Line2D):
        x, y = artist.get_data()
        return {"x": list(map(float, x)), "y": list(map(float, y))}
    if isinstance(artist, Cells):
        return {"cells": artist.amounts}
    if isinstance(artist, StepPatch):
        data = artist.get_data()
        return {"edges": list(map(float, data.edges)), "values": list(map(float, data.values))}
    raise TypeError(f"a program moves lines, steps, cells and text, got {type(artist).__name__} {artist.get_gid()!r}")


def along(axis):
    letter = axis.axis_name
    labels = [label.get_text() for label in axis.get_ticklabels()]
    ticks = [[float(place), label] for place, label in zip(axis.get_ticklocs(), labels, strict=True)]
    return {f"{letter}lim": list(map(float, axis.get_view_interval())), f"{letter}ticks": ticks}


@pytest.fixture(scope="module")
def page():
    """``page(name, values)``: the scene that a program returns."""
    context = in_v8(STATIC / "attention_core.js", STATIC / "scenes.js", *PROGRAMS.values())
    context.eval("const plain = (_, x) => (ArrayBuffer.isView(x) ? [...x] : x);")

    def scene(name, values):
        return json.loads(context.eval(f"JSON.stringify(book.explorers.{name}({json.dumps(values)}), plain)"))

    return scene


def settings(explorer):
    """Positions of the controls: corners, then random positions, uniform along the sliders; one seed is enough.

    Programs keep everything that does not depend on real-valued controls. To test this, every second setting differs
    from the one before only in these controls.
    """
    controls = explorer.controls.values()
    ends = [[control.positions()[0], control.positions()[-1]] for control in controls]
    ends = [pair[:1] if isinstance(control, Draws) else pair for control, pair in zip(controls, ends, strict=True)]
    corners = list(itertools.product(*ends))
    yield from random.Random(0).sample(corners, min(len(corners), MOST_CORNERS))
    generator = random.Random(0)
    present, every = [], 2 if any(map(is_real, controls)) else 1
    for number in range(SETTINGS):
        fresh = [position(control, generator.random()) for control in controls]
        pairs = zip(controls, fresh, present, strict=True) if number % every else []
        present = [new if is_real(control) else old for control, new, old in pairs] or fresh
        yield present


def is_real(control):
    """True if the control takes every number between its ends."""
    return control.is_open and not control.whole


def assert_same_text(ours, theirs):
    """Assert the same words, and the same numbers up to one in the last digit, because rounding may differ."""
    number = r"-?\d+(?:\.\d+)?"
    assert re.sub(number, "#", ours) == re.sub(number, "#", theirs)
    for a, b in zip(re.findall(number, ours), re.findall(number, theirs), strict=True):
        digit = 10.0 ** -len(a.partition(".")[2])
        assert abs(float(a) - float(b)) <= 1.01 * digit, (ours, theirs)


@pytest.mark.parametrize("name", PROGRAMS)
def test_page_and_kernel_agree(name, page):
    explorer = explorer_of(name)
    for positions in settings(explorer):
        chosen = list(zip(explorer.controls.values(), positions, strict=True))
        expected = scene_of(explorer(**{control.name: control.value_at(at) for control, at in chosen}))
        values = {control.name: control.for_the_page(at)["start"] for control, at in chosen}
        scene = page(name, values)
        texts = [scene.pop("words"), *(parts.get("text", "") for parts in scene["artists"].values())]
        assert not re.search("NaN|Infinity|undefined", " ".join(texts)), "the page would not show it"
        assert_same_scene(scene, expected, values)


def assert_same_scene(scene, expected, values):
    assert scene.keys() == {"artists", "axes"}
    for kind in ("artists", "axes"):
        assert scene[kind].keys() == expected[kind].keys(), f"{kind} of the program, and those that the function names"
        for part, ours in expected[kind].items():
            assert scene[kind][part].keys() == ours.keys(), f"{part} from the program and from the function"
            for key, here in ours.items():
                assert_same(scene[kind][part][key], here, (values, part, key))


def assert_same(theirs, ours, where):
    if isinstance(ours, str):
        assert_same_text(theirs, ours)
    elif ours and isinstance(ours[0], list):  # ticks
        assert [label for _, label in theirs] == [label for _, label in ours], where
        assert [place for place, _ in theirs] == pytest.approx([place for place, _ in ours]), where
    else:
        np.testing.assert_allclose(theirs, ours, rtol=1e-6, atol=1e-9, err_msg=str(where))


@pytest.mark.parametrize("remedy", ["1/√d", "1/d", "norm_of_q_and_k"])
@pytest.mark.parametrize(("cap", "sink"), [(1e6, -20), (5, -20), (1e6, 10), (5, 3)])
def test_the_relative_gradient_of_in_range_equals_autograds(remedy, cap, sink):
    figure = explorer_of("in_range")(growth=3, remedy=remedy, cap=cap, sink=sink, seed=1)
    q, k, v, upstream = (normal(32, seed=1, stream=range(at, at + 64)) for at in range(0, 4000, 1000))
    q = (3 * q).requires_grad_()
    keys = 3 * k
    used = (ac.rms_norm(q), ac.rms_norm(keys)) if remedy == "norm_of_q_and_k" else (q, keys)
    options = {"softcap": cap, "sinks": torch.full((1,), float(sink), dtype=torch.float64)}
    options |= {"scale": 1 / 32} if remedy == "1/d" else {}
    output = ac.scaled_dot_product_attention(*(x[None, None] for x in (*used, v)), **options)[0, 0]
    (gradient,) = torch.autograd.grad((output * upstream).sum(), q)
    sizes = (gradient.norm(dim=-1) * q.norm(dim=-1)).sort(descending=True).values.tolist()
    shown = f"relative gradient: median {three_digits(sizes[32])}, largest {three_digits(sizes[0])}"
    assert_same_text(scene_of(figure)["artists"]["title_gradient"]["text"], shown)


def test_helpers_of_page_and_kernel_agree():
    context = in_v8(STATIC / "scenes.js")
    generator = random.Random(0)
    for x in [*(10 ** generator.uniform(-6, 9) for _ in range(2000)), 1e-4, 0.001, 0.5, 1, 2, 5, 10, 99.94, 99.96, 1e5]:
        assert context.eval(f"book.scenes.nice_limit({x!r})") == nice_limit(x) >= x
        assert_same_text(context.eval(f"book.scenes.three_digits({x!r})"), three_digits(x))
    ties = (3.125, -12.25, 100.5)
    for x in (*ties, 0, 0.04, 1, 12.5, 0.001, 99.94, 99.96, 1234, 5e5, 2e-5, 1e-99, -0.5, 1e-200):
        assert context.eval(f"book.scenes.three_digits({x!r})") == three_digits(x)
        assert context.eval(f"book.scenes.tick({x!r})") == tick(x)
    for numbers_ in ([1, 1], [0.003, 40], [1e-7, 1e-7], [0.5, 5]):
        assert json.loads(context.eval(f"JSON.stringify(book.scenes.decades({numbers_}))")) == list(decades(numbers_))
    for exponent in (-12, 0, 3):
        assert context.eval(f"book.scenes.power_of_ten({exponent})") == power_of_ten(exponent)
    for x in (0, -1, math.inf, math.nan):
        with pytest.raises(ValueError, match="x must be above 0 and finite"):
            nice_limit(x)
