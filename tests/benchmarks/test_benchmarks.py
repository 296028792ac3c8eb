"""The benchmark programs: their own forms of attention are right, and their results hold all that chapters read."""

import math
import os

import nbformat
import pytest
import torch
from nbformat.v4 import new_code_cell, new_notebook

import attention_core as ac
from benchmarks import decoding, exact, kernels, linear, memory
from benchmarks.measure import in_a_fresh_process, load_results, medians, slope
from conftest import weekly


def test_slope_of_a_power_law():
    sizes = [1, 3, 10, 40]
    assert slope(sizes, [5 * n**1.7 for n in sizes]) == pytest.approx(1.7)


def test_medians_come_from_as_many_calls_as_asked_for():
    calls = []
    times = medians({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, rounds=3)
    assert calls == ["a", "b"] + ["a", "b"] * 3  # one warm-up each, then every round goes through all forms
    assert all(0 <= t < 1 for t in times.values())


def test_the_measured_forms_are_attention():
    from benchmarks import fading  # not above: it imports transformers, and each worker imports each test file

    q, k, v = torch.randn(3, 2, 40, 8, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    assert torch.allclose(exact.textbook(q, k, v), ac.scaled_dot_product_attention(q, k, v))
    assert torch.allclose(linear.cumulative_sum(q, k, v), ac.linear_attention(q, k, v, is_causal=True))
    assert len(linear.with_gradient(linear.cumulative_sum, q, k, v)) == 3
    for form in memory.FORMS.values():
        assert form(q, k, v).shape == v.shape
    q, k, v, beta = q[None].float(), k[None].float() / 8, v[None].float(), torch.rand(1, 2, 40, 1)
    gates = {"beta": beta, "log_decay": -beta}
    assert torch.allclose(
        fading.of_transformers(q, k, v, **gates), ac.delta_rule_attention(q, k, v, **gates), atol=1e-5
    )


def test_a_cache_with_room_holds_the_same_as_a_joined_one():
    torch.manual_seed(0)
    layer, words = ac.MultiHeadAttention(16, 2), torch.randn(1, 3, 16)
    key, value = torch.randn(2, 1, 2, 5, 8)
    joined, roomy = ac.KVCache(), decoding.CacheWithRoom(key, value, 9)
    joined.key, joined.value = key, value
    places = [room.data_ptr() for room in roomy.room]
    for word in words.split(1, -2):
        assert torch.allclose(layer(word, cache=joined), layer(word, cache=roomy), atol=1e-6)
    assert len(joined) == len(roomy) == 8
    assert [roomy.key.data_ptr(), roomy.value.data_ptr()] == places  # nothing was copied
    assert joined.key.data_ptr() != key.data_ptr()


@pytest.mark.parametrize("program", [decoding, exact], ids=lambda program: program.__name__)
def test_programs_with_a_single_process_run(program, monkeypatch):
    """Everything but the repetitions runs; the forms run only at the smallest length."""
    seen, stored = [], []

    def once(forms, rounds=5):
        if not seen:
            for function in forms.values():
                function()
        seen.extend(forms)
        return dict.fromkeys(forms, 1.0 + len(seen))

    monkeypatch.setattr(program, "medians", once)
    monkeypatch.setattr(program, "store", lambda name, data: stored.append((name, data)))
    program.main()
    ((name, data),) = stored
    assert name == program.__name__.rpartition(".")[2]
    assert data


@weekly
def test_memory_is_measured_for_the_form_alone():
    """For each of 2 heads, the textbook form holds 2048² scores and 2048² weights. This process is not measured."""
    ballast = torch.ones(100 * 2**20)
    measured = in_a_fresh_process("benchmarks.memory", "textbook", 2048)
    assert measured == pytest.approx(2 * 2 * 4 * 2048**2, rel=0.1)
    assert in_a_fresh_process("benchmarks.memory", "blockwise", 2048) < measured / 5
    assert ballast.numel()


def test_results_hold_all_that_the_chapters_read():
    results = load_results("exact", "memory")
    assert "amd-epyc-2-threads" in results
    for result in results.values():
        assert all(isinstance(n, int) and math.isfinite(row["fused"]) for n, row in result["exact"]["data"].items())
    of_linear_forms = load_results("linear", "decoding")
    assert of_linear_forms
    for result in of_linear_forms.values():
        of_forms = result["linear"]["data"]["forward"]
        assert all(of_forms[n]["fused softmax, causal"] for n in (256, 512, 1024, 4096, 16384))
        assert {len(row) for row in result["decoding"]["data"].values()} == {2}
    for result in (results | of_linear_forms).values():
        for entry in result.values():
            assert {"machine", "versions", "date", "command", "data"} == set(entry)
    assert load_results("a program that never ran") == {}


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="Linux counts a process's memory in kilobytes")
def test_what_a_kernel_takes_is_measured():
    source = "import os\nheld = b'x' * 300_000_000\nassert os.environ['OMP_NUM_THREADS'] == '2'"
    nb = new_notebook(cells=[new_code_cell(source)])
    taken = kernels.measured(nbformat.writes(nb), {"OMP_NUM_THREADS": "2"})
    assert 0.3 < taken["GB"] < 0.6
    assert 0 <= taken["cpu"] <= taken["seconds"] + 2
