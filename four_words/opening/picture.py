"""The title page's picture as SVG: four words, an arc from the one that asks to each, and its output as a bar.

All sixteen arcs are in it, so that opening.js only has to set widths and words. In a notebook it is a still picture.
"""

import html
import json

from IPython.display import Markdown, display

from explore.figures.colours import INK, variable
from explore.mode import PAGE
from four_words.sentences import in_words
from languages import say

from .looks import KEY, QUERY, WORDS, look_of, weights_of

ASKS, SHARPNESS = 3, 1  # at the start: the last word, with the usual scale
X = [110, 285, 460, 635]  # the words' middles
FOOT, WIDTH, HEIGHT = 128, 744, 284  # where arcs end; the size of the picture
LEFT, ROOM = 20, 704  # of the bar
INK = f"var(--am-ink, {INK})"


def opening():
    """Show the picture; on the page it has a slider, and a word that is clicked asks."""
    said = in_words(look_of(ASKS, weights_of(ASKS, SHARPNESS)))
    drawn = svg(ASKS, SHARPNESS)
    display({"image/svg+xml": drawn, "text/plain": said}, metadata={PAGE: on_the_page(drawn, said)}, raw=True)
    display(Markdown(f"*{said}*"), metadata={PAGE: ""})


def on_the_page(drawn, said):
    data = {"words": WORDS, "query": QUERY.tolist(), "key": KEY.tolist(), "asks": ASKS}
    average, name, look_up = say("average of all"), say("sharpness of the softmax"), say("look-up of one")
    caption, hint = say("The wider an arc, the larger the weight."), say("Choose another word to see where it looks.")
    average, name, look_up, said, caption, hint = map(html.escape, (average, name, look_up, said, caption, hint))
    return (
        f'<figure class="opening" data-opening="{html.escape(json.dumps(data))}">{drawn}\n'
        f'<div class="opening-control"><span class="opening-end">{average}</span>'
        f'<input type="range" min="0" max="6" step="0.01" value="{SHARPNESS}" aria-label="{name}" '
        f'autocomplete="off" disabled><span class="opening-end">{look_up}</span></div>\n'
        f'<p class="opening-said">{said}</p>\n<figcaption>{caption} '
        f'<span class="opening-hint">{hint}</span></figcaption></figure>'
    )


def svg(asks, sharpness):
    """The picture in which word ``asks`` looks at all words."""
    weights = weights_of(asks, sharpness)
    parts = [_arcs(i, weights if i == asks else None) for i in range(4)]
    parts += [_word(j, weights[j], asks=j == asks) for j in range(4)]
    note = f'class="opening-note" x="{LEFT}" y="230" font-size="15" style="fill: {variable("muted")}"'
    parts.append(f"<text {note}>{html.escape(say('its output, a mixture:'))}</text>")
    parts += [_part(j, weights[j], sum(weights[:j])) for j in range(4)]
    name = html.escape(in_words(look_of(asks, weights)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{name}" '
        f'font-family="sans-serif" style="background: var(--pst-color-background, #fff)">{"".join(parts)}</svg>'
    )


def _arcs(asks, weights):
    """The arcs of one word; without weights they are hidden."""
    paths = []
    for j in range(4):
        width, opacity = (26 * weights[j], 0.25 + 0.65 * weights[j]) if weights else (0, 0)
        style = f"stroke-width: {width:.2f}px; stroke-opacity: {opacity:.3f}"
        paths.append(f'<path d="{_arc(X[asks], X[j])}" style="{style}"/>')
    look = f"fill: none; stroke: {variable('weight')}; stroke-linecap: round"
    return f'<g class="opening-arcs" style="{look}{"" if weights else "; display: none"}">{"".join(paths)}</g>'


def _arc(start, end):
    """An arc between two words, the higher the further they are apart; or a loop at one."""
    top = FOOT - 47 - abs(end - start) / 6.2
    if start == end:
        return f"M{start - 8} {FOOT}C{start - 46} {top - 12} {start + 46} {top - 12} {start + 8} {FOOT}"
    return f"M{start} {FOOT}C{start} {top:.0f} {end} {top:.0f} {end} {FOOT}"


def _word(j, weight, *, asks):
    x = X[j]
    look = f"fill: {variable('query')}; font-weight: 700" if asks else f"fill: {INK}"
    middle = f'x="{x}" text-anchor="middle"'
    return (
        f'<g class="opening-word"><rect x="{x - 87}" y="{FOOT + 2}" width="174" height="72" style="fill: transparent"/>'
        f'<text class="opening-letters" {middle} y="{FOOT + 34}" font-size="30" font-style="italic" style="{look}">'
        f'{WORDS[j]}</text><text class="opening-number" {middle} y="{FOOT + 62}" font-size="15" font-weight="600" '
        f'style="fill: {variable("weight")}">{weight:.2f}</text></g>'
    )


def _part(j, weight, before):
    """A word's part of the bar; a part that is too narrow for its word has none."""
    x, width = LEFT + ROOM * before, ROOM * weight
    face = f"fill: {variable('output')}; fill-opacity: {0.12 + 0.4 * weight:.3f}"
    return (
        f'<g class="opening-part"><rect x="{x:.2f}" y="240" width="{width:.2f}" height="36" style="{face}"/>'
        f'<text x="{x + width / 2:.2f}" y="264" text-anchor="middle" font-size="16" font-style="italic" '
        f'style="fill: {INK}">{WORDS[j] if width > 50 else ""}</text></g>'
    )
