"""The two-layer model of the tiny GPT's chapter, and a one-layer model: scores after each step."""

import json

from experiments.chapters import load_weights

CHAPTER = "tiny_gpt"
RUNS = {"one layer": ["softmax"], "two layers": ["softmax", "softmax"]}
STEPS = 600
TODO = [(layers, STEPS, 0) for layers in RUNS.values()]


def run(chapter, layers, steps, seed):
    model, history = chapter["learn_to_copy"](layers, range(1, steps + 1), seed)
    return {name: x.detach() for name, x in model.named_parameters()}, history


def load_copier():
    """The weights of the two layers, and the results of ``two_scores`` by number of layers and by step."""
    models, stored = load_weights("copier")
    histories = {
        name: {int(step): scores for step, scores in history.items()}
        for name, history in json.loads(stored["histories"]).items()
    }
    return models["two layers"], histories


def to_store(results):
    """The weights of the two layers, and the histories of both models."""
    (_, one), (weights, two) = results
    return {"two layers": weights}, {"histories": json.dumps(dict(zip(RUNS, (one, two), strict=True)))}
