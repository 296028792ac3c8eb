"""Run all notebooks through strict nbval again and again, as different machines might run them (`make flakes`)."""

import os
import random
import subprocess
import sys
import time

from website.places import ROOT, notebooks

if __name__ == "__main__":
    runs = int(sys.argv[1])
    for run in range(runs):
        order = notebooks()
        random.Random(run).shuffle(order)
        # PASSIVE: a waiting thread gives up its core, because two kernels with two threads each share two cores.
        settings = {"PYTHONHASHSEED": str(run), "OMP_NUM_THREADS": str(1 + run % 2), "OMP_WAIT_POLICY": "PASSIVE"}
        options = ["-q", "-n", "auto", "--dist", "loadfile", "-p", "no:cacheprovider"]
        command = [sys.executable, "-m", "pytest", *options, *map(str, order)]
        start = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True)
        words = " ".join(f"{key}={value}" for key, value in settings.items())
        print(f"run {run + 1} of {runs}, {words}: exit {done.returncode}, {time.monotonic() - start:.0f} s", flush=True)
        if done.returncode:
            sys.exit(done.stdout)
