"""Run all experiments: `make experiments`, about two hours on two cores."""

from experiments import ablations, additive, copying, dates, heads, memories, recall, sinks, text, translator, writers

if __name__ == "__main__":
    for experiment in (additive, heads, copying, text, writers, recall, memories, dates, translator, ablations, sinks):
        experiment.main()
