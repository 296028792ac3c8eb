"""Everything that `make test` runs, step by step, and what it cost: `python -m tools.test_run`.

At the end come tables of the steps, with processor time, which hardly depends on what else the machine does, and of the
slowest notebooks and test files, beside the times in `tools/times.json`. `--store` (`make times`) puts the last run's
times there. Notebooks that take more than three times as long as the median notebook are named below the tables: what
a reader does not watch belongs in `experiments/`.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.check import TESTS, in_browser

ROOT = Path(__file__).resolve().parent.parent
PYTEST = [sys.executable, "-m", "pytest"]
FILES = {*TESTS.rglob("test_*.py")}
OF_SITE = sorted(map(str, in_browser(FILES)))
OTHERS = sorted(map(str, FILES - in_browser(FILES)))
# Steps in one row run side by side. The book is made from the outputs of the notebooks' tests, so that each notebook is
# executed once, and by one process; the tests that need no site use the other cores.
STEPS = [
    {"lint": ["make", "-s", "lint"]},
    {"notebooks": [*PYTEST, "index.ipynb", "chapters", "back_matter"]},
    {"book": ["make", "-s", "book"], "tests without the site": [*PYTEST, *OTHERS]},
    {"unchanged book": ["make", "-s", "book"]},
    {"tests of the site": [*PYTEST, *OF_SITE]},
]
SECONDS = ROOT / ".pytest_cache" / "v" / "attention-measured" / "seconds"  # written by conftest.py
LAST = ROOT / "_build" / "times.json"
STORED = ROOT / "tools" / "times.json"
MOST = 3  # times the median of all notebooks


def timed(command):
    """Run a command; returns whether it succeeded, its seconds, and its processor seconds.

    These leave out what nobody waited for: the parts of a browser that end with it.
    """
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=ROOT)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return not status, [round(time.monotonic() - start, 1), round(used.ru_utime + used.ru_stime, 1)]


def times_of(steps, wall, of_files):
    """What a run took, as it is stored: seconds and processor seconds of its steps; seconds of its files."""
    return {"machine": machine(), "steps": steps | {"together": [wall, sum(used for _, used in steps.values())]}} | {
        kind: {name: round(seconds) for name, seconds in slowest(found)}
        for kind, found in zip(("notebooks", "test files"), split(of_files), strict=True)
    }


def report(times, stored):
    """The tables of a run beside those of the stored one."""
    lines = [f"{times['machine']}; behind: the last stored run, on {stored['machine']}"]
    lines += [f"{'':40}{'seconds':>18}{'processor seconds':>22}"]
    for name, (wall, cpu) in times["steps"].items():
        before = stored["steps"].get(name, (0, 0))
        lines.append(f"{name:40}{wall:9.0f} {before[0]:8.0f}{cpu:13.0f} {before[1]:8.0f}")
    for kind in ("notebooks", "test files"):
        lines.append(f"slowest {kind}, seconds")
        for name, seconds in times[kind].items():
            lines.append(f"  {name:56}{seconds:15.0f} {stored[kind].get(name, '–'):>8}")
    return "\n".join(lines)


def split(of_files):
    """The seconds of notebooks, and of test files."""
    notebooks = {name: seconds for name, seconds in of_files.items() if name.endswith(".ipynb")}
    return notebooks, {name: seconds for name, seconds in of_files.items() if name not in notebooks}


def machine():
    """The machine in words: ``2 cores, AMD EPYC 7763``."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        models = [line.partition(": ")[2] for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        name = models[0] if models else name
    return f"{os.cpu_count()} cores, {name}"


def slowest(of_files, count=5):
    return sorted(of_files.items(), key=lambda pair: pair[1], reverse=True)[:count]


def too_slow(notebooks):
    """The notebooks that take more than ``MOST`` times as long as the median notebook."""
    limit = MOST * statistics.median(notebooks.values())
    return [name for name, seconds in slowest(notebooks) if seconds > limit]


def main():
    steps, start = {}, time.monotonic()
    SECONDS.unlink(missing_ok=True)
    failed = []
    for row in STEPS:
        with ThreadPoolExecutor(len(row)) as pool:
            for name, (good, cost) in zip(row, pool.map(timed, row.values()), strict=True):
                steps[name] = cost
                failed += [] if good else [name]
        if failed:
            break
    of_files = json.loads(SECONDS.read_text(encoding="utf-8")) if SECONDS.is_file() else {}
    times = times_of(steps, round(time.monotonic() - start, 1), of_files)
    LAST.parent.mkdir(exist_ok=True)
    LAST.write_text(json.dumps(times, indent=1) + "\n", encoding="utf-8")
    print(f"\n{report(times, json.loads(STORED.read_text(encoding='utf-8')))}", flush=True)
    if failed:
        sys.exit(f"{', '.join(failed)}: failed")
    if slow := too_slow(split(of_files)[0]):
        print(f"more than {MOST} times as long as the median notebook: {', '.join(slow)}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--store"]:
        STORED.write_bytes(LAST.read_bytes())
    else:
        main()
