"""The edition in a folder. What a reader has changed there is kept, and named."""

import hashlib
import json

from website.edition import binder
from website.edition.pages import edition_of_book
from website.places import write_changed

GIVEN = ".given.json"  # in the folder, for each file: hashes of its words and of everything, as the reader got it


def write(folder, address="", *, solutions=True):
    """Write all files of the edition, and yield a sentence for each that is kept because a reader has changed it."""
    record = folder / GIVEN
    given = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}
    files = edition_of_book(address, solutions=solutions) | (binder.files(address) if address else {})
    for name, text in files.items():
        path, now = folder / name, {"words": digest(words_of(text)), "all": digest(text)}
        there = path.read_text(encoding="utf-8") if path.is_file() else None
        if there == text or (there is not None and given.get(name, {}).get("all") == now["all"]):
            given[name] = now
            continue
        if there is not None and digest(words_of(there)) != given.get(name, {}).get("words"):
            yield f"kept {path}, because you have changed it: to get the new one, too, rename yours and do this again"
            continue
        write_changed(path, text)
        given[name] = now
    record.write_text(json.dumps(given, indent=1) + "\n", encoding="utf-8")


def words_of(text):
    """What a reader changes by hand: of a notebook, its cells without their outputs; of another file, all of it."""
    try:
        return json.dumps([[cell["cell_type"], "".join(cell["source"])] for cell in json.loads(text)["cells"]])
    except (ValueError, TypeError, KeyError):
        return text


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]
