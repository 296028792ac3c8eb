"""The branch `notebooks`, and the page's recipes for a class: the site for its network; an image made from the branch,
what a hub on several machines needs; the answers that students hand in.

No container runs here; the workflow `weekly` builds the image. test_hub_on_one_machine.py starts a hub.
"""

import json
import os
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest
import yaml
from jupyter_core.paths import SYSTEM_CONFIG_PATH
from jupyter_server.services.kernels.kernelmanager import MappingKernelManager
from traitlets.config import Config

from conftest import EVERYWHERE, git
from website.places import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="containers and the workflow's machine have bash")

PAGE = (ROOT / "back_matter" / "publish_and_teach.md").read_text(encoding="utf-8")
SCRIPT = ROOT / ".ci" / "push_notebooks"
ADDRESS = "https://github.com/OWNER/NAME"


# The branch


@pytest.fixture(scope="module")
def book(copy):
    folder = copy("published")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "The book")
    return folder


@pytest.fixture(scope="module")
def push(book, tmp_path_factory):
    """Push to a repository beside the book; returns that repository's address."""
    remote = tmp_path_factory.mktemp("remote") / "NAME"
    subprocess.run(["git", "init", "-q", "--bare", remote], check=True)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

    def pushed():
        script = [book / ".ci" / "push_notebooks", ADDRESS, remote.as_uri()]
        subprocess.run(script, check=True, env=os.environ | {"PATH": path})
        return remote.as_uri()

    return pushed


@pytest.fixture(scope="module")
def remote(push):
    return push()


def files(remote):
    return set(git(remote.removeprefix("file://"), "ls-tree", "-r", "--name-only", "notebooks").splitlines())


def text(remote, name):
    return git(remote.removeprefix("file://"), "show", f"notebooks:{name}")


def commits(remote):
    return git(remote.removeprefix("file://"), "log", "--format=%H", "notebooks").split()


def test_a_push_adds_a_commit_if_a_reader_gets_something_new(push, book, remote):
    (first,) = commits(remote)
    assert {"index.ipynb", "chapters/05_masking.ipynb", "back_matter/glossary.ipynb", ".binder/start"} <= files(remote)
    assert {"zh/index.ipynb", "zh/chapters/05_masking.ipynb"} <= files(remote)
    assert "掩码" in text(remote, "zh/chapters/05_masking.ipynb")
    assert not any("given" in name or name.startswith("zh/.") for name in files(remote))
    modules = git(book, "log", "-1", "--format=%H").strip()
    assert f"git+{ADDRESS}@{modules}" in text(remote, "index.ipynb")
    assert f"git+{ADDRESS}@{modules}\n" in text(remote, ".binder/requirements.txt")

    if not EVERYWHERE:  # each push writes the whole edition
        return
    (book / "README.md").write_text("nothing that readers of notebooks get", encoding="utf-8")
    git(book, "commit", "-q", "-a", "-m", "Another README")
    push()
    assert commits(remote) == [first]

    for name in ("explore/mode.py", "back_matter/notation.md"):
        path = book / name
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    git(book, "rm", "-q", "back_matter/api.md")
    git(book, "commit", "-q", "-a", "-m", "Another module, and a page less")
    push()
    assert commits(remote)[1:] == [first]
    assert "back_matter/api.ipynb" not in files(remote)
    modules = git(book, "log", "-1", "--format=%H").strip()
    assert f"git+{ADDRESS}@{modules}" in text(remote, "index.ipynb")


def test_the_script_looks_at_all_that_a_notebook_installs():
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    installed = {*(f"{name}.py" for name in setuptools["py-modules"]), "pyproject.toml"}
    installed |= {name.rstrip("*") for name in setuptools["packages"]["find"]["include"]}
    (looked_at,) = re.findall(r"git log -1 --format=%H -- (.*)\)$", SCRIPT.read_text(encoding="utf-8"), re.M)
    assert set(looked_at.split()) == installed


# A class without kernels


def test_make_serves_other_machines_only_if_its_command_says_so():
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    environment |= {"HOST": "0.0.0.0", "PORT": "8000"}  # tcsh, for one, has a variable HOST of its own

    def printed(*words):
        command = ["make", "-n", *words]
        return subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout

    alone, open_to_all = printed("serve"), printed("serve", "HOST=0.0.0.0")
    assert "make serve HOST=0.0.0.0\n" in PAGE
    assert " --bind 127.0.0.1 " in alone
    assert "http://127.0.0.1:8000/ " in alone
    assert " --bind 0.0.0.0 " in open_to_all
    assert "http://<this machine's name or address>:8000/ " in open_to_all


def formulas(text):
    """The two sides of each formula outside code."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return [re.split(r" = | \\approx ", formula) for formula in re.findall(r"\$([^$]+)\$", text)]


def test_formulas_are_computed_right():
    assert len(formulas(PAGE)) >= 10
    for left, right in formulas(PAGE):
        assert eval(left.replace(r"\cdot", "*")) == pytest.approx(float(right), rel=0.01)


def test_models_are_as_large_as_their_buttons_say():
    """tests/models/test_in_worker.py compares the buttons with the files."""
    names = ("own_sentence", "language_model")
    scripts = [ROOT / "models" / name / "static" / "programs" / f"{name}.js" for name in names]
    sizes = [int(re.search(r"^ *size: (\d+),$", path.read_text(encoding="utf-8"), re.M)[1]) for path in scripts]
    both = f"{sum(sizes)}"
    assert [f"{sizes[0]} + {sizes[1]}", both] in formulas(PAGE)
    assert [rf"30 \cdot {both}", f"{30 * sum(sizes)}"] in formulas(PAGE)


# A class on a hub


@pytest.fixture(scope="module")
def values():
    """The values of a hub, as the page gives them."""
    (block,) = re.findall(r"^```yaml\n(hub:\n.*?)^```", PAGE, re.M | re.S)
    return yaml.safe_load(block)


def test_both_hubs_bring_the_same_notebooks_and_start_the_same_servers(values):
    """tests/tools/test_hub_on_one_machine.py starts the first of them."""
    (lines,) = re.findall(r"^```python\n(import os\n.*?)^```", PAGE, re.M | re.S)
    c = Config()
    exec(lines.replace("os.umask", "oct"), {"c": c})
    (*_, command) = values["singleuser"]["lifecycleHooks"]["postStart"]["exec"]["command"]
    assert c.Spawner.cmd[2].split(";")[0] == command.removesuffix(" || true")
    assert (c.Spawner.default_url, c.Spawner.environment) == tuple(
        values["singleuser"][name] for name in ("defaultUrl", "extraEnv")
    )
    (file,) = values["singleuser"]["extraFiles"].values()
    assert c.Spawner.args[:-1] == [
        f"--{name}.{key}={value}" for name, pairs in file["data"].items() for key, value in pairs.items()
    ]
    assert c.Spawner.args[-1].startswith("--KernelManager.transport")  # containers have ports of their own


def test_a_kernel_has_one_thread_and_ends_when_idle(values):
    (file,) = values["singleuser"]["extraFiles"].values()
    assert str(Path(file["mountPath"]).parent) in SYSTEM_CONFIG_PATH
    manager = MappingKernelManager(config=Config(file["data"]))
    assert (manager.cull_idle_timeout, manager.cull_connected) == (3600, True)
    assert "after an hour without work (3600 seconds)" in PAGE
    assert values["singleuser"]["extraEnv"] == {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}


def test_what_30_students_need_follows_from_the_values(values):
    rows = re.findall(r"^\| .* \| \$30 \\cdot (\S+) = .*\$ \| \$30 \\cdot (\S+) = .*\$ \|$", PAGE, re.M)
    guaranteed, running, limits = (list(map(float, row)) for row in rows)
    memory, cpu = values["singleuser"]["memory"], values["singleuser"]["cpu"]
    assert guaranteed == [float(memory["guarantee"].removesuffix("G")), cpu["guarantee"]]
    assert limits == [float(memory["limit"].removesuffix("G")), cpu["limit"]]
    one, _ = re.findall(r"^13_a_language_model .* ([\d.]+)$", PAGE, re.M)
    assert running == [float(one), float(values["singleuser"]["extraEnv"]["OMP_NUM_THREADS"])]


# Answers that students hand in


def test_the_pages_lines_count_right_answers(tmp_path):
    (lines,) = re.findall(r"^ *```python\n( +import.*?)^ *```", PAGE, re.M | re.S)
    (tmp_path / "answers").mkdir()
    for name, answers in {"ben": (True, False, True), "anna": (False,)}.items():
        saved = json.dumps({"answers": [{"right": right} for right in answers]})  # as tests/website/boxes finds it
        (tmp_path / "answers" / f"{name}.json").write_text(saved, encoding="utf-8")
    command = [sys.executable, "-c", textwrap.dedent(lines)]
    printed = subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.PIPE, text=True).stdout
    assert printed == "anna: 0 of 1 right\nben: 2 of 3 right\n"
