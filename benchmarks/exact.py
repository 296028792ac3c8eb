"""How fast are exact forms of attention, forward and without a gradient, compared with torch's fused form?"""

import math

import torch
from torch.nn import functional as F

import attention_core as ac
from benchmarks.measure import DEVICE, MILLISECOND, medians, slope, store, table

SIZES = (512, 1024, 4096, 8192)


def textbook(query, key, value):
    return torch.softmax(query / math.sqrt(query.shape[-1]) @ key.mT, -1) @ value


@torch.no_grad()
def main():
    data = {}
    for N in SIZES:
        heads = 2 if N > 4096 else 8
        generator = torch.Generator().manual_seed(0)
        q, k, v = torch.randn(3, 1, heads, N, 64, generator=generator).to(DEVICE)
        data[N] = medians(
            {
                "fused": lambda q=q, k=k, v=v: F.scaled_dot_product_attention(q, k, v),
                "fused, causal": lambda q=q, k=k, v=v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
                "blockwise": lambda q=q, k=k, v=v: ac.blockwise_attention(q, k, v),
                "textbook": lambda q=q, k=k, v=v: textbook(q, k, v),
            },
            rounds=5 if N > 1024 else 15,
        )
    table("milliseconds (d = 64, float32, 8 heads, 2 at 8192)", data, 1, MILLISECOND)
    relative = {N: {form: seconds / row["fused"] for form, seconds in row.items()} for N, row in data.items()}
    table("time relative to fused", relative, 2)
    print(
        "slope of the textbook form from 512 to 4096:",
        f"{slope(SIZES[:3], [data[N]['textbook'] for N in SIZES[:3]]):.2f}",
    )
    store("exact", data)


if __name__ == "__main__":
    main()
