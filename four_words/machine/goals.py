"""Goals for readers who play with the machine: reached or not, and why. The page's copy is in machine.js."""

import itertools
import math

from .numbers import HIDDEN, heads_in, short

NAMES = {
    "no goal": "none",
    "the last word looks mostly at the third": "third",
    "one word looks at itself alone": "itself",
    "two heads with two jobs": "two_jobs",
    "every word looks at the one before it": "before",
    "equal weights from unequal scores": "equal",
    "an output outside of all values": "outside",
}


def verdict(goal, made, *, causal):
    """The id of the sentence on a goal in the current state, and its values; None if there is no goal."""
    return CHECKS[goal](made, causal) if goal in CHECKS else None


def as_shown(share):
    """A share, rounded as the sentences print it, so that no sentence can contradict itself."""
    return float(short(share))


def reached_if(is_reached, goal, **values):
    return f"{'reached' if is_reached else 'not_yet'} {goal}", values


def last_at_third(made, causal):
    words = made["x"].rows
    best = max(made[f"weights_{h}"].numbers[3, 2] for h in range(heads_in(made)))
    if words[2] in (words[0], words[1], words[3]):
        return "out twice", {"word": words[2]}
    return reached_if(as_shown(best) > 0.5, "third", word=words[3], third=words[2], share=short(best))


def itself_alone(made, causal):
    words = made["x"].rows
    choices = range(1 if causal else 0, 4)  # under the mask the first word has no choice
    if all((words[: i + 1] if causal else words).count(words[i]) > 1 for i in choices):
        return "out itself", {}
    shares = {(i, h): made[f"weights_{h}"].numbers[i, i].item() for i in choices for h in range(heads_in(made))}
    (i, _), best = max(shares.items(), key=lambda item: item[1])
    return reached_if(as_shown(best) >= 0.99, "itself", word=words[i], n=i + 1, share=short(best))


def two_jobs(made, causal):
    if heads_in(made) == 1:
        return "not_yet two_heads", {}
    words = made["x"].rows
    if sum(words.count(word) == 1 for word in words) < 2:
        return "out two_jobs", {}
    largest = [max((w.item(), -s) for s, w in enumerate(made[f"weights_{h}"].numbers[3])) for h in range(2)]
    first, second = (words[-s] for _, s in largest)
    shares = [w for w, _ in largest]
    is_reached = min(map(as_shown, shares)) > 0.5 and first != second
    found = {"first": first, "first_share": short(shares[0]), "second": second, "second_share": short(shares[1])}
    return reached_if(is_reached, "two_jobs", word=words[3], **found)


def one_before(made, causal):
    words = made["x"].rows
    if twice := out_of_reach(words, causal):
        return "out twice" if out_of_reach(words, causal=True) else "not_yet causal", {"word": twice}
    of_heads = [[made[f"weights_{h}"].numbers[i, i - 1].item() for i in range(1, 4)] for h in range(heads_in(made))]
    head = max(range(len(of_heads)), key=lambda h: min(of_heads[h]))
    shares = of_heads[head]
    i = min(range(3), key=lambda i: shares[i])
    goal = "before_in_head" if len(of_heads) > 1 else "before"
    found = {"head": head + 1, "word": words[i + 1], "n": i + 2, "share": short(shares[i])}
    return reached_if(as_shown(shares[i]) > 0.5, goal, **found)


def out_of_reach(words, causal):
    """The word because of which no tables make every word look mostly at the one before it; "" if some tables do."""
    for i in range(1, 4):
        visible = words[: i + 1] if causal else words
        if visible.count(words[i - 1]) > 1:
            return words[i - 1]
    return ""


def equal_weights(made, causal):
    heads = heads_in(made)
    for h, i in itertools.product(range(heads), range(4)):
        row = made[f"scores_{h}"].numbers[i]
        seen = row[row != HIDDEN]
        if len(seen) > 1 and seen.max() > seen.min():
            found = {"head": h + 1, "word": made["x"].rows[i], "gap": short(seen.max() - seen.min())}
            return "out equal_in_head" if heads > 1 else "out equal", found
    return "not_yet equal", {}


def outside(made, causal):
    values, outputs = made["v"].numbers.tolist(), made["output"].numbers.tolist()
    if heads_in(made) == 1:
        return "out outside", {}
    far = [distance_to_hull(output, values) for output in outputs]
    i = max(range(4), key=lambda i: far[i])
    x, y = map(short, outputs[i])
    return reached_if(as_shown(far[i]) > 0, "outside", word=made["x"].rows[i], x=x, y=y)


def distance_to_hull(point, values):
    """How far a point of the plane is from the hull of the values, by the best of some lines between the two: 0 inside.

    If there is a line, one of these is: along a side of the hull, or square to the way to a corner.
    """
    ways = [(p - q, r - t) for (p, r), (q, t) in itertools.permutations([point, *values], 2)]
    distances = [0.0]
    for x, y in [*ways, *((-y, x) for x, y in ways)]:
        if x or y:
            beyond = x * point[0] + y * point[1] - max(x * v + y * w for v, w in values)
            distances.append(beyond / math.hypot(x, y))
    return max(distances)


CHECKS = {
    "third": last_at_third,
    "itself": itself_alone,
    "two_jobs": two_jobs,
    "before": one_before,
    "equal": equal_weights,
    "outside": outside,
}
