"""All words that a language needs, as Babel's catalogs by the names of their files."""

import ast
import copy
import functools
import itertools
import re

import yaml
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir

import practice
from explore.explorers.markup import said
from languages import CUT, WITH_VALUES, patterns, without_numbers
from website.asked import lists
from website.notebooks import cache
from website.notebooks.run import code_cells
from website.places import ROOT, chapters, notebooks, pages, source
from website.translation.docstrings import documented
from website.translation.pages import file_of
from website.translation.paragraphs import has_words, replaced

ROOMS = ["explore", "four_words", "languages", "models", "website"]
KEYWORDS = {"say": None, "say_number": (1, 2), "mark": None}
IN_SCRIPTS = {f"book.{name}": where for name, where in KEYWORDS.items()}


VALUES = re.compile(r"[\w√ₖ÷ ]+ = [^,]+")  # of controls: their names are texts of their own


def templates():
    code, checkers = of_code(), of_checkers()
    pictures = of_pictures(patterns_of([*code, *checkers]))
    drawn = {"pictures": pictures} if len(pictures) else {}
    return {"page": code, "practice": checkers, **drawn, **{file_of(path): of_page(path) for path in pages()}}


def of_page(path):
    """The paragraphs of a page, each with the id of its cell."""
    made = Catalog()
    for cell in source(path).cells:
        if cell.cell_type == "markdown" and not (path in chapters() and lists.is_end(cell)):
            replaced(cell.source, functools.partial(add, made, cell.id))
            for name, sentence in documented(cell.source):
                add(made, name, sentence)
    return made


def of_pictures(known):
    """What the book's outputs say and show on its pages, without numbers, and the titles of folded code; not what
    a pattern in ``known`` finds.

    The outputs are those of the last build; none if any is missing.
    """
    found_in = {}
    executed = {}
    for path in notebooks():
        executed[path] = cache.executed(path)
        if not executed[path]:
            return Catalog()

    @functools.cache  # most texts occur many times, and there are hundreds of patterns
    def found_by_a_pattern(words):
        return next(filter(None, (pattern.fullmatch(words) for pattern in known)), None)

    for path, nb in executed.items():
        place = path.relative_to(ROOT).as_posix()

        def record(words, place=place):
            found = found_by_a_pattern(words)
            for value in found.groupdict().values() if found else ():
                record(value)
            if not found and has_words(words):
                found_in.setdefault(without_numbers(words)[0], {})[place] = None
            return words

        for cell in code_cells(nb):
            titles = cell.metadata.get("mystnb", {})
            for title in (titles[name] for name in ("code_prompt_show", "code_prompt_hide") if name in titles):
                record(title)
            for output in cell.outputs:
                said(output.get("data", {}).get("text/html", ""), record)
    made = Catalog()
    for words, places in found_in.items():
        if not is_made_of_others(words, found_in):
            made.add(words, locations=[(place, None) for place in places])
    return made


def is_made_of_others(words, texts):
    """Whether ``languages.say_again`` makes this of other texts: a caption with values, or the beginning of a text."""
    with_values = WITH_VALUES.fullmatch(words)
    if words.endswith(CUT):
        return any(other != words and other.startswith(words.removesuffix(CUT)) for other in texts)
    return with_values is not None and with_values[1] in texts and not has_words(VALUES.sub("", with_values[2]))


def patterns_of(code):
    """What finds the messages that are said again when a page is built (``languages.say_again``)."""
    return [pattern for pattern, _ in patterns(as_said_in_english(entry) for entry in code)]


def as_said_in_english(entry):
    said = copy.copy(entry)
    said.string = entry.id
    return said


def add(catalog, cell, words):
    catalog.add(" ".join(words.split()), context=cell)


def in_python(file, keywords, comment_tags, options):
    """The calls in a file, also those within f-strings, which Babel's own function does not see in Python 3.11."""
    calls = [node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: call.lineno):
        if isinstance(call.func, ast.Name) and call.func.id in keywords:
            words = [argument.value if isinstance(argument, ast.Constant) else None for argument in call.args]
            yield call.lineno, call.func.id, words, []


METHODS = [([("**.py", in_python), ("**.html", "jinja2.ext:babel_extract")], KEYWORDS)]
METHODS += [([("**.js", "javascript")], IN_SCRIPTS)]


def of_rooms(rooms):
    """What `say` and `mark` say in Python, templates and scripts."""
    made = Catalog()
    for room, (files, keywords) in itertools.product(rooms, METHODS):
        for file, _, words, comments, _ in extract_from_dir(ROOT / room, method_map=files, keywords=keywords):
            made.add(words, locations=[(f"{room}/{file}", None)], auto_comments=comments)
    return made


def of_checkers():
    """What checkers say: the messages in their code, and the words of each exercise, as Python has them."""
    made = of_rooms(["practice"])
    for checker in vars(practice).values():
        if exercise := getattr(checker, "exercise", None):
            place = [(f"{checker.__module__.replace('.', '/')}.py", None)]
            hints, cases = [mistake.hint for mistake in exercise.mistakes], [words for words, _ in exercise.cases]
            for words in filter(has_words, [exercise.shown, *hints, *cases]):
                made.add(words, locations=place)
    return made


def of_code():
    """What the site and the figures say, and the words of settings."""
    made = of_rooms(ROOMS)
    config, contents = (yaml.safe_load((ROOT / name).read_text("utf-8")) for name in ("_config.yml", "_toc.yml"))
    frame = [config["title"], config["author"], config["html"]["extra_footer"]]
    for words in (*frame, *(part["caption"] for part in contents["parts"])):
        made.add(words, locations=[("_config.yml, _toc.yml", None)])
    return made
