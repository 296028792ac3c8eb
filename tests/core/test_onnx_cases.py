"""The standard's own cases: every case that ONNX has for Attention, LinearAttention, FlexAttention and RotaryEmbedding.

The standard's operators do several things at once (heads, caches, windows, padding); here each is assembled from
the book's functions. A mask built by hand covers what these functions leave open.
"""

import functools
import warnings

import ml_dtypes
import numpy as np
import pytest
import torch
from onnx import helper, numpy_helper

import attention_core as ac

TOLERANCE = {torch.float64: 1e-12, torch.float32: 2e-6, torch.float16: 2e-3, torch.bfloat16: 2e-2}


@functools.cache
def all_cases():
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some cases overflow on purpose
        return [case for case in collect_testcases(None) if "_expanded" not in case.name]


def read(case):
    """The node's attributes, inputs by name, and outputs."""
    (node,) = case.model.graph.node
    attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    ((inputs, outputs),) = case.data_sets
    given = dict(zip(filter(None, node.input), map(to_torch, inputs), strict=True))
    return attributes, given, dict(zip(filter(None, node.output), map(to_torch, outputs), strict=True))


def to_torch(array):
    array = array if isinstance(array, np.ndarray) else numpy_helper.to_array(array)
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.astype(np.float32)).bfloat16()
    return torch.from_numpy(array.copy())


def close(ours, expected):
    assert ours.shape == expected.shape
    assert (ours.double() - expected.double()).abs().max() <= TOLERANCE[expected.dtype]


def heads(x, number):
    return x if x.ndim == 4 else ac.split_heads(x, number)


def grouped(x, number):
    return x.repeat_interleave(number // x.shape[1], 1)


def offset(given, L):
    """The position of each sequence's first query, which comes after the cache, and the number of keys."""
    if "nonpad_kv_seqlen" in given:
        length = given["nonpad_kv_seqlen"]
        return (length - L).view(-1, 1, 1, 1), length.view(-1, 1, 1, 1)
    return given["past_key"].shape[-2] if "past_key" in given else 0, None


def mask_of(attributes, given, L, S):
    """All that the standard says about which query may attend to which key, as one mask for this book's functions."""
    first, length = offset(given, L)
    key = torch.arange(S)
    ahead = key - (torch.arange(L)[:, None] + first)  # how far key j is ahead of query i
    may_attend = torch.ones(L, S, dtype=torch.bool)
    if length is not None:
        may_attend = may_attend & (key < length)
    if attributes.get("is_causal"):
        may_attend = may_attend & (ahead <= 0)
    for side, sign in (("left", -1), ("right", 1)):
        if attributes.get(f"{side}_window_size", -1) >= 0:
            may_attend = may_attend & (sign * ahead <= attributes[f"{side}_window_size"])
    mask = given.get("attn_mask")
    if mask is None:
        return may_attend
    missing = S - mask.shape[-1]  # a shorter mask hides the remaining keys
    if mask.dtype == torch.bool:
        return torch.nn.functional.pad(mask, (0, missing), value=False) & may_attend
    mask = torch.nn.functional.pad(mask, (0, missing), value=-torch.inf)
    return mask.masked_fill(~may_attend, -torch.inf)


def check_attention(case, attend):
    attributes, given, expected = read(case)
    query = heads(given["Q"], attributes.get("q_num_heads"))
    key, value = (heads(given[name], attributes.get("kv_num_heads")) for name in "KV")
    if "past_key" in given:
        cache = ac.KVCache()
        cache.key, cache.value = given["past_key"], given["past_value"]
        key, value = cache.joined(key, value)
        if "present_key" in expected:
            close(key, expected["present_key"])
            close(value, expected["present_value"])
    key, value = (grouped(x, query.shape[1]) for x in (key, value))
    mask = mask_of(attributes, given, query.shape[-2], key.shape[-2])
    options = {"scale": attributes.get("scale"), "softcap": attributes.get("softcap") or None}
    output = attend(query, key, value, mask, **options)
    close(output if given["Q"].ndim == 4 else ac.merge_heads(output), expected["Y"])
    if attributes.get("qk_matmul_output_mode") == 3:  # the other modes do not give weights
        close(ac.attention_weights(query, key, mask, **options), expected["qk_matmul_output"])


def constants(attributes):
    """The numbers in the small programs with which a case changes scores or weights, by name."""
    graphs = [attributes[name] for name in ("score_mod", "prob_mod") if name in attributes]
    return {x.name: to_torch(x) for graph in graphs for x in graph.initializer}


CHANGES = {  # the same changes as arguments of this book's function; prob_mod is a factor on the weights
    "score_mod": lambda number, L, S: {"attn_mask": number["bias"].expand(L, S)},
    "causal_mask": lambda number, L, S: {"is_causal": True},
    "soft_cap": lambda number, L, S: {"softcap": number["cap"].item()},
    "relative_positional": lambda number, L, S: {"attn_mask": (torch.arange(L)[:, None] - torch.arange(S)).float()},
    "prob_mod": lambda number, L, S: {},
}


def check_flex_attention(case):
    attributes, given, expected = read(case)
    query, key, value = (given[name] for name in "QKV")
    name, number = case.name.removeprefix("test_flexattention_"), constants(attributes)
    assert (name in CHANGES) == bool({"score_mod", "prob_mod"} & set(attributes))
    options = CHANGES[name](number, query.shape[-2], key.shape[-2]) if name in CHANGES else {}
    key, value = (grouped(x, query.shape[1]) for x in (key, value))
    output = ac.scaled_dot_product_attention(query, key, value, scale=attributes.get("scale"), **options)
    close(number.get("scale", 1) * output, expected["Y"])


def check_linear_attention(case):
    attributes, given, expected = read(case)
    number, kv_number = attributes["q_num_heads"], attributes["kv_num_heads"]
    rule = attributes.get("update_rule", b"gated_delta").decode()
    query, key, value = (
        heads(given[name], n) for name, n in (("query", number), ("key", kv_number), ("value", kv_number))
    )
    gates = {}
    if "decay" in given:
        per_head = given["decay"].shape[-1] == kv_number
        gates["log_decay"] = given["decay"].mT.unsqueeze(-1) if per_head else heads(given["decay"], kv_number)
    if "beta" in given:
        gates["beta"] = given["beta"].mT.unsqueeze(-1).expand(-1, kv_number, -1, -1)
    key, value = (grouped(x, number) for x in (key, value))
    gates = {name: grouped(x, number) for name, x in gates.items()}
    state = ac.FadingState(delta_rule="delta" in rule)
    if "past_state" in given:
        state.memory = grouped(given["past_state"], number).float()
    output = state.attend(query, key, value, scale=attributes.get("scale"), **gates)
    close(ac.merge_heads(output), expected["output"])
    close(state.memory[:, :: number // kv_number].to(query.dtype), expected["present_state"])
    if "past_state" not in given:
        attend = ac.delta_rule_attention if "delta" in rule else ac.decayed_linear_attention
        output = attend(query, key, value, scale=attributes.get("scale"), **gates)
        close(ac.merge_heads(output), expected["output"])


def interleaved(x, start, end):
    """From pairs (i, i + half), as in most models, to pairs of neighbours, as in this book; and back."""
    return x.unflatten(-1, (start, end)).mT.flatten(-2)


def check_rotary_embedding(case):
    attributes, given, expected = read(case)
    x = heads(given["input"], attributes.get("num_heads"))
    cos, sin = given["cos_cache"], given["sin_cache"]
    if "position_ids" in given:
        cos, sin = cos[given["position_ids"]], sin[given["position_ids"]]
    width = 2 * cos.shape[-1]
    turned, rest = x[..., :width], x[..., width:]
    halves = not attributes.get("interleaved")
    turned = interleaved(turned, 2, width // 2) if halves else turned
    turned = ac.rotate_pairs(turned, cos[:, None], sin[:, None])
    turned = interleaved(turned, width // 2, 2) if halves else turned
    output = torch.cat([turned, rest], -1)
    close(output if given["input"].ndim == 4 else ac.merge_heads(output), expected["output"])


OPERATORS = {
    "plain": ("Attention", 93, functools.partial(check_attention, attend=ac.scaled_dot_product_attention)),
    "blocks": ("Attention", 93, functools.partial(check_attention, attend=ac.blockwise_attention)),
    "flex": ("FlexAttention", 11, check_flex_attention),
    "linear": ("LinearAttention", 14, check_linear_attention),
    "rotary": ("RotaryEmbedding", 8, check_rotary_embedding),
}


@pytest.mark.parametrize(("operator", "number", "check"), OPERATORS.values(), ids=OPERATORS)
def test_every_case_of_the_standard_passes(operator, number, check, subtests):
    """A loop, not parameters: all cases of all operators are made at once, and every worker would have to do that."""
    found = [case for case in all_cases() if case.model.graph.node[0].op_type == operator]
    assert len(found) == number, f"ONNX has {len(found)} cases for {operator}"
    for case in found:
        with subtests.test(case.name.removeprefix("test_")):
            check(case)
