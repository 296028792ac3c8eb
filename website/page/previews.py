"""How search engines and links in messages present the book: descriptions, pictures, a sitemap of all languages."""

import html
import re
from pathlib import Path
from urllib.parse import urljoin

from docutils import nodes

from languages import is_english, say, shortened
from website.formulas.letters import in_letters
from website.places import write_changed
from website.translation.beside import others


def setup(app):
    app.connect("html-page-context", add_preview, priority=900)
    app.connect("build-finished", write_sitemap)


def add_preview(app, pagename, templatename, context, doctree):
    if pagename == app.config.root_doc:
        context["docstitle"] = ""  # the page's title is already the book's
    context["metatags"] = context.get("metatags", "") + preview(app, pagename, context, doctree)


def preview(app, pagename, context, doctree):
    """The tags for search engines and for links in messages: the page's title, its opening question, and a picture.

    We write the tags ourselves: sphinxext-opengraph puts any text into the description, even TeX and the list of goals.
    """
    paragraphs = doctree.findall(nodes.paragraph) if doctree else ()
    opening = next((p for p in paragraphs if isinstance(p.parent, nodes.section)), None)
    title = re.sub("<[^>]*>", "", html.unescape(context.get("title", pagename)))
    description = shortened(in_letters(opening) if opening else "", 200)
    if len(description) < 50:
        description = say(
            "{title}, in a book on attention in which formulas are derived and every number is computed", title=title
        )
    picture = "_static/preview.png" if app.config.html_baseurl else context["pathto"]("_static/preview.png", 1)
    tags = {
        "og:type": "article",
        "og:site_name": app.config.html_title,
        "og:locale": app.config.language or "en",
        "og:title": title,
        "og:description": description,
        "og:image": urljoin(app.config.html_baseurl, picture),
        "og:image:alt": say("Softmax weights at five scales: from nearly equal to nearly one-hot"),
        "twitter:card": "summary_large_image",
    }
    if app.config.html_baseurl:
        tags["og:url"] = urljoin(app.config.html_baseurl, f"{pagename}.html")
    lines = [f'<meta name="description" content="{html.escape(description)}">']
    lines += [f'<meta property="{key}" content="{html.escape(value)}">' for key, value in tags.items()]
    return "\n".join(lines)


def write_sitemap(app, exception):
    """List the full addresses of all pages, as the protocol requires. Without a base URL, use `make serve`'s address.

    We write the list ourselves, because sphinx-sitemap lists only the pages that this build has rewritten.
    """
    if exception or app.builder.name != "html" or not is_english():
        return
    base = app.config.html_baseurl or "http://127.0.0.1:8000/"
    folders = ["", *(f"{language}/" for language in others(app.srcdir))]
    names = [f"{folder}{name}.html" for folder in folders for name in sorted(app.env.found_docs)]
    addresses = [html.escape(urljoin(base, name)) for name in names]
    pages = "".join(f"<url><loc>{address}</loc></url>\n" for address in addresses)
    scheme = "http://www.sitemaps.org/schemas/sitemap/0.9"
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{scheme}">\n{pages}</urlset>\n'
    write_changed(Path(app.outdir) / "sitemap.xml", text)
