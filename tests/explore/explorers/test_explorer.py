"""explore: controls, frames, errors, the live form and the static one."""

import functools
import json
import math
import os
import re
import subprocess
import sys
from fractions import Fraction
from xml.etree import ElementTree

import matplotlib.offsetbox
import matplotlib.pyplot as plt
import numpy as np
import pytest
from bs4 import BeautifulSoup

from explore import COLOR, explore, rare, show, watch
from explore.explorers.controls import Control
from explore.explorers.markup import FRAMES, page_markup
from explore.explorers.scenes import name_axes
from explore.figures import figure as figures
from explore.figures.colours import INK
from explore.figures.description_to_compare import describe_figure
from explore.figures.png import figure_to_png
from explore.figures.svg import figure_to_svg, names_in
from explore.mode import PAGE, TO_COMPARE, TO_STORE, UNWATCHED


def page_of(explorer):
    """The markup that the site shows for an explorer."""
    frames = explorer.frames()
    return page_markup(explorer, frames, frames[explorer.combinations().index(tuple(explorer.start.values()))])


@pytest.fixture
def live(monkeypatch):
    """A reader watches; all other tests run without a reader."""
    monkeypatch.delenv(UNWATCHED, raising=False)


def line(slope, **rest):
    """A line of a given slope."""
    fig, ax = plt.subplots(figsize=(3, 2))
    ax.plot([0, 1], [0, slope], color=COLOR["query"])
    ax.set_title(f"slope {slope}")
    return fig


def text(size=1, name="a", flag=False):
    """Words."""
    return f"<p>{size} {name} {flag}</p>\n<p>shared</p>"


def flagged(size=1, name="a", flag=True):
    """Words, with the flag at the start."""
    return text(size, name, flag)


def parts_of(markup):
    """``parts_of(markup)("input")``: the elements of a page with this name, in the order of the document."""
    return BeautifulSoup(markup, "html.parser")


def frames_in(markup):
    """The shape of a page's flip-book, and its frames."""
    data = json.loads(parts_of(markup)("script")[-1].string)
    return data["shape"], ["\n".join(data["lines"][line] for line in frame) for frame in data["frames"]]


# Controls


@pytest.mark.parametrize(
    ("values", "kind", "labels"),
    [
        ([1, 2, 3], "slider", ["1", "2", "3"]),
        ((0.5, 1.0), "slider", ["0.5", "1"]),
        (range(2), "slider", ["0", "1"]),
        (np.array([1.0, 2.0]), "slider", ["1", "2"]),
        ([1000.1, 1000.2], "slider", ["1000.1", "1000.2"]),
        ([1234.0, 5678.0, 1e-9], "slider", ["1234", "5678", "1e-09"]),
        ([Fraction(1, 4), 1], "slider", ["0.25", "1"]),
        (["a", "b"], "menu", ["a", "b"]),
        ({"half": 0.5, "none": None}, "menu", ["half", "none"]),
        ([False, True], "checkbox", ["False", "True"]),
        (["delta_rule", "sum"], "menu", ["delta rule", "sum"]),
    ],
)
def test_the_control_follows_the_type_of_the_values(values, kind, labels):
    explorer = explore(x=values)(lambda_with_docstring)
    assert explorer.controls["x"].kind == kind
    assert explorer.controls["x"].labels == labels


def lambda_with_docstring(x):
    """Anything."""
    return f"<p>{x}</p>"


@pytest.mark.parametrize(
    ("error", "message", "controls"),
    [
        (ValueError, "at least one control", {}),
        (ValueError, "slope has no values", {"slope": []}),
        (ValueError, "slope has no values", {"slope": {}}),
        (ValueError, "slope must hold finite numbers, got nan", {"slope": [1.0, math.nan]}),
        (ValueError, "slope must hold finite numbers, got inf", {"slope": [math.inf]}),
        (ValueError, "slope has the same value twice", {"slope": [1, 2, 1]}),
        (ValueError, "slope must hold both False and True", {"slope": [True]}),
        (TypeError, "slope must hold numbers only, names only", {"slope": [1, "a"]}),
        (TypeError, "slope must hold numbers only", {"slope": [1, True]}),
        (TypeError, "slope must be a list", {"slope": "abc"}),
        (TypeError, "slope must be a list", {"slope": 3}),
        (TypeError, "slope must be a list", {"slope": np.array(1.0)}),
        (ValueError, "slope must hold finite numbers", {"slope": [10**400]}),
        (TypeError, "keys of slope must be names", {"slope": {1: 2}}),
        (ValueError, r"at most 240.*got 241 \(slope 241\): thin out slope", {"slope": list(range(241))}),
        (ValueError, "got 250 .*thin out b", {"slope": [1, 2], "b": list(range(125))}),
    ],
)
def test_bad_controls(error, message, controls):
    with pytest.raises(error, match=message):
        explore(**controls)(line)


def by_position(x, /):
    """A parameter without a name."""


@pytest.mark.parametrize(
    ("error", "message", "controls", "function"),
    [
        (TypeError, r"text\(size=1, .* got an unexpected keyword argument 'colour'", {"colour": ["red"]}, text),
        (TypeError, r"line\(slope, .* missing a required argument: 'slope'", {"other": [1, 2]}, line),
        (TypeError, r"by_position\(x, /\) cannot .*: .*positional only", {"x": [1]}, by_position),
        (ValueError, "needs a docstring", {"x": [1]}, lambda x: "text"),
        (TypeError, "decorates a function with a name", {"name": ["a"]}, 3),
        (TypeError, "decorates a function with a name", {"name": ["a"]}, functools.partial(text, size=1)),
    ],
)
def test_bad_functions(error, message, controls, function):
    with pytest.raises(error, match=message):
        explore(**controls)(function)


def test_240_frames_are_allowed():
    assert len(explore(size=list(range(120)), flag=[False, True])(text).frames()) == 240


def test_start_is_the_default_or_the_nearest_or_the_first():
    explorer = explore(size=[0.1, 0.9, 5], name=["b", "a"], flag=[False, True])(flagged)
    assert list(explorer.start.values()) == [1, 1, 1]
    assert list(explore(slope=[3, 4])(line).start.values()) == [0]
    mask = np.ones(3)
    for default, values in [
        (2, {"one": 1.0, "two": 2.0}),
        ("two", {"one": "1", "second": "two"}),
        (mask, {"a": 1, "b": mask}),
    ]:

        def chosen(x=default):
            """A choice."""

        assert explore(x=values)(chosen).start == {"x": 1}


def test_the_explorer_is_still_the_function():
    explorer = explore(size=[1, 2])(text)
    assert explorer(size=7) == text(size=7)
    assert explorer.__name__ == "text"
    assert repr(explorer) == "Explorer text: size (2)"


# Frames and the static form


def test_frames_are_the_functions_own_output_for_every_combination():
    explorer = explore(size=[1, 2, 3], name=["a", "b"], flag=[False, True])(text)
    expected = [text(s, n, f) for s in (1, 2, 3) for n in ("a", "b") for f in (False, True)]
    assert [frame.markup for frame in explorer.frames()] == expected
    assert frames_in(page_of(explorer)) == ([3, 2, 2], expected)


def test_figures_become_svg_that_fits_the_page():
    markup, alt, text, _, _ = explore(slope=[1, 2])(line).frames()[1]
    assert markup.startswith("<svg viewBox=")
    assert "slope 2</text>" in markup
    assert f"var(--am-query, {COLOR['query']})" in markup
    assert "currentColor" in markup
    for unwanted in (INK, "<?xml", "<style", "<metadata", 'id="figure'):
        assert unwanted not in markup
    assert alt == "A line of a given slope. (slope = 2)"
    assert text == "slope 2;\nline from 0 at 0 to 2 at 1"


def test_a_figure_is_described_in_words_and_numbers():
    fig, (left, right) = plt.subplots(1, 2)
    left.plot([1, 2, 3], [1, 4, 2], label="$d_k$")
    left.bar([1, 2], [5, 6])
    left.scatter([0, 1], [7, 8], label="dots")
    left.set(title="a title", xlabel="width", ylabel="height")
    right.imshow([[0, 1, 2], [3, 9, 4]])
    right.text(0, 0, "a note")
    left.axvline(2)
    left.plot(2, 5000, "o")
    assert describe_figure(fig) == (
        "a title; across: width; up: height; d_k from 1 at 1 to 2 at 3, highest 4 at 2; "
        "vertical line at 2; mark at 2, 5000; 2 bars: 5, 6; "
        "dots: 2 points, 0 to 1 across, 7 to 8 up. "
        "map of 2 rows and 3 columns, 0 to 9, the largest in row 1, column 1; a note"
    )


def drawn_by(draw):
    fig, ax = plt.subplots()
    draw(ax)
    return describe_figure(fig)


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda ax: ax.plot([1, 2, 3], [4, 6, 5], "o"), "3 points, 1 to 3 across, 4 to 6 up"),
        (lambda ax: ax.plot([1, 2], [4, 6], "o-"), "line from 4 at 1 to 6 at 2"),
        (lambda ax: ax.plot([1, 1], [4, 6]), "line up at 1, from 4 to 6"),
        (lambda ax: ax.axhline(0.123), "horizontal line at 0.12"),
        (lambda ax: ax.fill_between([1, 2], [3, 4], label="b"), "b: filled area, 1 to 2 across, 0 to 4 up"),
        (lambda ax: ax.vlines([1, 2], 0, 5), "2 lines, 1 to 2 across, 0 to 5 up"),
        (lambda ax: ax.contour(np.eye(3), [0.5]), "contours at 0.5"),
        (lambda ax: ax.contourf(np.eye(3), [0, 0.5, 1]), "filled contours at 0, 0.5, 1"),
        (lambda ax: ax.axvspan(1, 3), "rectangle, 1 to 3 across, 0 to 1 up"),
        (lambda ax: ax.add_patch(plt.Circle((1, 2), 1, label="c")), "c: circle, 0 to 2 across, 1 to 3 up"),
        (lambda ax: ax.hist([1, 1, 2], bins=2, histtype="stepfilled"), "area from 1 to 2, highest 2 at 1"),
        (lambda ax: ax.stairs([3, 1]), "steps from 3 to 1, highest 3"),
        (lambda ax: ax.imshow(np.full((2, 2), 0.5)), "map of 2 rows and 2 columns, 0.5 everywhere"),
        (
            lambda ax: ax.pcolormesh([[1, 2], [3, 4]]),
            "map of 2 rows and 2 columns, 1 to 4, the largest in row 1, column 1",
        ),
        (lambda ax: ax.annotate("here", (1, 2), (3, 4), arrowprops={}), "arrow from 3, 4 to 1, 2; here"),
        (lambda ax: ax.set_title("$\\sqrt{d_k}$"), "√d_k"),
        (lambda ax: ax.plot([0, 1], [0, 0.0625 * (1 - 1e-8)]), "line from 0 at 0 to 0.063 at 1"),
        (lambda ax: ax.plot([0, 1], [0, 0.0625 * (1 + 1e-8)]), "line from 0 at 0 to 0.063 at 1"),
        (lambda ax: ax.plot([0, 1, 2], [1, 1 + 1e-9, 0]), "line from 1 at 0 to 0 at 2, highest 1 at 0"),
    ],
)
def test_every_kind_of_artist_has_its_words(draw, words):
    assert drawn_by(draw) == words


def test_an_artist_without_words_is_an_error_but_not_for_a_reader(monkeypatch):
    def draw(ax):
        ax.add_artist(matplotlib.offsetbox.AnchoredText("unheard of", "center"))

    with pytest.raises(TypeError, match="describe_figure has no words for a AnchoredText"):
        drawn_by(draw)
    monkeypatch.delenv(UNWATCHED)
    assert drawn_by(draw) == "a AnchoredText"


@pytest.mark.parametrize("place", range(40))
def test_a_thorough_description_changes_with_one_of_few_numbers_or_all_of_many(place):
    def words(y):
        fig, ax = plt.subplots()
        ax.plot(range(len(y)), y)
        return describe_figure(fig, thorough=True)

    y = np.sin(np.arange(40.0))
    changed = y.copy()
    changed[place % 12] += 0.3
    assert words(y[:12]) != words(changed[:12])
    assert words(y) != words(1.1 * y)
    assert words(y) == words(y * (1 + 1e-8 * np.cos(np.arange(40.0) * place)))


def test_saving_a_figure_for_a_page_leaves_it_as_it_was():
    fig, axes = plt.subplots(1, 2)
    axes[0].loglog([1e-3, 1e3], [2, 4])
    axes[0].set_title("a title")
    axes[1].plot([0, 1], [0, 1])
    before = figure_to_png(fig)
    first = figure_to_svg(fig, "salt")
    assert figure_to_png(fig) == before
    assert figure_to_svg(fig, "salt") == first
    assert plt.fignum_exists(fig.number)


def test_a_logarithmic_axis_has_powers_of_ten_in_plain_letters():
    fig, ax = plt.subplots()
    ax.loglog([1e-3, 1e3], [2, 4])
    markup = figure_to_svg(fig, "salt")
    assert "10⁻³</text>" in markup
    assert "10²</text>" in markup
    assert "mathdefault" not in markup
    assert markup.count("<use") < 40  # no ticks between the decades


def test_numbers_in_text_are_not_shortened():
    fig, ax = plt.subplots()
    ax.set_title("0.123456789")
    assert ">0.123456789<" in figure_to_svg(fig, "salt")


def test_groups_stay_balanced_even_where_a_tick_has_no_mark():
    fig, ax = plt.subplots(figsize=(3, 2))
    ax.set_yticks([0, 1], ["a", "b"])
    ax.tick_params(length=0)
    ElementTree.fromstring(figure_to_svg(fig, salt="x"))


def test_an_image_keeps_its_size():
    fig = plt.figure(figsize=(2, 2))
    fig.add_axes((0, 0, 1, 1)).imshow(np.arange(512 * 512).reshape(512, 512) % 7)
    (matrix,) = re.findall(r"matrix\(([\d.]+) ", figure_to_svg(fig, "salt"))
    assert float(matrix) * 512 == pytest.approx(144, abs=1)


def test_ids_inside_frames_do_not_clash_between_explorers():
    def other(slope):
        """Another."""
        return line(slope)

    ids = [set(re.findall(r'id="([^"]*)"', explore(slope=[1])(f).frames()[0].markup)) for f in (line, other)]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_every_control_is_in_the_markup_with_its_kind_and_label():
    parts = parts_of(page_of(explore(size=[1, 2, 4], name=["a", "b"], flag=[False, True])(flagged)))
    slider, checkbox = parts("input")
    assert (slider["type"], slider["min"], slider["max"], slider["value"]) == ("range", "0", "2", "0")
    assert slider["aria-valuetext"] == "1"
    assert json.loads(slider["data-labels"]) == ["1", "2", "4"]
    assert checkbox["type"] == "checkbox"
    assert checkbox.has_attr("checked")
    assert {label["for"] for label in parts("label")} == {slider["id"], checkbox["id"], parts("select")[0]["id"]}
    assert len(parts("option")) == 2


@pytest.mark.parametrize(
    ("name", "label"),
    [("sigma_q", "σ<sub>q</sub>"), ("d_k", "d<sub>k</sub>"), ("scaling_rule", "scaling rule"), ("n", "n"), ("mu", "μ")],
)
def test_labels_have_greek_letters_subscripts_and_spaces(name, label):
    assert f">{label}</label>" in Control(name, [1, 2]).to_html("uid", 0)


def test_markup_in_names_and_captions_is_escaped():
    def f(name):
        """Less < more & "quotes"."""
        return "<p>x</p>\n<!-- </script>"

    markup = page_of(explore(name=["<b>", "&"])(f))
    before, data = markup.split(FRAMES)
    assert "<b>" not in before
    assert data.count("</script>") == 1
    assert "<!--" not in data
    assert frames_in(markup.replace(f(0), ""))[1][0] == f(0)


def test_the_first_frame_is_in_the_page_without_javascript():
    explorer = explore(size=[1, 2], name=["a", "b"])(text)
    markup = page_of(explorer)
    assert markup.index(text(1, "a")) < markup.index("<script")
    assert parts_of(markup).fieldset.has_attr("disabled")
    assert "<noscript>" in markup


def test_rare_controls_stand_behind_the_others_and_are_folded_away():
    explorer = explore(name=rare(["a", "b"]), size=[1, 2], flag=rare([False, True]))(flagged)
    assert list(explorer.controls) == ["size", "name", "flag"]
    assert [frame.markup for frame in explorer.frames()[:3]] == [text(1, "a", False), text(1, "a", True), text(1, "b")]
    assert explorer.start == {"size": 0, "name": 0, "flag": 1}
    before, _, more = page_of(explorer).partition("<details")
    assert re.findall('data-control="([^"]+)"', before) == ["size"]
    assert re.findall('data-control="([^"]+)"', more.partition("</details>")[0]) == ["name", "flag"]
    controls, drawing = explorer.widget().children[0].children
    folded, _ = controls.children[-2:]
    assert folded.titles == ("more controls",)
    name = folded.children[0].children[0]
    name.value = 1
    assert "<p>1 b True</p>" in drawing.value
    assert "<details" not in page_of(explore(size=[1, 2])(text))


def test_errors_of_the_function_name_the_combination():
    def fragile(x):
        """Anything."""
        if x == 2:
            raise RuntimeError("no")
        return "fine" if x == 1 else None

    with pytest.raises(RuntimeError, match="no") as caught:
        page_of(explore(x=[1, 2])(fragile))
    assert caught.value.__notes__ == ["in explorer fragile at x = 2"]
    message = "fragile must return a matplotlib Figure or HTML text, got NoneType None at x = 3"
    with pytest.raises(TypeError, match=message):
        explore(x=[1, 3])(fragile)._repr_mimebundle_()  # without a reader, an error in any frame is an error


def test_no_figure_stays_open():
    before = plt.get_fignums()
    page_of(explore(slope=[1, 2, 3])(line))
    assert plt.get_fignums() == before

    def returns_axes(x):
        """Opens a figure and returns something else."""
        return plt.subplots()[1]

    def raises(x):
        """Opens a figure and fails."""
        plt.subplots()
        raise RuntimeError("no")

    def two_figures(x):
        """Opens two figures and returns one."""
        plt.subplots()
        return line(x)

    page_of(explore(x=[1, 2])(two_figures))
    for function, error in ((returns_axes, TypeError), (raises, RuntimeError)):
        with pytest.raises(error):
            page_of(explore(x=[1, 2])(function))
    assert plt.get_fignums() == before


SAME_BYTES = """
import sys, matplotlib.pyplot as plt
from explore import explore
sys.path.insert(0, {tests!r})
from test_explorer import line, page_of
sys.stdout.buffer.write(page_of(explore(slope=[1, 2, 3])(line)).encode())
"""


def test_a_different_process_gives_the_same_bytes():
    """Its hashes, and so the order of its sets, differ from those of this process."""
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    output = subprocess.run(
        [sys.executable, "-c", SAME_BYTES.format(tests=os.path.dirname(__file__))],
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        check=True,
    ).stdout
    assert output.decode() == page_of(explore(slope=[1, 2, 3])(line))


def test_every_name_of_a_picture_is_kept():
    fig, (left, right) = plt.subplots(1, 2)
    left.set(label="scores", xlabel="score", ylabel="key")
    right.plot([0, 1], gid="line")
    right.set_title("one", gid="title")
    fig.text(0, 0, "below", gid="words")
    name_axes(fig)
    names = {"line", "title", "words", "scores.x", "scores.x.label", "scores.y", "scores.y.label"}
    assert names_in(fig) == names == {artist.get_gid() for artist in fig.findobj()} - {None}
    markup = figure_to_svg(fig, "salt")
    assert {name for name in names if f'data-artist="{name}"' in markup} == names


# The output that a notebook displays


@pytest.mark.parametrize(("why", "pictures"), [(TO_STORE, {"image/png"}), (TO_COMPARE, set())])
def test_without_a_reader_the_page_gets_its_form_next_to_the_compared_output(why, pictures, monkeypatch):
    monkeypatch.setenv(UNWATCHED, why)
    explorer = explore(slope=[1, 2])(line)
    bundle, metadata = explorer._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "text/plain"} | pictures
    assert metadata == {PAGE: page_of(explorer)}


def test_with_a_kernel_an_explorer_is_a_widget_and_a_picture(live):
    bundle, metadata = explore(slope=[1, 2])(line)._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"}
    assert bundle["text/plain"] == "Explorer line: slope (2)"
    assert metadata == {}


def test_the_stored_text_says_what_the_pictures_show():
    """The text describes the first picture and those that differ from it in one control; not the other combinations."""

    def two(slope=2, shift=0):
        """A line."""
        return line(slope + shift / 3)

    assert explore(slope=[1, 2], shift=[0, 1, 2])(two)._repr_mimebundle_()[0]["text/plain"].split("\n") == [
        "Explorer two: slope (2), shift (3)",
        "slope = 2, shift = 0: slope 2.0; line from 0 at 0 to 2 at 1",
        "slope = 1: slope 1.0; line from 0 at 0 to 1 at 1",
        "shift = 1: slope 2.3333333333333335; line from 0 at 0 to 2.3 at 1",
        "shift = 2: slope 2.6666666666666665; line from 0 at 0 to 2.7 at 1",
    ]
    summary = explore(size=[1, 2])(text)._repr_mimebundle_()[0]["text/plain"]
    assert summary.split("\n")[1:] == ["size = 1: 1 a False shared", "size = 2: 2 a False shared"]


def test_the_live_form_draws_shows_errors_and_recovers(live):
    def fragile(x, name="a", flag=False):
        """Anything."""
        if x == 2:
            raise RuntimeError("<no>")
        return f"<p>{x} {name} {flag}</p>"

    explorer = explore(x=[2])(fragile)
    assert set(explorer._repr_mimebundle_()[0]) == {"application/vnd.jupyter.widget-view+json", "text/plain"}
    beside, caption = explore(x=[1, 2, 3], name=["a", "b"], flag=[False, True])(fragile).widget().children
    controls, drawing = beside.children[0].children, beside.children[1]
    assert [type(control).__name__ for control in controls[:3]] == ["SelectionSlider", "Dropdown", "Checkbox"]
    assert "<p>1 a False</p>" in drawing.value
    controls[0].value = 1  # the index of 2
    assert "RuntimeError: &lt;no&gt;" in drawing.value
    assert "x = 2" in drawing.value
    controls[0].value = 2
    controls[1].value = 1
    controls[2].value = True
    assert "<p>3 b True</p>" in drawing.value
    assert "Anything." in caption.value


@pytest.mark.parametrize("panels", [2, 4])
def test_a_live_picture_is_beside_the_controls_as_wide_as_its_panels_need(panels, live):
    def wide(x):
        """Panels in a row."""
        fig = plt.figure(figsize=(6, 2))
        for k in range(panels):
            fig.add_axes((k / panels + 0.08, 0.2, 0.12, 0.7))
        fig.set_label(f"x < {x}\nsecond")
        return fig

    beside = explore(x=[1, 2])(wide).widget().children[0]
    controls, drawing = beside.children
    assert (beside.layout.flex_flow, controls.layout.flex) == ("row wrap", "1 1 31em")
    assert drawing.layout.flex == f"100 1 {0.74 * 6 * 96 + 8:.0f}px"
    assert ("; min-width: 426px" in drawing.value.partition("<svg")[0]) == (panels == 4)  # four are not stacked
    assert "max-width" not in drawing.value
    assert ">x &lt; 1<br>second</p>" in drawing.value
    controls.children[0].value = 1
    assert ">x &lt; 2<br>second</p>" in drawing.value


def test_a_live_error_says_the_line_where_the_function_was(live):
    def fragile(x):
        """Fails in a library, or gives the wrong thing."""

        def total(*shape):
            return np.ones(shape).sum()

        return [total(2, x)]

    below, wrong = (explore(x=[x])(fragile).widget().children[0].children[1].value for x in (-1, 1))
    line = fragile.__code__.co_firstlineno + 4
    assert "ValueError: negative dimensions" in below
    assert f"\nin explorer fragile at x = -1\nline {line}: return np.ones(shape).sum()</pre>" in below
    assert "fragile must return a matplotlib Figure or HTML text, got list [" in wrong
    assert "line" not in wrong


def test_show(monkeypatch):
    shown, before = [], plt.get_fignums()
    monkeypatch.setattr(figures, "display", lambda data, metadata, raw=False: shown.append((data, metadata)))
    monkeypatch.setenv(UNWATCHED, TO_STORE)
    show(line(1), "A line,\n   rising.")
    (picture, on_the_page), (caption, caption_on_the_page) = shown
    assert set(picture) == {"image/png", "text/plain"}
    assert picture["text/plain"] == "A line, rising.\nslope 1; line from 0 at 0 to 1 at 1"
    assert caption.data == "*A line, rising.*"
    assert plt.get_fignums() == before
    assert 'role="img" aria-label="A line, rising."' in on_the_page["page"]
    assert "<figcaption>A line, rising.</figcaption>" in on_the_page["page"]
    assert caption_on_the_page == {"page": ""}
    monkeypatch.setenv(UNWATCHED, TO_COMPARE)
    show(line(1), "A line.")
    assert set(shown[2][0]) == {"text/plain"}
    monkeypatch.delenv(UNWATCHED)
    show(line(1), "A line.")
    assert set(shown[4][0]) == {"image/png", "text/plain"}
    assert [metadata for _, metadata in shown[4:]] == [{}, {}]


@pytest.mark.parametrize(
    ("error", "message", "figure", "caption"),
    [
        (TypeError, "fig must be a matplotlib Figure, got str", "x", "caption"),
        (TypeError, "caption must be text, got NoneType", None, None),
        (ValueError, "caption must say", None, "  "),
    ],
)
def test_bad_show(error, message, figure, caption):
    with pytest.raises(error, match=message):
        show(figure or line(1), caption)


@pytest.mark.parametrize(("why", "notebook", "silent"), [("", True, False), ("", False, True), (TO_STORE, True, True)])
def test_watch_goes_through_all_steps_with_a_bar_only_for_a_reader(why, notebook, silent, monkeypatch):
    monkeypatch.setattr(figures, "in_notebook", lambda: notebook)
    monkeypatch.setenv(UNWATCHED, why)
    steps = watch(range(3))
    assert (steps.disable, list(steps)) == (silent, [0, 1, 2])
