"""What `say` says somewhere in the code is in the template for translators, and so are the words of settings."""

import ast
import re

from website.places import ROOT
from website.translation.template import ROOMS, of_code

SAID = re.compile(r"""\b(?:say|say_number|mark)\(\s*("(?:[^"\\\n]|\\.)*")\s*[,)]""")


def test_all_words_of_the_code_are_found():
    found = {entry.id if isinstance(entry.id, str) else entry.id[0] for entry in of_code()}
    rooms = set(ROOMS) - {"languages"}  # its docstring has an example
    for path in (path for room in rooms for path in (ROOT / room).rglob("*.*")):
        if path.suffix in (".py", ".js", ".html"):
            for words in SAID.findall(path.read_text("utf-8")):
                assert ast.literal_eval(words) in found, path
    assert {"Asked most often", "Show more", "Attention, Measured", "After the chapters"} <= found
