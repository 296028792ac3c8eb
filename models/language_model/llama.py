"""The same model as the library transformers builds it, from the same file, for comparison.

The library can read GGUF files itself, but needs another package for that, and several seconds for the tokenizer.
"""

import torch
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

from models.language_model import checkpoint
from models.language_model.decoder import BASE, EPS, HEADS, KV_HEADS, LAYERS, D

NAMES = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def load():
    """The model in evaluation mode, with its plain ("eager") attention, which can return weights."""
    config = LlamaConfig(
        vocab_size=49_152,
        hidden_size=D,
        intermediate_size=1536,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=KV_HEADS,
        head_dim=D // HEADS,
        rms_norm_eps=EPS,
        tie_word_embeddings=True,
        rope_parameters={"rope_type": "default", "rope_theta": BASE},
        max_position_embeddings=8192,
        attn_implementation="eager",
    )
    with torch.device("meta"):  # as in decoder.py
        model = LlamaForCausalLM(config)
    model.model.rotary_emb = LlamaRotaryEmbedding(config)  # its numbers are computed, not stored
    stored = {name: torch.from_numpy(x) for name, x in checkpoint.tensors().items()}
    state = {
        "model.embed_tokens.weight": stored["token_embd.weight"],
        "lm_head.weight": stored["token_embd.weight"],
        "model.norm.weight": stored["output_norm.weight"],
    }
    for i in range(LAYERS):
        for ours, theirs in NAMES.items():
            weight = stored[f"blk.{i}.{ours}.weight"]
            state[f"model.layers.{i}.{theirs}.weight"] = in_halves(weight) if ours in ("attn_q", "attn_k") else weight
    model.load_state_dict(state, assign=True)
    return model.eval().requires_grad_(False)


def in_halves(weight):
    """Rows of queries or keys in the library's order: for each head, first the first coordinates of all pairs."""
    return weight.unflatten(0, (-1, 32, 2)).transpose(1, 2).flatten(0, 2)
