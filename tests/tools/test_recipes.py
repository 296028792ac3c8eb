"""Each command in the four files for people who use or change the book is followed: here, in CI, weekly, or not."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from conftest import weekly
from website.places import ROOT

FILES = ("README.md", "CONTRIBUTING.md", "WRITING.md", "back_matter/publish_and_teach.md")

# What a reader puts in, and what the tests and the workflow `weekly` put in.
FILLED = {
    "NN": "03",
    '"words"': '"copy link"',
    "<that index>": "https://download.pytorch.org/whl/cpu",
    "OWNER/NAME": "${{ github.repository }}",
    "/srv/NAME": "/srv/book",
    "tests/core -k NAME": "tests/core -k entropy",
    "tests/practice -k NAME": "tests/practice -k causal_mask",
    "test_programs.py -k NAME": "test_programs.py -k in_range",
}
# Stands in no string that chapter 5 uses; in __all__, the new name has a different place.
RENAMED = ("NAME", "padding_mask"), ("NEW", "mask_padding")

# Run in a copy of the book; the words are in what the command prints.
RUN_HERE = {
    "make help": "make outputs",
    ".venv/bin/python -m website.prose 03": "",
    ".venv/bin/python -m website.asked.lists": "",
    ".venv/bin/python -m tools.reading_time 03": "(second reading)",
    ".venv/bin/python -m website.translation zh": "0 missing",
    ".venv/bin/python -m website.translation ja page index back_matter/glossary": "missing",
    'git grep -n "copy link"': "tests/",
}
FORMAT = "make format"
TEXTCONV = (
    'git config diff.ipynb.textconv ".venv/bin/jupyter nbconvert --to markdown --stdout --log-level ERROR'
    ' --TemplateExporter.exclude_output=True"'
)
RENAME = r"git grep -lw NAME | xargs perl -pi -e 's/\bNAME\b/NEW/g'"

# Where a command runs on every push, or why nothing runs it.
NOT_HERE = {
    ".ci/run": "the workflow `book`",
    "git diff languages/zh": "shows a translator the words before",
    "make pdf LANGUAGE=zh": "as in English, tests/website/test_book_build.py prints a page",
    "make outputs CHAPTER=05": "tests/website/notebooks stores outputs",
    "make lab LANGUAGE=ja": "as in Chinese, test_hub.py makes the copies",
    ".ci/push_notebooks": "test_hub.py",
    "make serve HOST=0.0.0.0": "test_hub.py, without the server",
    "cd /srv && jupyterhub -f jupyterhub_config.py": "test_hub_on_one_machine.py",
    ".venv/bin/python -m website.edition": "test_installation.py",
    ".venv/bin/python -m website.edition FOLDER --without-solutions": "tests/website/edition/test_cells.py",
    "make test": ".ci/run",
    "make book": "tools/test_run.py",
    "apt-get install chromium": ".ci/run",
    ".venv/bin/python -m website.prose": "tools/check.py",
    "make lab LANGUAGE=zh": "test_hub.py makes the same copies",
    "make lab": "tests/explore/explorers/test_jupyterlab.py",
    "make times": "stores what the last `make test` cost",
    "make experiments": "takes hours; tests/experiments runs a few steps of each",
    ".venv/bin/python -m experiments NAME": "takes hours; tests/experiments runs a few steps of each",
    ".venv/bin/python -m benchmarks.kernels --store": "takes a quarter of an hour; tests/benchmarks runs it",
    "make matrix": "takes hours; the job `matrix` runs its sessions side by side",
    ".venv/bin/mutmut show <name>": "needs the name of a mutant that survives; perhaps none does",
    r".venv\Scripts\python -m jupyterlab notebooks/index.ipynb": "ends with Ctrl-C; tests of `make lab` run it",
    r".venv\Scripts\python -m http.server -b 127.0.0.1 -d _build/html": "ends with Ctrl-C; `make serve` runs the same",
    "python -m http.server --bind 0.0.0.0 --directory html 8000": "ends with Ctrl-C; `make serve` runs the same",
    "docker push registry.example.org/attention:1": "needs a registry of one's own",
    "rsync -a --delete _build/html/ you@example.org:public_html/attention/": "needs a host of one's own",
}
# All others run in the workflow `weekly`.
NOT_WEEKLY = [*RUN_HERE, FORMAT, TEXTCONV, RENAME, *NOT_HERE]

COMMAND = re.compile(
    r"(?:make|python|pip|git|docker|rsync|apt-get|jupyter-\w+|node|npx|uv) .|\.venv.\w+.\w+ .|\.ci/\w|[A-Z_]+=.* make "
)


def commands(text):
    """The lines of shell, and the commands within sentences."""
    for block in re.findall(r"^ *```sh\n(.*?)^ *```", text, re.M | re.S):
        yield from (re.sub(r"\s+#.*", "", line) for line in re.sub(r"\s*\\\n\s*", " ", block).splitlines())
    for words in re.findall(r"`([^`\n]+)`", re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S)):
        if COMMAND.match(words):
            yield words


def filled(command):
    for word, put_in in FILLED.items():
        command = command.replace(word, put_in)
    return command


FOUND = {filled(command) for name in FILES for command in commands((ROOT / name).read_text(encoding="utf-8"))}


def test_each_command_has_one_place():
    assert set(NOT_WEEKLY) - FOUND == set(), "no file names these"
    assert len(NOT_WEEKLY) == len(set(NOT_WEEKLY))
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "weekly.yml").read_text(encoding="utf-8"))["jobs"]
    scripts = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    run = {line.strip().removesuffix(" &") for script in scripts for line in script.splitlines()}
    assert FOUND - set(NOT_WEEKLY) - run == set(), "say where these run"


def test_each_target_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {match for command in FOUND for match in re.findall(r"\bmake .*?([a-z-]+)\b", command)}
    assert named - set(re.findall(r"^([a-z-]+):", makefile, re.M)) == set()


needs_make = pytest.mark.skipif(sys.platform == "win32", reason="these commands are for make and a shell")


@pytest.fixture(scope="module")
def book(copy):
    """A copy of the book in a git repository of its own, with this environment as its ``.venv``."""

    def made(name):
        folder = copy(name)
        environment = folder / ".venv"
        environment.mkdir()
        for part in Path(sys.prefix).iterdir():
            (environment / part.name).symlink_to(part)
        for name in ("installed", "installed-test"):  # newer than the requirements, so that make installs nothing
            (environment / name).unlink(missing_ok=True)
            (environment / name).touch()
        for command in ("git init -q", "git add ."):
            follow(command, folder)
        return folder

    return made


@pytest.fixture(scope="module")
def shared_book(book):
    return book("recipes")


def follow(command, folder):
    """Run a command as a reader does who has activated ``.venv``; returns what it prints."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "MAKE"))
    }
    environment["PATH"] = os.pathsep.join([str(folder / ".venv" / "bin"), environment["PATH"]])
    options = {"cwd": folder, "env": environment, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], **options)
    printed = done.stdout.decode(errors="replace")
    assert done.returncode == 0, f"{command}\n{printed}"
    return printed


@needs_make
@pytest.mark.parametrize("command", RUN_HERE)
def test_a_command_runs_here(command, shared_book):
    assert RUN_HERE[command] in follow(command, shared_book)


@needs_make
def test_format_changes_nothing_that_is_formatted(shared_book):
    follow(FORMAT, shared_book)
    follow(".venv/bin/oxfmt", shared_book)  # alone, it formats the same files
    assert follow("git diff --stat", shared_book) == ""


@needs_make
def test_git_shows_words_and_code_of_notebooks(shared_book):
    follow(TEXTCONV, shared_book)
    path = shared_book / "chapters" / "02_why_sqrt_dk.ipynb"
    text = path.read_text(encoding="utf-8")
    assert "outputs-of" in text
    path.write_text(text.replace("number of bars added", "number of bars").replace("outputs-of", "of"), "utf-8")
    changed = [line for line in follow("git diff", shared_book).splitlines() if re.match(r"[+-](?![+-])", line)]
    path.write_text(text, "utf-8")
    assert [line.count("number of bars") for line in changed] == [1, 1]


@needs_make
@weekly
def test_a_rename_changes_no_key_and_keeps_the_order_of_names(book):
    folder = book("rename")
    program = "from website.notebooks.store_outputs import *; print(*current_keys(nbformat.read(notebooks()[6], 4)))"
    keys = follow(f"python -c '{program}'", folder)
    assert RENAMED[0][1] in (folder / "chapters" / "05_masking.ipynb").read_text(encoding="utf-8")
    command = RENAME
    for word, put_in in RENAMED:
        command = command.replace(word, put_in)
    follow(command, folder)
    follow(FORMAT, folder)
    assert follow(f"python -c '{program}'", folder) == keys
    assert "passed" in follow("python -m pytest -n0 tests/core/test_attention_core.py -k mask", folder)
    follow("ruff check attention_core.py", folder)
