"""The machine: its numbers and sentences in the kernel and on the page, and its goals."""

import itertools
import json
import random
import re

import matplotlib.pyplot as plt
import pytest
import torch

import attention_core as ac
from conftest import EVERYWHERE, in_v8
from explore.explorers.page import STATIC as PAGE
from explore.figures.legible import check_legible
from explore.mode import UNWATCHED
from four_words.machine import STATIC, goals, machine
from four_words.machine.explorer import SENTENCES, START, explorer_of, place_of
from four_words.machine.numbers import STAGES, followed, matrices, parents, short, sum_of
from four_words.sentences import OF_MACHINE, SCRIPT, in_words

SETTINGS = 300
WORDS = ["I", "saw", "a", "dog"]
TABLES = ("w_q", "w_k", "w_v")
GOALS = list(goals.NAMES.values())
SAW, AT_START = START["words"].split(), {name: START[name] for name in TABLES}


@pytest.fixture(scope="module")
def page():
    """``page(values)``: all that the page's program computes."""
    context = in_v8(PAGE / "attention_core.js", PAGE / "scenes.js")
    context.eval(SCRIPT)
    context.eval((STATIC / "programs" / "machine.js").read_text(encoding="utf-8"))
    context.eval("const plain = (_, x) => x === -Infinity ? 'hidden' : ArrayBuffer.isView(x) ? [...x] : x;")
    machine = "JSON.stringify(book.explorers.machine({}), plain)"
    return lambda values: json.loads(context.eval(machine.format(json.dumps(values))))


def a_table(generator, columns):
    """Whole numbers, halves or any numbers between the ends."""
    kind = generator.choice([lambda: generator.randint(-4, 4), lambda: generator.randint(-8, 8) / 2])
    kind = generator.choice([kind, kind, lambda: generator.uniform(-4, 4)])
    return [[float(kind()) for _ in range(columns)] for _ in range(4)]


def settings():
    """All switches with the tables at the start, at zero and at both ends; then random states."""
    first = {name: [*rows, (0,) * len(rows[0])] for name, rows in AT_START.items()}
    full = [{name: [[end] * (2 if name == "w_v" else 4)] * 4 for name in TABLES} for end in (0.0, -4.0, 4.0)]
    patterns = [list(p) for p in itertools.product(WORDS[:2], repeat=4)] if EVERYWHERE else [["I"] * 4]
    patterns += [SAW, WORDS]
    for tables, switches, words in itertools.product(
        [first, *full], itertools.product([False, True], repeat=3), patterns
    ):
        yield words, tables, switches, GOALS[len(words[0]) % 7]
    generator = random.Random(3)
    for _ in range(SETTINGS):
        words = [generator.choice(WORDS) for _ in range(4)]
        tables = {name: a_table(generator, 2 if name == "w_v" else 4) for name in TABLES}
        yield words, tables, tuple(generator.random() < 0.5 for _ in range(3)), generator.choice(GOALS)


def assert_nearly(ours, theirs):
    """Assert the same sentence with the same values; a last digit may differ where a half is rounded."""
    if ours is None or theirs is None:
        assert ours is theirs
        return
    assert (ours[0], list(ours[1])) == (theirs[0], list(theirs[1]))
    assert ours[0] in OF_MACHINE
    assert set(re.findall(r"\{(\w+)\}", OF_MACHINE[ours[0]])) <= set(ours[1])
    for name, a in ours[1].items():
        for x, y in zip(str(a).split(), str(theirs[1][name]).split(), strict=True):
            if x != y:
                numbers = [float(text.replace("−", "-").strip("e^()")) for text in (x, y)]
                assert abs(numbers[0] - numbers[1]) <= (0.0101 if abs(numbers[0]) < 10 else 0.101), (ours, theirs)


def test_page_and_kernel_compute_the_same_in_every_state(page):
    generator = random.Random(4)
    for words, tables, (scaled, causal, two_heads), goal in settings():
        made = matrices(words, **tables, scaled=scaled, causal=causal, two_heads=two_heads)
        name = generator.choice(list(made))
        i, j = (generator.randrange(size) for size in made[name].numbers.shape)
        follow = generator.randrange(5)
        values = {name: [x for row in table for x in row] for name, table in tables.items()}
        values |= {"words": " ".join(words), "scaled": scaled, "causal": causal, "two_heads": two_heads}
        theirs = page(values | {"goal": goal, "follow": follow, "look": f"{name} {i} {j}", "step": 5})
        assert list(theirs["made"]) == list(made)
        for key, matrix in made.items():
            other = theirs["made"][key]
            found = [[-torch.inf if x == "hidden" else x for x in row] for row in other["numbers"]]
            torch.testing.assert_close(torch.tensor(found, dtype=torch.float64), matrix.numbers, rtol=0, atol=1e-12)
            assert (other["title"], other["stage"], other["role"]) == matrix[:3]
            assert (other["rows"], other["columns"]) == matrix[4:]
        assert [tuple(place) for place in theirs["parents"]] == parents(name, i, j, made)
        assert_nearly(sum_of(name, i, j, made, scaled=scaled), theirs["sum"])
        assert_nearly(followed(follow - 1, made) if follow else None, theirs["follow"])
        assert_nearly(goals.verdict(goal, made, causal=causal), theirs["verdict"])


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
def test_two_heads_are_multi_head_attention(causal, scaled):
    generator = torch.Generator().manual_seed(5)
    tables = [torch.randn(4, columns, generator=generator, dtype=torch.float64) for columns in (4, 4, 2)]
    made = matrices(WORDS, *(table.tolist() for table in tables), scaled=scaled, causal=causal, two_heads=True)
    query, key = (table.unflatten(-1, (2, 2)).transpose(0, 1) for table in tables[:2])
    value = tables[2].unflatten(-1, (2, 1)).transpose(0, 1)
    scale = None if scaled else 1.0
    wanted = torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=causal, scale=scale)
    torch.testing.assert_close(made["output"].numbers, wanted.transpose(0, 1).flatten(-2), rtol=0, atol=1e-12)


def test_a_sum_in_letters_comes_out_at_its_number():
    made = matrices(SAW, **AT_START, scaled=True, causal=False, two_heads=False)
    for place, words in {
        ("weights_0", 3, 2): "e^(2) / (e^(1) + e^(0) + e^(2) + e^(0)) = 0.61: “saw” looks at “a”",
        ("scores_0", 3, 2): "(1 · 1 + 1 · 1 + 1 · 1 + 1 · 1) ÷ √4 = 2",
        ("q", 2, 3): "“a”: 0 · 0 + 0 · 1 + 1 · (−2) = −2",
        ("output", 3, 1): "0.22 · 0 + 0.08 · 0 + 0.61 · 1 + 0.08 · 0 = 0.61",
    }.items():
        assert in_words(sum_of(*place, made, scaled=True)) == words
    assert in_words(followed(3, made)).startswith(
        "“saw”, word 4: weights: 0.22 for “I”, 0.08 for “saw”, 0.61 for “a”, "
    )
    ours = ac.scaled_dot_product_attention(*(made[letter].numbers for letter in "qkv"))
    torch.testing.assert_close(made["output"].numbers, ours)


def test_every_sentence_about_a_state_is_said_in_some_state():
    """An id without words, or words without an id, is an error in one of the programs."""
    said = {"nowhere"}
    for words, tables, (scaled, causal, two_heads), _ in settings():
        made = matrices(words, **tables, scaled=scaled, causal=causal, two_heads=two_heads)
        found = [goals.verdict(goal, made, causal=causal) for goal in GOALS[1:]]
        found += [sum_of(name, 0, len(row[0]) - 1, made, scaled=scaled) for name, (_, _, _, row, *_) in made.items()]
        found += [sum_of("x", 0, 0, made, scaled=scaled), followed(0, made)]
        said |= {ident for ident, _ in found}
        assert all("{" not in in_words(sentence) for sentence in found)
    assert said == {*OF_MACHINE}


def possible(words, causal):
    """Search for scores of all pairs of words that make every word look mostly at the one before it.

    With one-hot words the tables allow any score of a query word with a key word. If the scores are far apart, the
    largest decides, so for each query word it is enough to try each order of the key words.
    """
    for word in set(words[1:]):
        places = [i for i in range(1, 4) if words[i] == word]
        if not any(
            all(first_in(order, words, i, causal) for i in places) for order in itertools.permutations(set(words))
        ):
            return False
    return True


def first_in(order, words, i, causal):
    """Whether the word before i has more than half if scores follow this order, with large gaps."""
    scores = torch.tensor([20.0 * order.index(word) for word in (words[: i + 1] if causal else words)])
    return scores.softmax(0)[i - 1] > 0.5


@pytest.mark.parametrize("causal", [False, True])
def test_the_machine_says_out_of_reach_exactly_where_a_search_finds_nothing(causal):
    for words in itertools.product("abcd", repeat=4):
        assert (goals.out_of_reach(list(words), causal) == "") == possible(list(words), causal), (words, causal)


SOLVED = {
    "third": {},
    "itself": {
        "w_q": [[0] * 4, [0] * 4, [4, 0, 0, 0]],
        "w_k": [[0] * 4, [0] * 4, [4, 0, 0, 0]],
    },
    "two_jobs": {
        "two_heads": True,
        "w_q": [[0] * 4, [2, 0, 2, 0], [0] * 4],
        "w_k": [[4, 0, 0, 0], [0] * 4, [0, 0, 4, 0]],
    },
    "before": {
        "causal": True,
        "w_q": [[0] * 4, [4, 0, 0, 0], [0, 4, 0, 0]],
        "w_k": [[2, 0, 0, 0], [0, 4, 0, 0], [4, 0, 0, 0]],
    },
}
SOLVED["outside"] = SOLVED["two_jobs"]


@pytest.mark.parametrize("goal", GOALS[1:])
def test_each_goal_is_reached_by_its_solution_or_said_to_be_out_of_reach(goal):
    state = {"causal": False, "two_heads": False} | SOLVED.get(goal, {})
    made = matrices(SAW, **AT_START | state, scaled=True)
    verdict, _ = goals.verdict(goal, made, causal=state["causal"])
    assert verdict.startswith("reached " if goal in SOLVED else "out "), verdict


def test_an_output_is_outside_where_a_triangle_says_so():
    generator = random.Random(2)
    for _ in range(300):
        corners = [[generator.uniform(-3, 3) for _ in range(2)] for _ in range(3)]
        shares = [generator.uniform(-0.6, 1) for _ in range(2)]
        shares.append(1 - sum(shares))  # of the corners: the point is outside if one of them is negative
        point = [sum(share * corner[c] for share, corner in zip(shares, corners, strict=True)) for c in range(2)]
        assert (goals.distance_to_hull(point, corners) > 1e-9) == (min(shares) < 0)
    assert goals.distance_to_hull([1, 1], [[0, 0], [2, 2], [0, 0]]) == 0  # values in a line, and the point between
    assert goals.distance_to_hull([3, 3], [[0, 0], [2, 2], [0, 0]]) == pytest.approx(2**0.5)
    assert goals.distance_to_hull([0, 1], [[0, 0]] * 4) == 1


def verdict_of(goal, words, *, causal=False, **tables):
    empty = {"w_q": [[0.0] * 4] * 4, "w_k": [[0.0] * 4] * 4, "w_v": [[1.0, 0]] * 4}
    rows = len(set(words))
    tables = {name: table[:rows] for name, table in (empty | tables).items()}
    return goals.verdict(
        goal, matrices(list(words), **tables, scaled=True, causal=causal, two_heads=True), causal=causal
    )


def test_goals_look_at_both_heads():
    second = {"w_q": [[0, 0, 0, 0], [0, 0, 1, 0], [0] * 4, [0] * 4], "w_k": [[0, 0, 4, 0]] + [[0] * 4] * 3}
    ident, values = verdict_of("equal", "abcd", **second)
    assert (ident, values["head"], values["word"]) == ("out equal_in_head", 2, "b")
    steps = [[0, 0, 4, 0], [0, 0, 0, 4], [0, 0, -4, 0], [0, 0, 0, -4]]
    before = {"w_q": steps[1:] + steps[:1], "w_k": steps[1:] + steps[:1]}
    before["w_q"] = [[0] * 4, *before["w_k"][:3]]
    ident, values = verdict_of("before", "abcd", **before)
    assert (ident, values["head"]) == ("reached before_in_head", 2)


@pytest.mark.parametrize(
    ("goal", "words", "causal", "begins"),
    [
        ("itself", "aaaa", False, "out"),
        ("itself", "aaaa", True, "out"),
        ("itself", "aabb", False, "out"),
        ("itself", "aabb", True, "not_yet"),
        ("two_jobs", "aaab", False, "out"),
        ("two_jobs", "aabc", False, "not_yet"),
    ],
)
def test_equal_words_put_a_goal_out_of_reach(goal, words, causal, begins):
    assert verdict_of(goal, words, causal=causal)[0].split()[0] == begins


def test_the_picture_shows_each_stage_from_its_step_on_and_is_legible():
    shown = explorer_of()
    for step, stage in enumerate(STAGES):
        fig = shown.function(step=step)
        check_legible(fig)
        drawn = {artist.words.partition(":")[0].partition(" (")[0] for ax in fig.axes for artist in ax.collections}
        assert ("output" in drawn) == (step == 5), stage
        assert ("weights" in drawn) == (step >= 4)
        assert ("Q Kᵀ" in drawn) == (step == 2)
        assert ("scores" in drawn) == (step >= 3)
    assert len(SENTENCES) == len(STAGES)


def test_with_a_kernel_menus_light_the_numbers_that_made_a_number_and_the_sum_is_text(monkeypatch):
    monkeypatch.delenv(UNWATCHED)
    shown = explorer_of()
    controls, drawing = shown.widget().children[0].children
    look = controls.children[list(shown.controls).index("look")]
    assert "Choose a number at “look”" in drawing.value
    for menu, value in zip(look.menus, ("weights_0", 3, 2), strict=True):
        menu.value = value
    assert look.value == "weights_0 3 2"
    assert "e^(2) / (e^(1) + e^(0) + e^(2) + e^(0)) = 0.61: “saw” looks at “a”" in drawing.value
    lit = [text.get_text() for text in shown.function(look=look.value).findobj(is_lit)]
    assert sorted(lit) == ["0", "0", "0.61", "1", "2"]
    look.menus[0].value = "weights_1"
    assert OF_MACHINE["nowhere"] in drawing.value
    look.menus[0].value = ""
    assert (look.value, OF_MACHINE["nowhere"] in drawing.value) == ("", False)


def is_lit(artist):
    """Whether it is a number on a tile that is not faint."""
    return isinstance(artist, plt.Text) and hasattr(artist, "owner") and artist.get_alpha() == 1 and is_number(artist)


def is_number(text):
    return text.get_text().replace("−", "-").lstrip("-").replace(".", "", 1).isdigit()


def test_without_a_reader_the_sum_is_in_the_picture():
    fig = explorer_of().function(look="weights_0 3 2")
    assert "= 0.61: “saw” looks at “a”" in fig.axes[-1].texts[0].get_text().replace("\n", " ")
    assert fig.get_label() == ""


@pytest.mark.parametrize("look", ["", "output 0 2", "weights_0 3 2"])
def test_the_menus_begin_with_the_number_in_look(look):
    menus = explorer_of(look=look).controls["look"].widget(look).menus
    assert [menu.value for menu in menus] == (["weights_0", 3, 2] if look == "weights_0 3 2" else ["", 0, 0])


def test_states_that_the_machine_does_not_know_are_errors():
    with pytest.raises(TypeError, match=r"machine takes words, step.*got steps"):
        machine(steps=3)
    with pytest.raises(ValueError, match=r"step must be one of X, Q.*got 'softmax'"):
        machine(step="softmax")
    with pytest.raises(ValueError, match="words must have 4 words, at most 60 characters, got one two three"):
        machine(words="one two three")
    with pytest.raises(ValueError, match="look must be the place of a number, such as weights_0 3 2, got a b"):
        machine(look="a b")
    assert place_of("weights_1 0 0", {"weights_0": None}) is None


@pytest.mark.parametrize(
    "written", ["", "x 0 0", "weights_1 3 2", "a b", "weights_0 3", "output 0 4", " x 0 0", "x 0 0;"]
)
def test_page_and_kernel_refuse_the_same_places(written):
    look = explorer_of().controls["look"]
    context = in_v8(PAGE / "fields.js")
    check = f"book.fields.check({json.dumps(look.for_the_page(''))}, {json.dumps(written)})"
    theirs = context.eval(f"try {{ {check} }} catch (error) {{ error.message }}")
    if re.fullmatch(r"|(x|weights_1) \d \d", written):
        assert theirs == look.check(written) == written
    else:
        with pytest.raises(ValueError, match=r"^look must be the place of a number, ") as refused:
            look.check(written)
        assert theirs == str(refused.value)


@pytest.mark.parametrize(
    ("number", "letters"), [(0.0, "0"), (-0.001, "0"), (2.0, "2"), (-2.5, "−2.5"), (1.414, "1.41"), (31.25, "31.2")]
)
def test_numbers_are_short(number, letters):
    assert short(number) == letters
