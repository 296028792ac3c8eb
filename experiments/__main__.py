"""Run all experiments: `make experiments`, about two hours on two cores."""

from experiments import additive, copying, dates, heads, memories, recall, text, writers

if __name__ == "__main__":
    for experiment in (additive, heads, copying, text, writers, recall, memories, dates):
        experiment.main()
