"""How much memory does each form need beyond its inputs? Every number comes from its own process."""

import functools
import json
import math
import sys
from pathlib import Path

import torch
from torch.nn import functional as F
from tqdm import tqdm

import attention_core as ac
from benchmarks.measure import DEVICE, MIB, in_a_fresh_process, slope, store, table

SIZES = (2048, 4096, 8192, 16384)
FORMS = {
    "textbook": lambda q, k, v: torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1) @ v,
    "blockwise": ac.blockwise_attention,
    "fused": F.scaled_dot_product_attention,
    "efficient": ac.efficient_attention,
    "linear, causal": functools.partial(ac.linear_attention, is_causal=True),
}


def peak():
    if DEVICE != "cpu":
        return torch.cuda.max_memory_allocated()
    status = Path("/proc/self/status")
    if status.exists():  # Linux: getrusage would begin with the peak of the process that started this one
        return 1024 * int(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM")))
    import resource  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@torch.no_grad()
def measure(name, N):
    """Peak memory of one call beyond the peak before it, in bytes."""
    form = FORMS[name]
    small = torch.randn(3, 1, 2, 256, 64).to(DEVICE)
    form(*small)  # loads and allocates everything that any call needs
    q, k, v = torch.randn(3, 1, 2, N, 64).to(DEVICE)
    before = peak()
    form(q, k, v)
    return peak() - before


def main():
    todo = [(name, N) for name in FORMS for N in SIZES if name != "textbook" or N <= 8192]
    data = {name: {} for name in FORMS}
    for name, N in tqdm(todo, leave=False, file=sys.stderr):
        data[name][N] = in_a_fresh_process("benchmarks.memory", name, N)
    of_lengths = {N: {name: sizes[N] for name, sizes in data.items() if N in sizes} for N in SIZES}
    table("peak memory beyond the inputs, MiB (2 heads, d = 64, float32)", of_lengths, 1, MIB)
    print(f"slope of the textbook form: {slope(SIZES[:3], [data['textbook'][N] for N in SIZES[:3]]):.2f}")
    print(f"slope of blockwise: {slope(SIZES, [max(data['blockwise'][N], 1) for N in SIZES]):.2f}")
    print(f"blockwise at 8192: {data['blockwise'][8192] / data['textbook'][8192]:.1%} of the textbook form's")
    store("memory", data)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
    else:
        main()
