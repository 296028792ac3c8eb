"""Controls that take any number or text: the text they accept, their messages, and the live form with a kernel."""

import asyncio
import itertools
import json
import math
import random

import matplotlib.pyplot as plt
import pytest
from test_explorer import page_of

from conftest import in_v8
from explore import draws, explore, integer, number, point, switches, table, text
from explore.explorers.fields import Text
from explore.explorers.page import STATIC
from explore.explorers.tables import Table
from explore.mode import UNWATCHED


@pytest.fixture(autouse=True)
def reader(monkeypatch):
    """A reader watches. Without this fixture, the code would behave as it does while outputs are compared."""
    monkeypatch.delenv(UNWATCHED, raising=False)


@pytest.fixture(scope="module")
def page():
    """``page(function, *arguments)`` in V8: ``[the value from fields.js]``, or the words of its error."""
    context = in_v8(STATIC / "fields.js")
    context.eval("""
        const answer = (name, text) => {
            try { return JSON.stringify([book.fields[name](...JSON.parse(text))]); }
            catch (error) { return JSON.stringify(error.message); }
        };
    """)

    def answer(function, *arguments):
        return json.loads(context.call("answer", function, json.dumps(arguments)))

    return answer


SIGMA = number(0.01, 100, log=True).named("sigma")
MU = number(-1, 1).named("mu_q")
COUNT = integer(2, 4096).named("n")
SEED = draws().named("seed")
SENTENCE, OPTIONAL = text(5).named("sentence"), text(5, optional=True).named("second")
WORDS = Text(9, r"^\S+ \S+$", "{label} must have 2 words, at most {longest} characters", ["a a"]).named("words")
TIP = point(4).named("query")
TABLE = table(["my", "dog"], ["1", "2", "3"], -10, 10).named("key")
SWITCHES = switches(["0", "1"], ["0", "1"], shown_as="mask").named("switched")


def on_the_page(field, value):
    """A table's numbers follow each other on the page."""
    return [x for row in value for x in row] if isinstance(field, Table) else value


@pytest.mark.parametrize(
    ("field", "written", "value"),
    [
        (SIGMA, "0.37", 0.37),
        (SIGMA, " 1e-2 ", 0.01),
        (SIGMA, "1E2", 100),
        (SIGMA, ".5", 0.5),
        (SIGMA, "５.", 5),  # from an input method for Chinese
        (MU, "−0.25", -0.25),  # the minus sign that books print
        (MU, "+1", 1),
        (MU, "-0", 0),
        (COUNT, "456", 456),
        (COUNT, "1e3", 1000),
        (SEED, "4294967295", 2**32 - 1),
        (SENTENCE, "猫 sat", "猫 sat"),
        (OPTIONAL, "", ""),
        (WORDS, "a bb", "a bb"),
        (TIP, " 0.5  −1 ", ((0.5, -1),)),
        (TIP, "2, 1", ((2, 1),)),
        (TABLE, "1 2 3;4 5 1e1", ((1, 2, 3), (4, 5, 10))),
        (SWITCHES, "0 1; 1 0", ((0, 1), (1, 0))),
    ],
)
def test_page_and_kernel_take_text_as_people_write_it(field, written, value, page):
    got = field.check(written)
    assert got == field.check(field.written(got)) == value
    assert type(got) is type(field.check(field.written(got)))
    about = field.for_the_page(field.first)
    assert page("check", about, written) == [on_the_page(field, value)]
    assert page("written", about, on_the_page(field, value)) == [field.written(value)]
    assert page("in_words", about, on_the_page(field, value)) == [field.shown(value)]


@pytest.mark.parametrize(
    ("field", "written", "message"),
    [
        (SIGMA, "", "σ must be a number from 0.01 to 100; the field is empty"),
        (SIGMA, "   ", "σ must be a number from 0.01 to 100; the field is empty"),
        (SIGMA, "abc", "σ must be a number from 0.01 to 100, got abc"),
        (SIGMA, "0,37", "σ must be a number from 0.01 to 100, with a decimal point and not a comma, got 0,37"),
        (SIGMA, "1_0", "σ must be a number from 0.01 to 100, got 1_0"),
        (SIGMA, "0x10", "σ must be a number from 0.01 to 100, got 0x10"),
        (SIGMA, "nan", "σ must be a number from 0.01 to 100, got nan"),
        (SIGMA, "1e999", "σ must be a number from 0.01 to 100, got 1e999"),
        (SIGMA, "-1", "σ must be a number from 0.01 to 100, got -1"),
        (SIGMA, "9" * 99, f"σ must be a number from 0.01 to 100, got {'9' * 30}"),
        (COUNT, "2.5", "n must be an integer from 2 to 4096, got 2.5"),
        (COUNT, "5000", "n must be an integer from 2 to 4096, got 5000"),
        (SEED, "-1", "seed must be an integer from 0 to 4294967295, got -1"),
        (SENTENCE, " ", "sentence must have at most 5 characters; the field is empty"),
        (SENTENCE, "too long", "sentence must have at most 5 characters, got 8"),
        (WORDS, "one", "words must have 2 words, at most 9 characters, got one"),
        (WORDS, "long words", "words must have 2 words, at most 9 characters, got 10"),
        (TIP, "1", "query must have 2 numbers, got 1"),
        (TIP, "1 2; 3 4", "query must have 2 numbers, got 1 2; 3 4"),
        (TIP, "1 5", "query must be a number from -4 to 4, got 5"),
        (TABLE, "", "key must have 2 rows and 3 numbers in each row; the field is empty"),
        (TABLE, "1 2 3", "key must have 2 rows and 3 numbers in each row, got 1 2 3"),
        (TABLE, "1 2 3; 4 5 x", "key must be a number from -10 to 10, got x"),
        (SWITCHES, "0 1; 2 0", "switched must be an integer from 0 to 1, got 2"),
    ],
)
def test_page_and_kernel_refuse_bad_text_and_say_why(field, written, message, page):
    with pytest.raises(ValueError, match=r"must") as caught:
        field.check(written)
    assert str(caught.value) == page("check", field.for_the_page(field.first), written) == message


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (ValueError, "low must be below high, got low=2, high=1", lambda: number(2, 1)),
        (ValueError, "low must be above 0 for a logarithmic slider, got 0", lambda: number(0, 1, log=True)),
        (ValueError, "high must be finite, got inf", lambda: number(0, math.inf)),
        (ValueError, "high must be finite, got 1000", lambda: number(0, 10**400)),
        (TypeError, "x must be a number, got [1]", lambda: explore(x=number(0, 1))(function_of([1]))),
        (ValueError, "x must be a number from 0 to 1, got abc", lambda: explore(x=number(0, 1))(function_of("abc"))),
        (ValueError, "x needs a default to start from", lambda: explore(x=text(9))(function_of(None))),
        (TypeError, "low must be a number, got '1'", lambda: number("1", 2)),
        (TypeError, "low must be an integer, got 0.5", lambda: integer(0.5, 2)),
        (TypeError, "high must be a number, got True", lambda: number(0, True)),
        (TypeError, "longest must be an integer, got 2.0", lambda: text(2.0)),
        (ValueError, "longest must be at least 1, got 0", lambda: text(0)),
        (TypeError, "rows must be a list of names, got []", lambda: table([], ["1"], 0, 1)),
        (TypeError, "columns must be a list of names, got 'ab'", lambda: table(["1"], "ab", 0, 1)),
        (ValueError, "low must be below high, got low=0, high=0", lambda: point(0)),
        (ValueError, "x must have 2 numbers", lambda: explore(x=point(1))(function_of((1, 2, 3)))),
        (TypeError, "x must be rows of numbers, got 'a'", lambda: explore(x=point(1))(function_of("a"))),
        (TypeError, "must be rows", lambda: explore(x=table(["a"], ["b"], 0, 1))(function_of((1, 2)))),
        (ValueError, "x must be a number from 0 to 1, got 2", lambda: explore(x=number(0, 1))(function_of(2))),
    ],
)
def test_bad_fields(error, message, call):
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value)


def function_of(default):
    def f(x=default):
        """Words."""

    return f


SLIDERS = [SIGMA, COUNT, number(1 / 3, 1), number(1000, 1010), number(-0.6, 0.2), number(0, 10_000), integer(1, 12)]
SLIDERS += [integer(2, 4096, log=True), integer(0, 1000), number(1e-5, 1e5, log=True)]


@pytest.mark.parametrize("field", SLIDERS)
def test_a_slider_of_the_page_has_short_numbers_from_one_end_to_the_other(field, page):
    field = field.named("x")
    (places,) = page("slider_values", field.for_the_page(0))
    assert places == field.slider_values()  # with a kernel
    assert (places[0], places[-1]) == (field.low, field.high)
    assert all(a < b for a, b in itertools.pairwise(places))
    assert len(places) > 100 or field.whole
    if not field.whole:
        assert max(len(field.in_words(x).lstrip("-0.").replace(".", "")) for x in places[1:-1]) <= 6


def test_page_and_kernel_write_the_same_numbers_and_read_them_back(page):
    generator = random.Random(0)
    numbers = [10 ** generator.uniform(-6, 15) * generator.choice([-1, 1]) for _ in range(1000)]
    field = number(-1e16, 1e16).named("x")
    for x in [*numbers, 0.1, 100.0, 1e-6, 5e14]:
        assert page("in_words", {}, x) == [field.in_words(x)]
        assert field.check(field.in_words(x)) == x


DRAWN = []


def drawing(sigma=1.5, n=32, seed=0, rule="plain"):
    """A figure of its values."""
    DRAWN.append((sigma, n, seed, rule))
    fig, ax = plt.subplots(figsize=(3, 2))
    ax.plot([0, 1], [0, sigma])
    ax.set_title(f"{n} {seed} {rule}")
    return fig


CONTROLS = dict(sigma=number(0.01, 100, log=True), n=integer(2, 4096), seed=draws(), rule=["plain", "other"])


def parts(explorer):
    """The live form's controls, and its picture."""
    beside, _ = explorer.widget().children
    controls, picture = beside.children
    return controls.children[:-1], picture  # the last is the sentence for a reader who waits


def test_the_picture_follows_sliders_fields_and_draw_again():
    explorer = explore(**CONTROLS)(drawing)
    (sigma, n, seed, _rule), picture = parts(explorer)
    assert DRAWN[-1] == (1.5, 32, 0, "plain")
    assert sigma.typed.value == "1.5"
    sigma.slider.value = 0
    assert DRAWN[-1][0] == 0.01
    assert sigma.typed.value == "0.01"
    sigma.typed.value = "1.0001"
    assert DRAWN[-1][0] == 1.0001  # a field also takes the values in between
    assert sigma.slider.value == 200  # of 400 steps
    n.slider.value = n.slider.max
    assert (DRAWN[-1][1], n.typed.value) == (4096, "4096")
    button = seed.children[0].children[-1]
    button.click()
    button.click()
    assert (DRAWN[-1][2], seed.typed.value) == (2, "2")
    assert "4096 2 plain" in picture.value


@pytest.mark.parametrize("written", ["", "abc", "0", "101", "1e400", "<b>"])
def test_bad_text_is_reported_and_the_picture_stays(written):
    (sigma, *_), picture = parts(explore(**CONTROLS)(drawing))
    before, count = picture.value, len(DRAWN)
    sigma.typed.value = written
    assert (picture.value, len(DRAWN)) == (before, count)
    assert sigma.value == 1.5
    assert 'role="alert"' in sigma.message.value
    assert "σ must be a number from 0.01 to 100" in sigma.message.value
    assert "<b>" not in sigma.message.value
    sigma.typed.value = "2"
    assert sigma.message.value == ""
    assert DRAWN[-1][0] == 2


def test_with_a_kernel_points_tables_and_switches_are_cells():
    drawn = []

    def f(tip=(1, 0), key=((1, 2, 3), (4, 5, 6)), switched=None):
        """Words."""
        drawn.append((tip, key, switched))
        return "<p>x</p>"

    controls = dict(tip=point(4), key=table(["my", "dog"], ["1", "2", "3"], -10, 10))
    explorer = explore(**controls, switched=switches(["0", "1"], ["0", "1"], shown_as="mask"))(f)
    (tip, key, switched), _ = parts(explorer)
    assert drawn[-1] == ((1, 0), ((1, 2, 3), (4, 5, 6)), [[False, False], [False, False]])
    tip.cells[1].value = -2.5
    key.cells[4].value = 0
    switched.cells[2].value = True
    assert drawn[-1] == ((1, -2.5), ((1, 2, 3), (4, 0, 6)), [[False, False], [True, False]])
    count = len(drawn)
    tip.cells[0].value = 9
    assert len(drawn) == count
    assert "must be a number from -4 to 4, got 9" in tip.message.value
    tip.cells[0].value = 2
    assert drawn[-1][0] == (2, -2.5)
    assert tip.message.value == ""
    grid = key.children[0]
    assert grid.layout.grid_template_columns == "repeat(4, max-content)"
    names = [getattr(cell, "tooltip", None) or cell.value for cell in grid.children]
    assert names[:4] == ["key", "1", "2", "3"]
    assert names[8:] == ["dog", "key dog 1", "key dog 2", "key dog 3"]


def test_values_that_a_slider_has_passed_are_not_drawn():
    """A kernel runs a loop: all values that arrive before it draws give one picture, of the last value."""

    async def drag():
        (sigma, *_), _ = parts(explore(**CONTROLS)(drawing))
        count = len(DRAWN)
        for step in range(1, 101):
            sigma.slider.value = step
        await asyncio.sleep(0.5)
        return DRAWN[count:]

    assert [values[0] for values in asyncio.run(drag())] == [SIGMA.slider_values()[100]]


def test_an_open_explorer_is_checked_at_its_ends():
    """More than 240 combinations are allowed: each control is drawn at its ends, alone and then with all others."""
    explorer = explore(**CONTROLS)(drawing)
    assert repr(explorer) == "Explorer drawing: sigma (any), n (any), seed (any), rule (2)"
    combinations = explorer.combinations()
    assert combinations[0] == (1.5, 32, 0, 0)
    assert {(0.01, 32, 0, 0), (100, 32, 0, 0), (1.5, 4096, 0, 0), (1.5, 32, 1, 0), (1.5, 32, 0, 1)} <= set(combinations)
    assert {(0.01, 2, 0, 0), (100, 4096, 1, 1)} <= set(combinations)
    assert "32 0 plain" in page_of(explorer)  # the first picture, for a page without scripts
    assert set(DRAWN) >= {(*numbers, ["plain", "other"][rule]) for *numbers, rule in combinations}
