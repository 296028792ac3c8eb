"""What a test run cost: its tables, and the limit for notebooks."""

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("Windows does not count processor time in this way", allow_module_level=True)

from tools import test_run

SECONDS = {"chapters/a.ipynb": 10.0, "chapters/b.ipynb": 20.4, "chapters/c.ipynb": 61.3, "tests/test_a.py": 5.0}


def test_a_notebook_with_more_than_three_times_the_median_is_named():
    notebooks, tests = test_run.split(SECONDS)
    assert tests == {"tests/test_a.py": 5.0}
    assert test_run.too_slow(notebooks) == ["chapters/c.ipynb"]
    assert test_run.too_slow(notebooks | {"chapters/c.ipynb": 61.0}) == []


def test_the_report_has_steps_and_slowest_files_beside_the_stored_ones():
    stored = test_run.times_of({"lint": [1, 2]}, 1, {})
    times = test_run.times_of({"lint": [1.2, 2.4], "book": [60, 80]}, 61, SECONDS)
    lines = [line.split() for line in test_run.report(times, stored).splitlines()]
    assert ["lint", "1", "1", "2", "2"] in lines
    assert ["together", "61", "1", "82", "2"] in lines
    assert ["chapters/c.ipynb", "61", "–"] in lines


def test_every_test_is_run_once():
    steps = [command for row in test_run.STEPS for command in row.values()]
    files = [word for command in steps for word in command if word.endswith(".py")]
    assert sorted(files) == sorted(map(str, test_run.TESTS.rglob("test_*.py")))


def test_processor_time_counts_programs_that_have_ended():
    busy = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'sum(range(2 * 10**7))'])"
    good, (_, cpu) = test_run.timed([sys.executable, "-c", busy])
    assert good
    assert cpu > 0.1
    assert not test_run.timed([sys.executable, "-c", "raise SystemExit(1)"])[0]
