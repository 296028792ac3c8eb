"""What ships, and what forgets: caps, sinks, norms, choices, latent attention and memories, against loops."""

import math
from fractions import Fraction
from unittest import mock

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

import attention_core as ac

attend = ac.scaled_dot_product_attention
RULES = {"decay": ac.decayed_linear_attention, "delta": ac.delta_rule_attention}
every_rule = pytest.mark.parametrize("rule", RULES)


def randn(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def rand(*shape, seed=0):
    return torch.rand(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def max_error(a, b):
    assert a.shape == b.shape
    return (a.double() - b.double()).abs().max().item() if a.numel() else 0.0


# Caps, sinks, norms


def test_soft_cap_and_its_derivative_equal_their_formulas():
    x = torch.linspace(-200, 200, 81, dtype=torch.float64, requires_grad=True)
    capped = ac.soft_cap(x, 30)
    expected = [30 * math.tanh(v / 30) for v in x.tolist()]
    assert max_error(capped, torch.tensor(expected, dtype=torch.float64)) <= 1e-13
    (slope,) = torch.autograd.grad(capped.sum(), x)
    assert max_error(slope, 1 - (capped.detach() / 30) ** 2) <= 1e-13
    assert ac.soft_cap(torch.tensor(2.0), 1).item() == pytest.approx(math.tanh(2))


def test_rms_norm_equals_torch_and_bounds_the_scores():
    x, weight = randn(3, 5, 7), randn(7, seed=1)
    assert max_error(ac.rms_norm(x, weight, eps=1e-5), F.rms_norm(x, (7,), weight, 1e-5)) <= 1e-13
    assert max_error(ac.rms_norm(x), F.rms_norm(x, (7,), None, 1e-6)) <= 1e-13
    q, k = ac.rms_norm(100 * randn(50, 16)), ac.rms_norm(100 * randn(60, 16, seed=1))
    assert (q @ k.mT / 4).abs().max() <= 4 + 1e-12
    half = ac.rms_norm(torch.full((4,), 300.0, dtype=torch.float16))  # 300² is beyond half precision
    assert max_error(half, torch.ones(4)) <= 1e-3
    assert ac.rms_norm(torch.tensor([3.0, 4.0]), eps=0).tolist() == pytest.approx([3 / 12.5**0.5, 4 / 12.5**0.5])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_scores_in_half_precision_are_the_float32_results_rounded_once(dtype):
    query, key, value = (randn(2, n, e, seed=n, dtype=dtype) for n, e in [(5, 8), (7, 8), (7, 3)])
    mask, per_head = randn(5, 7, dtype=dtype), randn(2, seed=1, dtype=dtype)
    for function, arguments in [
        (lambda x: ac.soft_cap(x, 0.7), [query]),
        (ac.rms_norm, [query]),
        (ac.rms_norm, [query, randn(8, seed=1, dtype=dtype)]),
        (
            lambda *x: ac.scaled_dot_product_attention(*x[:4], softcap=0.7, sinks=x[4]),
            [query, key, value, mask, per_head],
        ),
    ]:
        half = function(*arguments)
        assert half.dtype == dtype
        assert max_error(half, function(*(x.float() for x in arguments)).to(dtype)) == 0


def loop_weights(query, key, mask, softcap, sinks):
    """One number after another, in float64: cap, then mask, then a softmax with one more score."""
    weights = torch.zeros(*query.shape[:-1], key.shape[-2], dtype=torch.float64)
    for n in range(query.shape[0]):
        for h in range(query.shape[1]):
            for i in range(query.shape[2]):
                scores = [
                    softcap * math.tanh(query[n, h, i].dot(key[n, h, j]).item() / math.sqrt(key.shape[-1]) / softcap)
                    for j in range(key.shape[2])
                ]
                scores = [s if mask[i, j] else -math.inf for j, s in enumerate(scores)]
                largest = max([*scores, sinks[h].item()])
                exps = [math.exp(s - largest) for s in scores]
                total = sum(exps) + math.exp(sinks[h].item() - largest)
                weights[n, h, i] = torch.tensor(exps, dtype=torch.float64) / total
    return weights


def test_caps_and_sinks_equal_the_loop():
    query, key, value = 5 * randn(2, 3, 6, 4), randn(2, 3, 9, 4, seed=1), randn(2, 3, 9, 5, seed=2)
    sinks, mask = randn(3, seed=3), rand(6, 9, seed=4) < 0.7
    mask[2] = False
    expected = loop_weights(query, key, mask, 2.5, sinks)
    options = {"softcap": 2.5, "sinks": sinks}
    assert max_error(attend(query, key, value, attn_mask=mask, **options), expected @ value) <= 1e-13
    additive = ac.to_additive(mask, torch.float64)
    assert max_error(attend(query, key, value, attn_mask=additive, **options), expected @ value) <= 1e-13
    assert max_error(ac.attention_weights(query, key, mask, **options), expected) <= 1e-13


def test_sinks_have_the_joint_batch_axes_of_queries_and_keys():
    query, key, value = randn(2, 1, 6, 4), randn(1, 3, 9, 4, seed=1), randn(9, 5, seed=2)
    sinks, mask = randn(2, 3, seed=3), rand(6, 9, seed=4) < 0.7
    ours = attend(query, key, value, attn_mask=mask, softcap=2.5, sinks=sinks)
    for n in range(2):
        weights = loop_weights(query[n : n + 1].expand(1, 3, 6, 4), key, mask, 2.5, sinks[n])
        assert max_error(ours[n], (weights @ value)[0]) <= 1e-13


def test_a_sink_is_one_more_key_without_a_value():
    query, key, value = randn(2, 3, 6, 4), randn(2, 3, 9, 4, seed=1), randn(2, 3, 9, 5, seed=2)
    plain = attend(query, key, value, is_causal=True)
    assert (
        max_error(
            attend(query, key, value, is_causal=True, sinks=torch.full((3,), -1e9).double()),
            plain,
        )
        <= 1e-13
    )
    assert attend(query, key, value, sinks=torch.tensor(1e9).double()).abs().max() == 0
    nobody, none = torch.zeros(6, 9, dtype=torch.bool), torch.full((3,), -math.inf).double()
    assert attend(query, key, value, attn_mask=nobody, sinks=none).abs().max() == 0
    assert (
        max_error(
            attend(query, key, value, sinks=none),
            attend(query, key, value),
        )
        <= 1e-13
    )
    zero = torch.zeros(2, 3, 1, 4, dtype=torch.float64)  # a key of zeros has the score 0
    longer = attend(query, torch.cat([zero, key], -2), F.pad(value, (0, 0, 1, 0)))
    assert max_error(attend(query, key, value, sinks=torch.zeros(3).double()), longer) <= 1e-13


@pytest.mark.parametrize("number", [2, 2**62, 2.0**70])
def test_a_cap_may_be_a_large_integer(number):
    query, key, value = 5 * randn(2, 6, 4), randn(2, 9, 4, seed=1), randn(2, 9, 5, seed=2)
    expected = attend(query, key, value, softcap=float(number))
    assert torch.equal(attend(query, key, value, softcap=number), expected)
    assert torch.equal(ac.soft_cap(query, number), ac.soft_cap(query, float(number)))


def test_gradients_of_caps_and_sinks():
    inputs = [randn(2, 5, 3), randn(2, 5, 3, seed=1), randn(2, 5, 2, seed=2), randn(2, seed=3)]
    inputs = [x.requires_grad_() for x in inputs]

    def call(query, key, value, sinks):
        return attend(query, key, value, is_causal=True, softcap=1.5, sinks=sinks)

    assert torch.autograd.gradcheck(call, inputs)


# Choices


@given(
    st.lists(st.lists(st.sampled_from([-math.inf, -1.0, 0.0, 0.5, 2.0]), min_size=4, max_size=4), min_size=1),
    st.integers(1, 6),
)
def test_top_k_mask_equals_sorting(rows, k):
    mask = ac.top_k_mask(torch.tensor(rows, dtype=torch.float64), k)
    for row, chosen in zip(rows, mask.tolist(), strict=True):
        order = sorted(range(4), key=lambda j: (-row[j], j))
        assert chosen == [j in [i for i in order if row[i] != -math.inf][:k] for j in range(4)]


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_top_k_mask_takes_the_first_of_many_equal_scores_in_every_batch(dtype):
    scores = torch.randint(3, (2, 5, 4, 300), generator=torch.Generator().manual_seed(0)).to(dtype)
    mask = ac.top_k_mask(scores, 150)
    place = (300 * scores.double() - torch.arange(300)).sort(-1, descending=True).values[..., 149:150]
    assert torch.equal(mask, 300 * scores.double() - torch.arange(300) >= place)


# Latent attention


def latent(dtype=torch.float64, **options):
    torch.manual_seed(0)
    module = ac.LatentAttention(12, 3, 5, **({"rotary_dim": 4, "value_dim": 6, "query_latent_dim": 7} | options))
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape))
    return module.to(dtype)


def loop_latent(m, x, base=10_000.0, eps=1e-6):
    """Head by head, position by position."""
    L, R, E = x.shape[1], m.rotary_dim, m.head_dim
    down = x @ m.key_value_down.weight.T
    c = F.rms_norm(down[..., : m.latent_dim], (m.latent_dim,), m.key_value_norm, eps)
    k_rotary = ac.rotary(down[..., m.latent_dim :], torch.arange(L), base=base)
    q = F.rms_norm(x @ m.query_down.weight.T, m.query_norm.shape, m.query_norm, eps) @ m.query_up.weight.T
    heads = []
    for h in range(m.num_heads):
        mine = q[..., h * (E + R) : (h + 1) * (E + R)]
        q_rotary = ac.rotary(mine[..., E:], torch.arange(L), base=base)
        k, v = c @ m.key_value_up[h, :E].T, c @ m.key_value_up[h, E:].T
        scores = (mine[..., :E] @ k.mT + q_rotary @ k_rotary.mT) / math.sqrt(E + R)
        heads.append(scores.masked_fill(~ac.causal_mask(L), -math.inf).softmax(-1) @ v)
    return torch.cat(heads, -1) @ m.out_proj.weight.T


@pytest.mark.parametrize("absorbed", [False, True])
def test_latent_attention_equals_the_loop_with_gradients_and_token_by_token(absorbed):
    module, x = latent(), randn(2, 9, 12)
    ours, expected = module(x, is_causal=True, absorbed=absorbed), loop_latent(module, x)
    assert max_error(ours, expected) <= 1e-12
    parameters = list(module.parameters())
    for a, b in zip(
        torch.autograd.grad(ours.square().sum(), parameters),
        torch.autograd.grad(expected.square().sum(), parameters),
        strict=True,
    ):
        assert max_error(a, b) <= 1e-10 * max(1, b.abs().max().item())
    cache = ac.KVCache()
    parts = [module(part, is_causal=True, cache=cache, absorbed=absorbed) for part in x.split([4, 1, 1, 3], dim=1)]
    assert max_error(torch.cat(parts, 1), expected) <= 1e-12
    assert cache.nbytes == 2 * 9 * (5 + 4) * 8  # N · S · (C + R) numbers of 8 bytes, for any number of heads


@pytest.mark.parametrize("absorbed", [False, True])
def test_base_and_eps_of_latent_attention(absorbed):
    x = 0.1 * randn(2, 9, 12)
    module = latent(base=0.5, eps=0.3)
    assert max_error(module(x, is_causal=True, absorbed=absorbed), loop_latent(module, x, base=0.5, eps=0.3)) <= 1e-12
    assert latent(eps=0)(x, absorbed=absorbed).isfinite().all()


@pytest.mark.parametrize(
    ("sizes", "options", "expected"),
    [
        ((12, 3, 5), {}, {"down": (5, 12), "up": (3, 8, 5), "query": (12, 12), "out": (12, 12)}),
        ((12, 3, 5), {"rotary_dim": 2}, {"down": (7, 12), "up": (3, 8, 5), "query": (18, 12), "out": (12, 12)}),
        ((12, 3, 5), {"head_dim": 7}, {"down": (5, 12), "up": (3, 11, 5), "query": (21, 12), "out": (12, 12)}),
        ((12, 3, 5), {"value_dim": 7}, {"down": (5, 12), "up": (3, 11, 5), "query": (12, 12), "out": (12, 21)}),
        (
            (10, 3, 5),  # num_heads need not divide embed_dim if both other widths are given
            {"head_dim": 6, "value_dim": 2, "rotary_dim": 4, "query_latent_dim": 7},
            {"down": (9, 10), "up": (3, 8, 5), "query": (30, 7), "out": (10, 6), "query_down": (7, 10)},
        ),
        (
            (1, 1, 1),
            {"head_dim": 1, "value_dim": 1, "query_latent_dim": 1},
            {"down": (1, 1), "up": (1, 2, 1), "query": (1, 1), "out": (1, 1), "query_down": (1, 1)},
        ),
    ],
)
def test_latent_attention_has_the_parameters_in_its_table(sizes, options, expected):
    torch.manual_seed(0)
    module = ac.LatentAttention(*sizes, **options)
    table = {
        "key_value_down.weight": expected["down"],
        "key_value_norm": (sizes[2],),
        "key_value_up": expected["up"],
        "query_up.weight": expected["query"],
        "out_proj.weight": expected["out"],
    }
    if "query_down" in expected:
        table |= {"query_down.weight": expected["query_down"], "query_norm": expected["query_down"][:1]}
    assert {name: tuple(parameter.shape) for name, parameter in module.named_parameters()} == table
    assert module(torch.randn(2, 4, sizes[0])).shape == (2, 4, sizes[0])


def test_latent_attention_starts_with_norms_of_one_and_maps_like_linear_layers():
    torch.manual_seed(0)
    modules = [ac.LatentAttention(8, 2, 16, query_latent_dim=5) for _ in range(40)]
    assert all((norm == 1).all() for module in modules for norm in (module.key_value_norm, module.query_norm))
    ups = torch.stack([module.key_value_up.detach() for module in modules])
    linear = torch.stack([torch.nn.Linear(16, 16).weight.detach() for _ in range(40)])
    assert ups.abs().max().item() == pytest.approx(linear.abs().max().item(), rel=0.01)
    assert ups.std().item() == pytest.approx(linear.std().item(), rel=0.03)
    assert abs(ups.mean().item()) <= 0.005


def test_latent_attention_works_without_positions_and_survives_a_failed_step():
    module, x = latent(base=None), randn(2, 6, 12)
    turned = module(x.flip(1)).flip(1)
    assert max_error(turned, module(x)) <= 1e-12  # without positions or a mask, order plays no part
    assert max_error(latent(rotary_dim=0)(x, absorbed=True), latent(rotary_dim=0)(x)) <= 1e-12
    cache = ac.KVCache()
    module(x, is_causal=True, cache=cache)
    with pytest.raises(ValueError, match="attn_mask must broadcast"):
        module(x, torch.ones(2, 2).bool(), cache=cache)
    assert len(cache) == 6


@pytest.mark.parametrize("absorbed", [False, True])
def test_latent_attention_works_on_a_different_device(absorbed):
    module, x = latent().to("meta"), torch.zeros(2, 6, 12, dtype=torch.float64, device="meta")
    assert module(x, is_causal=True, absorbed=absorbed).device.type == "meta"


# Memories


def loop_memory(query, key, value, beta, log_decay, rule, scale):
    """One position after another, aligned to the end."""
    L, S, E = query.shape[-2], key.shape[-2], key.shape[-1]
    memory = query.new_zeros(*key.shape[:-2], E, value.shape[-1])
    outputs = []
    for j in range(min(S - L, 0), S):
        if j >= 0:
            memory = memory * log_decay[..., j, :].exp().unsqueeze(-1)
            answer = (key[..., j, None, :] @ memory).squeeze(-2)
            write = beta[..., j, :] * (value[..., j, :] - answer) if rule == "delta" else value[..., j, :]
            memory = memory + key[..., j, :, None] * write[..., None, :]
        if j >= S - L:
            outputs.append(scale * (query[..., j - S + L, None, :] @ memory).squeeze(-2))
    return torch.stack(outputs, -2) if outputs else query.new_zeros(*query.shape[:-1], value.shape[-1])


@st.composite
def stories(draw):
    L, S = draw(st.integers(0, 40)), draw(st.integers(0, 40))
    seed, E, Ev = draw(st.integers(0, 2**31)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    batch = draw(st.sampled_from([(), (2,), (2, 3)]))
    key = F.normalize(randn(*batch, S, E, seed=seed), dim=-1)
    gates = rand(*batch, S, 1, seed=seed), -3 * rand(*batch, S, draw(st.sampled_from([1, E])), seed=seed + 1)
    return randn(*batch, L, E, seed=seed + 2), key, randn(*batch, S, Ev, seed=seed + 3), *gates


@given(stories(), st.sampled_from(list(RULES)), st.integers(1, 50))
@settings(max_examples=120, deadline=None)
def test_memories_equal_the_loop(story, rule, chunk_size):
    query, key, value, beta, log_decay = story
    expected = loop_memory(*story, rule, scale=0.7)
    gates = {"log_decay": log_decay} | ({"beta": beta} if rule == "delta" else {})
    with mock.patch.object(ac, "CHUNK", chunk_size):
        ours = RULES[rule](query, key, value, scale=0.7, **gates)
    assert max_error(ours, expected) <= 1e-11


@every_rule
def test_a_state_continues_where_it_stopped_for_one_or_several_at_a_time(rule):
    query, key, value = randn(2, 3, 90, 4), F.normalize(randn(2, 3, 90, 4, seed=1), dim=-1), randn(2, 3, 90, 5, seed=2)
    gates = {"log_decay": -rand(2, 3, 90, 4, seed=3)} | ({"beta": rand(2, 3, 90, 1, seed=4)} if rule == "delta" else {})
    expected = RULES[rule](query, key, value, **gates)
    state = ac.FadingState(delta_rule=rule == "delta")
    parts, first = [], 0
    for size in (70, 1, 1, 18):
        here = slice(first, first + size)
        mine = {name: x[..., here, :] for name, x in gates.items()}
        parts.append(state.attend(query[..., here, :], key[..., here, :], value[..., here, :], **mine))
        first += size
    assert max_error(torch.cat(parts, -2), expected) <= 1e-12
    assert state.memory.shape == (2, 3, 4, 5)


@every_rule
@pytest.mark.parametrize("width", [1, 3])
def test_gradients_of_memories(rule, width, monkeypatch):
    monkeypatch.setattr(ac, "CHUNK", 3)
    inputs = [randn(2, 5, 3), randn(2, 7, 3, seed=1), randn(2, 7, 2, seed=2), -rand(2, 7, width, seed=3)]
    inputs += [rand(2, 7, 1, seed=4)] if rule == "delta" else []
    inputs = [x.requires_grad_() for x in inputs]

    def call(query, key, value, log_decay, *beta):
        more = {"beta": beta[0]} if beta else {}
        return RULES[rule](query, key, value, log_decay=log_decay, **more)

    assert torch.autograd.gradcheck(call, inputs)


@every_rule
@pytest.mark.parametrize("heads", [(3, 1, 1), (1, 3, 1), (1, 1, 3)])
def test_heads_that_only_one_input_has_broadcast_to_the_gates(rule, heads):
    sizes = zip(heads, (7, 9, 9), (4, 4, 3), strict=True)
    inputs = [randn(2, H, length, width, seed=i) / 2 for i, (H, length, width) in enumerate(sizes)]
    gates = {"log_decay": -rand(2, 3, 9, 4)} | ({"beta": rand(3, 9, 1, seed=1)} if rule == "delta" else {})
    expected = RULES[rule](*(x.expand(2, 3, *x.shape[2:]) for x in inputs), **gates)
    assert max_error(RULES[rule](*inputs, **gates), expected) <= 1e-12


@every_rule
def test_a_hundred_sequences_equal_each_one_alone(rule):
    """This also holds where keys come before the first query."""
    inputs = randn(100, 2, 4), F.normalize(randn(100, 5, 4, seed=1), dim=-1), randn(100, 5, 3, seed=2)
    expected = torch.stack([RULES[rule](*(x[n] for x in inputs)) for n in (0, 63, 64, 99)])
    assert max_error(RULES[rule](*inputs)[[0, 63, 64, 99]], expected) <= 1e-12


def test_without_gates_a_memory_is_linear_attention_without_its_divisor():
    query, key, value = randn(2, 150, 4), randn(2, 150, 4, seed=1), randn(2, 150, 3, seed=2)
    expected = (query @ key.mT * 0.3).tril() @ value
    assert max_error(ac.decayed_linear_attention(query, key, value, scale=0.3), expected) <= 1e-12


def test_a_step_of_size_one_replaces_what_was_stored():
    keys = torch.eye(3, dtype=torch.float64)[[0, 1, 0, 2, 0]]
    values = randn(5, 4)
    read = ac.delta_rule_attention(keys[:1].expand(5, 3), keys, values, scale=1.0)
    for i, last in enumerate([0, 0, 2, 2, 4]):
        assert max_error(read[i], values[last]) <= 1e-14


@every_rule
def test_masked_keys_write_nothing_and_let_nothing_fade(rule):
    query, key, value = randn(2, 8, 4), randn(2, 8, 4, seed=1), randn(2, 8, 3, seed=2)
    log_decay, keep = -rand(2, 8, 1, seed=3), torch.tensor([True, False, True, True, False, True, True, True])
    masked = RULES[rule](query, key, value, keep, log_decay=log_decay)
    without = RULES[rule](*(x[:, keep] for x in (query, key, value)), log_decay=log_decay[:, keep])
    assert max_error(masked[:, keep], without) <= 1e-13
    each = torch.stack([keep, keep.flip(0)])[:, None]  # a different mask for each sequence, (2, 1, 8)
    masked = RULES[rule](query, key, value, each, log_decay=log_decay)
    for n in range(2):
        one = RULES[rule](*(x[n] for x in (query, key, value)), each[n], log_decay=log_decay[n])
        assert max_error(masked[n], one) <= 1e-13


@every_rule
def test_half_precision_is_the_float32_result_rounded_once(rule):
    inputs = [randn(2, 20, 4, seed=i).half() for i in range(3)]
    gates = {"log_decay": -rand(20, 4).half()} | ({"beta": rand(20, 1).half()} if rule == "delta" else {})
    wide = RULES[rule](*(x.float() for x in inputs), scale=0.7, **{name: x.float() for name, x in gates.items()})
    half = RULES[rule](*inputs, scale=0.7, **gates)
    assert torch.equal(half, wide.half())
    state = ac.FadingState(delta_rule=rule == "delta")
    assert torch.equal(state.attend(*inputs, scale=0.7, **gates), half)
    assert state.memory.dtype == torch.float32


@every_rule
@pytest.mark.parametrize("scale", [None, 0.7])
def test_memories_take_batch_axes_that_broadcast_and_missing_gates(rule, scale, monkeypatch):
    monkeypatch.setattr(ac, "CHUNK", 4)
    query, key, value = randn(2, 1, 11, 4), F.normalize(randn(3, 9, 4, seed=1), dim=-1), randn(1, 3, 9, 2, seed=2)
    full = query.expand(2, 3, 11, 4), key.expand(2, 3, 9, 4), value.expand(2, 3, 9, 2)
    for log_decay in (None, -rand(9, 1), -rand(2, 1, 9, 4)):
        for beta in (None, rand(9, 1), rand(2, 3, 9, 1)) if rule == "delta" else (None,):
            gates = {"log_decay": log_decay} | ({} if beta is None else {"beta": beta})
            ours = RULES[rule](query, key, value, scale=scale, **gates)
            all_gates = {"log_decay": torch.zeros(9, 1), "beta": torch.ones(9, 1)}
            all_gates |= {name: x for name, x in gates.items() if x is not None}
            expected = loop_memory(*full, **all_gates, rule=rule, scale=0.5 if scale is None else scale)
            assert max_error(ours, expected) <= 1e-12


# In the module


def test_gates_come_from_the_input():
    torch.manual_seed(0)
    module = ac.MultiHeadAttention(8, 2, num_kv_heads=1, attention=ac.delta_rule_attention, gates=("beta", "log_decay"))
    module = module.double()
    x = randn(3, 9, 8)
    ours = module(x, is_causal=True)
    q, k, v = module._project({"query": x, "key": x, "value": x}, None)
    beta, decay = (F.linear(x, module.gate_proj.weight, module.gate_proj.bias)).sigmoid().chunk(2, -1)
    expected = loop_memory(
        q, k.expand_as(q), v.expand_as(q), beta.mT.unsqueeze(-1), decay.log().mT.unsqueeze(-1), "delta", 0.5
    )
    assert max_error(ours, module.out_proj(ac.merge_heads(expected))) <= 1e-12
    weights = module.weights(x, is_causal=True)  # if the values are the identity, the output is the weights
    assert max_error(weights @ v, expected) <= 1e-12


def test_a_module_can_be_the_attention():
    class Sinking(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.sinks = torch.nn.Parameter(torch.zeros(2))

        def forward(self, query, key, value, **options):
            return ac.scaled_dot_product_attention(query, key, value, sinks=self.sinks, **options)

    module = ac.MultiHeadAttention(8, 2, attention=Sinking())
    assert "attention.sinks" in dict(module.named_parameters())
    module(torch.randn(1, 4, 8), is_causal=True).sum().backward()
    assert module.attention.sinks.grad.abs().min() > 0
    assert (module.weights(torch.randn(1, 4, 8)).sum(-1) < 1).all()


# Errors: every one names the argument


def q(*shape, dtype=torch.float32):
    return torch.zeros(*shape, dtype=dtype)


def qkv(L=3, S=5):
    return q(2, L, 4), q(2, S, 4), q(2, S, 2)


def two_batches():
    state = ac.FadingState()
    state.attend(q(2, 3, 4), q(2, 3, 4), q(2, 3, 2))
    state.attend(q(3, 1, 4), q(3, 1, 4), q(3, 1, 2))


BAD_CALLS = [
    (TypeError, "x must be a floating-point tensor", lambda: ac.soft_cap(torch.arange(3), 1)),
    (ValueError, "cap must be above 0", lambda: ac.soft_cap(q(3), 0)),
    (ValueError, "cap must be finite in torch.float32, got 1e\\+300", lambda: ac.soft_cap(q(3), 1e300)),
    (TypeError, "cap must be a number", lambda: ac.soft_cap(q(3), None)),
    (ValueError, r"weight must broadcast to \(..., E\) = \(3, 4\), got \(5,\)", lambda: ac.rms_norm(q(3, 4), q(5))),
    (TypeError, "weight must have the dtype of x", lambda: ac.rms_norm(q(4), q(4).double())),
    (ValueError, "eps must be .*between 0", lambda: ac.rms_norm(q(4), eps=-1)),
    (ValueError, "eps must be finite in torch.float32, got 1e\\+300", lambda: ac.rms_norm(q(4), eps=1e300)),
    (ValueError, "x must have at least 1", lambda: ac.rms_norm(torch.tensor(1.0))),
    (ValueError, "softcap must be above 0", lambda: ac.attention_weights(*qkv()[:2], softcap=0)),
    *(
        (ValueError, rf"^{name} must be below 2\*\*63, which is how far torch counts, or a float, got -?1180591", call)
        for name, call in [
            ("softcap", lambda: ac.scaled_dot_product_attention(*qkv(), softcap=2**70)),
            ("scale", lambda: ac.blockwise_attention(*qkv(), scale=-(2**70))),
            ("cap", lambda: ac.soft_cap(q(3), 2**70)),
        ]
    ),
    *(
        (ValueError, f"{name} must be finite in torch.float32, got a number beyond the largest float", call)
        for name, call in [
            ("cap", lambda: ac.soft_cap(q(3), 2**1024)),
            ("eps", lambda: ac.rms_norm(q(3), eps=2**1024)),
            ("softcap", lambda: ac.scaled_dot_product_attention(*qkv(), softcap=10**5000)),  # too long to print
            ("softcap", lambda: ac.attention_weights(*qkv()[:2], softcap=-(10**5000))),
            ("scale", lambda: ac.blockwise_attention(*qkv(), scale=2**1024)),
            ("scale", lambda: ac.delta_rule_attention(*qkv(), scale=Fraction(2**1024))),
        ]
    ),
    (
        ValueError,
        "softcap must be finite in torch.float32, got 1e\\+39",
        lambda: ac.scaled_dot_product_attention(*qkv(), softcap=1e39),
    ),
    (TypeError, "softcap must be a number", lambda: ac.attention_weights(*qkv()[:2], softcap=torch.tensor(1.0))),
    (
        ValueError,
        r"sinks must broadcast to \(...\) = \(2,\), got \(3,\)",
        lambda: ac.attention_weights(*qkv()[:2], sinks=q(3)),
    ),
    (
        TypeError,
        "sinks must be a floating-point tensor, got float",
        lambda: ac.attention_weights(*qkv()[:2], sinks=0.5),
    ),
    (
        ValueError,
        "^sinks must be on the device of query, cpu, got meta$",
        lambda: ac.attention_weights(*qkv()[:2], sinks=q(2).to("meta")),
    ),
    (TypeError, "sinks must have the dtype of query", lambda: ac.attention_weights(*qkv()[:2], sinks=q(2).double())),
    (ValueError, "k must be at least 1", lambda: ac.top_k_mask(q(2, 3), 0)),
    (TypeError, "scores must be a floating-point", lambda: ac.top_k_mask(None, 1)),
    *(
        (
            ValueError,
            "^is_causal must be True, because a memory is written position by position, got False$",
            lambda rule=rule: rule(*qkv(), is_causal=False),
        )
        for rule in RULES.values()
    ),
    *(
        (TypeError, "^is_causal must be True or False, got int 1", lambda rule=rule: rule(*qkv(), is_causal=1))
        for rule in RULES.values()
    ),
    (
        ValueError,
        "^log_decay must be at most 0, because a memory may fade but not grow, got 0.125$",
        lambda: ac.decayed_linear_attention(*qkv(), log_decay=torch.tensor([0, 0.125, -3, 0.0625, 0])[:, None]),
    ),
    (ValueError, "log_decay must be at most 0", lambda: ac.delta_rule_attention(*qkv(), log_decay=q(5, 4) + 0.1)),
    (
        ValueError,
        r"log_decay must broadcast to \(..., S, E\) = \(2, 5, 4\)",
        lambda: ac.delta_rule_attention(*qkv(), log_decay=q(5, 3)),
    ),
    *(
        (
            ValueError,
            rf"^log_decay must have S = 5 positions as last but one axis, got shape \({shape}\)$",
            lambda x=x: ac.delta_rule_attention(*qkv(), log_decay=x),
        )
        for x, shape in [(q(1, 4), "1, 4"), (q(2, 1, 4), "2, 1, 4"), (q(4), "4,"), (torch.tensor(0.0), "")]
    ),
    (
        ValueError,
        r"^beta must have S = 5 positions as last but one axis, got shape \(1, 1\)$",
        lambda: ac.delta_rule_attention(*qkv(), beta=q(1, 1)),
    ),
    (
        TypeError,
        "log_decay must have the dtype of query, torch.float32, got torch.float64",
        lambda: ac.decayed_linear_attention(*qkv(), log_decay=q(5, 1).double()),
    ),
    (ValueError, "same number of positions S", lambda: ac.decayed_linear_attention(q(3, 4), q(5, 4), q(6, 4))),
    (ValueError, "attn_mask must broadcast", lambda: ac.decayed_linear_attention(*qkv(), torch.ones(4).bool())),
    (
        ValueError,
        r"beta must broadcast to \(..., S, 1\) = \(2, 5, 1\)",
        lambda: ac.delta_rule_attention(*qkv(), beta=q(5, 4)),
    ),
    (
        TypeError,
        "beta must have the dtype of query, torch.float32, got",
        lambda: ac.delta_rule_attention(*qkv(), beta=q(5, 1).half()),
    ),
    (
        ValueError,
        r"^attn_mask must be boolean and the same for all queries, \(..., 1, S\), because a memory has no weights per "
        r"query, got torch.float32 of shape \(5,\)$",
        lambda: ac.delta_rule_attention(*qkv(), attn_mask=q(5)),
    ),
    (
        ValueError,
        r"attn_mask must be boolean and .* got torch.bool of shape \(3, 5\)$",
        lambda: ac.delta_rule_attention(*qkv(), attn_mask=torch.ones(3, 5).bool()),
    ),
    (ValueError, "scale must be finite", lambda: ac.decayed_linear_attention(*qkv(), scale=math.inf)),
    (ValueError, "^query and key must be the same positions, got 3 and 5$", lambda: ac.FadingState().attend(*qkv())),
    (
        ValueError,
        "^beta must be None without the delta rule; scale the value instead$",
        lambda: ac.FadingState(delta_rule=False).attend(*qkv(5), beta=q(5, 1)),
    ),
    (TypeError, "delta_rule must be True or False", lambda: ac.FadingState(delta_rule=1)),
    (TypeError, "memory must be a floating-point", lambda: setattr(ac.FadingState(), "memory", 3)),
    (
        ValueError,
        "^rotary_dim must be even, since its coordinates go in pairs, got 3$",
        lambda: ac.LatentAttention(8, 2, 4, rotary_dim=3),
    ),
    *(
        (
            ValueError,
            "^num_heads must divide embed_dim = 8 if head_dim and value_dim are not given$",
            lambda given=given: ac.LatentAttention(8, 3, 4, **given),
        )
        for given in ({}, {"head_dim": 4}, {"value_dim": 4})
    ),
    (TypeError, "latent_dim must be an integer", lambda: ac.LatentAttention(8, 2, 4.0)),
    (TypeError, "eps must be a number, got str", lambda: ac.LatentAttention(8, 2, 4, eps="small")),
    (ValueError, "eps must be finite and between 0 and inf, got -1", lambda: ac.LatentAttention(8, 2, 4, eps=-1)),
    (TypeError, "base must be a number, got str", lambda: ac.LatentAttention(8, 2, 4, base="e")),
    (ValueError, "base must be above 0, got 0", lambda: ac.LatentAttention(8, 2, 4, base=0)),
    *(
        (
            ValueError,
            f"^{name} must be at least {least}, got {least - 1}$",
            lambda size={name: least - 1}: ac.LatentAttention(
                **({"embed_dim": 8, "num_heads": 2, "latent_dim": 4} | size)
            ),
        )
        for name, least in [
            ("embed_dim", 1),
            ("num_heads", 1),
            ("latent_dim", 1),
            ("rotary_dim", 0),
            ("head_dim", 1),
            ("value_dim", 1),
            ("query_latent_dim", 1),
        ]
    ),
    (
        ValueError,
        r"query must be \(N, length, embed_dim = 8\), got \(2, 3, 4\)",
        lambda: ac.LatentAttention(8, 2, 4)(q(2, 3, 4)),
    ),
    (ValueError, "query must have at least 3 axes, got shape .3, 8.", lambda: ac.LatentAttention(8, 2, 4)(q(3, 8))),
    (ValueError, r"query must be \(N, length", lambda: ac.LatentAttention(8, 2, 4)(q(1, 2, 3, 8))),
    (TypeError, "query must be a floating-point tensor", lambda: ac.LatentAttention(8, 2, 4)(q(2, 3, 8).long())),
    (TypeError, "query must have the parameters' dtype", lambda: ac.LatentAttention(8, 2, 4)(q(2, 3, 8).double())),
    (TypeError, "absorbed must be True or False", lambda: ac.LatentAttention(8, 2, 4)(q(2, 3, 8), absorbed=1)),
    (TypeError, "cache must be a KVCache, got dict", lambda: ac.LatentAttention(8, 2, 4)(q(2, 3, 8), cache={})),
    (
        ValueError,
        "gates must name arguments of attention, got 'beta'",
        lambda: ac.MultiHeadAttention(8, 2, gates=("beta",)),
    ),
    (TypeError, "^gates must be a tuple of names, got str 'beta'$", lambda: ac.MultiHeadAttention(8, 2, gates="beta")),
    (
        ValueError,
        r"key and value must fit the memory, \(2, 4, 2, .*got inputs for a memory \(3, 4, 2",
        lambda: two_batches(),
    ),
    (
        ValueError,
        "^cache must be None if there are gates, because it does not store them$",
        lambda: ac.MultiHeadAttention(8, 2, attention=ac.delta_rule_attention, gates=("beta",))(
            q(1, 3, 8), is_causal=True, cache=ac.KVCache()
        ),
    ),
]


@pytest.mark.parametrize(("error", "message", "call"), BAD_CALLS)
def test_bad_input(error, message, call):
    with pytest.raises(error, match=message):
        call()
