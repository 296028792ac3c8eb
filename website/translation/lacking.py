"""What the languages lack, and readers see in English: `python -m website.translation.lacking` names it."""

import itertools
import os

import languages
from website.places import ROOT
from website.translation.template import templates

SHOWN = 5  # of each file


def lacking():
    """For each file of the reader's language: how many texts it needs, and those that it lacks, or has as fuzzy."""
    return {
        name: (len(template), [one for one in template if one.id and not languages.entry(name, one.id, one.context)])
        for name, template in templates().items()
    }


def in_a_line(files):
    texts, lacked = (sum(numbers) for numbers in zip(*((n, len(those)) for n, those in files.values()), strict=True))
    whole = sum(len(those) == n for n, those in files.values())
    return f"{languages.language()}: {lacked} of {texts} texts are still in English ({whole} whole files)"


def with_names(files):
    yield in_a_line(files)
    for name, (n, those) in files.items():
        if 0 < len(those) < n:
            yield f"  {name}: {len(those)}"
            texts = (one.id if isinstance(one.id, str) else one.id[0] for one in itertools.islice(those, SHOWN))
            yield from (f"    {text[:90]}" for text in texts)


if __name__ == "__main__":
    for path in sorted(ROOT.glob("languages/*/index.po")):
        os.environ[languages.LANGUAGE] = path.parent.name
        print(*with_names(lacking()), sep="\n")
