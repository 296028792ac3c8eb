"""The branch `notebooks`, and the page's recipe for a class: an image made from it, a student's files, later changes.

No container runs here; the workflow `weekly` builds the image.
"""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from jupyter_core.paths import SYSTEM_CONFIG_PATH
from jupyter_server.services.kernels.kernelmanager import MappingKernelManager
from traitlets.config import Config

from website.places import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="containers and the workflow's machine have bash")

PAGE = (ROOT / "back_matter" / "publish_and_teach.md").read_text(encoding="utf-8")
SCRIPT = ROOT / ".ci" / "push_notebooks"
ADDRESS = "https://github.com/OWNER/NAME"
HOME = "/home/jovyan"  # where a hub mounts a student's storage, if its values do not say otherwise


def git(folder, *words):
    identity = ["-c", "user.name=a test", "-c", "user.email=test@example.org"]
    return subprocess.run(["git", *identity, *words], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


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
    assert not any("given" in name for name in files(remote))
    modules = git(book, "log", "-1", "--format=%H").strip()
    assert f"git+{ADDRESS}@{modules}" in text(remote, "index.ipynb")
    assert f"git+{ADDRESS}@{modules}\n" in text(remote, ".binder/requirements.txt")

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


def test_links_name_the_branch():
    for launch in ("mybinder.org/v2/gh/OWNER/NAME/", "colab.research.google.com/github/OWNER/NAME/blob/"):
        assert re.findall(re.escape(launch) + r"(\w+)", PAGE) == ["notebooks"]
    (commented,) = re.findall(r"^# repository:\n(?:# .*\n)+", (ROOT / "_config.yml").read_text("utf-8"), re.M)
    (shown,) = re.findall(r"^repository:\n(?:.+\n)+?(?=```)", PAGE, re.M)
    assert re.sub("^# ", "", commented, flags=re.M) == shown
    assert yaml.safe_load(shown)["repository"]["branch"] == "notebooks"


# A class


@pytest.fixture(scope="module")
def values():
    """The values of a hub, as the page gives them."""
    (block,) = re.findall(r"^```yaml\n(hub:\n.*?)^```", PAGE, re.M | re.S)
    return yaml.safe_load(block)


@pytest.fixture(scope="module")
def build():
    """The options of the page's command that builds the image."""
    (command,) = re.findall(r"^jupyter-repo2docker --no-run (.*?[^\\])$", PAGE, re.M | re.S)
    *words, address = shlex.split(command.replace("\\\n", " "))
    assert address == ADDRESS
    return dict(zip(words[::2], words[1::2], strict=True))


def test_the_command_says_what_the_values_say(build, values):
    image = values["singleuser"]["image"]
    assert build["--image-name"] == f"{image['name']}:{image['tag']}"
    assert f"/home/{build['--user-name']}" == values["hub"]["config"]["KubeSpawner"]["working_dir"] == HOME
    assert build["--user-id"] == "1000"  # as the hub's chart runs containers
    assert build["--ref"] == "notebooks"


def test_a_students_change_is_there_after_a_new_image(build, values, remote, tmp_path):
    def inside(path):
        return path.replace(build["--target-repo-dir"], f"{image}").replace(HOME, f"{home}")

    home, image = tmp_path / "home", tmp_path / "image" / "NAME"
    command = [inside(word) for word in values["singleuser"]["lifecycleHooks"]["postStart"]["exec"]["command"]]
    title_page = Path(inside(values["singleuser"]["defaultUrl"].replace("/lab/tree", HOME)))
    home.mkdir()
    git(tmp_path, "clone", "-q", "-b", "notebooks", remote, image)
    subprocess.run(command, check=True)
    title_page.write_text(title_page.read_text(encoding="utf-8") + " ", encoding="utf-8")

    (image / "index.ipynb").write_text("{}", encoding="utf-8")
    (image / "chapters" / "99_new.ipynb").write_text("{}", encoding="utf-8")
    subprocess.run(command, check=True)
    assert title_page.read_text(encoding="utf-8").endswith(" ")
    assert {"05_masking.ipynb", "99_new.ipynb"} <= {path.name for path in (title_page.parent / "chapters").iterdir()}


def test_a_kernel_has_one_thread_and_ends_when_idle(values):
    (file,) = values["singleuser"]["extraFiles"].values()
    assert str(Path(file["mountPath"]).parent) in SYSTEM_CONFIG_PATH
    manager = MappingKernelManager(config=Config(file["data"]))
    assert (manager.cull_idle_timeout, manager.cull_connected) == (1200, True)
    assert values["singleuser"]["extraEnv"] == {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}


def test_a_link_with_later_changes_leads_to_the_students_copy(values):
    (link,) = re.findall(r"^https://HUB/hub/user-redirect/git-pull\?(.*)$", PAGE, re.M)
    query = dict(pair.split("=") for pair in link.split("&"))
    assert (query["repo"], query["branch"]) == (ADDRESS, "notebooks")
    assert "/" + query["urlpath"] == values["singleuser"]["defaultUrl"]
