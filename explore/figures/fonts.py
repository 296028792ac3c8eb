"""The font of pictures in the reader's language: matplotlib's own lacks the letters of some."""

import contextlib
import functools
import warnings

from matplotlib import font_manager

from languages import say


def font_of_language():
    """The first of the language's fonts that this machine has; None, and a warning, if it has none."""
    # For translators: fonts that have the letters of the language, the best first; pictures are drawn with them.
    return _first_font(say("DejaVu Sans"))


@functools.cache
def _first_font(names):
    for look in (lambda: None, _look_again):
        look()
        installed = font_manager.get_font_names()
        if found := next((name for name in names.split(", ") if name in installed), None):
            return found
    warnings.warn(
        say("Words in pictures stay English, because none of these fonts is installed: {fonts}.", fonts=names),
        stacklevel=2,
    )
    return None


def _look_again():
    """Matplotlib remembers which fonts there were; some may have been installed since."""
    known = {font.fname for font in font_manager.fontManager.ttflist}
    for path in {*font_manager.findSystemFonts()} - known:
        with contextlib.suppress(OSError, RuntimeError):  # of a kind that it does not draw
            font_manager.fontManager.addfont(path)
