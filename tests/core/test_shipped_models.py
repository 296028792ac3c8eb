"""The attention of models from 2024 to 2026 in `transformers`, against the same layers made from the book's functions.

Every layer gets the inputs that it has inside a small random model, in batches with padding. It first reads the whole
text at once, with gradients with respect to everything that the output depends on. Then it reads a beginning, and after
that one token at a time.
"""

import contextlib
import warnings

import pytest
import torch
from shipped_layers import CONFIGURATIONS, LAYERS, Past

L, START = 13, 6
LATENT = ("DeepseekV3Attention", "DeepseekV32Attention", "KimiLinearAttention")
REAL = torch.ones(2, L, dtype=torch.bool)
REAL[1, :3] = False  # padding on the left, as for generation


@pytest.fixture(scope="module", params=CONFIGURATIONS)
def model(request):
    import transformers  # here, because each worker imports each test file

    transformers.logging.set_verbosity_error()
    torch.manual_seed(0)
    config = transformers.AutoConfig.for_model(request.param, **CONFIGURATIONS[request.param])
    options = {} if request.param == "mamba2" else {"attn_implementation": "eager"}
    model = transformers.AutoModel.from_config(config, **options).eval()
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():  # so that scores have every size, norms are not 1, and biases are not 0
        for parameter in model.parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if parameter.ndim >= 2:
                parameter.copy_(noise * 1.5 / parameter[0].numel() ** 0.5)
            else:
                parameter.add_(0.3 * noise)
    return model


@contextlib.contextmanager
def watching(model):
    """A list that grows: the arguments and the output of every call of a layer with attention."""
    calls = []

    def note(layer, args, kwargs, output):
        kwargs |= {"hidden_states": args[0]} if args else {}
        calls.append((layer, kwargs, output[0] if isinstance(output, tuple) else output))

    hooks = [
        layer.register_forward_hook(note, with_kwargs=True)
        for layer in model.modules()
        if type(layer).__name__ in LAYERS
    ]
    yield calls
    for hook in hooks:
        hook.remove()


def tokens():
    return torch.randint(3, 100, (2, L), generator=torch.Generator().manual_seed(2))


def ours(layer, x, real, past, **options):
    return LAYERS[type(layer).__name__](layer, x, real, past, **options)


def close(a, b, tolerance):
    scale = max(b.abs().max().item(), 1)
    return (a - b).abs().max().item() <= tolerance * scale


def test_first_matrices_have_the_sizes_in_chapter_2():
    import transformers

    for family in ("gpt2", "bert", "llama"):
        assert transformers.AutoConfig.for_model(family).initializer_range == 0.02
    torch.manual_seed(0)
    config = transformers.AutoConfig.for_model("t5", d_model=256, d_kv=64, num_heads=4, num_layers=1, d_ff=8)
    attention = transformers.AutoModel.from_config(config).eval().encoder.block[0].layer[0].SelfAttention
    std_q, std_k = attention.q.weight.std(), attention.k.weight.std()
    assert abs(std_k / std_q / 8 - 1) < 0.02  # W_q is smaller by the square root of the head's width
    inputs = torch.randn(1, 5, 256)
    q, k, v = (getattr(attention, name)(inputs).view(1, 5, 4, 64).transpose(1, 2) for name in "qkv")
    weights = (q @ k.mT + attention.compute_bias(5, 5)).softmax(-1)  # and the scores are not divided
    expected = attention.o((weights @ v).transpose(1, 2).reshape(1, 5, 256))
    assert close(attention(inputs)[0], expected, 1e-5)


def test_whole_texts_and_their_gradients_agree(model):
    with watching(model) as calls, torch.no_grad():
        model(tokens(), attention_mask=REAL.long(), use_cache=False)
    assert len(calls) == model.config.num_hidden_layers
    for layer, kwargs, output in calls:
        x = kwargs.pop("hidden_states").detach().requires_grad_()
        parameters = list(layer.parameters())
        theirs = layer(x, **kwargs)
        theirs = theirs[0] if isinstance(theirs, tuple) else theirs
        assert torch.equal(theirs[REAL], output[REAL])
        forms = [{}] if type(layer).__name__ not in LATENT else [{}, {"absorbed": True}]
        weights = torch.randn(output.shape, generator=torch.Generator().manual_seed(3)) * REAL[..., None]
        expected = torch.autograd.grad((theirs * weights).sum(), [x, *parameters], allow_unused=True)
        for form in forms:
            mine = ours(layer, x, REAL, None, **form)
            assert close(mine[REAL], theirs[REAL], 1e-5)
            gradients = torch.autograd.grad((mine * weights).sum(), [x, *parameters], allow_unused=True)
            for ours_, theirs_ in zip(gradients, expected, strict=True):
                assert (ours_ is None) == (theirs_ is None)
                assert ours_ is None or close(ours_, theirs_, 2e-5)


def test_a_beginning_and_then_single_tokens_agree(model):
    everything, memory, cache = tokens(), {}, None
    name = "cache_params" if model.config.model_type == "mamba2" else "past_key_values"
    for first, last in [(0, START), *((i, i + 1) for i in range(START, L))]:
        real = REAL[:, :last]
        with watching(model) as calls, torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kept = {} if cache is None else {name: cache}
            output = model(everything[:, first:last], attention_mask=real.long(), use_cache=True, **kept)
        cache = output[name]
        for layer, kwargs, theirs in calls:
            past = memory.setdefault(layer, Past())
            options = {"absorbed": last % 2 == 0} if type(layer).__name__ in LATENT else {}
            with torch.no_grad():
                mine = ours(layer, kwargs["hidden_states"], real, past, **options)
            seen = real[:, first:]
            assert close(mine[seen], theirs[seen], 1e-5)


@pytest.mark.parametrize("family", [name for name in CONFIGURATIONS if name != "mamba2"])
def test_by_default_a_query_that_sees_only_padding_gets_zero(family):
    """The chapter on what ships says this of most families: of all but gemma2, whose default is the eager code."""
    import transformers

    torch.manual_seed(0)
    config = transformers.AutoConfig.for_model(family, **CONFIGURATIONS[family])
    model = transformers.AutoModel.from_config(config)
    mixed = []
    for name, module in model.named_modules():
        if name.rpartition(".")[2] in ("o_proj", "out_proj"):
            module.register_forward_pre_hook(lambda _, args: mixed.append(args[0].reshape(2, L, -1)))
    with torch.no_grad():
        model(tokens(), attention_mask=REAL.long(), use_cache=False)
    assert len(mixed) == config.num_hidden_layers
    assert all(bool(x[1, :3].any()) == (family == "gemma2") for x in mixed)
    assert all(x[REAL].any() for x in mixed)
