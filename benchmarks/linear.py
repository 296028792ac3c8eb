"""How fast are linear forms, forward and with the gradient, and from which length on are they faster than softmax?"""

import functools
import json
import sys

import torch
from torch.nn import functional as F
from tqdm import tqdm

import attention_core as ac
from benchmarks.exact import textbook
from benchmarks.measure import DEVICE, MILLISECOND, in_a_fresh_process, medians, slope, store, table

SIZES = (256, 512, 1024, 4096, 16384, 65536)
TRAINED = (4096, 16384)  # the lengths that are also measured with the gradient


def cumulative_sum(query, key, value):
    """The form that tutorials show: the running sum of outer products, one matrix per position."""
    q, k = ac.elu_plus_one(query), ac.elu_plus_one(key)
    sums = torch.cumsum(k.unsqueeze(-1) * value.unsqueeze(-2), -3)  # (..., L, E, Ev)
    output = (q.unsqueeze(-2) @ sums).squeeze(-2)
    return output / (q * k.cumsum(-2)).sum(-1, keepdim=True)


def compiled_kernel():
    """The C++ kernel of pytorch-fast-transformers, if it is installed."""
    try:
        from fast_transformers.causal_product import causal_dot_product
    except ImportError:
        return None

    def attention(query, key, value):
        q, k = ac.elu_plus_one(query), ac.elu_plus_one(key)
        return causal_dot_product(q, k, value.contiguous()) / (q * k.cumsum(-2)).sum(-1, keepdim=True)

    return attention


def with_gradient(form, q, k, v):
    inputs = [x.detach().requires_grad_() for x in (q, k, v)]
    return torch.autograd.grad(form(*inputs).sum(), inputs)


def measure(N):
    """At length N: median seconds of each form, forward and with the gradient."""
    kernel = compiled_kernel()
    forms = {
        "linear, causal": functools.partial(ac.linear_attention, is_causal=True),
        "linear": ac.linear_attention,
        "efficient": ac.efficient_attention,
    } | ({"C++ kernel": kernel} if kernel else {})
    softmax, large = {}, {}
    if N <= 16384:
        fused = F.scaled_dot_product_attention
        softmax = {"fused softmax, causal": functools.partial(fused, is_causal=True), "fused softmax": fused}
    if N <= 4096:
        large = {"textbook": textbook, "cumulative sum": cumulative_sum}

    q, k, v = torch.randn(3, 1, 8, N, 64, generator=torch.Generator().manual_seed(0)).to(DEVICE)
    rounds = {256: 51, 512: 51, 1024: 31, 4096: 9}.get(N, 3)
    with torch.no_grad():
        forward = medians({name: functools.partial(f, q, k, v) for name, f in (forms | softmax).items()}, rounds)
    trained = [name for name in ("linear, causal", "C++ kernel") if name in forms and N in TRAINED]
    backward = medians({name: functools.partial(with_gradient, forms[name], q, k, v) for name in trained}, rounds=9)
    with torch.no_grad():  # last: these forms free hundreds of megabytes, which changes the speed of later allocations
        forward |= medians({name: functools.partial(form, q, k, v) for name, form in large.items()}, rounds=5)
    return {"forward": forward, "with gradient": backward}


def main():
    # Each length runs in a fresh process, so that none uses memory that another length has freed.
    lengths = tqdm(SIZES, leave=False, file=sys.stderr)
    results = {N: in_a_fresh_process("benchmarks.linear", N) for N in lengths}
    forward = {N: result["forward"] for N, result in results.items()}
    backward = {N: results[N]["with gradient"] for N in TRAINED}
    kernel = "C++ kernel" in forward[SIZES[0]]
    if not kernel:
        print("pytorch-fast-transformers is not installed: its C++ kernel is left out")

    table("forward, milliseconds (8 heads, d = 64, float32)", forward, 1, MILLISECOND)
    table("forward and backward, milliseconds", backward, 1, MILLISECOND)
    ratio = forward[4096]["cumulative sum"] / forward[4096]["linear, causal"]
    print(f"\nat 4096 the chunked form is {ratio:.0f} times as fast as the cumulative sum")
    if kernel:
        for what, data in (("forward", forward), ("forward and backward", backward)):
            for N in TRAINED:
                ratio = data[N]["linear, causal"] / data[N]["C++ kernel"]
                print(f"{what} at {N}: {ratio:.2f} of the C++ kernel's time")
    for name in ("linear, causal", "linear", "efficient"):
        print(f"slope of {name} from {SIZES[0]} to 65536: {slope(SIZES, [forward[N][name] for N in SIZES]):.2f}")
    store("linear", {"forward": forward, "with gradient": backward})


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(json.dumps(measure(int(sys.argv[1]))))
    else:
        main()
