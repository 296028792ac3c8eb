"""The marks with which the pages are written, each named only here: they are the grammar of a page, and no words.

Pages are read by these marks in every language. A translator never sees one (but for a verdict), and a reader sees
what their language says for it: ``say_marks`` puts that in, at the end.
"""

import re

from languages import mark, say

PREDICT, QUIZ, TRY, CHECKED = mark("Predict."), mark("Quiz."), mark("Try."), mark("Checked.")  # a box's bold beginning
EXERCISE = mark("Exercise {number}.")
QUESTIONS = rf"^> \*\*(?:{PREDICT}|{QUIZ})\*\*"
SECOND_READING = mark("Second reading.")  # in italics, at the beginning of a section
AIMS = mark("After this chapter you can")  # before the list of a chapter's aims
# A heading's whole text
EXERCISES, IN_SHORT, PEOPLE_ASK = mark("Exercises"), mark("In short"), mark("What people ask")
READ_ON = mark("Read on.")  # in bold, at the end of a chapter
ANSWER = mark("Answer")  # a fold's title
FOLD = f"<details><summary>{ANSWER}</summary>"  # the line that begins a solution after a box
SYMPTOMS = [  # what a reader sees: headings of the first three notebooks of questions
    mark("Error about a shape"),
    mark("Error about a mask"),
    mark("NaN or infinity"),
    mark("Loss too low"),
    mark("Loss does not fall"),
    mark("Output changes with the batch"),
    mark("Rubbish or repetition"),
    mark("Odd attention map"),
    mark("Too slow"),
    mark("Out of memory"),
]
# In italics, of a popular statement, and of a question that people ask
SAID, IS_RIGHT, ASKED_ON, ASKED_BY = mark("Said"), mark("What is right:"), mark("Asked on"), mark("Asked by")
# With these a verdict begins, in bold; a translation keeps the one that it has
VERDICTS = {mark("No: "): mark("no"), mark("Only if "): mark("only if"), mark("Yes: "): mark("yes")}
VERDICTS[mark("Yes, ")] = "yes"

BOLD = {PREDICT, QUIZ, TRY, CHECKED, READ_ON}
ITALIC = {SECOND_READING, SAID, IS_RIGHT, ASKED_ON, ASKED_BY}
HEADINGS = {EXERCISES, IN_SHORT, PEOPLE_ASK, *SYMPTOMS}
NUMBERED = EXERCISE.replace("{number}", r"([\d.]+\d)")  # a pattern
AT_START = re.compile(
    rf"\*\*(?:{'|'.join(map(re.escape, sorted(BOLD)))}|{NUMBERED})\*\*(?:\s+|$)"
    rf"|\*(?:{'|'.join(map(re.escape, sorted(ITALIC)))})\*(?:\s+|$)"
    rf"|(?:{'|'.join(map(re.escape, sorted({AIMS, *HEADINGS})))})$"
)


def without_mark(paragraph):
    """The words of a paragraph without the mark with which it begins."""
    return AT_START.sub("", paragraph, count=1)


def say_mark(words):
    """What the reader's language says for a mark; all other words as they are."""
    if numbered := re.fullmatch(NUMBERED, words):
        return say(EXERCISE, number=numbered[1])
    return say(words) if words in BOLD | ITALIC | HEADINGS | {AIMS, ANSWER, *VERDICTS} else words


def say_verdict(text):
    """A text whose beginning, if it is a verdict, is what the reader's language says for it."""
    verdict = next(filter(text.startswith, VERDICTS), "")
    return say(verdict) + text[len(verdict) :] if verdict else text


def say_marks(text):
    """A markdown text with each mark as the reader's language says it."""
    of_verdict = "|".join(VERDICTS)
    text = re.sub(rf"(?<=^\*\*)(?:{of_verdict})", lambda found: say(found[0]), text, flags=re.MULTILINE)
    text = re.sub(r"(\*{1,2})([^*\n]+)(?=\1)", lambda found: found[1] + say_mark(found[2]), text)
    text = re.sub(r"^(#+ |)([^\n#>*-].*)$", lambda found: found[1] + say_mark(found[2]), text, flags=re.MULTILINE)
    return text.replace(FOLD, f"<details><summary>{say(ANSWER)}</summary>")
