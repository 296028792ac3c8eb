"""Run all experiments: `make experiments`, about an hour on two cores."""

from experiments import heads, memories, recall, text

if __name__ == "__main__":
    for experiment in (heads, recall, text, memories):
        experiment.main()
