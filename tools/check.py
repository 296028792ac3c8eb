"""Check one chapter, or what differs from the last commit, in a minute: `make check CHAPTER=03`.

Lint, claims that nothing supports, the parts that every chapter has, strict nbval (which draws every frame of every
explorer), the page built alone, and its tests in a browser. For a changed module: the unit tests that import it. The
last line lists what was skipped.
"""

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools import ROOT

NOTEBOOKS = [ROOT / "index.ipynb", *sorted(ROOT.glob("chapters/*.ipynb")), *sorted(ROOT.glob("back_matter/*.ipynb"))]
SLOW_TESTS = {
    "test_accessibility.py",
    "test_site.py",
    "test_sentence.py",
    "test_book_build.py",
    "test_jupyterlab.py",
}  # they test the whole book
BUILT = ROOT / "_build" / "check"


def find_notebook(name):
    found = [path for path in NOTEBOOKS if path.stem.startswith(name)]
    if len(found) != 1:
        names = ", ".join(path.stem for path in NOTEBOOKS)
        sys.exit(f"CHAPTER must be the beginning of one of {names}; got {name!r}")
    return found[0]


def changed_files():
    """The files that differ from the last commit, new files included."""
    commands = ["git diff --name-only --diff-filter=d HEAD", "git ls-files --others --exclude-standard"]
    lines = [subprocess.run(c.split(), cwd=ROOT, capture_output=True, text=True, check=True).stdout for c in commands]
    return [ROOT / line for line in "".join(lines).splitlines()]


def tests_of(modules):
    """The test files that import one of these modules."""
    names = "|".join({path.relative_to(ROOT).parts[0].removesuffix(".py") for path in modules})
    tests = sorted(ROOT.glob("tests/test_*.py"))
    imports = re.compile(rf"^\s*(?:from|import) (?:{names})\b", re.M)
    return [path for path in tests if names and path.name not in SLOW_TESTS and imports.search(path.read_text("utf-8"))]


def pytest(*arguments, **environment):
    return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, arguments)], environment


def build_page(notebook):
    """The book with one page: links to other pages lead nowhere, so they do not count as errors here."""
    folder = BUILT / notebook.stem
    folder.mkdir(parents=True, exist_ok=True)
    toc = folder / "_toc.yml"
    toc.write_text(f"format: jb-book\nroot: {notebook.relative_to(ROOT).with_suffix('').as_posix()}\n", "utf-8")
    program = Path(sys.executable).with_name("jupyter-book")
    command = [program, "build", "-W", "--keep-going", "--toc", toc, "--path-output", folder, ROOT]
    return list(map(str, command)), {"ATTENTION_MEASURED_ONE_PAGE": "1"}


def test_page(notebook):
    site = BUILT / notebook.stem / "_build" / "html"
    chosen = [
        "tests/test_site.py",
        "tests/test_accessibility.py",
        "tests/test_live.py",
        "-k",
        f"{notebook.stem} and not internal_link",
    ]
    return pytest(*chosen, "-n2", "--dist", "load", ATTENTION_MEASURED_SITE=str(site))


def run(name, command, environment):
    """Run one step, print how it went, and return whether it succeeded."""
    start = time.monotonic()
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    print(f"{'ok    ' if done.returncode == 0 else 'FAILED'} {time.monotonic() - start:4.0f} s  {name}", flush=True)
    if done.returncode:
        print(re.sub(r"\x1b\[[0-9;]*m", "", done.stdout), flush=True)
        if name in ("lint", "format"):
            print(
                "this often helps: .venv/bin/ruff format . && .venv/bin/ruff check --fix . && .venv/bin/ruff format .",
                flush=True,
            )
    return done.returncode == 0


def run_all(steps):
    return all([run(*step) for step in steps])


def run_until_one_fails(steps):
    return all(run(*step) for step in steps)


def main(chapter):
    files = [find_notebook(chapter)] if chapter else changed_files()
    notebooks = [path for path in files if path in NOTEBOOKS]
    modules = [path for path in files if path.suffix == ".py" and path.parent.name not in {"tests", "_ext"}]
    tests = {path for path in files if path.parent.name == "tests" and path.name.startswith("test_")}
    tests |= set(tests_of(modules)) | {ROOT / "tests" / "test_notebooks.py"}
    skipped = ["links between pages", "JupyterLab", "the PDF"]
    if chapter:
        skipped.append("rules on all chapters together")
    if modules:
        skipped.append("executing notebooks that use " + ", ".join(str(path.relative_to(ROOT)) for path in modules))
    seen = {*notebooks, *modules, *tests}
    skipped += [str(path.relative_to(ROOT)) for path in files if path not in seen]

    print("running: lint; then structure and outputs on one core, page and browser on the other", flush=True)
    start = time.monotonic()
    ruff = [sys.executable, "-m", "ruff"]
    lint = [("lint", [*ruff, "check", "-q", "."], {}), ("format", [*ruff, "format", "--check", "-q", "."], {})]
    claims = [sys.executable, "_ext/claims.py", *(path.stem for path in notebooks)]
    good = run_all([*lint, ("claims", claims, {})])
    # Two cores: tests and nbval on one, the page on the other.
    with ThreadPoolExecutor() as pool:
        workers = ["-n2"] if len(tests) > 1 else ["-n0"]
        workers += ["-k", notebooks[0].stem] if chapter else []
        compared = [("unit tests and structure", *pytest(*workers, "--no-header", *sorted(tests)))]
        compared += [(f"outputs and frames of {path.stem}", *pytest("-n0", path)) for path in notebooks]
        pages = [[(f"page {p.stem}", *build_page(p)), (f"browser {p.stem}", *test_page(p))] for p in notebooks]
        results = [pool.submit(run_all, compared)]
        results += [pool.submit(lambda: all([run_until_one_fails(steps) for steps in pages]))]
        good = all([result.result() for result in results]) and good
    what = ", ".join(path.stem for path in notebooks) or "no notebook"
    print(f"{'passed' if good else 'FAILED'}: {what}, in {time.monotonic() - start:.0f} s")
    print(f"skipped: {', '.join(skipped)}, and all other pages; make test does everything")
    sys.exit(not good)


if __name__ == "__main__":
    os.environ["PYTHONPATH"] = str(ROOT)
    os.environ["NO_COLOR"] = "1"
    main(sys.argv[1] if len(sys.argv) > 1 else "")
