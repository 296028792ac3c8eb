"""States of an explorer worth seeing: buttons that set all controls and say what to notice."""

import html
import json
from typing import NamedTuple

import ipywidgets

from languages import of_picture, say


class State(NamedTuple):
    """A button's name, the sentence about its state, and the values of the controls that differ from the start."""

    name: str
    sentence: str
    values: dict


def state(name, sentence, /, **values):
    """For ``explore``: a button ``name`` that sets the controls to these ``values`` (all others to their start), and
    shows the ``sentence``: what to notice. One of an explorer's states should be its start.

        @explore(state("Raise the scale", "One key has nearly all the weight.", sigma=8), sigma=[1, 2, 4, 8])

    Raises ``TypeError`` if name or sentence is not text, ``ValueError`` if one is empty.
    """
    for what, written in (("name", name), ("sentence", sentence)):
        if not isinstance(written, str):
            raise TypeError(f"a state's {what} must be text, got {written!r:.80}")
        if not written.strip():
            raise ValueError(f"a state's {what} must not be empty")
    return State(name, sentence, values)


def check_states(states):
    """The states as a list. Raises ``TypeError`` for anything else, ``ValueError`` for two with the same name."""
    for given in states:
        if not isinstance(given, State):
            raise TypeError(
                f"explore takes states before its controls, such as state(name, sentence, …), got {given!r:.80}"
            )
    names = [given.name for given in states]
    if len(set(names)) < len(names):
        raise ValueError(f"each state needs a name of its own, got {', '.join(names)}")
    return list(states)


def positions_of(given, controls, start):
    """The position of each control in the state ``given``; an error names the state and the control."""
    for name in given.values:
        if name not in controls:
            raise TypeError(f"state {given.name!r} has no control {name!r}; the controls are {', '.join(controls)}")
    positions = start.copy()
    for name, value in given.values.items():
        try:
            positions[name] = controls[name].position_for(value)
        except (TypeError, ValueError) as error:
            raise type(error)(f"state {given.name!r}: {error}") from None
    return tuple(positions.values())


def states_html(explorer):
    """The buttons, and the sentence of the state that is the start. A flip-book gets positions; a program gets text,
    as in a link.
    """
    buttons, notice, name = "", "", html.escape(say("States worth seeing"))
    for given, positions in explorer.states:
        is_start = positions == tuple(explorer.start.values())
        sentence = html.escape(of_picture(given.sentence))
        if is_start:
            notice = sentence
        if explorer.is_open:
            pairs = zip(explorer.controls.values(), positions, strict=True)
            positions = [control.written(position) for control, position in pairs]
        buttons += (
            f'<button type="button" aria-pressed="{"true" if is_start else "false"}" '
            f'data-sentence="{sentence}" data-positions="{html.escape(json.dumps(positions))}">'
            f"{html.escape(of_picture(given.name))}</button>"
        )
    return buttons and (
        f'<div class="explorer-states" role="group" aria-label="{name}" hidden>{buttons}</div>\n'
        f'<p class="explorer-notice" aria-live="polite">{notice}</p>\n'
    )


class StatesWidget(ipywidgets.VBox):
    """The live form: a row of buttons, and below them the sentence. ``take(positions)`` sets all controls."""

    def __init__(self, states, take):
        names = [of_picture(given.name) for given, _ in states]
        self.buttons = [ipywidgets.Button(description=name, layout={"width": "auto"}) for name in names]
        self.sentence = ipywidgets.HTML()
        row = ipywidgets.Box(self.buttons, layout={"flex_flow": "row wrap"})
        super().__init__([row, self.sentence])
        for button, (_, positions) in zip(self.buttons, states, strict=True):
            button.on_click(lambda _, positions=positions: take(positions))
        self._states = states

    def press(self, now):
        """Press the button of the state in which the controls are ``now``, if there is one, and release all others."""
        self.sentence.value = ""
        for button, (given, positions) in zip(self.buttons, self._states, strict=True):
            is_here = positions == tuple(now)
            button.button_style = "info" if is_here else ""
            if is_here:
                self.sentence.value = html.escape(of_picture(given.sentence))
