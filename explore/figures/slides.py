"""One picture per chapter, for slides: the figure of the cell with the tag ``picture``, as SVG and PNG, light and dark.
A walk gives its last step.

The directive ``pictures`` lists them all. The dark PNG needs resvg: ``savefig`` knows only the colours of the figure. A
machine that has no font for the language's letters makes no PNGs.
"""

import html
import re
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import SubElement

import matplotlib
import resvg_py
from docutils import nodes
from docutils.parsers.rst import Directive
from matplotlib import font_manager
from sphinx.errors import ExtensionError

from languages import is_english, say, say_again

from ..explorers.markup import last_step, said
from .colours import COLOR, THEMES, variable
from .fonts import font_of_language
from .markup import picture_in

SVG = "http://www.w3.org/2000/svg"
GROUNDS = {"light": "#ffffff", "dark": "#121212"}
WIDTH = 1920  # of the PNG, in pixels
MARGIN = 10  # points
ElementTree.register_namespace("", SVG)
ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
FONT = "DejaVu Sans"
FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"


def setup(app):
    app.add_directive("pictures", Pictures)
    app.add_node(pictures, html=(visit_pictures, None))
    app.connect("doctree-read", remember)
    app.connect("env-updated", find_outdated)
    app.connect("env-updated", begin)
    app.connect("build-finished", finish)


class pictures(nodes.General, nodes.Element):
    """The place where the list of pictures goes."""


class Pictures(Directive):
    def run(self):
        env = self.state.document.settings.env
        env.metadata[env.docname]["pictures"] = True
        return [pictures()]


def remember(app, doctree):
    """Keep the markup and the caption of a page's picture; a walk gives its last step."""
    page = app.env.docname
    for cell in doctree.findall(lambda node: "tag_picture" in getattr(node, "attributes", {}).get("classes", ())):
        for raw in cell.findall(nodes.raw):
            markup = said(raw.astext(), say_again)
            if picture := picture_in(markup):
                first, caption = picture
                app.env.metadata[page]["picture"] = last_step(markup) or first, caption
                return
        raise ExtensionError(f"{page}: a cell with the tag picture shows no figure")


def pictures_of(env):
    """For each chapter that has a picture: page, number, markup and caption."""
    for page in sorted(env.found_docs):
        if "picture" in env.metadata[page]:
            yield page, page.rpartition("/")[2][:2], *env.metadata[page]["picture"]


def find_outdated(app, env):
    """The pages that list pictures, if any of the pictures has changed."""
    shown = [(env.titles[page].astext(), page, *more) for page, *more in pictures_of(env)]
    if getattr(env, "pictures_shown", None) == shown:
        return []
    env.pictures_shown = shown
    return [page for page in env.found_docs if "pictures" in env.metadata[page]]


def visit_pictures(self, node):
    env, here = self.builder.env, self.builder.current_docname
    parts = []
    for page, number, markup, caption in pictures_of(env):
        _, _, width, height = ground_of(panels_in(markup))
        title, address = html.escape(env.titles[page].astext()), self.builder.get_relative_uri(here, page)
        folder = f"{self.builder.imgpath.removesuffix('_images')}_static/pictures/"  # also when the book is one page
        kinds = ("svg", "png") if font_of_language() else ("svg",)
        links = [
            f'<a href="{folder}{number}-{theme}.{kind}" download>{html.escape(words)}</a>'
            for kind in kinds
            for theme, words in _names_of(kind.upper()).items()
        ]
        images = [
            f'<img class="only-{theme} picture" src="{folder}{number}-{theme}.svg" alt="{html.escape(caption)}" '
            f'width="{width:.0f}" height="{height:.0f}" loading="lazy">'
            for theme in GROUNDS
        ]
        parts.append(f'<h2 id="picture-{number}"><a href="{address}">{title}</a></h2>\n{"".join(images)}')
        parts.append(f"<p>{html.escape(caption)}</p>\n<p>{' · '.join(links)}</p>")
    self.body.append("\n".join(parts))
    raise nodes.SkipNode


def _names_of(kind):
    """Words for the files of one kind."""
    return {"light": say("{kind}, light", kind=kind), "dark": say("{kind}, dark", kind=kind)}


def begin(app, env):
    """Write the SVGs that have changed; their PNGs are drawn in another process while this one writes pages."""
    if app.builder.format != "html":
        return
    app.painter = ProcessPoolExecutor(1)  # it starts no process until it has work
    app.pngs = {}
    drawn_by = Path(__file__), Path(app.srcdir) / "requirements.txt"
    newest = max(file.stat().st_mtime for file in drawn_by)
    folder = Path(app.outdir) / "_static" / "pictures"
    for page, number, markup, caption in pictures_of(env):
        folder.mkdir(parents=True, exist_ok=True)
        for theme, ground in GROUNDS.items():
            svg = self_contained_svg(markup, env.titles[page].astext(), caption, number, theme, ground)
            path = folder / f"{number}-{theme}.svg"
            png = path.with_suffix(".png")
            drawn = path.is_file() and png.is_file() and png.stat().st_mtime > newest
            if drawn and path.read_text(encoding="utf-8") == svg:
                continue
            path.write_text(svg, encoding="utf-8")
            if app.builder.name == "html" and (font := font_of_language()):  # a printed page offers no files
                png.unlink(missing_ok=True)  # so that no old one stays if this build fails
                app.pngs[png] = app.painter.submit(png_of, svg, font)


def finish(app, exception):
    if hasattr(app, "painter"):
        for path, png in app.pngs.items():
            if not exception:
                path.write_bytes(png.result())
        app.painter.shutdown(cancel_futures=True)


def png_of(svg, font):
    png = resvg_py.svg_to_bytes(
        svg_string=with_font(svg, font),
        width=WIDTH,
        skip_system_fonts=True,  # the same picture on every machine
        font_files=[] if is_english() else [str(font_manager.findfont(font))],
        font_dirs=[str(FONTS)],
        sans_serif_family=FONT,
        monospace_family="DejaVu Sans Mono",
    )
    return bytes(png)


def with_font(svg, font):
    """``svg`` with letters that its own font lacks in another one: resvg itself takes any that has them."""
    known = font_manager.get_font(font_manager.findfont(FONT)).get_charmap()
    if not (lacking := {letter for letter in svg if ord(letter) not in known and letter.isprintable()}):
        return svg
    letters = re.compile(f"[{re.escape(''.join(sorted(lacking)))}]+")
    in_font = f'<tspan font-family="{font}">\\g<0></tspan>'
    return re.sub(r"(?<=>)[^<>]+(?=</(?:text|tspan)>)", lambda words: letters.sub(in_font, words[0]), svg)


def self_contained_svg(markup, title, caption, number, theme, ground):
    """The panels of a figure as one picture that needs no page: it contains its colours, background and licence."""
    colours, panels = THEMES[theme], panels_in(markup)
    left, top, width, height = ground_of(panels)
    families = ", ".join(dict.fromkeys([FONT, say("DejaVu Sans"), "Verdana", "sans-serif"]))
    picture = ElementTree.Element(f"{{{SVG}}}svg", {"role": "img", "font-family": families})
    picture.attrib |= {"viewBox": f"{left:g} {top:g} {width:g} {height:g}"}
    picture.attrib |= {"width": f"{2 * width:g}", "height": f"{2 * height:g}"}
    picture.attrib |= {"color": colours["ink"], "fill": colours["ink"]}
    SubElement(picture, f"{{{SVG}}}title").text = title
    SubElement(picture, f"{{{SVG}}}desc").text = caption
    box = {"x": f"{left:g}", "y": f"{top:g}", "width": f"{width:g}", "height": f"{height:g}"}
    SubElement(picture, f"{{{SVG}}}rect", box, fill=ground)
    for panel in panels:
        del panel.attrib["style"]
        panel.attrib |= dict(zip(("x", "y", "width", "height"), panel.get("viewBox").split(), strict=True))
        panel.set("overflow", "visible")
        picture.append(panel)
    place = {"x": f"{left + width - MARGIN:g}", "y": f"{top + height - 0.6 * MARGIN:g}", "text-anchor": "end"}
    licence = SubElement(picture, f"{{{SVG}}}text", place | {"font-size": "7"}, fill=colours["muted"])
    licence.text = say("Attention, Measured, chapter {number}. CC BY 4.0", number=int(number))
    svg = ElementTree.tostring(picture, encoding="unicode")
    for name in COLOR:
        svg = svg.replace(variable(name), colours[name])
    return svg


def panels_in(markup):
    return ElementTree.fromstring(f"<div>{markup}</div>").findall(f".//{{{SVG}}}svg")


def ground_of(panels):
    """The rectangle around all panels, in points: left, top, width, height. It leaves room for the licence below."""
    boxes = [tuple(map(float, panel.get("viewBox").split())) for panel in panels]
    left, top = (min(box[i] for box in boxes) - MARGIN for i in (0, 1))
    right = max(box[0] + box[2] for box in boxes) + MARGIN
    bottom = max(box[1] + box[3] for box in boxes) + 2.5 * MARGIN
    return left, top, right - left, bottom - top
