"""A picture that a kernel draws has its words in the reader's language."""

import matplotlib.pyplot as plt
import pytest
from matplotlib.text import Text

import languages
from explore import explore
from explore.figures import fonts, slides
from explore.figures.png import figure_to_png

PICTURES = {"of {1} words": "{1} Wörter", "rows": "Zeilen", "times W_O": "mal W_O", "no": "nein", "key": "Schlüssel"}


def figure_of(title, xlabel, note, tick, name):
    fig, ax = plt.subplots(layout="constrained")
    ax.bar([tick, "1"], [1, 2], label=name)
    ax.set(title=title, xlabel=xlabel, yticks=[1, 2], yticklabels=[tick, "2"])
    ax.text(0, 1, note)
    ax.legend()
    fig.suptitle("untold")
    return fig


def test_labels_ticks_legend_and_formulas_are_said_and_the_figure_stays(speak):
    english, german = (
        figure_of("of 3 words", "rows\nof 3 words", "times $W_O$", "no", "key"),
        figure_of("3 Wörter", "Zeilen\n3 Wörter", "mal W_O", "nein", "Schlüssel"),
    )
    expected, before = figure_to_png(german), figure_to_png(english)
    speak(page={"DejaVu Sans": "no such font, DejaVu Sans"}, pictures=PICTURES)
    assert figure_to_png(english) == expected != before
    in_english = {text.get_text() for text in english.findobj(Text)}
    assert {"of 3 words", "rows\nof 3 words", "times $W_O$", "key"} < in_english
    with languages.in_english():
        assert figure_to_png(english) == before


def test_without_a_font_words_stay_english_and_a_warning_names_the_fonts(speak):
    fig = figure_of("of 3 words", "rows", "", "no", "key")
    before = figure_to_png(fig)
    speak(page={"DejaVu Sans": "No Such Font, Nor This"}, pictures=PICTURES)
    with pytest.warns(UserWarning, match="No Such Font, Nor This"):
        assert figure_to_png(fig) == before


def test_a_font_installed_since_is_found(speak, monkeypatch):
    known = fonts.font_manager.fontManager
    here = [font for font in known.ttflist if font.name == "DejaVu Sans"]
    monkeypatch.setattr(known, "ttflist", [font for font in known.ttflist if font not in here])
    monkeypatch.setattr(fonts.font_manager, "findSystemFonts", lambda: [here[0].fname])
    speak(page={})
    fonts._first_font.cache_clear()
    assert fonts.font_of_language() == "DejaVu Sans"


def test_an_explorer_with_a_kernel_says_its_picture(speak):
    def slope(rows=1):
        """It rises."""
        return figure_of("of 3 words", "rows", "", "no", "key")

    speak(pictures=PICTURES)
    explorer = explore(rows=[1, 2])(slope)
    drawn = explorer.draw((0,)).markup
    assert all(f">{word}</text>" in drawn for word in ("3 Wörter", "Zeilen", "nein", "Schlüssel"))
    assert "rows" not in drawn


def test_in_a_picture_for_slides_only_letters_that_its_font_lacks_have_another():
    svg = "<svg><title>字</title><text x='1'>√dₖ，字 &lt; 1</text><text>∂L/∂q</text></svg>"
    in_font = "<text x='1'>√dₖ<tspan font-family=\"Song\">，字</tspan> &lt; 1</text>"
    assert slides.with_font(svg, "Song") == f"<svg><title>字</title>{in_font}<text>∂L/∂q</text></svg>"
