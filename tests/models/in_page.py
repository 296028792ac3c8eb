"""What the tests of the models do in the page."""

import base64
import re

import numpy as np
import torch

from models.in_worker import files
from website.places import SITE

PREPARE = """async (kinds) => {
    const binary = Uint8Array.from(atob(book.model_products), letter => letter.charCodeAt(0));
    const room = kind => book.model_linear.room(kind === "simd" ? binary : new Uint8Array(), book.model_manifest);
    globalThis.rooms = Object.fromEntries(kinds.map(kind => [kind, room(kind)]));
    for (const kind of kinds) if (rooms[kind].is_fast !== (kind === "simd")) throw new Error(`not the way ${kind}`);
    for (const part of book.model_manifest.parts) {
        const bytes = await book.model_unpacked(book.model_packed(book.model_parts[part.file], part), part);
        for (const room of Object.values(rooms)) room.bytes.set(bytes, part.at);
        delete book.model_parts[part.file];
    }
    globalThis.letters = numbers => new Promise(done => {
        const reader = new FileReader();
        reader.onload = () => done(reader.result.split(",")[1]);
        reader.readAsDataURL(new Blob([Float32Array.from(numbers)]));
    });
}"""


def page_of_worker(browser, base, exported, model, kinds):
    """A page with the program of a model's worker, and the model in a room for each of the ``kinds``: with SIMD
    instructions (``simd``), and without (``plain``).

    Its function ``letters(numbers)`` sends numbers to ``array``.
    """
    page = browser.new_page()
    page.goto(f"{base}_static/in_worker/client.js")  # any address of the site, which may load its scripts
    page.add_script_tag(content=files.worker(exported.WORKER).replace("book.model_keeper(", "(() => {})("))
    for path in [model / "manifest.js", *sorted(model.glob("part_*.js"))]:
        page.add_script_tag(url=f"{base}{path.relative_to(SITE)}")
    page.evaluate(PREPARE, list(kinds))
    return page


def array(letters, *shape):
    return torch.from_numpy(np.frombuffer(base64.b64decode(letters), "<f4").copy()).view(shape)


def told(figure, *parts):
    """The picture's words, once they contain all these parts; "4 tokens" isn't in "14 tokens"."""
    words = figure.locator(".explorer-text").element_handle()
    has_all = "([words, parts]) => parts.every((part) => new RegExp(part).test(words.textContent))"
    # This looks at every frame; expect looks only a few times a second.
    # 512 tokens take a slow machine most of a minute.
    patterns = [rf"(?<!\d){re.escape(part)}" for part in parts]
    figure.page.wait_for_function(has_all, arg=[words, patterns], timeout=120_000)
    return words.text_content()


def write(figure, text, name="text"):
    """Fill this control's field and press Enter."""
    field = figure.locator(f"[data-control={name}] input[type=text]")
    field.fill(text)
    field.press("Enter")
