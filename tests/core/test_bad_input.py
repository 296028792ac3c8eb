"""Bad input raises an error that names the argument, what was given and what was expected.

Each table has a function, the arguments of a good call, and rows: the error, its message, and the arguments that make
the call a bad one.
"""

import math
from fractions import Fraction

import pytest
import torch

import attention_core as ac

T, V = TypeError, ValueError


def q(*shape, dtype=torch.float32):
    return torch.zeros(*shape, dtype=dtype)


def bool_(*shape):
    return torch.ones(*shape, dtype=torch.bool)


def meta(x):
    return x.to("meta")


def nested():
    return torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])


QK = {"query": q(3, 4), "key": q(5, 4)}
QKV = QK | {"value": q(5, 2)}
N, L, D, H = 3, 5, 12, 4
x = q(N, L, D)
layer = ac.MultiHeadAttention(D, H)
filled = ac.KVCache()
layer(x, cache=filled)
of_two = ac.FadingState()  # its memory is of two sequences
of_two.attend(q(2, 3, 4), q(2, 3, 4), q(2, 3, 2))
latent, filled_by_latent = ac.LatentAttention(D, H, 4), ac.KVCache()
latent(x, cache=filled_by_latent)
turning, shortened = ac.LatentAttention(D, H, 4, rotary_dim=2), ac.KVCache()
turning(x, cache=shortened)
shortened.key, shortened.value = shortened.key[..., 2:, :], shortened.value[..., 2:, :]
gated = ac.MultiHeadAttention(D, H, attention=ac.delta_rule_attention, gates=("beta",))
linear = ac.MultiHeadAttention(D, H, attention=ac.linear_attention)


def set_memory(memory):
    ac.FadingState().memory = memory


def append_one(key, value):
    cache = ac.KVCache()
    cache.key, cache.value = q(N, H, 2, 3), q(N, H, 2, 3)
    cache.joined(key, value)


# fmt: off
TENSORS = [
    (T, "^key must be a floating-point tensor, got .*int64", {"key": torch.ones(5, 4).long()}),
    (T, "^key must have the dtype of query, torch.float32, got torch.float64$", {"key": q(5, 4).double()}),
    (V, r"^query must have at least 2 axes, got shape \(4,\)$", {"query": q(4)}),
    (T, "^query must be a floating-point tensor, got list", {"query": [[1.0]]}),
    (T, "^query must be a dense tensor, got torch.sparse_coo$", {"query": q(3, 4).to_sparse()}),
    (V, r"^query and key must have the same width E >= 1 as their last axis, got .*\(3, 4\), 'key': \(5, 6\)",
        {"key": q(5, 6)}),
    (V, "^query and key must have the same width E >= 1", {"query": q(3, 0), "key": q(5, 0)}),
    (V, r"^the leading \(batch\) axes of query, key.* must broadcast, got .*'query': \(2, 3, 4\)",
        {"query": q(2, 3, 4), "key": q(3, 5, 4)}),
    (V, "^key must be on the device of query, cpu, got meta$", {"key": meta(q(5, 4))}),
]
VALUES = [
    (T, "^value must be a floating-point tensor, got NoneType", {"value": None}),
    (T, "^value must have the dtype of query", {"value": q(5, 2).half()}),
    (V, "^value must have at least 2 axes", {"value": q(5)}),
    (V, r"^key and value must have the same number of positions S as last but one axis, got .*\(5, 4\).*\(6, 2\)",
        {"value": q(6, 2)}),
]
MASKS = [
    (T, "^is_causal must be True or False, got int 1$", {"is_causal": 1}),
    (T, "^attn_mask must be a tensor, got str 'causal'$", {"attn_mask": "causal"}),
    (T, r"^attn_mask must be boolean \(True = may attend\) or floating point up to torch.float32 \(added to the "
        r"scores\), got dtype torch.int64$", {"attn_mask": torch.ones(3, 5).long()}),
    (T, "^attn_mask must be boolean .*got dtype torch.float64$", {"attn_mask": q(3, 5).double()}),
    (T, "^attn_mask must be a dense tensor", {"attn_mask": bool_(3, 5).to_sparse()}),
    (V, "^attn_mask must be on the device of query", {"attn_mask": meta(bool_(3, 5))}),
    (V, r"^attn_mask must broadcast to the shape of the weights \(..., L, S\) = \(3, 5\), got \(5, 3\)$",
        {"attn_mask": bool_(5, 3)}),
    (V, r"^attn_mask must broadcast .*got \(2, 3, 5\)$", {"attn_mask": q(2, 3, 5)}),
]
SCALES = [
    (V, "^scale must be finite in torch.float32, got nan$", {"scale": math.nan}),
    (V, r"^scale must be finite in torch.float32, got 1e\+300$", {"scale": 1e300}),
    (V, "^scale must be finite in torch.float32, got a number beyond the largest float$", {"scale": Fraction(2**1024)}),
    (V, r"^scale must be below 2\*\*63, which is how far torch counts, or a float, got -1180591", {"scale": -(2**70)}),
    (T, "^scale must be a number, got str '1/sqrt", {"scale": "1/sqrt(d)"}),
    (T, "^scale must be a number", {"scale": torch.tensor(0.5)}),
]
DEVICES = [
    (V, "^device must name a device of this machine, such as 'cpu', got 'nowhere'$", {"device": "nowhere"}),
    (V, "^device must name a device", {"device": torch.device("cuda", 99)}),
    (T, "^device must be a torch.device, its name or None, got int 0$", {"device": 0}),
]
CAPS_AND_SINKS = [
    (V, "^softcap must be above 0, got 0$", {"softcap": 0}),
    (V, r"^softcap must be below 2\*\*63", {"softcap": 2**70}),
    (V, "^softcap must be finite in torch.float32, got a number", {"softcap": 10**5000}),  # too long to print
    (V, r"^softcap must be finite in torch.float32, got 1e\+39$", {"softcap": 1e39}),
    (T, "^softcap must be a number", {"softcap": torch.tensor(1.0)}),
    (V, r"^sinks must broadcast to \(...\) = \(2,\), got \(3,\)$", {"query": q(2, 3, 4), "sinks": q(3)}),
    (T, "^sinks must be a floating-point tensor, got float", {"sinks": 0.5}),
    (T, "^sinks must have the dtype of query", {"sinks": q(1).double()}),
    (V, "^sinks must be on the device of query, cpu, got meta$", {"sinks": meta(q(1))}),
]
CHUNKS = [(V, "^chunk_size must be at least 1, got 0$", {"chunk_size": 0})]
ONE_FOR_ALL = [
    (V, r"^attn_mask must be the same for all queries, \(..., 1, S\), because linear forms have no weights per query, "
        r"got \(3, 5\); for a causal mask use is_causal=True$", {"attn_mask": bool_(3, 5)}),
]
FEATURES = [
    (T, "^feature_map must return a tensor of dtype torch.float32, got NoneType None$", lambda x: None),
    (T, "^feature_map must return .*got a tensor of dtype torch.float64$", lambda x: x.double()),
    (T, "^the result of feature_map must be a dense tensor", lambda x: x.to_sparse()),
    (V, r"^feature_map must change nothing but the last axis of \(5, 4\) on cpu, got \(3, 4\) on cpu$",
        lambda x: x[:3]),
    (V, r"^feature_map must change nothing .*got \(1, 5, 4\)", lambda x: x[None]),
    (V, "^feature_map must change nothing .*got .* on meta$", meta),
]
WRITTEN = [
    (V, "^is_causal must be True, because a memory is written position by position, got False$", {"is_causal": False}),
    (V, r"^attn_mask must be boolean and the same for all queries, \(..., 1, S\), because a memory has no weights per "
        r"query, got torch.float32 of shape \(5,\)$", {"attn_mask": q(5)}),
    (V, r"^attn_mask must be boolean and .* got torch.bool of shape \(3, 5\)$", {"attn_mask": bool_(3, 5)}),
    (V, "^log_decay must be at most 0, because a memory may fade but not grow, got 0.125$",
        {"log_decay": torch.tensor([0, 0.125, -3, 0.0625, 0])[:, None]}),
    (V, r"^log_decay must broadcast to \(..., S, E\) = \(5, 4\), got \(5, 3\)$", {"log_decay": q(5, 3)}),
    *((V, rf"^log_decay must have S = 5 positions as last but one axis, got shape \({shape}\)$", {"log_decay": x})
      for x, shape in [(q(1, 4), "1, 4"), (q(4), "4,"), (torch.tensor(0.0), "")]),
    (T, "^log_decay must have the dtype of query, torch.float32, got torch.float64$", {"log_decay": q(5, 1).double()}),
]
BETAS = [
    (V, r"^beta must have S = 5 positions as last but one axis, got shape \(1, 1\)$", {"beta": q(1, 1)}),
    (V, r"^beta must broadcast to \(..., S, 1\) = \(5, 1\), got \(5, 4\)$", {"beta": q(5, 4)}),
    (T, "^beta must have the dtype of query, torch.float32, got torch.float16$", {"beta": q(5, 1).half()}),
]
PLACES = [
    (T, "^query must be a floating-point tensor", {"query": x.long()}),
    (V, r"^query must have at least 3 axes, got shape \(5, 12\)$", {"query": x[0]}),
    (V, r"^query must be \(N, length, embed_dim = \d+\), got \(3, 5, 7\)$", {"query": x[..., :7]}),
    (V, r"^query must be \(N, length", {"query": x[None]}),
    (T, "^query must have the parameters' dtype torch.float32, got torch.float64$", {"query": x.double()}),
]
TABLES = [
    (ac.softmax, {"x": q(2, 3)}, [
        (T, "^x must be a floating-point tensor, got list", {"x": [1.0, 2.0]}),
        (T, "^x must be .*got a tensor of dtype torch.float8_e4m3fn$", {"x": q(3).to(torch.float8_e4m3fn)}),
        (T, "^x must be .*int64$", {"x": torch.arange(3)}),
        (T, "^x must be .*complex64$", {"x": q(3, dtype=torch.cfloat)}),
        (T, "^x must be a dense tensor, got torch.sparse_coo$", {"x": torch.eye(3).to_sparse()}),
        (T, "^x must be a dense tensor, got a nested tensor$", {"x": nested()}),
        (V, r"^x must have at least 1 axes, got shape \(\)$", {"x": torch.tensor(1.0)}),
        (V, r"^dim must name one of the 2 axes of x, shape \(2, 3\), got 2$", {"dim": 2}),
        (V, "^dim must name", {"dim": -3}),
        (T, "^dim must be an integer, got float 1.0$", {"dim": 1.0}),
    ]),
    (ac.softmax_jacobian, {"p": q(3)}, [(T, "^p must", {"p": bool_(3)}), (V, "^p must", {"p": torch.tensor(1.0)})]),
    (ac.entropy, {"p": q(3)}, [
        (T, "^p must", {"p": None}),
        (V, "^p must have at least 1", {"p": torch.tensor(1.0)}),
        (V, r"^dim must name one of the 1 axes of p, shape \(3,\), got 1$", {"dim": 1}),
        (T, "^dim must be an integer", {"dim": None}),
    ]),
    (ac.dot_product_moments, {"d_k": 4}, [
        (V, "^d_k must be at least 1, got 0$", {"d_k": 0}),
        (V, r"^d_k must be below 2\*\*63, which is how far torch counts, got 1000", {"d_k": 10**400}),
        (T, "^d_k must be an integer, got float 2.0$", {"d_k": 2.0}),
        (T, "^d_k must be an integer, got bool True$", {"d_k": True}),
        (T, "^q_mean must be a number, got str '0'$", {"q_mean": "0"}),
        (V, "^q_mean must be finite in torch.float64, got a number beyond the largest float$", {"q_mean": 10**400}),
        (V, "^k_mean must be finite in torch.float64, got inf$", {"k_mean": math.inf}),
        (V, "^q_var must be finite and between 0 and inf, got -1$", {"q_var": -1}),
        (V, "^k_var must be finite and between 0 and inf, got -1$", {"k_var": -1}),
        (V, "^k_var must be finite in", {"k_var": math.nan}),
        (V, r"^mean and variance must be .*'q_mean': 1e\+200", {"q_mean": 1e200, "k_mean": 1e200, "k_var": 0}),
        (V, r"^mean and variance must be below the largest float, got 0.0 and inf for \{'d_k': 4, 'q_mean': 0.0, "
            r"'q_var': 1e\+200, 'k_mean': 0.0, 'k_var': 1e\+200\}$", {"q_var": 1e200, "k_var": 1e200}),
    ]),
    (ac.attention_weights, QK, [*TENSORS, *MASKS, *SCALES, *CAPS_AND_SINKS]),
    (ac.scaled_dot_product_attention, QKV, [
        *TENSORS, *VALUES, *MASKS, *SCALES, *CAPS_AND_SINKS,
        (V, "^dropout_p must be finite and between 0 and 1, got 1.5$", {"dropout_p": 1.5}),
        (V, "^dropout_p must", {"dropout_p": -0.1}),
        (T, "^dropout_p must be a number, got NoneType None$", {"dropout_p": None}),
    ]),
    (ac.split_heads, {"x": x, "num_heads": 4}, [
        (T, "^x must be a floating-point tensor", {"x": [[1.0]]}),
        (V, "^x must have at least 2 axes", {"x": q(4)}),
        (V, r"^num_heads must divide the width D = 12 of x, shape \(3, 5, 12\), got 5$", {"num_heads": 5}),
        (V, "^num_heads must be at least 1, got 0$", {"num_heads": 0}),
        (T, "^num_heads must be an integer, got float 2.0$", {"num_heads": 2.0}),
    ]),
    (ac.merge_heads, {"x": x}, [
        (V, r"^x must have at least 3 axes, got shape \(4, 2\)$", {"x": q(4, 2)}),
        (T, "^x must be a floating-point", {"x": None}),
    ]),
    (ac.MultiHeadAttention, {"embed_dim": 12, "num_heads": 4}, [
        (V, "^num_heads must divide embed_dim = 10, got 4$", {"embed_dim": 10}),
        (V, "^embed_dim must be at least 1, got 0$", {"embed_dim": 0}),
        (T, "^embed_dim must be an integer", {"embed_dim": "12"}),
        (V, "^num_heads must be at least 1, got 0$", {"num_heads": 0}),
        (V, "^num_kv_heads must divide num_heads = 4, got 3$", {"num_kv_heads": 3}),
        (V, "^num_kv_heads must divide num_heads = 4, got 8$", {"num_kv_heads": 8}),
        (V, "^num_kv_heads must be at least 1, got 0$", {"num_kv_heads": 0}),
        (V, "^dropout must be finite and between 0 and 1, got 2$", {"dropout": 2}),
        (V, "^dropout must be 0 for an attention without the argument dropout_p, got 0.1$",
            {"dropout": 0.1, "attention": lambda query, key, value: value}),
        (T, "^bias must be True or False, got int 1$", {"bias": 1}),
        (T, "^attention must be a function, got str 'linear'$", {"attention": "linear"}),
        (V, "^gates must name arguments of attention, got 'beta'$", {"gates": ("beta",)}),
        (T, "^gates must be a tuple of names, got str 'beta'$", {"gates": "beta"}),
    ]),
    (layer, {"query": x}, [
        *PLACES, *MASKS[:3],
        (V, "^query must be on the device cpu, got meta$", {"query": meta(x)}),
        (T, "^key must be a floating-point tensor", {"key": "key"}),
        (V, r"^query, key and value must have the same batch size N, got .*'key': \(2, 5, 12\)", {"key": x[:2]}),
        (V, r"^key and value must have the same number of positions S, got .*'value': \(3, 4, 12\)",
            {"key": x, "value": x[:, :4]}),
        (V, r"^attn_mask must be \(L, S\) or \(N or 1, H or 1, L, S\), got \(3, 5, 12\); three axes could mean "
            r"\(N, L, S\) or \(H, L, S\): insert an axis of size 1$", {"attn_mask": x}),
        (V, "^attn_mask must broadcast", {"attn_mask": bool_(4, 4)}),
        (V, "^attn_mask must broadcast", {"attn_mask": bool_(1, 9), "cache": filled}),
        (T, "^cache must be a KVCache or the state of a linear form, got dict", {"cache": {}}),
        (V, "^cache must be a state of the attention .*scaled_dot_product.*, got a state of .*delta_rule",
            {"is_causal": True, "cache": ac.FadingState()}),
        (V, "^key and value must be left out if a cache is given, because it holds those of query$",
            {"key": x, "cache": filled}),
        (V, "^key and value must be left out", {"value": x, "cache": filled}),
        (V, r"^key must be like the cache's, \(3, 4, 'S', 3, .*, got \(2, 4, 'S',", {"query": x[:2], "cache": filled}),
    ]),
    (layer.weights, {"query": x}, [*PLACES, (V, r"^attn_mask must be \(L, S\) or", {"attn_mask": x[..., :5]})]),
    (ac.MultiHeadAttention(D, H, num_kv_heads=2), {"query": x}, [(V, "^key must be like", {"cache": filled})]),
    (ac.MultiHeadAttention(D, H).double(), {"query": x.double()}, [(V, "^key .*float64", {"cache": filled})]),
    (gated, {"query": x, "is_causal": True}, [
        (V, "^cache must be a state, such as a FadingState, if there are gates; got a KVCache$",
            {"cache": ac.KVCache()}),
    ]),
    (linear, {"query": x, "is_causal": True, "cache": ac.LinearAttentionState()}, [
        *((V, "^attn_mask must be None and is_causal True if the cache is a state$", bad)
          for bad in ({"is_causal": False}, {"attn_mask": bool_(1, L)})),
        (V, "^cache must be a state of the attention .*, got a state of None$",
            {"cache": ac.LinearAttentionState(torch.exp)}),
    ]),
    (append_one, {"key": q(N, H, 1, 3), "value": q(N, H, 1, 3)}, [
        (V, "^value must be like the cache's", {"value": q(N, H, 1, 4)}),
    ]),
    (ac.causal_mask, {"L": 2}, [
        (T, "^L must be an integer", {"L": 3.0}),
        (V, "^L must be at least 0, got -1$", {"L": -1}),
        (V, r"^L must be below 2\*\*63", {"L": 2**63}),
        (V, "^S must be at least 0, got -2$", {"S": -2}),
        *DEVICES,
    ]),
    (ac.sliding_window_mask, {"L": 3, "window": 1}, [
        (V, "^L must be at least 0, got -1$", {"L": -1}),
        (T, "^S must be an integer", {"S": "4"}),
        (V, "^window must be at least 1, got 0$", {"window": 0}),
        (T, "^window must be an integer", {"window": 1.5}),
        *DEVICES,
    ]),
    (ac.padding_mask, {"lengths": [1, 2], "S": 4}, [
        (V, r"^lengths must be between 0 and S = 4, got \[2, 5\]$", {"lengths": [2, 5]}),
        (V, "^lengths must be between", {"lengths": [2**70]}),
        (V, r"^lengths must be between 0 and S = 4, got \[-1\]$", {"lengths": torch.tensor([-1])}),
        (V, r"^lengths must have shape \(N,\), got \(1, 2\)$", {"lengths": torch.tensor([[1, 2]])}),
        (T, "^lengths must be integers, got dtype torch.float32$", {"lengths": torch.tensor([1.0])}),
        (T, "^lengths must be integers, got dtype torch.bool$", {"lengths": torch.tensor([True])}),
        (T, r"^lengths must be a tensor or a list of integers, got \[1.5\]$", {"lengths": [1.5]}),
        (T, "^lengths must be a tensor", {"lengths": 3}),
        (T, "^lengths must be a dense tensor", {"lengths": torch.tensor([1, 2]).to_sparse()}),
        (T, "^S must be an integer", {"S": 4.0}),
    ]),
    (ac.to_additive, {"mask": bool_(2, 2), "dtype": torch.float32}, [
        (T, "^mask must be a boolean tensor, got .*float32$", {"mask": q(2, 2)}),
        (T, "^mask must be a dense tensor", {"mask": bool_(2, 2).to_sparse()}),
        (T, "^dtype must be a floating-point torch dtype of 16, 32 or 64 bits, got torch.int32$",
            {"dtype": torch.int32}),
        (T, "^dtype must be", {"dtype": torch.float8_e4m3fn}),
        (T, "^dtype must be .*'float32'$", {"dtype": "float32"}),
    ]),
    (ac.sinusoidal_positions, {"length": 5, "dim": 4}, [
        (V, "^dim must be even, since its coordinates go in pairs, got 3$", {"dim": 3}),
        (V, "^dim must be at least 2, got 0$", {"dim": 0}),
        (T, "^dim must be an integer", {"dim": "4"}),
        (V, "^length must be at least 0, got -1$", {"length": -1}),
        (T, "^length must be an integer, got float", {"length": 5.0}),
        (V, "^base must be above 0, got 0$", {"base": 0}),
        (T, "^base must be a number", {"base": None}),
        (T, "^dtype must be a floating-point", {"dtype": torch.int64}),
    ]),
    (ac.rotary, {"x": q(3, 4), "positions": torch.arange(3)}, [
        (T, "^x must be a floating-point tensor", {"x": torch.arange(4)}),
        (V, "^x must have at least 2 axes", {"x": q(4)}),
        (V, "^the width E of x must be even, since its coordinates go in pairs, got 3$", {"x": q(3, 3)}),
        (V, "^the width E of x must be even.*got 0$", {"x": q(3, 0)}),
        (V, r"^positions must have shape \(L,\) = \(3,\), got \(4,\)$", {"positions": torch.arange(4)}),
        (V, "^positions must have shape", {"positions": q(1, 3)}),
        (T, "^positions must be a tensor of integers or floats, got list", {"positions": [0, 1, 2]}),
        (T, "^positions must be a tensor", {"positions": bool_(3)}),
        (T, "^positions must be a tensor", {"positions": q(3, dtype=torch.cfloat)}),
        (T, "^positions must be a dense tensor, got torch.sparse_coo$", {"positions": torch.arange(3).to_sparse()}),
        (V, "^positions must be on the device of x, cpu, got meta$", {"positions": meta(q(3))}),
        (V, "^base must be above 0, got -1$", {"base": -1}),
    ]),
    (ac.rotate_pairs, {"x": q(7, 3, 4), "cos": q(3, 2), "sin": q(3, 2)}, [
        (T, "^x must be a floating-point tensor", {"x": q(3, 4).long()}),
        (V, "^x must have at least 2 axes", {"x": q(4)}),
        (V, "^the width E of x must be even, since its coordinates go in pairs, got 5$", {"x": q(2, 3, 5)}),
        (T, "^cos must be a floating-point tensor, got float 1.0$", {"cos": 1.0}),
        (T, "^sin must be a floating-point tensor, got int 0$", {"sin": 0}),
        *((V, rf"^{name} must broadcast to \(..., L, E/2\) = \(7, 3, 2\), got \(3, 4\)$", {name: q(3, 4)})
          for name in ("cos", "sin")),
        *((V, f"^{name} must be on the device of x, cpu, got meta$", {name: meta(q(3, 2))}) for name in ("cos", "sin")),
    ]),
    (ac.local_attention, QKV | {"window": 3}, [
        *TENSORS, *VALUES, *MASKS, *SCALES, *CAPS_AND_SINKS,
        (V, "^window must be at least 1, got 0$", {"window": 0}),
        (T, "^window must be an integer, got .*float32$", {"window": q(5)}),
    ]),
    (ac.elu_plus_one, {"x": q(3)}, [(T, "^x must be a floating-point", {"x": 3})]),
    (ac.linear_attention, QKV | {"query": q(5, 4)}, [
        *VALUES, *MASKS[:3], *CHUNKS,
        (T, "^feature_map must be a function, got str 'elu'$", {"feature_map": "elu"}),
        *((error, message, {"feature_map": f, "is_causal": is_causal})
          for error, message, f in FEATURES for is_causal in (False, True)),
    ]),
    (ac.linear_attention, QKV, [*TENSORS, *ONE_FOR_ALL]),
    (ac.efficient_attention, QKV, [*TENSORS, *VALUES, *MASKS[:3], *ONE_FOR_ALL]),
    (ac.linear_attention_weights, QK, [
        *TENSORS, *MASKS[:3], *ONE_FOR_ALL,
        (T, "^feature_map must be a function, got int 1$", {"feature_map": 1}),
    ]),
    *((ac.linear_attention_weights, {"query": q(5, 4), "key": q(5, 4), "feature_map": f}, [(error, message, {})])
      for error, message, f in FEATURES),
    (ac.efficient_attention_weights, QK, [*TENSORS, *MASKS[:3], *ONE_FOR_ALL]),
    (ac.LinearAttentionState, {}, [(T, "^feature_map must be a function", {"feature_map": None})]),
    (ac.LinearAttentionState().append, {"key": q(5, 4), "value": q(5, 2)}, VALUES[:1] + VALUES[3:]),
    (ac.LinearAttentionState().attend, QKV | {"query": q(5, 4)}, [
        *VALUES, (V, "^query and key must be the same positions, got 3 and 5$", {"query": q(3, 4)}),
    ]),
    *((ac.LinearAttentionState(f).attend, QKV | {"query": q(5, 4)}, [(error, message, {})])
      for error, message, f in FEATURES),
    (ac.blockwise_attention, QKV, [
        *TENSORS, *VALUES, *MASKS, *SCALES, *CAPS_AND_SINKS,
        (V, "^block_size must be at least 1, got 0$", {"block_size": 0}),
        (T, "^block_size must be an integer", {"block_size": 2.0}),
    ]),
    (ac.soft_cap, {"x": q(3), "cap": 1}, [
        (T, "^x must be a floating-point tensor", {"x": torch.arange(3)}),
        (V, "^cap must be above 0, got 0$", {"cap": 0}),
        (V, r"^cap must be finite in torch.float32, got 1e\+300$", {"cap": 1e300}),
        (V, r"^cap must be below 2\*\*63", {"cap": 2**70}),
        (V, "^cap must be finite in torch.float32, got a number beyond the largest float$", {"cap": 2**1024}),
        (T, "^cap must be a number", {"cap": None}),
    ]),
    (ac.rms_norm, {"x": q(3, 4)}, [
        (V, "^x must have at least 1", {"x": torch.tensor(1.0)}),
        (V, r"^weight must broadcast to \(..., E\) = \(3, 4\), got \(5,\)$", {"weight": q(5)}),
        (T, "^weight must have the dtype of x", {"weight": q(4).double()}),
        (V, "^eps must be finite and between 0 and inf, got -1$", {"eps": -1}),
        (V, r"^eps must be finite in torch.float32, got 1e\+300$", {"eps": 1e300}),
    ]),
    (ac.top_k_mask, {"scores": q(2, 3), "k": 1}, [
        (V, "^k must be at least 1, got 0$", {"k": 0}),
        (T, "^scores must be a floating-point", {"scores": None}),
    ]),
    (ac.LatentAttention, {"embed_dim": 8, "num_heads": 2, "latent_dim": 4}, [
        (V, "^rotary_dim must be even, since its coordinates go in pairs, got 3$", {"rotary_dim": 3}),
        *((V, "^num_heads must divide embed_dim = 8 if head_dim and value_dim are not given$", {"num_heads": 3} | given)
          for given in ({}, {"head_dim": 4}, {"value_dim": 4})),
        (T, "^latent_dim must be an integer", {"latent_dim": 4.0}),
        (T, "^eps must be a number, got str 'small'$", {"eps": "small"}),
        (V, "^eps must be finite and between 0 and inf, got -1$", {"eps": -1}),
        (T, "^base must be a number, got str", {"base": "e"}),
        (V, "^base must be above 0, got 0$", {"base": 0}),
        (V, "^rotary_dim must be at least 0, got -1$", {"rotary_dim": -1}),
        *((V, f"^{name} must be at least 1, got 0$", {name: 0})
          for name in ("embed_dim", "num_heads", "latent_dim", "head_dim", "value_dim", "query_latent_dim")),
    ]),
    (latent, {"query": x}, [
        *PLACES, *MASKS[:3],
        (V, "^attn_mask must broadcast", {"attn_mask": bool_(2, 2), "cache": filled_by_latent}),
        (T, "^absorbed must be True or False", {"absorbed": 1}),
        (T, "^cache must be a KVCache, got dict", {"cache": {}}),
        (V, r"^positions must have shape \(L,\) = \(5,\), got \(4,\)$", {"positions": torch.arange(4)}),
        (T, "^positions must be a tensor of integers or floats, got int 5$", {"positions": 5}),
    ]),
    (turning, {"query": x}, [
        (V, r"^positions must be given, \(L,\) = \(5,\), because the cache holds 3 .* has seen 5, .*got None$",
            {"cache": shortened}),
    ]),
    (ac.decayed_linear_attention, QKV, [*TENSORS, *VALUES, *MASKS[:3], *MASKS[6:], *SCALES, *WRITTEN, *CHUNKS]),
    (ac.delta_rule_attention, QKV, [*TENSORS, *VALUES, *MASKS[:3], *MASKS[6:], *SCALES, *WRITTEN, *CHUNKS, *BETAS]),
    (ac.FadingState, {}, [(T, "^delta_rule must be True or False, got int 1$", {"delta_rule": 1})]),
    (ac.FadingState().attend, QKV, [(V, "^query and key must be the same positions, got 3 and 5$", {})]),
    (ac.FadingState(delta_rule=False).attend, QKV | {"query": q(5, 4)}, [
        (V, "^beta must be None without the delta rule; scale the value instead$", {"beta": q(5, 1)}),
    ]),
    (of_two.attend, {"query": q(3, 1, 4), "key": q(3, 1, 4), "value": q(3, 1, 2)}, [
        (V, r"^key and value must fit the memory, \(2, 4, 2, .*got inputs for a memory \(3, 4, 2", {}),
    ]),
    (set_memory, {"memory": q(3, 4)}, [(T, "^memory must be a floating-point", {"memory": 3})]),
]
# fmt: on


def name_of(function):
    return getattr(function, "__qualname__", type(function).__name__)


CALLS = [
    pytest.param(function, good, *row, id=f"{name_of(function)}-{i}")
    for function, good, rows in TABLES
    for i, row in enumerate(rows)
]


@pytest.mark.parametrize(("function", "good", "error", "message", "bad"), CALLS)
def test_bad_input(function, good, error, message, bad):
    with pytest.raises(error, match=message):
        function(**(good | bad))
    assert len(filled) == len(filled_by_latent) == L  # a step that fails leaves the cache alone
