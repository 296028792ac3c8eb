"""Run all experiments: `make experiments`, some hours on two cores."""

from experiments import (
    ablations,
    additive,
    copier,
    copying,
    dates,
    far_keys,
    heads,
    lengths,
    memories,
    pairs,
    parities,
    recall,
    sinks,
    starts,
    text,
    translator,
    writers,
)

if __name__ == "__main__":
    for experiment in (
        additive,
        starts,
        heads,
        lengths,
        far_keys,
        copier,
        copying,
        pairs,
        text,
        writers,
        recall,
        memories,
        parities,
        dates,
        translator,
        ablations,
        sinks,
    ):
        experiment.main()
