"""The title page: a first paragraph that leads, ways in as buttons, and a card for each chapter.

In the notebook these are a paragraph and lists. On the page, a chapter's item gets the chapter's picture and its
minutes.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from explore.figures.slides import GROUNDS, pictures_of
from website.places import source
from website.reading.times import in_short

CHAPTER = re.compile(r"chapters/(\d\d)_\w+")


def setup(app):
    app.add_post_transform(TitlePage)


class TitlePage(SphinxPostTransform):
    default_priority = 800  # after links have their addresses
    formats = ("html",)

    def run(self, **kwargs):
        if self.env.docname != self.config.root_doc or not (page := next(self.document.findall(nodes.section), None)):
            return
        first = (node for node in page.children if isinstance(node, nodes.paragraph))
        for paragraph in list(first)[:1]:
            paragraph["classes"].append("promise")
        ways = (node for node in page.children if isinstance(node, nodes.bullet_list))
        for items in list(ways)[:1]:
            items["classes"].append("ways-in")
        drawn = {number for _, number, *_ in pictures_of(self.env)}
        for items in page.findall(nodes.bullet_list):
            links = [link_to_chapter(item) for item in items]
            if all(links) and not items["classes"]:
                items["classes"].append("chapters")
                for item, link in zip(items, links, strict=True):
                    self.make_card(item, link, drawn)

    def make_card(self, item, link, drawn):
        paragraph, (path, number) = item[0], CHAPTER.search(link["refuri"]).group(0, 1)
        idea = paragraph.index(link.parent) + 1
        paragraph[idea] = nodes.Text(paragraph[idea].astext().lstrip(":： "))
        paragraph += nodes.inline("", in_short(source(Path(self.env.doc2path(path)))), classes=["minutes"])
        if number in drawn:
            images = [
                f'<img class="only-{theme}" src="_static/pictures/{number}-{theme}.svg" alt="" loading="lazy">'
                for theme in GROUNDS
            ]
            item.insert(0, nodes.raw("", "".join(images), format="html"))


def link_to_chapter(item):
    """The link to a chapter, in bold, with which an item of a list begins; None if it does not."""
    words = [node for node in item[0].children if node.astext()]
    link = words[0].next_node(nodes.reference) if len(words) > 1 and isinstance(words[0], nodes.strong) else None
    return link if link is not None and CHAPTER.search(link.get("refuri", "")) else None
