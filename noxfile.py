"""Run unit tests and notebooks with the oldest and the newest versions that pyproject.toml allows: `make matrix`."""

import re
import tomllib
from pathlib import Path

import nox

ROOT = Path(__file__).resolve().parent
VARIED = ("torch", "numpy", "matplotlib", "ipywidgets")
ELSEWHERE = (
    "test_site",
    "test_accessibility",
    "test_book_build",
    "test_jupyterlab",
    "test_project",
    "test_installation",
    "test_recipes",
    "test_hub",
)  # these test the book with its pinned packages

nox.options.default_venv_backend = "venv"


def ranges():
    """The requirement in pyproject.toml for each package whose version is varied: ``{"torch": "torch>=2.6"}``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {re.split(r"[<>=]", requirement)[0]: requirement for requirement in project["dependencies"]}
    return {name: named[name] for name in VARIED}


def others():
    """Every other direct dependency, pinned as for the book."""
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("requirements.txt", "requirements-test.txt")]
    pinned = re.findall(r"^[\w-]+==\S+", "".join(texts), re.M)
    return [pin for pin in pinned if pin.split("==")[0] not in VARIED]


@nox.session(python=["3.11", "3.12", "3.13"])
@nox.parametrize("versions", ["oldest", "newest"])
def matrix(session, versions):
    oldest = [requirement.replace(">=", "==").split(",")[0] for requirement in ranges().values()]
    chosen = oldest if versions == "oldest" else list(ranges().values())
    session.install(
        "--upgrade", "--upgrade-strategy", "eager" if versions == "newest" else "only-if-needed", *chosen, *others()
    )
    session.install("--no-deps", "-r", "requirements-no-deps.txt")
    session.run("python", "-m", "pip", "list", "--format=freeze", "--exclude-editable", silent=True)
    tests = [path for path in sorted(ROOT.glob("tests/**/test_*.py")) if path.stem not in ELSEWHERE]
    notebooks = ["index.ipynb", "chapters", "back_matter"]
    session.env["CI"] = "false"  # no site is built with these versions, so tests of its pages are skipped
    session.run("python", "-m", "pytest", *map(str, [*tests, *notebooks]), *session.posargs)
