"""The language model with something changed: hidden tokens, values, a window, heads off, a factor."""

CHAPTER = "a_language_model"
SEEDS = range(4)  # each with eight of the chapter's 32 passages of the manual, and five texts of random tokens
KINDS = ("sinks", "hidden", "worth", "alone", "cost", "window", "off", "again", "factor")
SETS = {"cost": 1, "off": 3}  # of texts; the others have one for each seed
TODO = [(kind, seed) for kind in KINDS for seed in SEEDS if seed < SETS.get(kind, len(SEEDS))]


def run(chapter, kind, seed):
    tokens = chapter["texts"][8 * seed : 8 * seed + 8]
    if kind == "sinks":
        found = chapter["sinks_of"](tokens)
    elif kind == "hidden":
        found = {name: chapter["when_hidden"](tokens, *case) for name, case in chapter["CASES"].items()}
    elif kind == "worth":
        found = chapter["worth_of_values"](tokens)
    elif kind == "alone":
        found = chapter["when_few_are_seen"](tokens)
    elif kind == "cost":
        found = {way: chapter["chances"](way) for way in chapter["WAYS"]}
    elif kind == "window":
        loss, kept = chapter["late_loss"], chapter["KEPT"].items()
        by_size = {name: [loss(tokens, w, one) for w in (4, 16, 32)] for name, one in kept}
        found = {name: list(zip(*of_sizes, strict=True)) for name, of_sizes in by_size.items()}
        found["all tokens seen"] = [[x] for x in loss(tokens, 96)]
    elif kind == "off":
        found = chapter["measures_without"](chapter["repeated"](seed))
    elif kind == "again":
        heads = chapter["heads_to_switch_off"](chapter["all_weights"](chapter["repeated"](seed)))
        found = chapter["where_it_rises"](tokens, heads)
    else:
        found = {str(factor): chapter["losses_with_factor"](tokens, factor) for factor in chapter["FACTORS"]}
    return {"kind": kind, "seed": seed, "found": rounded(found)}


def rounded(found):
    if isinstance(found, dict):
        return {name: rounded(x) for name, x in found.items()}
    return round(found, 3) if isinstance(found, float) else [rounded(x) for x in found]
