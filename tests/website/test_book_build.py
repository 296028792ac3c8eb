"""The Sphinx extension, on a one-notebook book: which cells are executed and when, and the effect of a failure."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from conftest import EVERYWHERE, require_browser, weekly
from explore import mode
from website.places import ROOT

NOTEBOOK = """
import attention_core
from explore import explore

print("answer", attention_core.ANSWER)

@explore(x=attention_core.FRAMES)
def f(x):
    "Anything."
    return f"<p>{x}</p>"
"""


FORMULAS = """

An inline $a < b$, and

$$\\hat{y} = \\sqrt{d_k}.$$

$$x = 1$$ (numbered)

\\begin{align}a &= b \\\\ c &= d\\end{align}

A claim.[^seeds]

[^seeds]: Of ten.

## A section

Its text.
"""

# The settings that need the book's address; they are commented out until the book has one.
REPOSITORY = re.compile(r"(?:^(?:# )?(?:repository|launch_buttons):\n(?:^(?:# )?  .*\n)+)+", re.M)


@pytest.fixture
def book(tmp_path):
    """A book, still without a notebook, that imports its own attention_core.py, not the installed one."""
    for folder in ("website", "_static", "four_words", "explore", "languages", "models"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "*.po"))
    for name in ("references.bib", "requirements.txt", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    config = (ROOT / "_config.yml").read_text(encoding="utf-8")
    commented = REPOSITORY.sub(lambda block: re.sub("^(?!# )", "# ", block[0], flags=re.M), config)
    (tmp_path / "_config.yml").write_text(commented, encoding="utf-8")
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    (tmp_path / "attention_core.py").write_text("ANSWER, FRAMES = 41, [1, 2]\n")
    return tmp_path


def write_notebook(folder, cells, text=""):
    v4 = nbformat.v4
    nb = v4.new_notebook(cells=[v4.new_markdown_cell("# Title\n\n> **Predict.** What?" + text)])
    nb.cells += [v4.new_code_cell(source) for source in cells]
    nb.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nb, folder / "index.ipynb")


def times_of(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def build(folder, *options):
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", "-W", "--keep-going", *options, "."]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_a_build_executes_what_has_changed_completes_formulas_and_frames_and_uses_an_address(book, monkeypatch):
    def runs():
        return len((book / "runs").read_text())

    count = 'with open("runs", "a") as file:\n    file.write("x")'
    write_notebook(book, [count, NOTEBOOK + '\nprint(r"\\( not a formula \\)")'], FORMULAS)
    # nbval has executed it, so the first build does not.
    shutil.copy(ROOT / "conftest.py", book)
    nbval = ["--nbval", "--nbval-kernel-name=python3", "-q", "-p", "no:cacheprovider", "index.ipynb"]
    environment = os.environ | {"PYTHONPATH": str(book)}
    done = subprocess.run([sys.executable, "-m", "pytest", *nbval], cwd=book, env=environment, capture_output=True)
    assert done.returncode == 0, done.stdout
    core, html = book / "attention_core.py", book / "_build" / "html"
    page, explorers = html / "index.html", html / "_static" / "explorers"
    status, log = build(book)
    assert status == 0, log
    assert runs() == 1
    text = page.read_text(encoding="utf-8")
    assert "answer 41" in text
    assert '<figure class="explorer"' in text
    assert 'class="callout callout-predict' in text
    assert "vnd.jupyter.widget" not in text
    assert "mybinder" not in text  # the book has no address yet
    check_formulas(text)
    places = [text.index(part) for part in ('href="#note-index-seeds"', 'id="note-index-seeds"', 'id="a-section"')]
    assert places == sorted(places)  # a mark, and the note at the end of its section
    (frames,) = explorers.rglob("*.js")
    assert f'data-frames="_static/explorers/index/{frames.name}"' in text
    downloaded = (html / "_sources" / "index.ipynb").read_text(encoding="utf-8")
    assert "`pip install .`" in downloaded  # the edition
    assert "%pip" not in downloaded
    files = [path for pattern in ("*.html", "*.xml", "*.ipynb", "*.js") for path in html.rglob(pattern)]
    assert not [path for path in files if "executablebooks" in path.read_text("utf-8")]  # Jupyter Book's own address

    if EVERYWHERE:  # Nothing has changed, so only files that Sphinx writes in every build are written.
        times = times_of(html)
        assert page in times
        status, log = build(book)
        assert status == 0, log
        assert {path.name for path, time in times_of(html).items() if times[path] != time} <= {"pygments.css"}

    # Something that the notebook uses has changed. Its explorer has different frames: the old file is deleted. And the
    # book gets an address.
    core.write_text("ANSWER, FRAMES = 42, [1, 2, 3]\n")
    monkeypatch.setenv(mode.URL, "https://example.org/attention")
    config = book / "_config.yml"
    text = config.read_text(encoding="utf-8")
    block = re.sub("^# ", "", REPOSITORY.search(text)[0], flags=re.M)
    block = re.sub(r"github\.com/\S+", "github.com/someone/a-book", block)
    config.write_text(REPOSITORY.sub(block, text), encoding="utf-8")
    status, log = build(book)
    assert status == 0, log
    assert b"answer 42" in page.read_bytes()
    assert runs() == 2
    (new_frames,) = explorers.rglob("*.js")
    assert new_frames.name != frames.name
    check_address(html)


@weekly
def test_a_cell_that_fails_is_named_and_the_build_fails(book):
    write_notebook(book, ["raise RuntimeError('broken on purpose')"])
    status, log = build(book)
    assert status != 0
    assert "broken on purpose" in log
    assert "index.ipynb" in log


def check_formulas(text):
    assert text.count("<mjx-container") == text.count("</math>") == 4
    assert re.search(r'<span class="together"><span class="math[^>]*>.*</span>,</span>', text)
    assert re.search(r"mjx-c5E[.\w-]*::before", text)  # the style for a hat
    assert 'class="eqno"' in text
    assert "\\( not a formula \\)" in text
    assert "application/json" not in text


def check_address(html):
    """Launch buttons, previews and the sitemap."""
    page = (html / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'href="([^"]+)"', page)
    assert any(link.startswith("https://mybinder.org/v2/gh/someone/a-book/notebooks") for link in links)
    assert any("colab.research.google.com/github/someone/a-book/blob/notebooks/index.ipynb" in link for link in links)
    assert 'property="og:image" content="https://example.org/attention/_static/preview.png"' in page
    assert 'property="og:url" content="https://example.org/attention/index.html"' in page
    assert '<link rel="canonical" href="https://example.org/attention/index.html"' in page
    downloaded = (html / "_sources" / "index.ipynb").read_text(encoding="utf-8")
    assert '%pip install -q \\"git+https://github.com/someone/a-book\\"' in downloaded
    sitemap = (html / "sitemap.xml").read_text(encoding="utf-8")
    assert "<loc>https://example.org/attention/index.html</loc>" in sitemap


@weekly
def test_two_chapters_become_one_page(book):
    """The build is the same as for the PDF."""
    text = "\n\nAfter this chapter you can\n\n- go on.\n\nYou need nothing."
    text += "\n\n## More\n\n*Second reading.* Where $x$ is.\n\nWords."
    write_notebook(book, [NOTEBOOK], text)
    first, second = nbformat.read(book / "index.ipynb", 4), book / "second.ipynb"
    ident = first.cells[1].id
    first.cells[0].source += f" [The chapter](index.ipynb) and [its cell](index.ipynb#cell-id={ident})."
    first.cells[1].source = NOTEBOOK.replace("def f", "def g")
    nbformat.write(first, second)  # with the same cell ids
    (book / "_toc.yml").write_text("format: jb-book\nroot: index\nchapters:\n- file: second\n")
    status, log = build(book, "--builder", "singlehtml")
    assert status == 0, log
    page = (book / "_build" / "singlehtml" / "index.html").read_text(encoding="utf-8")
    assert page.count("answer 41") == page.count('<figure class="explorer"') == page.count("<mjx-container") == 2
    assert len(set(re.findall(r'<figure class="explorer" id="(.*?)"', page))) == 2
    assert 'id="cell-id=' not in page  # it would be there twice
    assert page.count('<span class="visually-hidden">: More</span> · 2 minutes ·<span> Where <span') == 2
    assert "first-reading" not in page  # it would be there twice
    assert "open-all" not in page


@weekly
def test_a_page_can_be_printed(tmp_path):
    """The whole book is printed the same way."""
    source = ROOT / "_build" / "html" / "index.html"
    if not source.is_file():
        pytest.skip("there is no built book; run: make book")
    require_browser()
    pdf = tmp_path / "page.pdf"
    subprocess.run([sys.executable, "-m", "website.print.print_book", source, pdf], cwd=ROOT, check=True)
    assert pdf.read_bytes().startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b", pdf.read_bytes())) >= 2
