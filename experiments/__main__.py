"""Run all experiments: `make experiments`, about two hours on two cores."""

from experiments import copying, dates, heads, lengths, memories, recall, starts, text, writers

if __name__ == "__main__":
    for experiment in (starts, heads, lengths, copying, text, writers, recall, memories, dates):
        experiment.main()
