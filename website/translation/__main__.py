"""Bring a language's files up to date: `python -m website.translation zh`, with new files: `… zh chapters/03_…`.

Changed English makes an entry fuzzy: it is shown in English until somebody has looked at it and removed the mark.
"""

import argparse

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

import languages
from website.translation.template import templates

HEADER = """\
msgid ""
msgstr ""
"Language: {}\\n"
"Plural-Forms: {}\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""


def up_to_date(path, template, language):
    """The catalog at ``path``, if there is one, with the entries of the template, and no others."""
    catalog = Catalog(locale=language)
    if path.is_file():
        with path.open("rb") as lines:
            catalog = read_po(lines, locale=language)
    # Babel's guesses for short texts are others' words.
    catalog.update(template, no_fuzzy_matching=path.stem in ("page", "pictures"))
    catalog.obsolete.clear()
    return catalog


def write(path, catalog):
    """Each text on one line; the header without dates and names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(HEADER.format(catalog.locale, catalog.plural_forms).encode())
        write_po(file, catalog, width=0, omit_header=True, include_lineno=False)


def is_said(entry):
    return all(entry.string) if isinstance(entry.string, tuple) else bool(entry.string)


def state(catalog):
    """How many entries there are, how many are fuzzy, and how many are missing."""
    entries = [entry for entry in catalog if entry.id]
    return len(entries), sum(entry.fuzzy for entry in entries), sum(not is_said(entry) for entry in entries)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m website.translation", description=__doc__.splitlines()[0])
    parser.add_argument("language", help="the code of a language, such as zh")
    parser.add_argument("files", nargs="*", help="files that the language does not have yet, such as chapters/03_…")
    chosen = parser.parse_args()
    folder = languages.HERE / chosen.language
    of_english = templates()
    for name, template in of_english.items():
        path = folder / f"{name}.po"
        if path.is_file() or name in chosen.files:
            catalog = up_to_date(path, template, chosen.language)
            write(path, catalog)
            print("{}: {} entries, {} fuzzy, {} missing".format(path.relative_to(folder), *state(catalog)))
    if "pictures" not in of_english:
        print("pictures: as they were, because the book has not been built; run: make book")
    unknown = set(chosen.files) - {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.po")}
    if unknown:
        raise SystemExit(f"the book has no words for a file {', '.join(sorted(unknown))}")
