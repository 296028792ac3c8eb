"""What the machine and the title page's picture say about their state: sentences by their ids, also for the page.

The programs, in Python and in JavaScript, find an id and values. The id of a sentence about a goal begins with the
verdict: reached, not_yet, or out (of reach).
"""

import json

from languages import mark, say

OF_MACHINE = {
    # The number under the lens
    "nowhere": mark("This state has no such row, column or head."),
    "learned": mark("a number that a model would learn: {here}, for “{row}”. Change it, up or down."),
    "same": mark("“{row}” is “{column}”: {here}"),
    "other": mark("“{row}” is not “{column}”: {here}"),
    "of_row": mark("“{row}”: {terms} = {here}"),
    "product": mark("query of “{row}” · key of “{column}” = {terms} = {here}"),
    "hidden": mark("“{column}” comes after “{row}”: hidden, −∞"),
    "scaled": "({terms}) ÷ √{width} = {here}",
    "sum": "{terms} = {here}",
    "share": mark("{power} / ({powers}) = {here}: “{row}” looks at “{column}”"),
    # The word to follow
    "followed": mark(
        "“{row}”, word {n}: weights: {share_11} for “{word_1}”, {share_12} for “{word_2}”, {share_13} for “{word_3}”, "
        "{share_14} for “{word_4}”; output: {output}"
    ),
    "followed_in_heads": mark(
        "“{row}”, word {n}: weights of head 1: {share_11} for “{word_1}”, {share_12} for “{word_2}”, {share_13} for "
        "“{word_3}”, {share_14} for “{word_4}”; weights of head 2: {share_21} for “{word_1}”, {share_22} for "
        "“{word_2}”, {share_23} for “{word_3}”, {share_24} for “{word_4}”; output: {output}"
    ),
    # Goals
    "out twice": mark(
        "Out of reach: “{word}” occurs more than once. Equal words have equal keys, so none of them gets more than "
        "half."
    ),
    "reached third": mark("Reached: “{word}” gives “{third}” {share}, more than half."),
    "not_yet third": mark("Not yet: “{word}” gives “{third}” {share}; it must be more than 0.5."),
    "reached itself": mark("Reached: “{word}” (word {n}) gives itself {share}."),
    "not_yet itself": mark("Not yet: “{word}” (word {n}) gives itself {share}; it must be at least 0.99."),
    "out itself": mark(
        "Out of reach: each of these words occurs more than once among those that it sees. Equal words have equal "
        "keys, so none of them gets more than half."
    ),
    "reached two_jobs": mark(
        "Reached: for “{word}”, head 1 gives “{first}” {first_share} and head 2 gives “{second}” {second_share}."
    ),
    "not_yet two_jobs": mark(
        "Not yet: for “{word}”, head 1 gives “{first}” {first_share} and head 2 gives “{second}” {second_share}; each "
        "must give more than 0.5 to a different word."
    ),
    "not_yet two_heads": mark("Not yet: switch on two heads."),
    "out two_jobs": mark(
        "Out of reach: two words are needed that occur only once. Equal words have equal keys, so none of them gets "
        "more than half."
    ),
    "reached before": mark("Reached: “{word}” (word {n}) gives the word before it {share}, and no word gives less."),
    "reached before_in_head": mark(
        "Reached: in head {head}, “{word}” (word {n}) gives the word before it {share}, and no word gives less."
    ),
    "not_yet before": mark("Not yet: “{word}” (word {n}) gives the word before it {share}; it must be more than 0.5."),
    "not_yet before_in_head": mark(
        "Not yet: in head {head}, “{word}” (word {n}) gives the word before it {share}; it must be more than 0.5."
    ),
    "not_yet causal": mark(
        "Not yet: switch on the causal mask. “{word}” occurs more than once. Equal words have equal keys, so none of "
        "them gets more than half."
    ),
    "not_yet equal": mark("Not yet: in every row all scores are equal. Change one, and look at the weights."),
    "out equal": mark(
        "Out of reach: in the row of “{word}” two scores differ by {gap}, so their weights differ by a factor of "
        "e^({gap}). Before rounding, only equal scores give equal weights."
    ),
    "out equal_in_head": mark(
        "Out of reach: in head {head}, in the row of “{word}” two scores differ by {gap}, so their weights differ by a "
        "factor of e^({gap}). Before rounding, only equal scores give equal weights."
    ),
    "reached outside": mark(
        "Reached: the output of “{word}” is ({x}, {y}), which is no average of the values. Each head averages a column "
        "of its own."
    ),
    "not_yet outside": mark(
        "Not yet: each output is still an average of the values. Let the heads look at different words."
    ),
    "out outside": mark(
        "Out of reach: with one head each output is an average of the values, because no weight is negative and a row "
        "sums to 1. Try two heads."
    ),
}
OF_OPENING = {
    "average": mark("“{word}” looks at all four words alike. Its output is their plain average."),
    "no_query": mark("“{word}” looks at all four words alike. Its query is 0: it asks for nothing."),
    "most": mark("“{word}” looks most at “{found}”, {weight}. Its output is a mixture of all."),
    "mostly": mark("“{word}” looks mostly at “{found}”, {weight}. Its output is a mixture, mostly of “{found}”."),
    "mostly_both": mark(
        "“{word}” looks mostly at both “{found}”, {weight} each. Its output is a mixture, mostly of “{found}”."
    ),
    "only": mark("“{word}” looks only at “{found}”, {weight}. Attention has become a look-up."),
    "only_both": mark(
        "“{word}” looks only at both “{found}”, {weight} each. They are the same word: no sharpness can choose."
    ),
}
SENTENCES = OF_MACHINE | OF_OPENING
SCRIPT = f"book.four_words = {json.dumps(SENTENCES, ensure_ascii=False)};\n"


def in_words(found):
    """The sentence for an id and its values; for None, no words."""
    if found is None:
        return ""
    ident, values = found
    return say(SENTENCES[ident], **values)
