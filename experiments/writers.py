"""The two tiny GPTs that write, trained for longer; their weights are stored in half precision."""

from tokenizers import Tokenizer

from experiments.chapters import load_weights

CHAPTER = "tiny_gpt"
FORMS = ["softmax", "linear"]
STEPS = 12_000
TODO = [(form, STEPS, 0) for form in FORMS]


def run(chapter, form, steps, seed):
    """The weights, and the chapter's tokenizer."""
    model, _ = chapter["train"](form, steps=steps, seed=seed)
    return {name: x.detach() for name, x in model.named_parameters()}, chapter["tokenizer"].to_str()


def load_writers():
    """The weights of each model, by the name of its attention, and the tokenizer that both were trained with."""
    weights, stored = load_weights("writers")
    return {form: weights[form] for form in FORMS}, Tokenizer.from_str(stored["tokenizer"])


def to_store(results):
    weights = {form: parameters for form, (parameters, _) in zip(FORMS, results, strict=True)}
    return weights, {"tokenizer": results[0][1]}
