"""An explorer as markup for a page. The site reads the frames, and whether the explorer computes, from this markup."""

import hashlib
import html
import json
import re

from languages import of_picture, say, shortened

from ..figures.markup import ROW, as_json, data_with_words, framed, hidden_text, with_words
from ..figures.text import first_sentence
from .fields import Draws
from .scenes import layout_of
from .states import states_html

# These strings are used both to write the markup and to read it.
FIGURE = '<figure class="explorer" id="'
LIVE = '" data-live="'
FRAMES = '<script type="application/json" data-frames-of="'
STEPS = "explorer-steps"  # a class: the control of a walk
END = "</script>\n"


def page_markup(explorer, frames, first):
    """Native controls, the ``first`` frame, and data: all frames for flip_book.js, or what live.js needs."""
    name = explorer.__name__
    if explorer.is_open:
        data = {"name": name, "caption": first_sentence(of_picture(explorer.caption))} | layout_of(first.drawing)
        data["controls"] = [c.for_the_page(explorer.start[key]) for key, c in explorer.controls.items()]
        escaped = html.escape(as_json(data))
        copy, reset = html.escape(say("copy link")), html.escape(say("reset"))
        buttons = (
            f'<div class="explorer-buttons"><button type="button" class="explorer-link">{copy}</button>'
            f'<button type="button" class="explorer-reset">{reset}</button></div>'
        )
        values = html.escape(explorer.values_shown(explorer.start.values()))
        values = f'<p class="explorer-values">{values}</p>\n'
        return _figure(explorer, first, explorer.ident, f"{LIVE}{escaped}", buttons, values)
    data = _packed([len(control.values) for control in explorer.controls.values()], frames)
    ident = f"{re.sub(r'[^a-zA-Z0-9_]', '', name)}-{hashlib.sha256(data.encode()).hexdigest()[:8]}"
    return _figure(explorer, first, ident, end=f'{FRAMES}{ident}">{data}{END}')


def _packed(shape, frames):
    """Frames as JSON. Neighbouring frames share most of their lines: each distinct line is stored once."""
    lines, packed = {}, []
    for frame in frames:
        packed.append([lines.setdefault(line, len(lines)) for line in frame.markup.split("\n")])
    words = {"alts": [frame.alt for frame in frames], "texts": [frame.text for frame in frames]}
    return _in_script({"shape": shape, "lines": list(lines), "frames": packed} | words)


def _in_script(data):
    return as_json(data).replace("<", "\\u003c")  # so that no text can end or change a script


def _figure(explorer, frame, ident, live="", buttons="", values="", end=""):
    """Above the picture the controls that carry its message, below it all others. Both are grey until a script wakes
    them; if no script does, style sheets show the words about that after some seconds.
    """
    caption = of_picture(explorer.caption)
    topic = shortened(caption, 58)
    written = {name: control.to_html(ident, explorer.start[name]) for name, control in explorer.controls.items()}
    more = "".join(written.pop(name) for name, control in explorer.controls.items() if control.is_rare)
    draw = "".join(written.pop(name) for name, control in explorer.controls.items() if _is_draw(control))
    controls = _fieldset("explorer-controls", say("Controls: {topic}", topic=topic), "".join(written.values()))
    if more:
        summary = html.escape(say("more controls"))
        more = f'<details class="explorer-more"><summary>{summary}</summary><div>{more}</div></details>'
    below = more + draw + buttons
    no_script = say("The controls need JavaScript. This is the picture for the values shown.")
    below = below and _fieldset("explorer-foot", say("More about: {topic}", topic=topic), below)
    return (
        f'{FIGURE}{ident}{live}">\n<div class="explorer-card">'
        f'<p class="explorer-refused" role="alert"></p>{states_html(explorer)}{controls}{_if_lost()}'
        f"<noscript><p>{html.escape(no_script)}</p></noscript>\n"
        f"{framed(frame.markup, frame.alt, role_of(frame.markup))}"
        f'{hidden_text(frame.text)}<p class="visually-hidden" role="status"></p>\n{below}</div>\n'
        f"{values}<figcaption>{html.escape(caption)}</figcaption>\n{end}</figure>"
    )


def _if_lost():
    """Words for the case that no script comes; the scripts take theirs from here, because book.say may be lost, too."""
    grey = html.escape(say("If the controls stay grey, the scripts could not be loaded. Load the page again."))
    lost = html.escape(say("This explorer's scripts could not be loaded. Load the page again."))
    return f'<p class="script-lost" data-lost="{lost}">{grey}</p>\n'


def _is_draw(control):
    return isinstance(control, Draws) and not control.is_rare


def _fieldset(kind, name, controls):
    return f'<fieldset class="{kind}" disabled><legend>{html.escape(name)}</legend>{controls}</fieldset>\n'


def role_of(markup):
    """The ARIA role: a drawing is one picture, while HTML text can be read as it is."""
    return "img" if markup.startswith(("<svg", f'<div style="{ROW}')) else "group"


def computing(markup):
    """The name of the program for the explorer in ``markup`` if it computes in the page."""
    before, found, rest = markup.partition(LIVE)
    if not markup.startswith(FIGURE) or not found or ">" in before:
        return None
    return json.loads(html.unescape(rest.partition('">')[0]))["name"]


def without_frames(markup):
    """``markup`` without the frames of its flip-book, then the flip-book's id and its frames; or None."""
    before, found, rest = markup.partition(FRAMES)
    ident, _, rest = rest.partition('">')
    frames, _, after = rest.partition(END)
    return (before + after, ident, frames) if found and markup.startswith(FIGURE) else None


def last_step(markup):
    """The picture of a walk's last step, which holds what its other steps do; None for other markup."""
    found = without_frames(markup)
    if not found or STEPS not in markup:
        return None
    data = json.loads(found[2])
    return "\n".join(data["lines"][number] for number in data["frames"][-1])


def said(markup, say):
    """The markup of an output, with ``say(words)`` in place of all words that readers see or hear, in each frame."""
    if found := without_frames(markup):
        data = json.loads(found[2])
        lines = [with_words(line, say) for line in data["lines"]]
        markup = markup.replace(found[2], _in_script(data_with_words(data, say) | {"lines": lines}))
    return with_words(markup, say)


def with_address(markup, ident, address):
    """The ``markup`` of a flip-book with its frames in a file at ``address``."""
    return markup.replace(f'{FIGURE}{ident}"', f'{FIGURE}{ident}" data-frames="{address}"', 1)
