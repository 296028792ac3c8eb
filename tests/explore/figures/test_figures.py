"""Figures that every eye can read on a phone: panels, letters, lines and marks, colour maps; pictures for slides."""

import itertools
import re

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from colorspacious import cspace_convert

from explore import COLOR, LINE, MARK, cells
from explore.figures import slides
from explore.figures.colours import THEMES
from explore.figures.legible import check_legible, lightness
from explore.figures.markup import FRAME, framed, hidden_text
from explore.figures.page import STATIC
from explore.figures.panels import WIDEST, panels_of
from explore.figures.svg import figure_to_svg

SIGHTS = {"protanopia": "protanomaly", "deuteranopia": "deuteranomaly", "tritanopia": "tritanomaly"}


def as_seen(rgb, sight):
    """sRGB colours (…, 3) as they look on grey paper, or to an eye without one of the three kinds of cones."""
    rgb = np.asarray(rgb, dtype=float)
    if sight == "grey":
        grey = np.array([lightness(colour) for colour in rgb.reshape(-1, 3)]).reshape(*rgb.shape[:-1], 1)
        return np.repeat(grey / 100, 3, axis=-1)
    space = {"name": "sRGB1+CVD", "cvd_type": SIGHTS[sight], "severity": 100}
    return np.clip(cspace_convert(rgb, space, "sRGB1"), 0, 1)


def figure_of(*names, columns=1, width=4, **options):
    """A figure with some columns of lines; the name of each line is also the name of its colour."""
    fig, axes = plt.subplots(1, columns, figsize=(width, 2), squeeze=False)
    for ax in axes.flat:
        for i, name in enumerate(names):
            ax.plot([0, 1], [i, i + 1], color=COLOR[name], label=name, **options.get(name, {}))
        ax.legend()
    return fig


def test_a_narrow_figure_is_one_panel_and_a_wide_one_is_cut_between_its_axes():
    (whole,) = itertools.chain(*panels_of(figure_of("query", columns=2, width=WIDEST)))
    assert (whole.left, whole.top, whole.width, whole.height) == (0, 0, 72 * WIDEST, 144)

    fig = figure_of("query", columns=3, width=7)
    (row,) = panels_of(fig)
    assert len(row) == 3
    assert row[0].left == 0
    assert sum(panel.width for panel in row) == pytest.approx(7 * 72)
    for one, other in itertools.pairwise(row):
        assert one.left + one.width == pytest.approx(other.left)
    for ax, panel in zip(fig.axes, row, strict=True):
        left, _, right, _ = ax.get_tightbbox().extents * 72 / fig.dpi
        assert panel.left <= left
        assert right <= panel.left + panel.width + 0.1


def test_text_below_two_panels_gets_its_own_row_no_wider_than_the_text():
    fig = figure_of("query", columns=2, width=7)
    fig.subplots_adjust(bottom=0.4)
    fig.text(0.5, 0.05, "below", ha="center")
    above, (below,) = panels_of(fig)
    assert len(above) == 2
    assert below.width < 60
    assert above[0].height + below.height == pytest.approx(144)


def test_nothing_is_cut_at_a_gap_that_text_crosses():
    fig = figure_of("query", columns=2, width=7)
    fig.text(0.2, 0.95, "words above both panels, from one to the other " * 2)
    fig.subplots_adjust(top=1)
    assert len(panels_of(fig)) == len(panels_of(fig)[0]) == 1


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_panels_hold_every_part_once_and_in_its_place(layout):
    fig, axes = plt.subplots(1, 2, figsize=(7, 2), layout=layout)
    for i, ax in enumerate(axes):
        ax.plot([0, 1], gid=f"line_{i}")
        ax.set_title(f"title {i}")
    fig.draw_without_rendering()
    before = np.array([ax.get_position().bounds for ax in axes])
    markup = figure_to_svg(fig, "salt")
    one, other = markup.split("</svg>")[:2]
    assert 'data-artist="line_0"' in one
    assert 'data-artist="line_1"' in other
    assert markup.count("data-artist") == 2
    assert markup.count("title 0") == markup.count("title 1") == 1
    np.testing.assert_allclose([ax.get_position().bounds for ax in axes], before)
    assert all(ax.get_visible() for ax in axes)
    assert (fig.get_layout_engine() is None) == (layout is None)
    # The coordinates are the same as in the whole picture: a point of the second line is to the right of the cut.
    cut = float(re.findall(r'viewBox="(\S+)', markup)[1])
    assert float(re.search(r'data-artist="line_1".*?d="M (\S+)', markup, re.DOTALL)[1]) > cut
    assert set(re.findall(r' id="(\w+)"', one)).isdisjoint(re.findall(r' id="(\w+)"', other))


def test_a_figure_that_cannot_be_read_on_a_phone_is_refused_by_name():
    check_legible(figure_of("query", columns=2, width=7))
    wide = figure_of("query", width=6)
    with pytest.raises(ValueError, match=r"a panel must be at most 4\.7 inches wide, to fit a phone, got"):
        check_legible(wide)
    wide.axes[0].imshow(np.eye(25))  # a wide map may scroll
    check_legible(wide)
    small = figure_of("query")
    small.text(0.5, 0.5, "tiny", size=7)
    with pytest.raises(ValueError, match="text must be at least 8 points large, got 7: 'tiny'"):
        check_legible(small)


def test_a_map_has_the_colour_of_weights():
    fig, (left, right) = plt.subplots(1, 2, figsize=(4.7, 2))
    left.imshow(np.eye(3))
    right.scatter([0], [1])  # without numbers it needs no map
    check_legible(fig)
    right.scatter([0, 1], [0, 1], c=[0, 1], cmap="viridis")
    with pytest.raises(ValueError, match=r'a map must have cmap="weights", .* got .viridis.'):
        check_legible(fig)


def test_a_legend_can_be_read_without_colour():
    with pytest.raises(ValueError, match="'query' and 'value' look the same in grey"):
        check_legible(figure_of("query", "value"))
    check_legible(figure_of("query", "value", value={"ls": "--"}))
    check_legible(figure_of("query", "value", value={"marker": "o"}))
    fig, ax = plt.subplots(figsize=(4, 2))
    bars = [ax.bar(0, 1, color=color, label=color) for color in ("#000000", "#bbbbbb")]
    ax.legend(handles=bars)
    check_legible(fig)  # these two differ in lightness
    bars.append(ax.bar(0, 1, color="#cccccc", label="almost as light"))
    ax.legend(handles=bars)
    with pytest.raises(ValueError, match="'#bbbbbb' and 'almost as light' look the same"):
        check_legible(fig)


def test_lightness_equals_the_standards():
    for rgb in itertools.product((0, 0.02, 0.3, 0.7, 1), repeat=3):
        assert lightness(rgb) == pytest.approx(cspace_convert(rgb, "sRGB1", "CIELab")[0], abs=0.1)


def test_a_part_between_the_panels_is_an_error():
    fig = figure_of("query", columns=2, width=7)
    panels = [[panels_of(fig)[0][0]]]
    with pytest.raises(ValueError, match="must be in exactly one panel"):
        figure_to_svg(fig, "salt", panels)


def test_each_colour_has_its_own_line_and_mark():
    assert LINE.keys() == MARK.keys() == COLOR.keys()
    assert len(set(MARK.values())) == len(MARK)
    # Theory and weights are both solid lines. No legend has both without marks, because it would be refused.
    assert len(set(map(str, LINE.values()))) == len(LINE) - 1


@pytest.mark.parametrize("sight", ["grey", *SIGHTS])
def test_a_colour_map_gets_lighter_or_darker_all_the_way(sight):
    assert plt.rcParams["image.cmap"] == "weights"
    rgba = matplotlib.colormaps["weights"](np.linspace(0, 1, 21))
    seen = as_seen(rgba[:, :3] * rgba[:, 3:] + 1 - rgba[:, 3:], sight)
    steps = np.diff([lightness(colour) for colour in seen])
    assert (steps < -0.5).all(), sight


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_two_colours_of_cells_differ_for_every_colour_blind_eye(sight):
    """On grey paper, the numbers in the cells show the sign."""
    ax = plt.figure().add_subplot()
    cells(ax, [[1, -1]], gid="cells")
    one, other = as_seen(ax.collections[0].get_facecolor()[:, :3], sight)
    assert np.linalg.norm(cspace_convert(one, "sRGB1", "CIELab") - cspace_convert(other, "sRGB1", "CIELab")) > 20


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_for_slides_stands_alone(theme):
    fig = figure_of("query", columns=2, width=7)
    svg = slides.self_contained_svg(figure_to_svg(fig, "salt"), "A title", "What <it> shows", "07", theme, "#ffffff")
    assert "var(" not in svg
    assert THEMES[theme]["query"] in svg
    assert "chapter 7. CC BY 4.0" in svg
    assert "<desc>What &lt;it&gt; shows</desc>" in svg
    assert svg.count("<svg") == 3
    assert THEMES["light"]["query"] == COLOR["query"] != THEMES["dark"]["query"]


def test_no_panel_is_seen_before_the_last_has_arrived(browser):
    """The width of a panel depends on its neighbours, and a page arrives in pieces."""
    fig = figure_of("query", columns=3, width=7)
    first, *others = re.split("(?=<svg)", framed(figure_to_svg(fig, "salt"), "three panels") + hidden_text("lines"))[1:]
    page = browser.new_page()
    style = (STATIC / "figures.css").read_text(encoding="utf-8")
    page.evaluate("html => document.write(html)", f"<style>{style}</style><figure>{FRAME}>{first}")
    assert not page.locator("svg").is_visible()
    page.evaluate("html => (document.write(html), document.close())", "".join(others))
    assert [panel.is_visible() for panel in page.locator("svg").all()] == [True] * 3
    page.close()
