"""The branch `notebooks`, and the page's recipe for a class: an image made from it, a student's server, later changes.

No container runs here: the container's folders are folders of the test, and its server is this environment's.
"""

import contextlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import psutil
import pytest
import requests
import yaml

from conftest import end, own_port
from website.places import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="containers and the workflow's machine have bash")

PAGE = (ROOT / "back_matter" / "publish_and_teach.md").read_text(encoding="utf-8")
SCRIPT = ROOT / ".ci" / "push_notebooks"
ADDRESS = "https://github.com/OWNER/NAME"
HOME = "/home/jovyan"  # where a hub mounts a student's storage, if its values do not say otherwise


def needs(module):
    missing = importlib.util.find_spec(module) is None
    return pytest.mark.skipif(missing, reason=f"{module} is not installed; the workflow `weekly` installs it")


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


# The image


@pytest.fixture(scope="module")
def build():
    """The words of the page's command that builds the image."""
    (command,) = re.findall(r"^jupyter-repo2docker (.*?[^\\])$", PAGE, re.M | re.S)
    return shlex.split(command.replace("\\\n", " "))


@pytest.fixture(scope="module")
def image_folder(build):
    return build[build.index("--target-repo-dir") + 1]


@needs("repo2docker")
def test_the_command_says_what_the_values_say(build, values):
    from repo2docker.__main__ import make_r2d

    made = make_r2d(build)
    assert (made.repo, made.ref, made.run) == (ADDRESS, "notebooks", False)
    assert f"/home/{made.user_name}" == HOME
    assert made.user_id == 1000  # as the hub's chart runs containers
    image = values["singleuser"]["image"]
    assert made.output_image_spec == f"{image['name']}:{image['tag']}"


@needs("repo2docker")
def test_repo2docker_finds_all_that_the_branch_says(build, remote, tmp_path):
    from repo2docker.__main__ import make_r2d
    from repo2docker.contentproviders import Git

    for _ in Git().fetch({"repo": remote, "ref": make_r2d(build).ref}, tmp_path / "NAME", yield_output=True):
        pass
    words = [str(tmp_path / "NAME") if word == ADDRESS else word for word in build]
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", *words]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    lines = [
        "FROM docker.io/library/buildpack-deps:",  # which has git
        "environment-2epy-2d3-2e11",  # runtime.txt
        "WORKDIR ${REPO_DIR}",
        "COPY --chown=1000:1000 src/ ${REPO_DIR}/",  # constraints.txt among them, before pip needs it
        '/bin/pip install --no-cache-dir -r ".binder/requirements.txt"',
        "RUN chmod +x .binder/postBuild",
        "RUN ./.binder/postBuild",
        'RUN chmod +x "${REPO_DIR}/.binder/start"',
        'ENV R2D_ENTRYPOINT="${REPO_DIR}/.binder/start"',
        'ENTRYPOINT ["/usr/local/bin/repo2docker-entrypoint"]',
    ]
    found = [printed.find(line) for line in lines]
    assert -1 not in found, dict(zip(lines, found, strict=True))
    assert found == sorted(found)


# A student's server


@pytest.fixture(scope="module")
def values():
    (block,) = re.findall(r"^```yaml\n(hub:\n.*?)^```", PAGE, re.M | re.S)
    return yaml.safe_load(block)


class Container:
    """Folders of a container and of a student's storage, and servers that a hub starts there by its values."""

    def __init__(self, folder, remote, image_folder, values):
        self.folder, self.image_folder, self.values = folder, image_folder, values
        self.home = self.of(HOME)
        self.home.mkdir(parents=True)
        # As repo2docker gets a branch.
        git(folder, "clone", "-q", "--no-checkout", remote, self.of(image_folder))
        git(self.of(image_folder), "reset", "-q", "--hard", "origin/notebooks")

    def of(self, path):
        return Path(f"{self.folder}{path}")

    def inside(self, words):
        for path in (HOME, self.image_folder, "/etc/jupyter"):
            words = words.replace(path, str(self.of(path)))
        return words

    @contextlib.contextmanager
    def server(self):
        singleuser = self.values["singleuser"]
        for file in singleuser["extraFiles"].values():
            path = Path(self.inside(file["mountPath"]))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(file["data"]), encoding="utf-8")
        spawner = self.values["hub"]["config"]["KubeSpawner"]
        cwd = self.inside(spawner.get("working_dir", self.image_folder))
        after_start = singleuser["lifecycleHooks"]["postStart"]["exec"]["command"]
        subprocess.run([self.inside(word) for word in after_start], cwd=cwd, check=True)
        environment = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        environment |= {"HOME": str(self.home), "JUPYTER_RUNTIME_DIR": f"{self.folder}/run"} | singleuser["extraEnv"]
        environment["JUPYTER_CONFIG_PATH"] = str(self.of("/etc/jupyter"))
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        command = ["bash", f"{self.of(self.image_folder)}/.binder/start", sys.executable, "-m", "jupyterlab"]
        command += ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={own_port()}"]
        command += [f"--LabApp.default_url={singleuser['defaultUrl']}"]  # as JupyterHub's own server sets it
        log = self.folder / "log"
        with log.open("w") as to:
            process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=to, stderr=to)
        try:
            yield Server(process, self.folder / "run", log)
        finally:
            end(process)


class Server:
    def __init__(self, process, folder, log):
        self.process, self.log = process, log
        for _ in range(600):
            if found := list(folder.glob("jpserver-*.json")):
                break
            assert process.poll() is None, log.read_text()
            time.sleep(0.1)
        else:
            pytest.fail(log.read_text())
        about = json.loads(found[0].read_text())
        self.address, self.token = about["url"], about["token"]
        for _ in range(600):  # the file is there before the server listens
            with contextlib.suppress(requests.exceptions.ConnectionError):
                self.ask("GET", "api")
                break
            time.sleep(0.1)

    def ask(self, method, path, **options):
        headers = {"Authorization": f"token {self.token}"}
        return requests.request(method, self.address + path, headers=headers, timeout=60, **options)


@pytest.fixture
def container(tmp_path, remote, image_folder, values):
    return Container(tmp_path, remote, image_folder, values)


def test_a_students_change_is_there_after_a_new_image(container, values):
    there = values["singleuser"]["defaultUrl"].removeprefix("/lab/tree/")
    with container.server() as server:
        assert server.ask("GET", "").url.partition("?")[0] == f"{server.address}lab/tree/{there}"
        found = server.ask("GET", f"api/contents/{there}")
        assert found.status_code == 200, "the title page is not where the hub sends a student"
        page = found.json()
        page["content"]["cells"][0]["source"] = "A student's words"
        assert server.ask("PUT", f"api/contents/{there}", json=page).status_code == 200

    image = container.of(container.image_folder)
    (image / "index.ipynb").write_text("{}", encoding="utf-8")
    (image / "chapters" / "99_new.ipynb").write_text("{}", encoding="utf-8")
    shutil.rmtree(container.of("/etc"))  # with a container, all but the student's storage ends
    with container.server() as server:
        cells = server.ask("GET", f"api/contents/{there}").json()["content"]["cells"]
        assert cells[0]["source"] == "A student's words"
        folder = Path(there).parent / "chapters"
        names = [file["name"] for file in server.ask("GET", f"api/contents/{folder}").json()["content"]]
        assert {"05_masking.ipynb", "99_new.ipynb"} <= set(names)


def test_a_kernel_has_one_thread_and_ends_when_idle(container, values):
    from jupyter_core.paths import SYSTEM_CONFIG_PATH

    (mounted,) = (file["mountPath"] for file in values["singleuser"]["extraFiles"].values())
    assert str(Path(mounted).parent) in SYSTEM_CONFIG_PATH
    with container.server() as server:
        assert server.ask("POST", "api/kernels", json={"name": "python3"}).status_code == 201
        log = server.log.read_text()
        assert "Culling kernels with idle durations > 1200 seconds" in log
        assert "Culling kernels even with connected clients" in log
        children = psutil.Process(server.process.pid).children(recursive=True)
        running = [child for child in children if child.status() != psutil.STATUS_ZOMBIE]
        (kernel,) = (child for child in running if "ipykernel_launcher" in child.cmdline())
        assert kernel.environ()["OMP_NUM_THREADS"] == "1"
        assert kernel.environ()["OMP_WAIT_POLICY"] == "PASSIVE"


# Later changes


@needs("nbgitpuller")
def test_a_link_brings_changes_and_keeps_a_students(push, book, remote, container, values):
    (link,) = re.findall(r"^https://HUB/hub/user-redirect/git-pull\?(.*)$", PAGE, re.M)
    query = dict(pair.split("=") for pair in link.split("&"))
    assert "/" + query["urlpath"] == values["singleuser"]["defaultUrl"]
    folder = query["repo"].rsplit("/", 1)[1]  # as nbgitpuller names it

    with container.server():
        pass
    mine, other = (container.home / folder / name for name in ("index.ipynb", "chapters/05_masking.ipynb"))
    changed = json.loads(mine.read_text(encoding="utf-8"))
    changed["cells"][0]["source"] = "A student's words"
    mine.write_text(json.dumps(changed, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
    for name in ("index.ipynb", "chapters/05_masking.ipynb"):
        source = json.loads((book / name).read_text(encoding="utf-8"))
        for number in (0, -1):
            cell = source["cells"][number]
            cell["source"] = [*cell["source"], f"\n\nA teacher's words in cell {number}"]
        (book / name).write_text(json.dumps(source), encoding="utf-8")
    git(book, "commit", "-q", "-a", "-m", "A teacher's words")
    push()
    puller = [sys.executable, "-m", "nbgitpuller.pull", remote, query["branch"], folder]
    subprocess.run(puller, cwd=container.home, check=True, env=os.environ | {"HOME": str(container.home)})
    assert "A teacher's words in cell 0" in other.read_text(encoding="utf-8")
    cells = json.loads(mine.read_text(encoding="utf-8"))["cells"]
    assert cells[0]["source"] == "A student's words"
    assert "A teacher's words in cell -1" in json.dumps(cells)
