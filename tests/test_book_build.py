"""The Sphinx extension, on a book of one notebook: what is executed, when, and what happens when it fails."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import ROOT

NOTEBOOK = """
import attention_core
from explore import explore

print("answer", attention_core.ANSWER)

@explore(x=[1, 2])
def f(x):
    "Anything."
    return f"<p>{x}</p>"
"""


@pytest.fixture
def book(tmp_path):
    """A book that imports its own attention_core.py, not the installed one, and counts its executions in a file."""
    for folder in ("_ext", "_static"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_config.yml", "references.bib", "explore.py", "requirements.txt", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    (tmp_path / "attention_core.py").write_text("ANSWER = 41\n")
    count = 'with open("runs", "a") as file:\n    file.write("x")'
    write_notebook(tmp_path, [count, NOTEBOOK])
    return tmp_path


def write_notebook(folder, cells):
    v4 = nbformat.v4
    nb = v4.new_notebook(cells=[v4.new_markdown_cell("# Title\n\n> **Predict.** What?")])
    nb.cells += [v4.new_code_cell(source) for source in cells]
    nb.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nb, folder / "index.ipynb")


def build(folder):
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", "-W", "--keep-going", "."]
    done = subprocess.run(command, cwd=folder, env=os.environ.copy(), capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_executes_when_code_changes_and_only_then(book):
    status, log = build(book)
    assert status == 0, log
    page = book / "_build" / "html" / "index.html"
    first = page.read_bytes()
    assert b"answer 41" in first
    assert b'<figure class="explorer"' in first
    assert b'class="callout callout-predict' in first
    assert b"vnd.jupyter.widget" not in first
    assert build(book)[0] == 0
    assert (book / "runs").read_text() == "x"

    (book / "attention_core.py").write_text("ANSWER = 42\n")
    status, log = build(book)
    assert status == 0, log
    assert b"answer 42" in page.read_bytes()
    assert (book / "runs").read_text() == "xx"

    results = book / "benchmarks" / "results"
    results.mkdir(parents=True)
    (results / "machine.json").write_text("{}")
    assert build(book)[0] == 0
    assert (book / "runs").read_text() == "xxx"
    shutil.rmtree(results.parent)

    # From nothing, the same bytes.
    (book / "attention_core.py").write_text("ANSWER = 41\n")
    shutil.rmtree(book / "_build")
    assert build(book)[0] == 0
    assert page.read_bytes() == first


def test_a_failing_cell_fails_the_build(book):
    write_notebook(book, ["raise RuntimeError('broken on purpose')"])
    status, log = build(book)
    assert status != 0
    assert "broken on purpose" in log


def test_an_explorer_that_fails_in_one_frame_fails_the_build(book):
    write_notebook(book, [NOTEBOOK.replace('return f"<p>{x}</p>"', 'return "fine" if x == 1 else None')])
    status, log = build(book)
    assert status != 0
    assert "f must return a matplotlib Figure or HTML text, got NoneType None at x = 2" in log


def test_launch_buttons_lead_to_the_repository_once_it_has_an_address(book):
    config, page = book / "_config.yml", book / "_build" / "html" / "index.html"
    text = config.read_text(encoding="utf-8")
    lines = r"(?:^(?:# )?(?:repository|launch_buttons):\n(?:^(?:# )?  .*\n)+)+"  # a copy of the book may have set them
    block = re.search(lines, text, re.M)[0]
    config.write_text(text.replace(block, ""), encoding="utf-8")
    assert build(book)[0] == 0
    assert "mybinder" not in page.read_text(encoding="utf-8")
    block = re.sub(r"github\.com/\S+", "github.com/someone/a-book", re.sub("^# ", "", block, flags=re.M))
    config.write_text(text.replace(re.search(lines, text, re.M)[0], block), encoding="utf-8")
    status, log = build(book)
    assert status == 0, log
    links = re.findall(r'href="([^"]+)"', page.read_text(encoding="utf-8"))
    assert any(link.startswith("https://mybinder.org/v2/gh/someone/a-book/main") for link in links)
    assert any("colab.research.google.com/github/someone/a-book/blob/main/index.ipynb" in link for link in links)
