"""Check one chapter, or everything that differs from the last commit, in a minute: `make check CHAPTER=03`.

Lint and the rules for prose come first. Then each changed notebook goes through strict nbval (which draws every frame
of every explorer), and its page is built alone and tested in a browser. For every other changed file, this
program runs the tests in the folder of the same name and the tests that import the file. If a site exists, it is
rebuilt for the browser tests. The last lines of the output list the skipped checks.
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
from website.notebooks.explorer_cells import notebook_of
from website.places import ROOT

BUILT = ROOT / "_build" / "check"
TESTS = ROOT / "tests"
OF_OUTPUTS = TESTS / "chapters" / "test_notebooks.py"
OF_PAGES = ["website/page/test_site.py", "website/page/test_accessibility.py", "explore/explorers/test_live.py"]
PROGRAMS = ROOT / "explore" / "explorers" / "page" / "static" / "programs"
ANSWERS = TESTS / "practice" / "wrong_answers.py"
IN_BROWSER = re.compile(r"\b(?:(?:require_)?browser|open_page|share_page|opened|SITE)\b")


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
    return tests_beside(path) | {test for test in importing(path) if not IN_BROWSER.search(test.read_text("utf-8"))}


def tests_beside(path):
    """The tests in the folder of the same name: for website/boxes/static/questions.js, those in tests/website/boxes."""
    inside = path.relative_to(TESTS if path.is_relative_to(TESTS) else ROOT)
    found = (set((TESTS / folder).glob("test_*.py")) for folder in list(inside.parents)[:-1])
    return next(filter(None, found), set())


def importing(path):
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    return {test for test in TESTS.rglob("test_*.py") if path.suffix == ".py" and name in imported_by(test)}


@functools.cache
def imported_by(path):
    """The full names of the modules that a file imports, and of the things that it imports from them."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def narrowed(path):
    """For a file that can reach only some tests of its room: these, each with the words that choose among its cases."""
    if path.parent == PROGRAMS:
        page = notebook_of(path.stem).stem
        of_room = TESTS / "explore" / "explorers"
        words = {"test_programs.py": path.stem, "test_scripts.py": "", "test_live.py": f"{path.stem} or {page}"}
        return {of_room / name: chosen for name, chosen in words.items()}
    if path.is_relative_to(ROOT / "practice") and path.stem.startswith("chapter_"):
        exercises = re.findall(r"^def check_(\w+)", path.read_text(encoding="utf-8"), re.M)
    elif path == ANSWERS:
        exercises = exercises_that_differ(at_last_commit(path), path.read_text(encoding="utf-8"))
    else:
        return {}
    return {TESTS / "practice" / "test_practice.py": " or ".join(exercises)} if exercises else {}


def at_last_commit(path):
    command = ["git", "show", f"HEAD:{path.relative_to(ROOT).as_posix()}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def exercises_that_differ(before, now):
    """The exercises whose answers differ between two versions of the tables; none if anything else differs as well."""
    (old, old_rest), (new, new_rest) = answers_in(before), answers_in(now)
    return sorted(name for name in old | new if old.get(name) != new.get(name)) if old_rest == new_rest else []


def answers_in(text):
    """For each exercise, its rows and the functions that only they name; and all other statements."""
    statements = ast.parse(text).body
    functions = {s.name: ast.unparse(s) for s in statements if isinstance(s, ast.FunctionDef)}
    rows, used_by = {}, {}
    for table in (s.value for s in statements if isinstance(s, ast.Assign) and isinstance(s.value, ast.Dict)):
        for key, answers in zip(table.keys, table.values, strict=True):
            if isinstance(key, ast.Constant):
                rows.setdefault(key.value, []).append(ast.unparse(answers))
                for name in {node.id for node in ast.walk(answers) if isinstance(node, ast.Name)} & functions.keys():
                    used_by.setdefault(name, set()).add(key.value)
    for name, (exercise, *others) in used_by.items():
        if not others:
            rows[exercise].append(functions.pop(name))
    rest = [s for s in statements if not isinstance(s, (ast.FunctionDef, ast.Assign))]
    return rows, (functions, [ast.unparse(s) for s in rest])


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


def run(name, command, environment):
    """Run one step, print how it went, and return whether it succeeded."""
    start = time.monotonic()
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    print(f"{'ok    ' if done.returncode == 0 else 'FAILED'} {time.monotonic() - start:4.0f} s  {name}", flush=True)
    if done.returncode:
        print(re.sub(r"\x1b\[[0-9;]*m", "", done.stdout), flush=True)
        if name == "lint":
            print("this often helps: make format", flush=True)
    return done.returncode == 0


def run_all(steps):
    return all([run(*step) for step in steps])


def run_until_one_fails(steps):
    return all(run(*step) for step in steps)


def names(paths, folder=ROOT):
    return ", ".join(sorted(path.relative_to(folder).as_posix() for path in paths))


def main(words):
    files = places.named(words, places.notebooks()) if words else changed_files()
    notebooks = [path for path in files if path in places.notebooks()]
    narrow = {path: narrowed(path) for path in files if path not in notebooks}
    of_file = {path: set() if cases else tests_of(path) for path, cases in narrow.items()}
    tests = {OF_OUTPUTS}.union(*of_file.values())
    in_browser = {test for test in tests if IN_BROWSER.search(test.read_text("utf-8"))}
    has_site = (places.BUILT / "index.html").is_file()

    print("running: lint and prose; then tests and outputs on one core, pages and browser on the other", flush=True)
    start = time.monotonic()
    good = run_all([("lint", ["make", "-s", "lint"], {}), ("prose", [sys.executable, "-m", "website.prose"], {})])
    # Two cores: tests and nbval on one, pages and the browser on the other.
    here = sorted(tests - in_browser if has_site else tests)
    workers = ["-n2" if len(here) > 1 else "-n0", *(["-k", " or ".join(p.stem for p in notebooks)] if words else [])]
    compared = [("unit tests and outputs' keys", *pytest(*workers, "--no-header", *here))]
    compared += [(f"outputs and frames of {path.stem}", *pytest("-n0", path)) for path in notebooks]
    of_cases, cases = [], {pair for chosen in narrow.values() for pair in chosen.items()}
    for test, chosen in sorted(cases):
        step = (f"{names([test], TESTS)} {chosen}", *pytest("-n2", "--dist", "load", "--no-header", test, "-k", chosen))
        if not IN_BROWSER.search(test.read_text("utf-8")):
            compared.append(step)
        elif has_site:
            of_cases.append(step)
    chains = [[(f"page {p.stem}", *build_page(p)), (f"browser {p.stem}", *test_page(p))] for p in notebooks]
    if (in_browser or of_cases) and has_site:
        if in_browser:
            of_site = pytest("-n2", "--no-header", *sorted(in_browser))
            of_cases.append((f"browser {names(in_browser, TESTS)}", *of_site))
        chains.append([("book", ["make", "-s", "book"], {}), *of_cases])
    with ThreadPoolExecutor() as pool:
        results = [pool.submit(run_all, compared)]
        results += [pool.submit(lambda: all([run_until_one_fails(steps) for steps in chains]))]
        good = all([result.result() for result in results]) and good

    others = set(TESTS.rglob("test_*.py")) - tests - {test for test, _ in cases}
    folders = {test.parent for test in others} - {test.parent for test in tests}
    alone = {test for test in others if test.parent not in folders}
    skipped = ["all other pages, and links between pages", f"tests in {names(folders | alone, TESTS)}"]
    if in_browser and not has_site:
        skipped.append(f"browser tests in {names(in_browser, TESTS)}, which need a built site (make book)")
    rooms = ("attention_core.py", "benchmarks", "experiments", "explore", "models", "practice")  # imported by notebooks
    if used := [p for p in of_file if p.suffix == ".py" and p.relative_to(ROOT).parts[0] in rooms]:
        skipped.append(f"the notebooks that use {names(used)}")
    if untested := [
        path for path, found in of_file.items() if not found and not narrow[path] and path not in places.pages()
    ]:
        skipped.append(f"tests of {names(untested)}: none found")
    what = ", ".join(path.stem for path in notebooks) or "no notebook"
    print(f"{'passed' if good else 'FAILED'}: {what}, in {time.monotonic() - start:.0f} s")
    print("skipped here (`make test` runs them):", *skipped, sep="\n  ")
    sys.exit(not good)


if __name__ == "__main__":
    os.environ["PYTHONPATH"] = str(ROOT)
    os.environ["NO_COLOR"] = "1"
    main(sys.argv[1:])
