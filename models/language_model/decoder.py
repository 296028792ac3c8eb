"""SmolLM2-135M from the book's own attention: ``MultiHeadAttention`` with shared heads, ``rotary``, ``KVCache``.

The page's copy is decoder.js.
"""

import torch
from torch import nn
from torch.nn import functional as F

import attention_core as ac
from models.language_model import checkpoint

LAYERS, HEADS, KV_HEADS, D = 30, 9, 3, 576
BASE, EPS = 100_000.0, 1e-5
PARTS = {  # a layer's modules, by GGUF's names; ``load`` assembles those of the attention
    "attn_norm": "attn_norm",
    "attn_output": "attention.out_proj",
    "ffn_norm": "ffn_norm",
    "ffn_gate": "gate",
    "ffn_up": "up",
    "ffn_down": "down",
}


def rotated(query, key):
    """Queries and keys, turned. Key j is at position j; the last query is at the last position."""
    L, S = query.shape[-2], key.shape[-2]
    places = torch.arange(S, device=query.device)
    return ac.rotary(query, places[S - L :], base=BASE), ac.rotary(key, places, base=BASE)


def rotary_attention(query, key, value, attn_mask=None, *, is_causal=False):
    """Attention with turned queries and keys."""
    return ac.scaled_dot_product_attention(*rotated(query, key), value, attn_mask, is_causal=is_causal)


class Layer(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.attn_norm, self.ffn_norm = nn.RMSNorm(D, EPS), nn.RMSNorm(D, EPS)
        self.attention = ac.MultiHeadAttention(D, HEADS, num_kv_heads=KV_HEADS, bias=False, attention=attention)
        self.gate, self.up = nn.Linear(D, 1536, bias=False), nn.Linear(D, 1536, bias=False)
        self.down = nn.Linear(1536, D, bias=False)

    def forward(self, x, attn_mask, cache):
        x = x + self.attention(self.attn_norm(x), attn_mask=attn_mask, is_causal=attn_mask is None, cache=cache)
        y = self.ffn_norm(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Decoder(nn.Module):
    """The whole model; ``forward`` maps tokens ``(N, L)`` to logits ``(N, L, 49152)``."""

    def __init__(self, attention=rotary_attention):
        super().__init__()
        self.embedding = nn.Embedding(49_152, D)
        self.layers = nn.ModuleList(Layer(attention) for _ in range(LAYERS))
        self.norm = nn.RMSNorm(D, EPS)

    def forward(self, tokens, attn_mask=None, caches=None):
        x = self.embedding(tokens)
        for layer, cache in zip(self.layers, caches or [None] * LAYERS, strict=True):
            x = layer(x, attn_mask, cache)
        return self.logits(x)

    def logits(self, x):
        return F.linear(self.norm(x), self.embedding.weight)

    @torch.no_grad()
    def weights(self, tokens, attn_mask=None):
        """The weights of every head, ``(LAYERS, N, HEADS, L, L)``."""
        found, x = [], self.embedding(tokens)
        for layer in self.layers:
            y = layer.attn_norm(x)
            found.append(layer.attention.weights(y, attn_mask=attn_mask, is_causal=attn_mask is None))
            x = layer(x, attn_mask, None)
        return torch.stack(found)


def new_caches():
    return [ac.KVCache() for _ in range(LAYERS)]


def load(attention=rotary_attention):
    """The trained model, in evaluation mode. GGUF keeps the coordinates of a pair together, as ``rotary`` does."""
    with torch.device("meta"):  # no numbers yet: drawing random ones takes longer than reading these
        model = Decoder(attention)
    stored = {name: torch.from_numpy(x) for name, x in checkpoint.tensors().items()}
    state = {"embedding.weight": stored["token_embd.weight"], "norm.weight": stored["output_norm.weight"]}
    for i in range(LAYERS):
        of_layer = f"blk.{i}."
        state |= {f"layers.{i}.{ours}.weight": stored[f"{of_layer}{theirs}.weight"] for theirs, ours in PARTS.items()}
        projections = [stored[f"{of_layer}attn_{part}.weight"] for part in "qkv"]
        state[f"layers.{i}.attention.in_proj_weight"] = torch.cat(projections)
    model.load_state_dict(state, assign=True)
    return model.eval().requires_grad_(False)
