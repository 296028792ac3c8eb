"""The experiments: they run the chapters' own cells, and stored results belong to the code that is there now."""

import json

import pytest
import torch

from experiments import chapters, heads, memories, recall, text

EXPERIMENTS = [heads, recall, text, memories]


@pytest.fixture(scope="module")
def prepared():
    """The definitions of a chapter, by its number."""
    spaces = {}
    for number in sorted({experiment.CHAPTER for experiment in EXPERIMENTS}):
        spaces[number] = chapters._chapter = {}  # a namespace of its own, as in a process of its own
        threads = torch.get_num_threads()
        chapters._prepare(number)
        torch.set_num_threads(threads)
    return spaces


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda module: module.__name__)
def test_results_belong_to_the_code(experiment):
    name = experiment.__name__.split(".")[-1]
    stored = json.loads((chapters.RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    assert stored["code"] == chapters.checksum(experiment), f"the code has changed; run: {stored['command']}"
    assert chapters.load_rows(name) == stored["rows"]
    assert {row["seed"] for row in stored["rows"]} == {0, 1, 2}


def test_the_checksum_sees_code_and_not_comments(monkeypatch):
    before = chapters.checksum(heads)
    cells = chapters.tagged_cells("04")
    monkeypatch.setattr(chapters, "tagged_cells", lambda chapter: ["# a comment\n" + cell + "\n\n" for cell in cells])
    assert chapters.checksum(heads) == before
    changed = [cell.replace("lr=3e-3", "lr=4e-3") for cell in cells]
    monkeypatch.setattr(chapters, "tagged_cells", lambda chapter: changed)
    assert chapters.checksum(heads) != before


@pytest.mark.parametrize(
    ("experiment", "arguments"),
    [
        (heads, (2, 2, 0)),
        (recall, ("efficient", 4, 2, 0)),
        (recall, ("local, 8", 4, 2, 0)),
        (text, ("plain", "copy", 2, 0)),
        (text, ("quoting", "linear", 2, 0)),
        (memories, ("overwriting", ["gated delta", "window of 8"], 2, 0)),
    ],
)
def test_a_run_gives_a_row_like_the_stored_ones(experiment, arguments, prepared):
    row = experiment.run(prepared[experiment.CHAPTER], *arguments)
    assert json.loads(json.dumps(row)) == row
    assert set(row) == set(chapters.load_rows(experiment.__name__.split(".")[-1])[0])
    assert row == experiment.run(prepared[experiment.CHAPTER], *arguments), "the seed decides everything"


def test_controls_are_what_they_say(prepared):
    forms = prepared["10"]["FORMS"]
    q, k, v = torch.randn(3, 2, 4, 6, 8, generator=torch.Generator().manual_seed(0))
    assert torch.equal(forms["copy"](q, k, v, is_causal=True)[..., 1:, :], v[..., :-1, :])
    assert (forms["copy"](q, k, v)[..., 0, :] == 0).all()
    assert torch.equal(forms["none"](q, k, v), torch.zeros_like(v))


def test_quoting_text_starts_over(prepared):
    batch, decided = prepared["10"]["quoting"](torch.arange(1000), 50, torch.Generator().manual_seed(0))
    for row, known in zip(batch, decided, strict=True):
        again = (row[1:] == row[0]).nonzero()[0, 0].item() + 1  # where the excerpt starts over
        assert 20 <= again <= 32
        assert all(row[i] == row[i - again] for i in range(again, 65))
        assert torch.equal(known, torch.arange(1, 65) > again)  # the first token that comes again cannot be known


def test_pairs_that_stood_before(prepared):
    batch = torch.tensor([[5, 6, 7, 5, 6, 5, 6]])
    assert prepared["10"]["stood_before"](batch).tolist() == [[False, False, False, True, False, True]]


def test_bytes_kept(prepared):
    kept = prepared["10"]["kept_bytes"]
    assert kept("softmax", 8, 32) == 4 * 32 * (8 + 16)
    assert kept("local, 4", 8, 32) == 4 * 5 * (8 + 16)
    assert kept("linear", 8, 32) == 4 * 8 * 17
    assert kept("none", 8, 32) == 0
