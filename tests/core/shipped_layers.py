"""The attention layers of models from 2024 to 2026, assembled from the book's functions.

Each function takes a layer of `transformers`, for its weights and sizes; the input ``x`` ``(N, L, D)``; ``real``
``(N, S)``, True at the positions so far that are not padding; and a ``past``, kept between calls for one layer and one
batch, or None.
"""

import functools
import math

import torch
from torch.nn import functional as F

import attention_core as ac

SIZES = {
    "hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 100,
    "intermediate_size": 96, "head_dim": 16, "max_position_embeddings": 256, "rms_norm_eps": 1e-5,
}  # fmt: skip
EXPERTS = {"moe_intermediate_size": 32}
LATENT = {
    "kv_lora_rank": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 16, "v_head_dim": 12, "num_key_value_heads": 4,
}  # fmt: skip
DEEPSEEK = LATENT | EXPERTS | {
    "q_lora_rank": 32, "head_dim": 8, "n_routed_experts": 4, "n_group": 1, "topk_group": 1, "num_experts_per_tok": 2,
    "first_k_dense_replace": 1,
}  # fmt: skip
PLAIN_ANGLES = {"rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0}}
CONFIGURATIONS = {
    "gemma2": SIZES | {"query_pre_attn_scalar": 20, "sliding_window": 5, "attn_logit_softcapping": 2.0},
    "gemma3_text": SIZES | {"query_pre_attn_scalar": 20, "sliding_window": 5},
    "gpt_oss": SIZES | PLAIN_ANGLES | {"num_local_experts": 2, "num_experts_per_tok": 1, "sliding_window": 5},
    "olmo2": SIZES | {"attention_bias": True},
    "qwen3": SIZES,
    "qwen3_next": SIZES | EXPERTS | {
        "num_experts": 2, "num_experts_per_tok": 1, "shared_expert_intermediate_size": 32, "linear_num_key_heads": 2,
        "linear_num_value_heads": 4, "linear_key_head_dim": 16, "linear_value_head_dim": 12,
    },
    "deepseek_v3": SIZES | DEEPSEEK,
    # The indexer has many heads: with few, ReLU could set all scores of several keys to 0. These keys would tie, and
    # the model might take any of them.
    "deepseek_v32": SIZES | DEEPSEEK | {"index_topk": 4, "index_n_heads": 24, "index_head_dim": 16},
    "kimi_linear": SIZES | EXPERTS | LATENT | {
        "num_experts": 2, "num_experts_per_token": 1, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
        "linear_head_dim": 12, "linear_num_heads": 4,
        "layer_types": ["linear_attention", "linear_attention", "linear_attention", "full_attention"],
    },
    "mamba2": {
        "hidden_size": 64, "num_hidden_layers": 2, "vocab_size": 100, "head_dim": 16, "num_heads": 8, "state_size": 12,
        "n_groups": 2, "expand": 2, "chunk_size": 8,
    },
    "minimax": SIZES | {"num_local_experts": 2, "num_experts_per_tok": 1, "block_size": 4},
}  # fmt: skip


class Past:
    """A layer's state between calls: keys and values or a fading memory, and the last inputs of a convolution."""

    def __init__(self):
        self.cache, self.indexer = ac.KVCache(), ac.KVCache()
        self.memory = self.convolved = None


def of_heads(projection, x, number):
    return ac.split_heads(projection(x), number)


def positions_of(x, real):
    return torch.arange(real.shape[1] - x.shape[1], real.shape[1])


def turned(x, positions, base, width=None):
    """Rotary positions for weights whose pairs are (i, i + width/2). The coordinates of a pair are made neighbours
    and stay so, because scores do not depend on the order of coordinates. Only the first ``width`` coordinates are
    rotated.
    """
    width = x.shape[-1] if width is None else width
    pairs = x[..., :width].unflatten(-1, (2, width // 2)).mT.flatten(-2)
    return torch.cat([ac.rotary(pairs, positions, base=base), x[..., width:]], -1)


def may_attend(x, real, window=None):
    """A causal mask without padding, (N, 1, L, S); with a window, only the last positions, the query's own included."""
    L, S = x.shape[1], real.shape[1]
    seen = ac.causal_mask(L, S) if window is None else ac.causal_mask(L, S) & ac.sliding_window_mask(L, window - 1, S)
    return seen & real[:, None, None]


def remembered(past, key, value):
    if past is None:
        return key, value
    past.cache.key, past.cache.value = past.cache.joined(key, value)
    return past.cache.key, past.cache.value


def base_of(layer):
    parameters = layer.config.rope_parameters
    kind = getattr(layer, "layer_type", None)
    return parameters.get(kind, parameters)["rope_theta"]


def rms(norm, x, plus=0.0):
    eps = norm.eps if hasattr(norm, "eps") else norm.variance_epsilon
    return ac.rms_norm(x, norm.weight + plus, eps=eps)


def softmax_attention(layer, x, real, past, *, norm=None, turn=1.0, gate=False, **options):
    """Grouped queries, rotary positions, and optional features; ``norm`` is applied to queries and keys."""
    config = layer.config
    H, E = config.num_attention_heads, layer.head_dim
    positions, base = positions_of(x, real), base_of(layer)
    if gate:  # each head's query is followed by the numbers of its gate
        q, opening = layer.q_proj(x).unflatten(-1, (H, 2 * E)).chunk(2, -1)
        q = q.transpose(1, 2)
    else:
        q = of_heads(layer.q_proj, x, H)
    k, v = (of_heads(projection, x, config.num_key_value_heads) for projection in (layer.k_proj, layer.v_proj))
    if norm is not None:
        q, k = norm(layer.q_norm, q), norm(layer.k_norm, k)
    q, k = (turned(z, positions, base, int(turn * E)) for z in (q, k))
    k, v = remembered(past, k, v)
    k, v = (z.repeat_interleave(H // z.shape[1], 1) for z in (k, v))
    mask = may_attend(x, real, getattr(layer, "sliding_window", None))
    output = ac.merge_heads(ac.scaled_dot_product_attention(q, k, v, mask, scale=layer.scaling, **options))
    if gate:
        output = output * opening.flatten(-2).sigmoid()
    return layer.o_proj(output)


def gemma2(layer, x, real, past):
    return softmax_attention(layer, x, real, past, softcap=layer.attn_logit_softcapping)


def gemma3(layer, x, real, past):
    return softmax_attention(layer, x, real, past, norm=functools.partial(rms, plus=1.0))


def gpt_oss(layer, x, real, past):
    return softmax_attention(layer, x, real, past, sinks=layer.sinks)


def qwen3(layer, x, real, past):
    return softmax_attention(layer, x, real, past, norm=rms)


def olmo2(layer, x, real, past):
    def over_all_heads(norm, z):
        return ac.split_heads(rms(norm, ac.merge_heads(z)), z.shape[1])

    return softmax_attention(layer, x, real, past, norm=over_all_heads)


def qwen3_next(layer, x, real, past):
    turn = layer.config.rope_parameters["partial_rotary_factor"]
    return softmax_attention(layer, x, real, past, norm=functools.partial(rms, plus=1.0), turn=turn, gate=True)


def latent(layer, x, real, past, *, absorbed=False, base=None, chosen=None):
    """Latent attention; ``base=None`` means without positions, as in Kimi Linear."""
    config = layer.config
    query_latent = layer.q_lora_rank
    ours = ac.LatentAttention(
        config.hidden_size,
        layer.num_heads,
        layer.kv_lora_rank,
        rotary_dim=layer.qk_rope_head_dim,
        head_dim=layer.qk_nope_head_dim,
        value_dim=layer.v_head_dim,
        query_latent_dim=query_latent,
        base=base,
        eps=layer.kv_a_layernorm.variance_epsilon,
    )
    weights = {
        "key_value_down.weight": layer.kv_a_proj_with_mqa.weight,
        "key_value_norm": layer.kv_a_layernorm.weight,
        "key_value_up": layer.kv_b_proj.weight.unflatten(0, (layer.num_heads, -1)),
        "query_up.weight": layer.q_proj.weight if query_latent is None else layer.q_b_proj.weight,
        "out_proj.weight": layer.o_proj.weight,
    }
    if query_latent is not None:
        weights |= {"query_down.weight": layer.q_a_proj.weight, "query_norm": layer.q_a_layernorm.weight}
    mask = may_attend(x, real) if chosen is None else may_attend(x, real) & chosen
    options = {"attn_mask": mask, "cache": None if past is None else past.cache, "absorbed": absorbed}
    return torch.func.functional_call(ours, weights, (x,), options)


def deepseek(layer, x, real, past, *, absorbed=False):
    return latent(layer, x, real, past, absorbed=absorbed, base=layer.config.rope_parameters["rope_theta"])


def deepseek_sparse(layer, x, real, past, *, absorbed=False):
    """Latent attention to the positions that a separate small attention, the indexer, scores highest."""
    indexer, base = layer.indexer, layer.config.rope_parameters["rope_theta"]
    q = rms(layer.q_a_layernorm, layer.q_a_proj(x))
    q, k = of_heads(indexer.wq_b, q, indexer.n_heads), indexer.k_norm(indexer.wk(x))[:, None]
    q, k = (turned(z, positions_of(x, real), base, indexer.qk_rope_head_dim) for z in (q, k))
    if past is not None:
        past.indexer.key, past.indexer.value = k, _ = past.indexer.joined(k, k)
    scores = (q @ k.mT * indexer.softmax_scale).relu()  # (N, heads, L, S)
    shares = indexer.weights_proj(x).mT[..., None] / math.sqrt(indexer.n_heads)  # (N, heads, L, 1)
    scores = (shares * scores).sum(1, keepdim=True).masked_fill(~may_attend(x, real), -torch.inf)
    return latent(layer, x, real, past, absorbed=absorbed, base=base, chosen=ac.top_k_mask(scores, indexer.index_topk))


def convolved(layer, x, past):
    """Each channel mixed over a position and the three before it, then SiLU; ``x`` is ``(N, L, channels)``."""
    width = layer.conv1d.weight.shape[-1] - 1
    before = x.new_zeros(x.shape[0], width, x.shape[2])
    if past is not None:
        before = before if past.convolved is None else past.convolved
        past.convolved = torch.cat([before, x], 1)[:, -width:]
    x = torch.cat([before, x], 1).mT
    return F.silu(F.conv1d(x, layer.conv1d.weight, layer.conv1d.bias, groups=x.shape[1])).mT


def kept(x, real):
    """``x``, with zeros at padding."""
    return x * real[:, -x.shape[1] :, None]


def through_memory(past, delta_rule, q, k, v, **gates):
    """Outputs for the whole text at once or, with a past, from the state that it keeps."""
    if past is None:
        return (ac.delta_rule_attention if delta_rule else ac.decayed_linear_attention)(q, k, v, **gates)
    past.memory = past.memory or ac.FadingState(delta_rule=delta_rule)
    return past.memory.attend(q, k, v, **gates)


def unit(x):
    return x / (x.square().sum(-1, keepdim=True) + 1e-6).sqrt()


def gated_delta_net(layer, x, real, past):
    """Qwen3-Next's linear layers: the delta rule with one decay and one step size per head and position."""
    x = kept(x, real)
    groups, each, width = layer.num_k_heads, layer.num_v_heads // layer.num_k_heads, layer.head_k_dim
    sizes = [width, width, each * layer.head_v_dim, each * layer.head_v_dim]
    q, k, v, z = layer.in_proj_qkvz(x).unflatten(-1, (groups, -1)).split(sizes, -1)
    b, a = layer.in_proj_ba(x).unflatten(-1, (groups, -1)).split(each, -1)
    mixed = convolved(layer, torch.cat([y.flatten(-2) for y in (q, k, v)], -1), past)
    q, k, v = mixed.split([layer.key_dim, layer.key_dim, layer.value_dim], -1)
    q, k = (unit(ac.split_heads(y, groups)).repeat_interleave(each, 1) for y in (q, k))
    v = ac.split_heads(v, layer.num_v_heads)
    beta = b.flatten(-2).sigmoid().mT[..., None]  # (N, H, L, 1)
    log_decay = (-layer.A_log.exp() * F.softplus(a.flatten(-2) + layer.dt_bias)).mT[..., None]
    output = through_memory(past, True, q, k, v, beta=beta, log_decay=log_decay)
    z = ac.split_heads(z.flatten(-2), layer.num_v_heads)
    return layer.out_proj(ac.merge_heads(rms(layer.norm, output) * F.silu(z)))


def kimi_delta(layer, x, real, past):
    """Kimi Linear's linear layers: the delta rule with one decay per coordinate of the key."""
    x, H = kept(x, real), layer.num_heads
    mixed = torch.cat([layer.q_proj(x), layer.k_proj(x), layer.v_proj(x)], -1)
    q, k, v = (ac.split_heads(y, H) for y in convolved(layer, mixed, past).chunk(3, -1))
    forget = layer.forget_gate
    amount = F.softplus(ac.split_heads(forget.f_b_proj(forget.f_a_proj(x)) + forget.dt_bias, H))
    log_decay = -forget.A_log.view(H, 1, 1).exp() * amount  # (N, H, L, E)
    beta = layer.b_proj(x).sigmoid().mT[..., None]
    output = through_memory(past, True, unit(q), unit(k), v, beta=beta, log_decay=log_decay)
    gate = ac.split_heads(layer.g_b_proj(layer.g_a_proj(x)), H).sigmoid()
    return layer.o_proj(ac.merge_heads(rms(layer.o_norm, output) * gate))


def mamba2(layer, x, real, past):
    """Mamba-2 is decayed linear attention. Query: its C; key: its B; value: its input times a step size."""
    x, H, groups = kept(x, real), layer.num_heads, layer.n_groups
    gate, mixed, step = layer.in_proj(x).split([layer.intermediate_size, layer.conv_dim, H], -1)
    mixed = kept(convolved(layer, mixed, past), real)
    width = groups * layer.ssm_state_size
    v, k, q = mixed.split([layer.intermediate_size, width, width], -1)
    q, k = (ac.split_heads(y, groups).repeat_interleave(H // groups, 1) for y in (q, k))
    v = ac.split_heads(v, H)
    step = F.softplus(step + layer.dt_bias).mT[..., None]  # (N, H, L, 1)
    log_decay = -layer.A_log.exp()[:, None, None] * step
    output = through_memory(past, False, q, k, step * v, log_decay=log_decay, scale=1.0)
    output = ac.merge_heads(output + layer.D[:, None, None] * v) * F.silu(gate)
    output = ac.rms_norm(output.unflatten(-1, (groups, -1)), eps=layer.norm.variance_epsilon).flatten(-2)
    return layer.out_proj(layer.norm.weight * output)


def lightning(layer, x, real, past):
    """MiniMax's linear layers: one fixed decay per head."""
    H = layer.num_attention_heads
    q, k, v = ac.split_heads(kept(F.silu(layer.qkv_proj(x)), real), H).chunk(3, -1)
    log_decay = -layer.slope_rate.expand(H, x.shape[1], 1)
    output = through_memory(past, False, q, k, v, log_decay=log_decay, scale=1.0)
    output = rms(layer.norm, ac.merge_heads(output)) * layer.output_gate(x).sigmoid()
    return layer.out_proj(output)


LAYERS = {  # by the name of the layer's class
    "Gemma2Attention": gemma2,
    "Gemma3Attention": gemma3,
    "GptOssAttention": gpt_oss,
    "Olmo2Attention": olmo2,
    "Qwen3Attention": qwen3,
    "Qwen3NextAttention": qwen3_next,
    "Qwen3NextGatedDeltaNet": gated_delta_net,
    "DeepseekV3Attention": deepseek,
    "DeepseekV32Attention": deepseek_sparse,
    "KimiLinearAttention": latent,
    "KimiLinearDeltaAttention": kimi_delta,
    "Mamba2Mixer": mamba2,
    "MiniMaxLightningAttention": lightning,
    "MiniMaxAttention": lambda layer, x, real, past: softmax_attention(layer, x, real, past),
}
