"""One head, or several with the same total width, on a task that asks for the words in four places."""

CHAPTER = "multi_head_attention"
SEEDS = range(3)
TODO = [(num_heads, steps, s) for num_heads in (0, 1, 2, 4) for steps in (300, 1500, 6000) for s in SEEDS]
TODO += [(n, steps, s, rate) for rate in (0.01, 0.02, 0.04) for n, steps in ((1, 500), (4, 100)) for s in SEEDS]


def run(chapter, num_heads, steps, seed, rate=0.003):
    share = chapter["report"](num_heads, steps, seed, rate)
    return {"heads": num_heads, "rate": rate, "steps": steps, "seed": seed, "all four right": round(share, 4)}
