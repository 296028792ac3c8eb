"""What ships, and what forgets: caps, sinks, norms, choices, latent attention and memories, against loops."""

import functools
import math

import pytest
import torch
from compare import SOFTMAX_FORMS, max_error, rand, randn
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

import attention_core as ac

every_form = pytest.mark.parametrize("attend", SOFTMAX_FORMS.values(), ids=SOFTMAX_FORMS)
RULES = {"decay": ac.decayed_linear_attention, "delta": ac.delta_rule_attention}
every_rule = pytest.mark.parametrize("rule", RULES)


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


@every_form
def test_caps_and_sinks_equal_their_formulas(attend):
    """Cap, then mask, then a softmax with one more score; sinks have the joint batch axes of queries and keys.

    After the mask, tanh would bring the masked scores back.
    """
    query, key, value = 5 * randn(2, 1, 6, 4), randn(1, 3, 9, 4, seed=1), randn(9, 5, seed=2)
    mask = rand(6, 9, seed=4) < 0.7
    mask[2] = False
    bias, causal = (ac.to_additive(seen, torch.float64) for seen in (mask, ac.causal_mask(6, 9)))
    masks = [
        (bias, {"attn_mask": mask}),
        (bias, {"attn_mask": bias}),
        (causal, {"is_causal": True}),
        (torch.zeros(6, 9), {}),
    ]
    for sinks in (randn(2, 3, seed=3), randn(3, seed=3), torch.full((3,), -1e9).double()):
        capped = torch.stack([2.5 * (q @ key[0].mT / 5).tanh() for q in query])  # (2, 3, 6, 9)
        options = {"softcap": 2.5, "sinks": sinks}
        for added, masked in masks:
            scores = torch.cat([sinks[..., None, None].expand(2, 3, 6, 1), capped + added], -1)
            expected = scores.softmax(-1)[..., 1:]
            assert max_error(ac.attention_weights(query, key, **masked, **options), expected) <= 1e-13
            assert max_error(attend(query, key, value, **masked, **options), expected @ value) <= 1e-13


@every_form
def test_extreme_sinks_take_nothing_or_everything(attend):
    query, key, value, none = randn(6, 4), randn(9, 4, seed=1), randn(9, 5, seed=2), torch.tensor(-math.inf).double()
    assert attend(query, key, value, attn_mask=torch.zeros(6, 9).bool(), sinks=none).abs().max() == 0
    assert max_error(attend(query, key, value, sinks=none), attend(query, key, value)) <= 1e-13
    assert attend(query, key, value, sinks=torch.tensor(1e9).double()).abs().max() == 0


@every_form
@pytest.mark.parametrize("number", [2, 2**62, 2.0**70])
def test_a_cap_may_be_a_large_integer(attend, number):
    query, key, value = 5 * randn(2, 6, 4), randn(2, 9, 4, seed=1), randn(2, 9, 5, seed=2)
    expected = attend(query, key, value, softcap=float(number))
    assert torch.equal(attend(query, key, value, softcap=number), expected)
    assert torch.equal(ac.soft_cap(query, number), ac.soft_cap(query, float(number)))


@every_form
def test_gradients_of_caps_and_sinks(attend):
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


@pytest.mark.parametrize("absorbed", [False, True])
def test_a_shortened_cache_is_no_position_of_latent_attention(absorbed):
    """Rows are dropped in front, as an eviction does, or at the end, as a second text with the same beginning does."""
    module, x, cache, kept = latent(), randn(2, 12, 12), ac.KVCache(), ac.KVCache()
    module(x[:, :10], is_causal=True, cache=cache)
    for rows, place in ((slice(6, 10), 10), (slice(0, 4), 4)):
        kept.key, kept.value, kept.seen = cache.key[..., rows, :], cache.value[..., rows, :], cache.seen
        with pytest.raises(ValueError, match=r"^positions must be given"):
            module(x[:, 10:], is_causal=True, cache=kept)
        mask = torch.ones(12, 12).bool()
        mask[10:, :10] = False
        mask[10:, rows] = True
        expected = module(x, mask, is_causal=True, positions=torch.cat([torch.arange(10), place + torch.arange(2)]))
        places = torch.arange(place, place + 2)
        ours = module(x[:, 10:], is_causal=True, cache=kept, positions=places, absorbed=absorbed)
        assert max_error(ours, expected[:, 10:]) <= 1e-12
        assert (len(kept), kept.seen) == (6, 12)
    cache.key, cache.value = cache.key[..., 6:, :], cache.value[..., 6:, :]
    assert latent(base=None)(x, cache=cache).isfinite().all()  # nothing is rotated, so no position is needed


def test_latent_attention_has_the_parameters_in_its_table():
    sizes = {"rotary_dim": 4, "head_dim": 6, "value_dim": 2, "query_latent_dim": 7}
    table = {
        "key_value_down.weight": (5 + 4, 10),
        "key_value_norm": (5,),
        "key_value_up": (3, 6 + 2, 5),
        "query_down.weight": (7, 10),
        "query_norm": (7,),
        "query_up.weight": (3 * (6 + 4), 7),
        "out_proj.weight": (10, 3 * 2),
    }
    module = ac.LatentAttention(10, 3, 5, **sizes)  # num_heads need not divide embed_dim if both other widths are given
    assert {name: tuple(x.shape) for name, x in module.named_parameters()} == table
    for absorbed in (False, True):
        assert module(torch.randn(2, 4, 10), absorbed=absorbed).shape == (2, 4, 10)
    module = ac.LatentAttention(12, 3, 5)
    assert (module.head_dim, module.value_dim, module.rotary_dim) == (4, 4, 0)
    assert module.query_up.weight.shape == (12, 12)
    assert module.query_down is module.query_norm is None


def test_latent_attention_starts_with_norms_of_one_and_maps_like_linear_layers():
    torch.manual_seed(0)
    modules = [ac.LatentAttention(8, 2, 16, query_latent_dim=5) for _ in range(40)]
    assert all((norm == 1).all() for module in modules for norm in (module.key_value_norm, module.query_norm))
    ups = torch.stack([module.key_value_up.detach() for module in modules])
    linear = torch.stack([torch.nn.Linear(16, 16).weight.detach() for _ in range(40)])
    assert ups.abs().max().item() == pytest.approx(linear.abs().max().item(), rel=0.01)
    assert ups.std().item() == pytest.approx(linear.std().item(), rel=0.03)
    assert abs(ups.mean().item()) <= 0.005


def test_latent_attention_works_without_positions():
    module, x = latent(base=None), randn(2, 6, 12)
    turned = module(x.flip(1)).flip(1)
    assert max_error(turned, module(x)) <= 1e-12  # without positions or a mask, order plays no part
    assert max_error(latent(rotary_dim=0)(x, absorbed=True), latent(rotary_dim=0)(x)) <= 1e-12


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
    ours = RULES[rule](query, key, value, scale=0.7, chunk_size=chunk_size, **gates)
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
    assert (state.nbytes, ac.FadingState().nbytes) == (2 * 3 * 4 * 5 * 8, 0)


@every_rule
@pytest.mark.parametrize("width", [1, 3])
def test_gradients_of_memories(rule, width):
    inputs = [randn(2, 5, 3), randn(2, 7, 3, seed=1), randn(2, 7, 2, seed=2), -rand(2, 7, width, seed=3)]
    inputs += [rand(2, 7, 1, seed=4)] if rule == "delta" else []
    inputs = [x.requires_grad_() for x in inputs]

    def call(query, key, value, log_decay, *beta):
        more = {"beta": beta[0]} if beta else {}
        return RULES[rule](query, key, value, log_decay=log_decay, chunk_size=3, **more)

    assert torch.autograd.gradcheck(call, inputs)


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
@pytest.mark.parametrize("scale", [None, 0.7])
@pytest.mark.parametrize("heads", [(1, 3, 3), (3, 1, 1), (1, 3, 1), (1, 1, 3)])
def test_memories_take_batch_axes_that_broadcast_and_missing_gates(rule, scale, heads):
    sizes = zip(heads, (11, 9, 9), (4, 4, 2), strict=True)
    inputs = [randn(2, H, length, width, seed=i) / 2 for i, (H, length, width) in enumerate(sizes)]
    full = [x.expand(2, 3, *x.shape[2:]) for x in inputs]
    for log_decay in (None, -rand(9, 1), -rand(2, 1, 9, 4), -rand(2, 3, 9, 4)):
        for beta in (None, rand(9, 1), rand(2, 3, 9, 1)) if rule == "delta" else (None,):
            gates = {"log_decay": log_decay} | ({} if beta is None else {"beta": beta})
            ours = RULES[rule](*inputs, scale=scale, chunk_size=4, **gates)
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


@pytest.mark.parametrize(
    ("attention", "gates", "state"),
    [
        (ac.linear_attention, (), ac.LinearAttentionState),
        (ac.decayed_linear_attention, ("log_decay",), functools.partial(ac.FadingState, delta_rule=False)),
        (ac.delta_rule_attention, ("beta", "log_decay"), ac.FadingState),
    ],
)
def test_a_state_takes_the_place_of_a_cache(attention, gates, state):
    torch.manual_seed(0)
    module = ac.MultiHeadAttention(8, 2, num_kv_heads=1, attention=attention, gates=gates).double()
    x, cache = randn(3, 9, 8), state()
    parts = [module(part, is_causal=True, cache=cache) for part in x.split([4, 1, 4], 1)]
    assert max_error(torch.cat(parts, 1), module(x, is_causal=True)) <= 1e-12


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
