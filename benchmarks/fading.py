"""How fast are the delta rule with decay, transformers' plain routine and other forms, also for one more token?"""

import functools
import json
import sys

import torch
import transformers
from torch.nn import functional as F
from tqdm import tqdm
from transformers.models.qwen3_next.modeling_qwen3_next import torch_chunk_gated_delta_rule

import attention_core as ac
from benchmarks.measure import DEVICE, MILLISECOND, in_a_fresh_process, medians, slope, store, table

SIZES = (1024, 4096, 16384, 65536)


def of_transformers(query, key, value, beta, log_decay):
    """The delta rule from transformers, which orders the axes differently."""
    q, k, v = (x.transpose(1, 2) for x in (query, key, value))
    beta, log_decay = (x.squeeze(-1).transpose(1, 2) for x in (beta, log_decay))
    return torch_chunk_gated_delta_rule(q, k, v, g=log_decay, beta=beta)[0].transpose(1, 2)


def one_more(N, q, k, v, beta, log_decay):
    """Two ways to add a token after N: with a state that is read and written, and with a cache that is only read."""
    state = ac.FadingState()
    with torch.no_grad():
        state.attend(q, k, v, beta=beta, log_decay=log_decay)
    last = [x[..., -1:, :].contiguous() for x in (q, k, v, beta, log_decay)]

    def of_state():
        return state.attend(*last[:3], beta=last[3], log_decay=last[4])

    def of_cache():
        return F.scaled_dot_product_attention(last[0], k, v)

    return {"delta rule, its state": of_state, "softmax, its cache": of_cache}


def measure(N):
    """Median seconds at length N, for each form."""
    generator = torch.Generator().manual_seed(0)
    q, k, v = torch.randn(3, 1, 8, N, 64, generator=generator).to(DEVICE)
    k = F.normalize(k, dim=-1)
    beta, log_decay = torch.rand(2, 1, 8, N, 1, generator=generator).to(DEVICE)
    gates = {"beta": beta, "log_decay": -log_decay}
    forms = {
        "delta rule, with decay": functools.partial(ac.delta_rule_attention, q, k, v, **gates),
        "transformers' chunks": functools.partial(of_transformers, q, k, v, **gates),
        "decay": functools.partial(ac.decayed_linear_attention, q, k, v, log_decay=-log_decay),
        "linear, causal": functools.partial(ac.linear_attention, q, k, v, is_causal=True),
    }
    if N <= 16384:
        forms["fused softmax, causal"] = functools.partial(F.scaled_dot_product_attention, q, k, v, is_causal=True)
    with torch.no_grad():
        forward = medians(forms, rounds=5)
        step = medians(one_more(N, q, k, v, **gates), rounds=31)
    return {"forward": forward, "one more token": step}


def main():
    lengths = tqdm(SIZES, leave=False, file=sys.stderr)
    results = {N: in_a_fresh_process("benchmarks.fading", N) for N in lengths}
    data = {what: {N: results[N][what] for N in SIZES} for what in ("forward", "one more token")}

    for what, rows in data.items():
        table(f"{what}, milliseconds (8 heads, d = 64, float32)", rows, 2, MILLISECOND)
    for name in ("delta rule, with decay", "transformers' chunks"):
        print(f"slope of {name}: {slope(SIZES, [data['forward'][N][name] for N in SIZES]):.2f}")
    store("fading", data)


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    if len(sys.argv) == 2:
        print(json.dumps(measure(int(sys.argv[1]))))
    else:
        main()
