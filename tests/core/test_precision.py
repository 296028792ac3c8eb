"""In half precision, the result of a function is its float32 result, rounded once."""

import functools

import pytest
import torch
from compare import SOFTMAX_FORMS, rand, randn

import attention_core as ac

QUERY, KEY, VALUE = (randn(2, n, e, seed=n + e) for n, e in [(7, 8), (7, 8), (7, 3)])
QKV = [QUERY, KEY, VALUE]
MASK, OF_KEYS, SINKS = randn(7, 7), randn(7, seed=9), randn(2, seed=1)
LOG_DECAY, BETA = -rand(7, 8), rand(7, 1, seed=1)
FORMS = {
    "linear": ac.linear_attention,
    "efficient": ac.efficient_attention,
    "local": functools.partial(ac.local_attention, window=2),
    "blockwise": SOFTMAX_FORMS["blockwise"],
}


def capped(attend):
    return lambda *x: attend(*x[:3], attn_mask=x[3], softcap=0.7, sinks=x[4])


def masked(attend, is_causal):
    return lambda *x: attend(*x[:3], attn_mask=x[3] if len(x) > 3 else None, is_causal=is_causal)


def delta(attend):
    return lambda *x: attend(*x[:3], log_decay=x[3], beta=x[4], scale=0.7)


CALLS = {
    "softmax": (ac.softmax, [QUERY]),
    "softmax_jacobian": (ac.softmax_jacobian, [KEY.softmax(-1)]),
    "entropy": (ac.entropy, [KEY.softmax(-1)]),
    "attention_weights": (ac.attention_weights, [QUERY, KEY, MASK]),
    "attention": (ac.scaled_dot_product_attention, [*QKV, MASK]),
    "soft_cap": (functools.partial(ac.soft_cap, cap=0.7), [QUERY]),
    "rms_norm": (ac.rms_norm, [QUERY]),
    "rms_norm with a weight": (ac.rms_norm, [QUERY, randn(8)]),
    "rotate_pairs": (ac.rotate_pairs, [QUERY, randn(7, 4).cos(), randn(7, 4).sin()]),
    "linear weights": (ac.linear_attention_weights, [QUERY, KEY]),
    "efficient weights": (ac.efficient_attention_weights, [QUERY, KEY]),
    "decay": (functools.partial(ac.decayed_linear_attention, scale=0.7), QKV),
    "delta": (delta(ac.delta_rule_attention), [*QKV, LOG_DECAY, BETA]),
    "a state": (delta(lambda *x, **gates: ac.FadingState().attend(*x, **gates)), [*QKV, LOG_DECAY, BETA]),
}
CALLS |= {f"capped {name}": (capped(attend), [*QKV, MASK, SINKS]) for name, attend in SOFTMAX_FORMS.items()}
for is_causal in (False, True):
    CALLS |= {f"{name} {is_causal}": (masked(attend, is_causal), QKV) for name, attend in FORMS.items()}
    CALLS |= {
        f"{name} {is_causal} masked": (masked(attend, is_causal), [*QKV, OF_KEYS]) for name, attend in FORMS.items()
    }


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize(("function", "inputs"), CALLS.values(), ids=CALLS)
def test_half_precision_is_the_float32_result_rounded_once(function, inputs, dtype):
    halves = [x.to(dtype) for x in inputs]
    result = function(*halves)
    assert result.dtype == dtype
    assert torch.equal(result, function(*(x.float() for x in halves)).to(dtype))


def test_a_state_remembers_in_float32():
    state = ac.FadingState()
    state.attend(*(x.half() for x in QKV))
    assert state.memory.dtype == torch.float32
