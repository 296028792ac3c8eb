"""The site in another language: its pages are read in that language, and their places keep the English names."""

import json
import re
from hashlib import sha256
from pathlib import Path
from urllib.parse import urljoin

import nbformat
from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_id

import languages
from explore.explorers.markup import said
from languages import say_again
from website import grammar
from website.asked import finder
from website.places import ROOT, read, source, write_changed
from website.reading.definitions import GLOSSARY, entries


def setup(app):
    app.add_config_value("words", "", "env", str)  # a checksum: if a word has changed, all pages are read again
    if languages.is_english():
        return
    app.connect("config-inited", set_language)
    app.connect("source-read", read_in_language, priority=100)  # before all that reads the page's text
    app.add_transform(EnglishNames)
    app.add_transform(SayMarks)
    app.add_post_transform(SayOutputs)
    app.connect("builder-inited", write_sayings)
    app.add_js_file("sayings.js")
    app.connect("explorers-on-page", lambda app, names: app.add_js_file("picture_sayings.js"))


def set_language(app, config):
    if config.html_baseurl:
        config.html_baseurl = urljoin(config.html_baseurl, f"{languages.language()}/")
    files = sorted(languages.folder().rglob("*"))
    config.words = sha256(b"".join(path.read_bytes() for path in files if path.is_file())).hexdigest()


def read_in_language(app, docname, content):
    path = Path(app.env.doc2path(docname))
    content[0] = nbformat.writes(read(path)) if path.suffix == ".ipynb" else read(path).cells[0].source


def write_sayings(app):
    """The scripts with what `book.say` and `book.of_picture` say, and with the glossary's terms."""
    page, pictures = languages.catalog("page"), languages.catalog("pictures")
    spoken = (".js", "four_words/sentences.py")  # the latter is written into a script
    in_scripts = [entry for entry in page if any(file.endswith(spoken) for file, _ in entry.locations)]
    of_words = {"sayings": said_in("page", in_scripts), "terms": terms()}
    plural = f"book.plural = (n) => Number({page.plural_expr});\n"
    folder = Path(app.outdir) / "_static"
    write_changed(folder / "sayings.js", plural + script(of_words))
    write_changed(folder / "picture_sayings.js", script({"picture_sayings": said_in("pictures", pictures)}))


def said_in(file, entries):
    texts = [entry.id if isinstance(entry.id, str) else entry.id[0] for entry in entries if entry.id]
    return {text: said for text in texts if (said := languages.entry(file, text))}


def terms():
    """The glossary's words by their English names, in small letters."""
    return {name.lower(): word for name, word in zip(glossary(source), glossary(read), strict=True) if word != name}


def glossary(read):
    return [word for words, *_ in entries(read(ROOT / f"{GLOSSARY}.md").cells[0].source) for word in words]


def script(members):
    return "".join(f"book.{name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in members.items())


class SayOutputs(SphinxPostTransform):
    """What outputs say, in English as they are stored, is said again."""

    default_priority = 850  # before the frames of flip-books go into files
    formats = ("html",)

    def run(self, **kwargs):
        for raw in self.document.findall(nodes.raw):
            if raw["format"] == "html":
                raw[:] = [nodes.Text(said(raw.astext(), say_again))]


class SayMarks(SphinxTransform):
    """In place of the marks that are still there, readers see what their language says for them."""

    default_priority = 600  # after all that reads a page by its marks

    def apply(self):
        for text in list(self.document.findall(nodes.Text)):
            said = grammar.say_mark(text.astext())
            if said == text and isinstance(text.parent, nodes.strong):
                said = grammar.say_verdict(said)
            if said != text:
                text.parent.replace(text, nodes.Text(said))


class EnglishNames(SphinxTransform):
    """Each section's name in addresses is that of the English page, so that a link leads to the same place in both. The
    glossary, which has the English order, shows its English words, too.
    """

    default_priority = 1

    def apply(self):
        path = Path(self.env.doc2path(self.env.docname))
        sections = list(self.document.findall(nodes.section))
        names = [*headings(source(path)), *(finder.english_headings() if self.env.docname == finder.PAGE else ())]
        for section, heading in zip(sections, names, strict=True):
            self.rename(section, nodes.make_id(in_letters(heading)))
        words = glossary(source) if self.env.docname == GLOSSARY else ()
        terms = list(self.document.findall(nodes.term))
        for name in (name for term in terms for name in term["ids"]):  # "softmax" of a word that has another name here
            del self.document.ids[name]
        for term, word in zip(terms, words, strict=False):
            self.rename(term, make_id(self.env, self.document, "term", word))
            if term.astext() != word:
                term += [nodes.Text(" "), nodes.inline("", word, classes=["english-word"])]

    def rename(self, node, name):
        if not name or name in self.document.ids:
            return
        self.document.ids[name] = node
        for index in node.findall(addnodes.index):  # of a word in the glossary
            index["entries"] = [(kind, word, name, *more) for kind, word, _, *more in index["entries"]]
        node["ids"] = [name]


def headings(nb):
    """The headings of a page, in its order."""
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            text = re.sub(r"^```.*?^```$|<!--.*?-->", "", cell.source, flags=re.DOTALL | re.MULTILINE)
            yield from re.findall(r"^#{1,6} (.+)$", text, re.MULTILINE)


def in_letters(heading):
    return re.sub(r"[$`*]|\]\([^)]*\)|\[(?=[^]]*\])", "", heading)
