"""Drawings: numbers on tiles, shapes and areas of blocks, words; and tables of results."""

import doctest
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

import languages
from explore import COLOR, arrow, block, canvas, note, show_table, strip, tiles
from explore.figures import drawing
from explore.figures.description_to_compare import describe_figure
from explore.figures.panels import panels_of
from explore.figures.svg import figure_to_svg


@pytest.fixture
def ax():
    return canvas(12, height=9)[1]


def test_the_examples_of_all_docstrings_hold():
    tried = doctest.testmod(drawing)
    assert tried.attempted >= 10
    assert tried.failed == 0


def texts_of(ax):
    return {(round(t.get_position()[0], 6), round(t.get_position()[1], 6)): t.get_text() for t in ax.texts}


@pytest.mark.parametrize("digits", [None, 0, 1, 2])
def test_the_numbers_on_tiles_are_those_of_the_array(digits, ax):
    array = torch.randn(3, 5, generator=torch.Generator().manual_seed(1)) * 3
    drawn = tiles(ax, array, at=(2, 1), role="key", digits=digits)
    texts = texts_of(ax)
    for i, j in itertools.product(range(3), range(5)):
        shown = texts[2 + j + 0.5, 1 + i + 0.5].replace("−", "-")
        after = len(shown.partition(".")[2])
        assert after == digits or (digits is None and len(shown) <= 4)
        assert float(shown) == pytest.approx(array[i, j].item(), abs=0.5000001 * 10.0**-after)
        assert drawn.tile(i, j) == (2 + j + 0.5, 1 + i + 0.5)
    strengths = np.array([alpha for *_, alpha in drawn.get_facecolors()]).reshape(3, 5)
    order = array.abs().flatten().argsort()
    assert (np.diff(strengths.flatten()[order]) >= 0).all()  # the larger the number, the deeper the colour
    hues = drawn.get_facecolors()[:, :3].reshape(3, 5, 3)
    negative = (array < 0).numpy()
    for where, name in ((negative, "theory"), (~negative, "key")):
        assert np.allclose(hues[where], plt.matplotlib.colors.to_rgb(COLOR[name]))


def test_hidden_tiles_and_masked_scores_are_dashed(ax):
    seen = torch.ones(3, 3).tril().bool()
    drawn = tiles(ax, torch.ones(3, 3), at=(1, 1), role="weight", name="w", seen=seen)
    assert drawn.words == "w: 1 hidden hidden; 1 1 hidden; 1 1 1"
    assert [width > 0 for width in drawn.get_linewidths()] == (~seen).flatten().tolist()
    assert sum(text.get_text() == "1" for text in ax.texts) == seen.sum()
    masked = tiles(ax, torch.tensor([[1.0, -torch.inf]]), at=(5, 1), role="weight")
    assert masked.words == "1 −∞"
    assert [width > 0 for width in masked.get_linewidths()] == [False, True]


def test_tiles_to_come_are_all_dashed_below_a_faint_name(ax):
    drawn = tiles(ax, torch.ones(3, 3), at=(1, 1), role="weight", name="w", rows=["a", "b", "c"], seen=False)
    assert drawn.words == "w: hidden"
    assert (drawn.get_linewidths() > np.zeros(9)).all()
    assert {text.get_text(): text.get_alpha() for text in ax.texts} == {"a": 1, "b": 1, "c": 1, "w": 0.6}


def test_rows_that_are_not_lit_are_faint(ax):
    drawn = tiles(ax, torch.ones(3, 2), at=(1, 1), role="value", lit=[1])
    strengths = drawn.get_facecolors()[:, 3]
    assert (strengths[2:4] > strengths[:2].max()).all()
    assert (strengths[2:4] > strengths[4:].max()).all()


def test_areas_of_blocks_are_to_scale(ax):
    sizes = [(1024, 64), (64, 64), (1024, 1024)]
    blocks = [block(ax, torch.empty(size), at=(0, 0), scale=256, role="query") for size in sizes]
    areas = [drawn.get_width() * drawn.get_height() for drawn in blocks]
    assert areas == pytest.approx([rows * columns / 256**2 for rows, columns in sizes])
    assert [drawn.words for drawn in blocks] == ["1024 × 64", "64 × 64", "1024 × 1024"]


def test_a_drawing_on_two_canvases_is_cut_for_a_phone():
    fig, axes = canvas(12, 13, height=5)
    for ax in axes:
        note(ax, 3, 3, "here")
    (row,) = panels_of(fig)
    assert [panel.width for panel in row] == pytest.approx([12 * 0.34 * 72, 13 * 0.34 * 72], abs=0.5)


def test_a_strip_has_one_path_for_each_look_and_bands_lie_on_their_squares(ax):
    for kinds in (["local", "global", "recurrent"], ["global", "recurrent", "local"]):
        drawn = strip(ax, 10 * kinds, at=(1, 1))
        assert drawn.get_facecolor()[:, 3].tolist() == [0.12, 0.5, 0.75]
        assert len(drawn.get_paths()) == 3
        assert np.allclose(drawn.get_edgecolor()[:, 3], 1)


def test_a_drawing_in_words_says_its_numbers_and_operations_once(ax):
    keys = tiles(ax, torch.eye(2), at=(1, 1), role="key", name="keys", rows=["I", "saw"], shape="(2, 2)")
    scores = tiles(ax, torch.eye(2), at=(6, 1), role="weight", name="scores", columns=["a", "b"])
    arrow(ax, keys.right, scores.left, "÷ √4")
    strip(ax, ["local", "global"], at=(1, 4), name="model")
    note(ax, 9, 4, "a note")
    assert describe_figure(ax.figure) == (
        "keys: I 1 0; saw 0 1; scores (columns a, b): 1 0; 0 1; ÷ √4; model: 1 local, 1 global; a note"
    )
    svg = figure_to_svg(ax.figure, "salt")
    assert svg.count("<use") == 8
    assert "var(--am-key" in svg


def test_what_is_drawn_is_said_in_the_readers_language(monkeypatch, capsys, ax):
    monkeypatch.setattr(languages, "entry", lambda file, text, context=None: text.upper() if "{" not in text else None)
    drawn = tiles(
        ax, [[1, 0]], at=(1, 1), role="key", name="key", rows=["saw"], columns=["a", "b"], seen=[[True, False]]
    )
    assert drawn.words == "KEY (columns A, B): SAW 1 HIDDEN"
    assert strip(ax, ["local", "global"], at=(1, 4), name="model").words == "MODEL: 1 local, 1 global"
    assert arrow(ax, (1, 1), (2, 2), "softmax").words == "SOFTMAX"
    assert block(ax, (2, 2), at=(1, 1), scale=1, role="key", shape="(n, n)").words == "(N, N)"
    show_table({"form": ["wide"], "is quick": [True]}, caption="A table.")
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("FORM", "WIDE", "IS QUICK", "YES", "A TABLE."))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"array": torch.empty(0, 2)}, "array must have rows and columns"),
        ({"array": torch.zeros(2, 2, 2)}, "array must have rows and columns"),
        ({"array": [[0, 1], [2, torch.nan]]}, r"but row 1 has NaN: \[\[2.0, nan\]\]"),
        ({"array": [[torch.nan], [1], [torch.nan]]}, r"but rows 0, 2 have NaN: \[\[nan\], \[nan\]\]"),
        ({"role": "colour"}, "role must be one of query"),
        ({"rows": ["one"]}, "rows must have 2 words, got 1"),
        ({"columns": ["a", "b"]}, "columns must have 3 words, got 2"),
        ({"lit": [2]}, "lit must be row numbers below 2"),
        ({"seen": [[True]]}, "seen must be row numbers below 2 or booleans of shape"),
    ],
)
def test_tiles_refuse_what_does_not_fit(given, words, ax):
    with pytest.raises(ValueError, match=words):
        tiles(ax, **{"array": torch.ones(2, 3), "at": (0, 0), "role": "key"} | given)


def test_canvas_block_and_strip_refuse_what_does_not_fit(ax):
    with pytest.raises(ValueError, match="widths and a height above 0"):
        canvas(3, 0, height=2)
    with pytest.raises(ValueError, match="widths and a height above 0"):
        canvas(height=2)
    for matrix, scale in (((3,), 1), ((3, 0), 1), ((3, 4), 0)):
        with pytest.raises(ValueError, match="a block needs rows, columns and a scale above 0"):
            block(ax, matrix, at=(0, 0), scale=scale, role="key")
    for kinds in ([], ["global", "sliding"]):
        with pytest.raises(ValueError, match="kinds must be from global, local, recurrent"):
            strip(ax, kinds, at=(0, 0))


@pytest.fixture
def shown(monkeypatch):
    kept = []
    monkeypatch.setattr("explore.figures.results.display", lambda data, raw: kept.append(data))
    return kept


def test_a_table_has_its_numbers_in_html_and_in_letters(shown):
    columns = {"n": [4, 1024], "size": torch.tensor([0.514, -0.001]), "equal": [True, False], "a <b>": ["x", "y"]}
    show_table(columns, digits={"size": 2}, caption="Sizes of averages")
    (data,) = shown
    assert [line.split() for line in data["text/plain"].splitlines()[2:4]] == [
        ["4", "0.51", "yes", "x"],
        ["1024", "0.00", "no", "y"],
    ]
    assert "a &lt;b&gt;" in data["text/html"]
    assert "<figcaption>Sizes of averages</figcaption>" in data["text/html"]


@pytest.mark.parametrize(
    ("columns", "digits", "error", "words"),
    [
        ([1], 2, TypeError, "columns must map words to values, got list"),
        ({}, 2, ValueError, "the same number of rows, at least one"),
        ({"a": []}, 2, ValueError, "the same number of rows, at least one"),
        ({"a": [1], "b": [1, 2]}, 2, ValueError, "got {'a': 1, 'b': 2}"),
        ({"a": [1.0]}, {"b": 1}, ValueError, "digits names .'b'."),
    ],
)
def test_a_table_refuses_what_does_not_fit(columns, digits, error, words):
    with pytest.raises(error, match=words):
        show_table(columns, digits=digits)
