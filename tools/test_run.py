"""Everything that `make test` runs, step by step, and what it cost: `python -m tools.test_run`.

At the end come tables of the steps and of the slowest notebooks and test files, with processor time, which hardly
depends on what else the machine does. `--store` (`make times`) puts the last run's tables into CONTRIBUTING.md. A
notebook that takes more than three times as long as the median notebook is named below them: what a reader does not
watch belongs in `experiments/`.
"""

import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTEST = [sys.executable, "-m", "pytest"]
# Notebooks first: the book then uses their outputs, so that each notebook is executed once.
STEPS = {
    "lint": ["make", "-s", "lint"],
    "notebooks": [*PYTEST, "index.ipynb", "chapters", "back_matter"],
    "book": ["make", "-s", "book"],
    "tests": [*PYTEST, "tests"],
}
CPU = ROOT / ".pytest_cache" / "v" / "attention-measured" / "cpu"  # written by conftest.py
LAST = ROOT / "_build" / "test_run.md"
MOST = 3  # times the median of all notebooks


def timed(command):
    """Run a command; returns whether it succeeded, its seconds, and its processor seconds.

    These leave out what nobody waited for: the parts of a browser that end with it.
    """
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    status = subprocess.run(command, cwd=ROOT).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return status == 0, {"seconds": time.monotonic() - start, "cpu": cpu}


def table(title, rows):
    """Rows of a name and one or two numbers, as Markdown."""
    lines = [f"| {title} |", "|---" * title.count("|") + "|---|"]
    lines += [f"| {name} | " + " | ".join(f"{number:.0f}" for number in numbers) + " |" for name, *numbers in rows]
    return "\n".join(lines) + "\n"


def report(steps, cpu):
    """The tables of a run: its steps, then the slowest notebooks and test files."""
    rows = [(name, step["seconds"], step["cpu"]) for name, step in steps.items()]
    tables = [
        table(
            f"{machine()} | seconds | processor seconds",
            [*rows, ("together", *(sum(row[i] for row in rows) for i in (1, 2)))],
        )
    ]
    for kind, found in zip(("notebooks", "test files"), split(cpu), strict=True):
        if not found:  # a step before these has failed
            continue
        title = f"slowest {kind} (median {statistics.median(found.values()):.0f}) | processor seconds"
        tables.append(table(title, slowest(found)))
    return "\n".join(tables)


def split(cpu):
    """The processor times of notebooks, and of test files."""
    notebooks = {name: seconds for name, seconds in cpu.items() if name.endswith(".ipynb")}
    return notebooks, {name: seconds for name, seconds in cpu.items() if name not in notebooks}


def machine():
    """The machine in words: ``2 cores, AMD EPYC 7763``."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        models = [line.partition(": ")[2] for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        name = models[0] if models else name
    return f"{os.cpu_count()} cores, {name}"


def slowest(cpu, count=5):
    return sorted(cpu.items(), key=lambda pair: pair[1], reverse=True)[:count]


def too_slow(notebooks):
    """The notebooks with more than ``MOST`` times the processor time of the median notebook."""
    limit = MOST * statistics.median(notebooks.values())
    return [name for name, seconds in slowest(notebooks) if seconds > limit]


def store(text):
    """Put the tables of a run into CONTRIBUTING.md."""
    between = re.compile(r"(?<=<!-- times: make times -->\n).*?(?=<!-- /times -->)", re.S)
    contributing = ROOT / "CONTRIBUTING.md"
    contributing.write_text(between.sub(lambda _: text, contributing.read_text(encoding="utf-8")), encoding="utf-8")


def main():
    steps = {}
    CPU.unlink(missing_ok=True)
    failed = ""
    for name, command in STEPS.items():
        good, steps[name] = timed(command)
        if not good:
            failed = name
            break
    if CPU.is_file():
        cpu = json.loads(CPU.read_text(encoding="utf-8"))
        LAST.parent.mkdir(exist_ok=True)
        LAST.write_text(report(steps, cpu), encoding="utf-8")
        print(f"\n{LAST.read_text(encoding='utf-8')}", flush=True)
    if failed:
        sys.exit(f"{failed}: failed")
    if slow := too_slow(split(cpu)[0]):
        print(f"more than {MOST} times the processor time of the median notebook: {', '.join(slow)}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--store"]:
        store(LAST.read_text(encoding="utf-8"))
    else:
        main()
