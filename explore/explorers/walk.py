"""A computation in steps: one drawing, a step slider, and a sentence for each step."""

import html
import json

import ipywidgets
import traitlets

from languages import of_picture, say

from .controls import Control
from .explorer import explore
from .markup import STEPS

TWO_LINES = "56px"  # for the sentence of a step: what is below does not move when a longer one comes


def walk(*sentences):
    """Turn a function of ``step`` into a walk: a picture for each of the ``sentences``, with the sentence above it.

        @walk("Every key meets the query.", "Divide by √d_k.", "The softmax turns scores into weights.")
        def one_output(step):
            \"\"\"The output for the last saw is an average of values.\"\"\"
            fig, ax = canvas(12, height=6)
            ...
            return fig

    The steps are 0, 1, 2 … A walk is an explorer with one control, which on the page has buttons, too: one step back,
    one step forward, and *play*, which stops at any touch. It begins with its first step; on paper and as a notebook's
    stored picture it shows its last.

    Raises ``TypeError`` for a sentence that is not text, ``ValueError`` for fewer than two sentences or an empty one.
    """
    if len(sentences) < 2:
        raise ValueError(f"a walk needs a sentence for each of its steps, at least two, got {len(sentences)}")
    for sentence in sentences:
        if not isinstance(sentence, str):
            raise TypeError(f"a walk's sentences must be text, got {sentence!r:.80}")
        if not sentence.strip():
            raise ValueError("a walk's sentence must not be empty")
    if len(set(sentences)) < len(sentences):
        raise ValueError(f"each step of a walk needs a sentence of its own, got {sentences!r:.80}")
    return explore(step=Steps(sentences))


class Steps(Control):
    """The steps of a walk. The label of a step is its sentence, so that a screen reader says it."""

    def __init__(self, sentences):
        super().__init__("step", dict(zip(sentences, range(len(sentences)), strict=True)))
        self.kind = "steps"

    def in_words(self, index):
        return f"{index + 1} of {len(self.values)}"

    def shown(self, index):
        return say("{n} of {all}", n=index + 1, all=len(self.values))

    def sentences(self):
        """The steps in the reader's language."""
        return [of_picture(sentence) for sentence in self.labels]

    def still(self, start):
        return len(self.values) - 1

    def widget(self, start):
        return StepsWidget(self.title, self.sentences(), start)

    def to_html(self, uid, start):
        ident = f"{uid}-{self.name}"
        sentences = self.sentences()
        labels = html.escape(json.dumps(sentences, ensure_ascii=False))
        now, name = html.escape(sentences[start]), html.escape(self.title)
        back, forward, play = map(html.escape, (say("one step back"), say("one step forward"), say("play")))
        return (
            f'<div class="explorer-control {STEPS}" data-control="{self.name}">'
            f'<button type="button" data-by="-1" aria-label="{back}">◀</button>'
            f'<input type="range" id="{ident}" autocomplete="off" min="0" max="{len(self.values) - 1}" step="1" '
            f'value="{start}" aria-label="{name}" aria-valuetext="{now}" data-labels="{labels}">'
            f'<output for="{ident}" aria-live="off">{now}</output>'
            f'<button type="button" data-by="1" aria-label="{forward}">▶</button>'
            f'<button type="button" class="explorer-play">{play}</button></div>'
        )


class StepsWidget(ipywidgets.VBox):
    """The live form: a slider with a play button, and the step's sentence below."""

    value = traitlets.Int()

    def __init__(self, title, sentences, start):
        last = len(sentences) - 1
        options = {"style": {"description_width": "initial"}, "layout": {"flex": "1 1 9em", "width": "auto"}}
        slider = ipywidgets.IntSlider(start, 0, last, description=title, readout=False, **options)
        play = ipywidgets.Play(value=start, min=0, max=last, interval=2500)
        ipywidgets.jslink((play, "value"), (slider, "value"))
        sentence = ipywidgets.HTML(html.escape(sentences[start]), layout={"min_height": TWO_LINES})
        row = ipywidgets.Box([play, slider], layout={"flex_flow": "row wrap"})
        super().__init__([row, sentence], value=start, layout={"width": "100%"})

        def go(change):
            self.value = change["new"]
            sentence.value = html.escape(sentences[self.value])

        slider.observe(go, "value")
