"""The two tiny GPTs that chapter 10 writes with: trained for longer, their weights stored in half precision."""

import sys

from safetensors import safe_open
from safetensors.torch import save_file
from tokenizers import Tokenizer

from experiments.chapters import RESULTS, head_of, run_all

CHAPTER = "10"
FORMS = ["softmax", "linear"]
STEPS = 12_000
FILE = RESULTS / "writers.safetensors"


def run(chapter, form, steps, seed):
    """The weights, and the tokenizer: the manual of another Python would give other tokens."""
    model, _ = chapter["train"](form, steps=steps, seed=seed)
    weights = {name: parameter.detach().half() for name, parameter in model.named_parameters()}
    return weights, chapter["tokenizer"].to_str()


def load_writers():
    """The weights of each model, by the name of its attention, and the tokenizer that both were trained with."""
    with safe_open(FILE, framework="pt") as file:
        stored = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118 - it is no dict
        tokenizer = Tokenizer.from_str(file.metadata()["tokenizer"])
    weights = {form: {} for form in FORMS}
    for name, tensor in stored.items():
        form, _, parameter = name.partition(".")
        weights[form][parameter] = tensor
    return weights, tokenizer


def main():
    results = run_all(sys.modules[__name__], [(form, STEPS, 0) for form in FORMS])
    tensors = {
        f"{form}.{name}": x for form, (weights, _) in zip(FORMS, results, strict=True) for name, x in weights.items()
    }
    save_file(tensors, FILE, metadata=head_of(sys.modules[__name__]) | {"tokenizer": results[0][1]})


if __name__ == "__main__":
    from experiments import writers  # under its own name, which the processes need

    writers.main()
