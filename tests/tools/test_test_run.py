"""What a test run cost: its tables, and the limit for notebooks."""

import sys

import pytest

pytest.importorskip("resource", reason="Windows does not count processor time in this way")

from tools import test_run

CPU = {"chapters/a.ipynb": 10.0, "chapters/b.ipynb": 20.4, "chapters/c.ipynb": 61.3, "tests/test_a.py": 5.0}


def test_a_notebook_with_more_than_three_times_the_median_is_named():
    notebooks, tests = test_run.split(CPU)
    assert tests == {"tests/test_a.py": 5.0}
    assert test_run.too_slow(notebooks) == ["chapters/c.ipynb"]
    assert test_run.too_slow(notebooks | {"chapters/c.ipynb": 61.0}) == []


def test_the_report_has_steps_and_slowest_files():
    report = test_run.report({"lint": {"seconds": 1.2, "cpu": 2.4}, "book": {"seconds": 60, "cpu": 80}}, CPU)
    assert "| lint | 1 | 2 |\n| book | 60 | 80 |\n| together | 61 | 82 |\n" in report
    assert "| slowest notebooks (median 20) | processor seconds |\n|---|---|\n| chapters/c.ipynb | 61 |\n" in report


def test_processor_time_counts_programs_that_have_ended():
    busy = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'sum(range(2 * 10**7))'])"
    good, cost = test_run.timed([sys.executable, "-c", busy])
    assert good
    assert cost["cpu"] > 0.1
    assert not test_run.timed([sys.executable, "-c", "raise SystemExit(1)"])[0]


def test_tables_are_put_between_their_marks(tmp_path, monkeypatch):
    monkeypatch.setattr(test_run, "ROOT", tmp_path)
    (tmp_path / "CONTRIBUTING.md").write_text("a\n<!-- times: make times -->\nold\n<!-- /times -->\nb\n")
    test_run.store("| new |\n")
    expected = "a\n<!-- times: make times -->\n| new |\n<!-- /times -->\nb\n"
    assert (tmp_path / "CONTRIBUTING.md").read_text() == expected
