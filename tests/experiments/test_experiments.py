"""Experiments run the chapters' own cells, and stored results belong to the current code."""

import functools
import json
from importlib import import_module

import pytest
import torch
from safetensors import safe_open

from conftest import sample
from experiments import NAMES, chapters, copier, dates, translator, writers

ALL = {name: import_module(f"experiments.{name}") for name in NAMES}
MOST_BYTES = {"copier": 1e5, "translator": 3e5, "writers": 1e6}  # the limits for files of weights


class Prepared(dict):
    """The definitions in each chapter, by the chapter's name, made when they are needed."""

    def __missing__(self, name):
        self[name] = chapters._chapter = {}  # its own namespace, as in its own process
        threads = torch.get_num_threads()
        chapters._prepare(name)
        torch.set_num_threads(threads)
        self[name]["docstrings"] = ["A docstring."] * 100  # in place of thousands
        return self[name]


@pytest.fixture(scope="module")
def prepared():
    return Prepared()


@pytest.mark.parametrize("name", sorted({*ALL} - {*MOST_BYTES}))
def test_stored_results_belong_to_the_code(name):
    experiment = ALL[name]
    stored = json.loads((chapters.RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    assert stored["code"] == chapters.checksum(experiment), f"the code has changed; run: {stored['command']}"
    assert chapters.load_rows(name) == stored["rows"]
    assert {row["seed"] for row in stored["rows"]} >= set(experiment.SEEDS) >= {0, 1, 2}


@pytest.fixture(scope="module")
def checksums():
    return {name: chapters.checksum(experiment) for name, experiment in ALL.items()}


WITHOUT_HEADS = {"language_model", "language_model_parity", "sinks", "starts", "sure_rows"}


@pytest.mark.parametrize(
    ("changes", "changed"),
    [
        # The multi-head module names the states that can serve as a cache, and so their chunks.
        ({"CHUNK = 64": "CHUNK = 32"}, {*ALL} - WITHOUT_HEADS),
        (
            {"return (softmax(q) @ (maps.mT @ v))": "return (q @ (maps.mT @ v))"},
            {"copier", "copying", "cut_short", "recall", "text", "writers"},
        ),
        (
            {
                "rescale, largest =": "rescale, largest = 2 *",  # in a form that no experiment uses
                "Source: Katharopoulos et al. 2020.": "Source: Katharopoulos and others, 2020.",
                "must broadcast to the shape": "has to broadcast to the shape",  # an error message
                "def soft_cap(x, cap):": "def soft_cap(x, cap):\n    # a comment",
            },
            set(),
        ),
    ],
)
def test_the_checksum_covers_the_parts_of_the_core_that_are_used(changes, changed, checksums, tmp_path, monkeypatch):
    text = (chapters.ROOT / "attention_core.py").read_text(encoding="utf-8")
    for before, after in changes.items():
        assert before in text
        text = text.replace(before, after)
    (tmp_path / "chapters").symlink_to(chapters.ROOT / "chapters", target_is_directory=True)
    (tmp_path / "attention_core.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(chapters, "ROOT", tmp_path)
    assert {name for name, experiment in ALL.items() if chapters.checksum(experiment) != checksums[name]} == changed


# The workflow `weekly` tries all of them, each push a sample: of these places the quick ones.
RUNS = [
    ("starts", ("none", "squared error", 0.001, 16, 2, 0)),
    ("sure_rows", (16, [0, 1, 2], 0)),
    ("heads", (2, 2, 0)),
    ("far_keys", (2, 0)),
    ("lengths", ("rotary", 2, 0)),
    ("slopes", ("ALiBi, steep", 4, 2, 0)),
    ("recall", ("efficient", 4, 2, 0)),
    ("copying", (["copy", "linear"], 0, 0)),
    ("text", ("linear", 2, 0)),
    ("cut_short", ("softmax", 2, 0)),
    ("memories", ("parity", ["delta, β to 2", "softmax"], 2, 0)),
    ("memories", ("48, 512 keys", ["decay, begun at 0.98", "linear"], 2, 0)),
    ("dates", ("neither of the last two", 2, 0)),
    ("ablations", (0, 4)),
    ("sinks", ("first token", 2, 0)),
]


@pytest.mark.parametrize(("name", "arguments"), sample(RUNS, 5))
def test_a_run_gives_a_row_like_the_stored_ones(name, arguments, prepared, monkeypatch):
    experiment = ALL[name]
    chapter = prepared[experiment.CHAPTER]
    if name in ("dates", "ablations"):  # 8 of the 1000 texts, and maps of 16 of the 300
        held_out = chapter["held_out_texts"]()
        monkeypatch.setitem(chapter, "held_out_texts", lambda: tuple(part[:8] for part in held_out))
        monkeypatch.setitem(chapter, "looks_right", functools.partial(chapter["looks_right"], number=16))
    row = experiment.run(chapter, *arguments)
    assert json.loads(json.dumps(row)) == row
    assert set(row) == set(chapters.load_rows(name)[0])
    assert row == experiment.run(chapter, *arguments), "the seed must decide everything"


def test_controls_do_what_their_names_say(prepared):
    forms = prepared["tiny_gpt"]["FORMS"]
    q, k, v = torch.randn(3, 2, 4, 6, 8, generator=torch.Generator().manual_seed(0))
    assert torch.equal(forms["copy"](q, k, v, is_causal=True)[..., 1:, :], v[..., :-1, :])
    assert (forms["copy"](q, k, v)[..., 0, :] == 0).all()
    assert torch.equal(forms["none"](q, k, v), torch.zeros_like(v))


def test_texts_start_over(prepared):
    tokens, periods = prepared["tiny_gpt"]["starting_over"](50, torch.Generator().manual_seed(0))
    assert periods.min() >= 20
    assert periods.max() <= 32
    for row, period in zip(tokens, periods[:, 0].tolist(), strict=True):
        assert len(set(row[:period].tolist())) == period
        assert torch.equal(row[period:], row[:-period])


def test_copying_is_scored_where_the_period_decides(prepared):
    """A model that knows the period has loss 0, and weights that read what came next have score 1."""
    space = prepared["tiny_gpt"]
    tokens, period = space["starting_over"](20, torch.Generator().manual_seed(0))

    def knows(given, maps=None):
        assert torch.equal(given, tokens[:, :-1])
        if maps is not None:
            i = torch.arange(63)
            next_of_last = torch.zeros(20, 63, 63).scatter(2, (i - period + 1).clamp(0)[..., None], 1.0)
            maps += [torch.eye(63).roll(-1, 1).expand(20, -1, -1), next_of_last]
        return 50.0 * torch.nn.functional.one_hot(tokens[:, 1:], 64)

    loss, before, came_next = space["two_scores"](knows, tokens, period)
    assert loss < 1e-6
    assert before[0] == 1
    assert came_next == [0, 1]


def test_after_a_jump_looking_up_and_counting_differ(prepared):
    """A model that looks up the present token goes on after the jump; one that counts says what was left out."""

    def looks_up(given):
        return torch.nn.functional.one_hot(next_of(given, lambda row, i: row.index(row[i]) + 1), 64)

    def counts(given):
        return torch.nn.functional.one_hot(next_of(given, longest_away), 64)

    def next_of(given, place):
        return torch.tensor([[row[min(place(row, i), 62)] for i in range(63)] for row in given.tolist()])

    def longest_away(row, i):
        last = {token: j for j, token in enumerate(row[: i + 1])}
        return min(last.values())

    after_a_jump = prepared["tiny_gpt"]["after_a_jump"]
    assert after_a_jump(looks_up) == {"follows": 1, "left out": 0}
    assert after_a_jump(counts) == {"follows": 0, "left out": 1}


@pytest.mark.parametrize(("name", "most"), MOST_BYTES.items())
def test_stored_weights_belong_to_the_code_and_are_small(name, most):
    path = chapters.weights_file(name)
    with safe_open(path, framework="pt") as file:
        stored = file.metadata()
    assert stored["code"] == chapters.checksum(ALL[name]), f"the code has changed; run: {stored['command']}"
    assert path.stat().st_size <= most


def test_stored_weights_fit_their_models(prepared):
    space = prepared["tiny_gpt"]
    weights, tokenizer = writers.load_writers()
    assert list(weights) == writers.FORMS
    for form, parameters in weights.items():
        model = space["TinyGPT"](tokenizer.get_vocab_size(), space["FORMS"][form])
        missing, unexpected = model.load_state_dict(parameters, strict=False)
        assert (missing, unexpected) == (["positions"], [])
    model = prepared["a_translator"]["Translator"]()
    missing, unexpected = model.load_state_dict(translator.load_translator(), strict=False)
    assert (missing, unexpected) == (["source_places", "target_places"], [])

    model = space["AttentionOnly"](copier.RUNS["two layers"])
    parameters, histories = copier.load_copier()
    model.load_state_dict(parameters)
    loss, _, (_, came_next) = space["two_scores"](
        model, *space["starting_over"](64, torch.Generator().manual_seed(1000))
    )
    stored_loss, _, (_, stored_weight) = histories["two layers"][copier.STEPS]
    assert (loss, came_next) == pytest.approx((stored_loss, stored_weight), abs=0.01)  # the stored weights are rounded


def test_the_checksum_follows_names_and_leaves_others_out(tmp_path, monkeypatch):
    cells = ["a = 1\nb = 2", "def f():\n    return a", "c = []\nc.append(a)", "print(a)", "def g():\n    return c"]
    (tmp_path / "of_f.py").write_text('"""Runs f."""\n\nCHAPTER = "01"\n\n\ndef run(chapter):\n    chapter["f"]()\n')
    (tmp_path / "of_g.py").write_text('"""Runs g."""\n\nCHAPTER = "01"\n\n\ndef run(chapter):\n    chapter["g"]()\n')
    monkeypatch.syspath_prepend(tmp_path)
    programs = {name: import_module(f"of_{name}") for name in "fg"}

    def changed(before, after):
        sums = []
        for code in ("\n".join(cells), "\n".join(cells).replace(before, after)):
            monkeypatch.setattr(chapters, "tagged_cells", lambda chapter, code=code: [code])
            sums.append({name: chapters.checksum(program) for name, program in programs.items()})
        return {name for name in programs if sums[0][name] != sums[1][name]}

    assert changed("a = 1", "a = 3") == {"f", "g"}
    assert changed("b = 2", "b = 3") == changed("a = 1", "a = 1  # a comment") == set()
    assert changed("return a", "return a + 1") == {"f"}
    assert changed("c.append(a)", "c.append(2 * a)") == {"g"}
    assert changed("print(a)", "print(2 * a)") == set()


def test_pairs_that_occurred_before_are_found(prepared):
    batch = torch.tensor([[5, 6, 7, 5, 6, 5, 6]])
    assert prepared["tiny_gpt"]["stood_before"](batch).tolist() == [[False, False, False, True, False, True]]


def test_kept_bytes_are_counted(prepared):
    kept = prepared["tiny_gpt"]["kept_bytes"]
    assert kept("softmax", 8, 32) == 4 * 32 * (8 + 16)
    assert kept("linear", 8, 32) == 4 * 8 * 17
    assert kept("none", 8, 32) == 0


def test_the_translators_controls_are_all_measured_and_do_what_their_names_say(prepared):
    chapter = prepared["a_translator"]
    assert list(chapter["CONTROLS"]) == dates.CONTROLS
    tokens, lengths, targets = chapter["draw"](chapter["TRAINING"], 6, torch.Generator().manual_seed(0))

    def scores(control, tokens, targets):
        torch.manual_seed(0)
        model = chapter["Translator"]()
        chapter["change"](model, **chapter["CONTROLS"][control])
        return model(tokens, lengths, targets)

    whole = scores("all of it", tokens, targets)
    found = [scores(control, tokens, targets) for control in dates.CONTROLS]
    assert not any(torch.equal(a, b) for i, a in enumerate(found) for b in found[:i]), "two controls are the same"
    other = tokens.roll(1, 0)
    assert torch.equal(scores("no cross-attention", other, targets), scores("no cross-attention", tokens, targets))
    later = targets.clone()
    later[:, 5:] = 3
    assert torch.equal(scores("all of it", tokens, later)[:, :6], whole[:, :6])
    seen = scores("no causal mask", tokens, later)[:, :6] - scores("no causal mask", tokens, targets)[:, :6]
    assert (seen.abs().amax(-1) > 0).all()
