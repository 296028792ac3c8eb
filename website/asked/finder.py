"""The page of all questions: a field that finds one by words or by what the reader sees, and lists of links.

The directive ``finder`` of that page becomes these lists.
"""

import re
from html import escape

from languages import mark, say
from website.asked.questions import NOTEBOOKS, most_asked, questions
from website.grammar import PEOPLE_ASK, SYMPTOMS, say_mark, say_verdict
from website.places import ROOT, chapters, read, source

PAGE = "back_matter/questions_people_ask"
DIRECTIVE = "```{finder}\n```"
LONGEST = 300  # letters that a reader can look for
SCRIPT_LOST = mark("If nothing is found, a script could not be loaded. Load the page again.")
SLUG = PEOPLE_ASK.lower().replace(" ", "-")  # in every language


def setup(app):
    app.connect("source-read", with_lists)
    app.connect("html-page-context", add_script)


def with_lists(app, docname, content):
    if docname == PAGE:
        paths = [ROOT / "back_matter" / f"{name}.ipynb" for name in NOTEBOOKS]
        app.env.dependencies[docname].update(map(str, paths))
        content[0] = content[0].replace(DIRECTIVE, f"{field()}\n\n{lists(entry, chapter_entry)}")


def add_script(app, pagename, templatename, context, doctree):
    if pagename == PAGE:
        app.add_js_file("asked.js")


def lists(shown, of_chapter):
    """The page's lists; ``shown`` makes a line of a question, ``of_chapter`` of a chapter's path."""
    parts = [f"## {say('Asked most often')}", "\n".join(f"1. [{one.title}]({one.address})" for one in most_asked(10))]
    for notebook in NOTEBOOKS:
        among = [one for one in questions() if one.notebook == notebook]
        parts.append(f"## [{title_of(ROOT / 'back_matter' / f'{notebook}.ipynb')}]({notebook}.ipynb)")
        for heading in dict.fromkeys(one.heading for one in among):
            parts.append(f"### {say_mark(heading)}")
            parts.append("\n".join(shown(one) for one in among if one.heading == heading))
    parts.append(f"## {say('By chapter')}")
    parts.append("\n".join(map(of_chapter, chapters())))
    return "\n\n".join(parts)


def english_headings():
    """The headings of the lists, from which the places on the page have their names."""
    yield "Asked most often"
    for notebook in NOTEBOOKS:
        yield title_of(ROOT / "back_matter" / f"{notebook}.ipynb", source)
        yield from dict.fromkeys(one.heading for one in questions(source) if one.notebook == notebook)
    yield "By chapter"


def title_of(path, read=read):
    return read(path).cells[0].source.partition("\n")[0].lstrip("# ")


def in_text(question):
    return f"- [{question.title}]({question.address})"


def entry(question):
    """With the answer's line, and, out of sight, the words by which it is found."""
    words = escape("; ".join(question.found_by))
    rest = escape(" ".join(dict.fromkeys(re.findall(r"[^\W\d_]{3,}", question.text.lower()))))
    link = f'<span class="asked" data-words="{words}" data-rest="{rest}">[{question.title}]({question.address})</span>'
    return f'- {link} <span class="asked-line">{say_verdict(question.line)}</span>'


def chapter_in_text(path):
    return f"- [{title_of(path)}](../chapters/{path.name}#{SLUG})"


def chapter_entry(path):
    # A link in HTML, because MyST knows no names of headings.
    return f'- <a href="../chapters/{path.stem}.html#{SLUG}">{escape(title_of(path))}</a>'


def field():
    buttons = (f'<button type="button" class="toggle">{escape(say(name))}</button>' for name in SYMPTOMS)
    return f"""<form class="asked-field" role="search">
<label for="asked-words">{say("Find a question: type words, or choose what you see")}</label>
<input type="search" id="asked-words" autocomplete="off" spellcheck="false" maxlength="{LONGEST}"
 placeholder="{say("such as: index out of range")}" />
<div role="group" aria-label="{say("What you see")}">{"".join(buttons)}</div>
<output for="asked-words"><span class="script-lost">{say(SCRIPT_LOST)}</span></output>
<a class="asked-elsewhere" href="../search.html" hidden>{say("Look for these words on all pages of the book")}</a>
</form>
<ul class="asked-found"></ul>"""
