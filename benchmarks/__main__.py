"""Run all benchmark programs: `make benchmark`."""

import sys

from benchmarks import decoding, exact, fading, linear, memory
from benchmarks.measure import machine

if __name__ == "__main__":
    print("{}: {}".format(*machine()))
    for program in (exact, linear, fading, decoding, memory):
        print(f"\n{program.__doc__.splitlines()[0]}", flush=True)
        print(f"running {program.__name__}", file=sys.stderr, flush=True)
        program.main()
