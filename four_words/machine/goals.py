"""Goals for readers who play with the machine: reached or not, and why. The page's copy is in machine.js."""

import itertools
import math

from .numbers import HIDDEN, heads_in, short


def verdict(goal, made, *, causal):
    """A sentence on one of ``NAMES`` for the current state; it begins with Reached, Not yet or Out of reach."""
    return CHECKS[goal](made, causal) if goal in CHECKS else ""


EQUAL_KEYS = "Equal words have equal keys, so none of them gets more than half."


def as_shown(share):
    """A share, rounded as the sentences print it, so that no sentence can contradict itself."""
    return float(short(share))


def more_than_once(word):
    return f"“{word}” occurs more than once. {EQUAL_KEYS}"


def last_at_third(made, causal):
    words = made["x"].rows
    shares = [made[f"weights_{h}"].numbers[3, 2] for h in range(heads_in(made))]
    best = max(shares)
    found = f"“{words[3]}” gives “{words[2]}” {short(best)}"
    if words[2] in (words[0], words[1], words[3]):
        return f"Out of reach: {more_than_once(words[2])}"
    is_reached = as_shown(best) > 0.5
    return f"Reached: {found}, more than half." if is_reached else f"Not yet: {found}; it must be more than 0.5."


def itself_alone(made, causal):
    words = made["x"].rows
    choices = range(1 if causal else 0, 4)  # under the mask the first word has no choice
    if all((words[: i + 1] if causal else words).count(words[i]) > 1 for i in choices):
        return f"Out of reach: each of these words occurs more than once among those that it sees. {EQUAL_KEYS}"
    shares = {(i, h): made[f"weights_{h}"].numbers[i, i].item() for i in choices for h in range(heads_in(made))}
    (i, _), best = max(shares.items(), key=lambda item: item[1])
    found = f"“{words[i]}” (word {i + 1}) gives itself {short(best)}"
    return f"Reached: {found}." if as_shown(best) >= 0.99 else f"Not yet: {found}; it must be at least 0.99."


def two_jobs(made, causal):
    if heads_in(made) == 1:
        return "Not yet: switch on two heads."
    words = made["x"].rows
    if sum(words.count(word) == 1 for word in words) < 2:
        return f"Out of reach: two words are needed that occur only once. {EQUAL_KEYS}"
    largest = [max((w.item(), -s) for s, w in enumerate(made[f"weights_{h}"].numbers[3])) for h in range(2)]
    at = [words[-s] for _, s in largest]
    found = " and ".join(f"head {h + 1} gives “{at[h]}” {short(largest[h][0])}" for h in range(2))
    if min(as_shown(w) for w, _ in largest) > 0.5 and at[0] != at[1]:
        return f"Reached: for “{words[3]}”, {found}."
    return f"Not yet: for “{words[3]}”, {found}; each must give more than 0.5 to a different word."


def one_before(made, causal):
    words = made["x"].rows
    if reason := out_of_reach(words, causal):
        within_reach = not out_of_reach(words, causal=True)
        return f"Not yet: switch on the causal mask. {reason}" if within_reach else f"Out of reach: {reason}"
    of_heads = [[made[f"weights_{h}"].numbers[i, i - 1].item() for i in range(1, 4)] for h in range(heads_in(made))]
    head = max(range(len(of_heads)), key=lambda h: min(of_heads[h]))
    shares = of_heads[head]
    i = min(range(3), key=lambda i: shares[i])
    where = f"in head {head + 1}, " if len(of_heads) > 1 else ""
    found = f"{where}“{words[i + 1]}” (word {i + 2}) gives the word before it {short(shares[i])}"
    if as_shown(shares[i]) > 0.5:
        return f"Reached: {found}, and no word gives less."
    return f"Not yet: {found}; it must be more than 0.5."


def out_of_reach(words, causal):
    """Why no tables make every word look mostly at the one before it; an empty string if some tables do."""
    for i in range(1, 4):
        visible = words[: i + 1] if causal else words
        if visible.count(words[i - 1]) > 1:
            return more_than_once(words[i - 1])
    return ""


def equal_weights(made, causal):
    heads = heads_in(made)
    for h, i in itertools.product(range(heads), range(4)):
        row = made[f"scores_{h}"].numbers[i]
        seen = row[row != HIDDEN]
        if len(seen) > 1 and seen.max() > seen.min():
            gap = short(seen.max() - seen.min())
            where = f"in head {h + 1}, in the row of" if heads > 1 else "in the row of"
            return (
                f"Out of reach: {where} “{made['x'].rows[i]}” two scores differ by {gap}, so their weights differ by a "
                f"factor of e^({gap}). Before rounding, only equal scores give equal weights."
            )
    return "Not yet: in every row all scores are equal. Change one, and look at the weights."


def outside(made, causal):
    values, outputs = made["v"].numbers.tolist(), made["output"].numbers.tolist()
    if heads_in(made) == 1:
        return (
            "Out of reach: with one head each output is an average of the values, because no weight is negative and a "
            "row sums to 1. Try two heads."
        )
    far = [distance_to_hull(output, values) for output in outputs]
    i = max(range(4), key=lambda i: far[i])
    found = f"the output of “{made['x'].rows[i]}” is ({short(outputs[i][0])}, {short(outputs[i][1])})"
    if as_shown(far[i]) > 0:
        return f"Reached: {found}, which is no average of the values. Each head averages a column of its own."
    return "Not yet: each output is still an average of the values. Let the heads look at different words."


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
    "the last word looks mostly at the third": last_at_third,
    "one word looks at itself alone": itself_alone,
    "two heads with two jobs": two_jobs,
    "every word looks at the one before it": one_before,
    "equal weights from unequal scores": equal_weights,
    "an output outside of all values": outside,
}
NAMES = ["no goal", *CHECKS]
