"""How fast are causal linear forms, forward and with the gradient, and how does the time grow with the length?"""

import functools

import torch
from torch.nn import functional as F

import attention_core as ac
from benchmarks.measure import DEVICE, medians, slope, store, table

SIZES = (1024, 4096, 16384, 65536)


def cumulative_sum(query, key, value):
    """What tutorials show: the running sum of outer products, one matrix for every position."""
    q, k = ac.elu_plus_one(query), ac.elu_plus_one(key)
    sums = torch.cumsum(k.unsqueeze(-1) * value.unsqueeze(-2), -3)  # (..., L, E, Ev)
    output = (q.unsqueeze(-2) @ sums).squeeze(-2)
    return output / (q * k.cumsum(-2)).sum(-1, keepdim=True)


def compiled_kernel():
    """The C++ kernel of pytorch-fast-transformers, where it is installed."""
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


def main():
    kernel = compiled_kernel()
    if kernel is None:
        print("pytorch-fast-transformers is not installed: its C++ kernel is left out")
    forms = {
        "linear, causal": functools.partial(ac.linear_attention, is_causal=True),
        "linear": ac.linear_attention,
        "efficient": ac.efficient_attention,
        "local, window 128": functools.partial(ac.local_attention, window=128, is_causal=True),
        "fused softmax, causal": functools.partial(F.scaled_dot_product_attention, is_causal=True),
        "cumulative sum": cumulative_sum,
    } | ({"C++ kernel": kernel} if kernel else {})
    forward, backward = {}, {}
    for N in SIZES:
        q, k, v = torch.randn(3, 1, 8, N, 64, generator=torch.Generator().manual_seed(0)).to(DEVICE)
        fits = {"cumulative sum": N <= 4096, "fused softmax, causal": N <= 16384}
        chosen = {name: form for name, form in forms.items() if fits.get(name, True)}
        with torch.no_grad():
            forward[N] = medians({name: functools.partial(form, q, k, v) for name, form in chosen.items()}, rounds=5)
        if N in (4096, 16384):
            chosen = {n: f for n, f in chosen.items() if n in ("linear, causal", "C++ kernel", "efficient")}
            backward[N] = medians(
                {n: functools.partial(with_gradient, f, q, k, v) for n, f in chosen.items()}, rounds=3
            )

    def milliseconds(data):
        return lambda form, N: f"{1000 * data[N][form]:.1f}" if form in data[N] else None

    table("forward, milliseconds (8 heads, d = 64, float32)", list(forms), SIZES, milliseconds(forward))
    table("forward and backward, milliseconds", list(backward[4096]), tuple(backward), milliseconds(backward))
    ratio = forward[4096]["cumulative sum"] / forward[4096]["linear, causal"]
    print(f"\nat 4096 the chunked form is {ratio:.0f} times as fast as the cumulative sum")
    if kernel:
        for what, data in (("forward", forward), ("forward and backward", backward)):
            for N in (4096, 16384):
                ratio = data[N]["linear, causal"] / data[N]["C++ kernel"]
                print(f"{what} at {N}: {ratio:.2f} of the C++ kernel's time")
    for name in ("linear, causal", "linear", "efficient", "local, window 128"):
        print(f"slope of {name} from 1024 to 65536: {slope(SIZES, [forward[N][name] for N in SIZES]):.2f}")
    store("linear", {"forward": forward, "with gradient": backward})


if __name__ == "__main__":
    main()
