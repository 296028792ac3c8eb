"""Check one chapter, or everything that differs from the last commit, in a minute: `make check CHAPTER=03`.

Lint and the rules for prose come first. Then each changed notebook goes through strict nbval (which draws every frame
of every explorer), and its page is built alone and tested in a browser. A changed program of an explorer is compared
with its function, and its notebook is checked, too. For every other changed file, this program runs the tests in the
folder of the same name and the tests that import the file. If a site exists, it is rebuilt for the browser tests. The
last lines of the output list the skipped checks.
"""

import ast
import functools
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from explore import mode
from website import places
from website.notebooks.explorer_cells import PROGRAMS, notebook_of
from website.notebooks.needs import imported_by
from website.places import ROOT

BUILT = ROOT / "_build" / "check"
TESTS = ROOT / "tests"
OF_OUTPUTS = TESTS / "chapters" / "test_notebooks.py"
OF_PAGES = ["website/page/test_site.py", "website/page/test_accessibility.py", "explore/explorers/test_live.py"]
OF_PROGRAMS = [TESTS / "explore" / "explorers" / name for name in ("test_programs.py", "test_scripts.py")]
IN_BROWSER = re.compile(r"\b(?:(?:require_)?browser|(?:open|share)_page|page_with|opened|SITE)\b")


def changed_files():
    """The files that differ from the last commit, new files included."""
    commands = ["git diff --name-only --diff-filter=d HEAD", "git ls-files --others --exclude-standard"]
    lines = [subprocess.run(c.split(), cwd=ROOT, capture_output=True, text=True, check=True).stdout for c in commands]
    return [ROOT / line for line in "".join(lines).splitlines()]


def tests_of(path):
    """For a test, only itself; for other files, tests in the folder of the same name and quick tests that import them.

    A test is quick if it needs no browser.
    """
    if path.is_relative_to(TESTS) and path.name.startswith("test_"):
        return {path}
    inside = path.relative_to(TESTS if path.is_relative_to(TESTS) else ROOT)
    # For website/boxes/static/questions.js, those in tests/website/boxes.
    beside = [set((TESTS / folder).glob("test_*.py")) for folder in list(inside.parents)[:-1]]
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    importing = {test for test in TESTS.rglob("test_*.py") if path.suffix == ".py" and module in imports_of(test)}
    return next(filter(None, beside), set()) | importing - in_browser(importing)


@functools.cache
def imports_of(test):
    return set(imported_by(ast.parse(test.read_text("utf-8"))))


def in_browser(tests):
    return {test for test in tests if IN_BROWSER.search(test.read_text("utf-8"))}


def pytest(*arguments, **environment):
    return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, arguments)], environment


def build_page(notebook):
    """The command that builds the book with one page; links to missing pages do not count as errors."""
    folder = BUILT / notebook.stem
    folder.mkdir(parents=True, exist_ok=True)
    toc = folder / "_toc.yml"
    toc.write_text(f"format: jb-book\nroot: {notebook.relative_to(ROOT).with_suffix('').as_posix()}\n", "utf-8")
    program = Path(sys.executable).with_name("jupyter-book")
    command = [program, "build", "-W", "--keep-going", "--toc", toc, "--path-output", folder, ROOT]
    return list(map(str, command)), {mode.ONE_PAGE: "1"}


def test_page(notebook):
    site = BUILT / notebook.stem / "_build" / "html"
    chosen = [*(TESTS / name for name in OF_PAGES), "-k", f"{notebook.stem} and not internal_link"]
    return pytest(*chosen, "-n2", "--dist", "load", **{mode.SITE: str(site)})


FAILED = []  # the names of steps


def run(name, command, environment):
    """Run one step, print how it went, and return whether it succeeded."""
    start = time.monotonic()
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    print(f"{'ok    ' if done.returncode == 0 else 'FAILED'} {time.monotonic() - start:4.0f} s  {name}", flush=True)
    if done.returncode:
        FAILED.append(name)
        print(re.sub(r"\x1b\[[0-9;]*m", "", done.stdout), flush=True)
        if name == "lint":
            print("this often helps: make format", flush=True)
    return done.returncode == 0


def names(paths, folder=ROOT):
    return ", ".join(sorted(path.relative_to(folder).as_posix() for path in paths))


def main(words):
    files = {*(places.named(words, places.notebooks()) if words else changed_files())}
    # An explorer's program is checked with its page, and a page with its programs.
    programs = {path for path in PROGRAMS.values() if {path, notebook_of(path.stem)} & files}
    notebooks = sorted(files & {*places.notebooks()} | {notebook_of(path.stem) for path in programs})
    of_file = {path: tests_of(path) for path in files - programs - {*notebooks}}
    tests = {OF_OUTPUTS}.union(*of_file.values())
    of_site = in_browser(tests)
    has_site = (places.BUILT / "index.html").is_file()

    print("running: lint and prose; then tests and outputs on one core, pages and browser on the other", flush=True)
    start = time.monotonic()
    good = run("lint", ["make", "-s", "lint"], {})
    good &= run("prose", [sys.executable, "-m", "website.prose"], {})
    # Two cores: tests and nbval on one, pages and the browser on the other.
    here = sorted(tests - of_site if has_site else tests)
    workers = ["-n2" if len(here) > 1 else "-n0", *(["-k", " or ".join(p.stem for p in notebooks)] if words else [])]
    compared = [("unit tests and outputs' keys", *pytest(*workers, "--no-header", *here))]
    for path in sorted(programs):
        compared.append((f"program {path.stem}", *pytest("-n0", *OF_PROGRAMS, "-k", f"{path.stem} or test_scripts")))
    compared += [(f"outputs and frames of {path.stem}", *pytest("-n0", path)) for path in notebooks]
    chains = [[(f"page {p.stem}", *build_page(p)), (f"browser {p.stem}", *test_page(p))] for p in notebooks]
    if of_site and has_site:
        browser = (f"browser {names(of_site, TESTS)}", *pytest("-n2", "--no-header", *sorted(of_site)))
        chains.append([("book", ["make", "-s", "book"], {}), browser])
    with ThreadPoolExecutor() as pool:
        results = [pool.submit(lambda: all([run(*step) for step in compared]))]
        results += [pool.submit(lambda: all([all(run(*step) for step in steps) for steps in chains]))]
        good &= all([result.result() for result in results])

    rooms = {test.parent for test in {*TESTS.rglob("test_*.py")} - tests}
    skipped = ["all other pages, and links between pages", f"all other tests in {names(rooms, TESTS)}"]
    if of_site and not has_site:
        skipped.append(f"browser tests in {names(of_site, TESTS)}, which need a built site (make book)")
    # Notebooks import these.
    imported = ("attention_core.py", "benchmarks", "four_words", "experiments", "explore", "models", "practice")
    if used := [p for p in of_file if p.suffix == ".py" and p.relative_to(ROOT).parts[0] in imported]:
        skipped.append(f"the notebooks that use {names(used)}")
    if untested := [path for path, found in of_file.items() if not found and path not in places.pages()]:
        skipped.append(f"tests of {names(untested)}: none found")
    lacked = subprocess.run([sys.executable, "-m", "website.translation.lacking"], capture_output=True, text=True)
    print(lacked.stdout + lacked.stderr, end="")
    print(f"{time.monotonic() - start:.0f} s:", "passed" if good else f"FAILED: {'; '.join(FAILED)}")
    print("skipped here (`make test` runs them):", *skipped, sep="\n  ")
    sys.exit(not good)


if __name__ == "__main__":
    os.environ["PYTHONPATH"] = str(ROOT)
    os.environ["NO_COLOR"] = "1"
    main(sys.argv[1:])
