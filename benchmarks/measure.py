"""Shared by the benchmark programs: medians from interleaved rounds, fitted slopes, tables, and the results file."""

import gc
import json
import math
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import torch
from tqdm import tqdm

from explore import mode

MILLISECOND, MIB = 1e-3, 2**20
RESULTS = Path(__file__).resolve().parent / "results"
DEVICE = os.environ.get(mode.DEVICE, "cpu")  # or "cuda"


def seconds(function):
    """The seconds that one call takes, until the device has finished its work."""
    if DEVICE != "cpu":
        torch.cuda.synchronize()
    start = time.perf_counter()
    result = function()
    if DEVICE != "cpu":
        torch.cuda.synchronize()
    elapsed = time.perf_counter() - start
    del result
    return elapsed


def medians(forms, rounds=5):
    """Median seconds of each form. A round goes through all forms, so that a slow moment affects all equally."""
    for function in forms.values():
        seconds(function)  # warm up
    times = {name: [] for name in forms}
    for _ in tqdm(range(rounds), leave=False, file=sys.stderr):
        for name, function in forms.items():
            gc.collect()
            times[name].append(seconds(function))
    return {name: statistics.median(values) for name, values in times.items()}


def slope(sizes, values):
    """Slope of the line through the points on log-log axes, by least squares."""
    return statistics.linear_regression([math.log(n) for n in sizes], [math.log(value) for value in values]).slope


def table(title, data, digits, unit=1):
    """Print a table of ``data``, a dict for each length: a row for each form that is measured at the smallest."""
    print(f"\n{title}")
    forms = next(iter(data.values()))
    width = max(map(len, forms))
    print(" " * width, *(f"{N:>12}" for N in data))
    for form in forms:
        cells = (f"{of_length[form] / unit:.{digits}f}" if form in of_length else "–" for of_length in data.values())
        print(f"{form:{width}}", *(f"{cell:>12}" for cell in cells), flush=True)


def machine():
    """A file name and a description of this machine, with the properties that results depend on."""
    if DEVICE == "cpu":
        model = platform.processor() or platform.machine()
        if Path("/proc/cpuinfo").exists():
            lines = Path("/proc/cpuinfo").read_text().splitlines()
            model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), model)
        description = f"{model}, {torch.get_num_threads()} threads"
    else:
        description = torch.cuda.get_device_name()
    return re.sub("[^a-z0-9]+", "-", description.lower()).strip("-"), description


def store(program, data):
    """Add one program's data to ``results/<machine>.json``."""
    name, description = machine()
    path = RESULTS / f"{name}.json"
    results = json.loads(path.read_text()) if path.exists() else {}
    results[program] = {
        "machine": description,
        "versions": {"python": platform.python_version(), "torch": torch.__version__.split("+")[0]},
        "date": date.today().isoformat(),
        "command": f"python -m benchmarks.{program}",
        "data": data,
    }
    RESULTS.mkdir(exist_ok=True)
    path.write_text(json.dumps(dict(sorted(results.items())), indent=1) + "\n")


def load_results(*programs):
    """Results of each machine on which these programs ran: machine → program → entry, with lengths as integers."""

    def with_integers(entry):
        return {int(key) if key.isdigit() else key: value for key, value in entry.items()}

    paths = sorted(RESULTS.glob("*.json"))
    results = {path.stem: json.loads(path.read_text(), object_hook=with_integers) for path in paths}
    return {name: result for name, result in results.items() if set(programs) <= set(result)}


def in_a_fresh_process(module, *arguments):
    """The parsed JSON output of ``python -m module arguments``."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)
