"""Draw _static/preview.png, the picture shown with a link to the book (`make outputs` and `make previews`)."""

from pathlib import Path

import matplotlib.pyplot as plt
import torch

import attention_core as ac
from explore.figures import style  # noqa: F401  the book's figure style

if __name__ == "__main__":
    scores = torch.randn(24, generator=torch.Generator().manual_seed(5)).sort(descending=True).values
    fig = plt.figure(figsize=(12, 6.3), dpi=100, facecolor="#14181d")
    fig.text(0.06, 0.76, "Attention, Measured", color="white", size=54, weight="bold")
    fig.text(0.06, 0.65, "Formulas derived. Every number computed. Every slider works.", color="#b8c1cc", size=21.5)
    scales = (0.25, 0.5, 1, 2, 4)
    for i, (ax, scale) in enumerate(zip(fig.subplots(1, 5), scales, strict=True)):
        ax.set_position([0.06 + 0.18 * i, 0.14, 0.15, 0.4])
        ax.stairs(ac.softmax(scale * scores), fill=True, color="#3cc79a" if scale == 1 else "#8f7ff0")
        ax.set(ylim=(0, 0.92), xticks=[], yticks=[])
        ax.set_xlabel(f"scale {scale:g}", color="#b8c1cc", size=18)
        ax.spines[:].set_color("#5a6472")
    path = Path(__file__).resolve().parent.parent / "_static" / "preview.png"
    fig.savefig(path, facecolor=fig.get_facecolor(), metadata={"Software": None})
