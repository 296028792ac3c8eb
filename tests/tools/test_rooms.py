"""Imports between rooms run one way, as CONTRIBUTING says, and the requirements name each package that is imported."""

import ast
import re
import sys
from importlib.metadata import packages_distributions

import pytest
from packaging.utils import canonicalize_name

from website.notebooks.needs import packages_in
from website.places import ROOT

# The rooms that each room may import from.
MAY_IMPORT = {
    "languages": set(),
    "explore": {"languages"},
    "practice": {"attention_core", "languages"},
    "four_words": {"attention_core", "explore", "languages"},
    "models": {"attention_core", "explore", "languages"},
    "website": {"four_words", "explore", "languages", "models", "practice"},
    "experiments": {"attention_core", "website"},
    "benchmarks": {"attention_core", "explore", "website"},
    "tools": {"attention_core", "explore", "languages", "website"},
}
ROOMS = {"attention_core", *MAY_IMPORT}
DISTRIBUTIONS = packages_distributions()
WITH_A_BROWSER = {"print_book.py"}  # before it runs this, make installs what tests need
ON_DEMAND = {"fast_transformers", "nox"}


def imported_by(path):
    return packages_in(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_run_one_way(room):
    for path in (ROOT / room).rglob("*.py"):
        others = imported_by(path) & ROOMS - {room}
        assert others <= MAY_IMPORT[room], f"{path.relative_to(ROOT)} imports {others - MAY_IMPORT[room]}"


@pytest.mark.parametrize("folder", [".", *MAY_IMPORT, "tests"])
def test_the_requirements_name_each_package_that_is_imported(folder):
    lists = ["requirements.txt", "requirements-no-deps.txt"]
    lists += ["requirements-test.txt"] if folder in ("tools", "tests") else []
    text = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in lists)
    named = set(map(canonicalize_name, re.findall(r"^\w[\w-]*", text, re.M)))
    own = {path.stem for path in [*ROOT.glob("*"), *ROOT.glob("tests/**/*.py")]}
    for path in (ROOT / folder).glob("*.py" if folder == "." else "**/*.py"):
        if path.name not in WITH_A_BROWSER:
            for module in imported_by(path) - own - sys.stdlib_module_names - ON_DEMAND:
                packages = set(map(canonicalize_name, DISTRIBUTIONS.get(module, [module])))
                assert named & packages, f"{path.relative_to(ROOT)} imports {module}"
