"""A class of six on one machine: a JupyterHub, started as *Publish it, teach with it* says, and used as students do.

The hub runs on 127.0.0.1, with users of this test in place of the machine's. `-s` shows what six students need.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

import nbformat
import psutil
import pytest
import websocket

from conftest import EVERYWHERE, end, git, own_port
from explore.mode import UNWATCHED
from website.edition.folder import write
from website.places import ROOT

PROGRAMS = ("jupyterhub", "gitpuller", "configurable-http-proxy")
MISSING = [name for name in PROGRAMS if not shutil.which(name)] + ([] if EVERYWHERE else ["weekly"])
pytestmark = pytest.mark.skipif(MISSING != [], reason=f"a hub needs these in the PATH: {', '.join(MISSING)}")

PAGE = (ROOT / "back_matter" / "publish_and_teach.md").read_text(encoding="utf-8")
(CONFIG,) = re.findall(r"^```python\n(import os\n.*?)^```", PAGE, re.M | re.S)
START = re.search(r"^cd /srv && (jupyterhub .*)", PAGE, re.M)[1].split()
STUDENTS = sorted(re.findall(r'"(\w+)"', re.search(r"allowed_users = {(.*)}", CONFIG)[1]))
STUDENTS_CELL, TEACHERS_CELL = 6, 12  # in chapter 2
CHAPTERS = [f"NAME/chapters/{name}.ipynb" for name in ("02_why_sqrt_dk", "13_a_language_model")]
INSTEAD = """
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_port = {port} - 10_000
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{{{port} - 5_000}}"
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = "of this test"
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = "{homes}/{{username}}"
c.Spawner.args += ["--allow-root"]
"""


class Student:
    """A browser of one's own."""

    def __init__(self, browser, address, name):
        self.page, self.name, self.address = browser.new_context().new_page(), name, address
        self.page.set_default_timeout(120_000)
        self.server = f"{address}/user/{name}"

    def log_in(self):
        self.page.goto(self.address)
        self.page.fill("#username_input", self.name)
        self.page.fill("#password_input", "of this test")
        self.page.click("#login_submit")

    def sees_the_title_page(self):
        self.page.locator(".jp-RenderedMarkdown h1:has-text('Attention, Measured')").wait_for()

    def ask(self, method, path, data=None):
        cookies = {cookie["name"]: cookie["value"] for cookie in self.page.context.cookies(f"{self.server}/")}
        headers = {"X-XSRFToken": cookies["_xsrf"]}
        answer = self.page.request.fetch(f"{self.server}/api/{path}", method=method, headers=headers, data=data)
        assert answer.ok, answer.text()
        return answer.json() if answer.body() else None

    def notebook(self, path):
        return nbformat.from_dict(self.ask("GET", f"contents/{path}")["content"])

    def save(self, path, nb):
        self.ask("PUT", f"contents/{path}", {"type": "notebook", "format": "json", "content": nb})

    def opened(self, path):
        """A notebook and a connection to its kernel."""
        session = {"path": path, "name": path, "type": "notebook", "kernel": {"name": "python3"}}
        kernel = self.ask("POST", "sessions", session)["kernel"]["id"]
        cookies = self.page.context.cookies(f"{self.server}/")
        kernels = f"{self.server.replace('http', 'ws')}/api/kernels/{kernel}/channels"
        connection = websocket.create_connection(
            kernels, cookie="; ".join(f"{cookie['name']}={cookie['value']}" for cookie in cookies), timeout=600
        )
        return self.notebook(path), connection


def run_all(opened):
    """As *Run All Cells* does. Runs in a thread."""
    nb, connection = opened
    cells = {cell.id: cell for cell in nb.cells if cell.cell_type == "code" and cell.source}
    for ident, cell in cells.items():
        cell.outputs = []
        header = {"msg_id": ident, "msg_type": "execute_request", "session": "test", "username": "", "version": "5.3"}
        content = {"code": cell.source, "silent": False, "store_history": True, "stop_on_error": True}
        request = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        connection.send(json.dumps(request))
    waiting = set(cells)
    while waiting:
        message = nbformat.from_dict(json.loads(connection.recv()))
        ident = message.parent_header.get("msg_id")
        if ident in waiting and message.msg_type in ("stream", "display_data", "execute_result", "error"):
            cells[ident].outputs.append(nbformat.v4.output_from_msg(message))
            assert message.msg_type != "error", message.content
        elif message.msg_type == "status" and message.content.execution_state == "idle":
            waiting -= {ident}
    connection.close()


@pytest.fixture(scope="module")
def remote(tmp_path_factory):
    """A repository whose branch `notebooks` has the edition."""
    folder = tmp_path_factory.mktemp("remote") / "NAME"
    assert list(write(folder)) == []
    git(folder, "init", "-q", "-b", "notebooks")
    publish(folder)
    return folder


def publish(folder):
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "An edition")


@pytest.fixture(scope="module")
def hub(remote, request):
    """The hub's process and address."""
    folder, port = Path(tempfile.mkdtemp()), own_port()  # a short path, because those of kernels' files are limited
    instead = INSTEAD.format(port=port, homes=folder)
    config = CONFIG.replace("https://github.com/OWNER/NAME", remote.as_uri())
    (folder / START[-1]).write_text(config + instead, encoding="utf-8")
    unwanted = ("PYTHON", "PYTEST", "OMP", UNWATCHED)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(START, cwd=folder, env=environment, stdout=log, stderr=log)

    def answers():
        with contextlib.suppress(OSError):
            return urllib.request.urlopen(f"http://127.0.0.1:{port}/hub/health").status == 200

    try:
        wait_until(answers)
        yield psutil.Process(process.pid), f"http://127.0.0.1:{port}"
    finally:
        end(process)
        if request.session.testsfailed:
            print((folder / "log").read_text(encoding="utf-8"))
        shutil.rmtree(folder)


def programs(process):
    """The servers and kernels of students."""
    found = []
    for child in process.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            found += [child] * ("JUPYTERHUB_USER" in child.environ())
    return found


def used(process):
    """By students: processor seconds, and GB. Of memory that several programs share, each counts its part (PSS)."""
    cpu, memory = 0, 0
    for program in programs(process):
        with contextlib.suppress(psutil.NoSuchProcess):
            cpu += sum(program.cpu_times()[:4])
            memory += program.memory_full_info().pss / 1e9
    return cpu, memory


@contextlib.contextmanager
def measured(process, what):
    """Print what students need while a block runs; yields a list whose last number is the most memory."""
    done, before, start = threading.Event(), used(process)[0], time.monotonic()
    memory = [0]

    def watch():
        while not done.wait(3):  # to look more often takes time from the students
            memory.append(max(memory[-1], used(process)[1]))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield memory
        seconds, (cpu, last) = time.monotonic() - start, used(process)
        memory.append(max(memory[-1], last))
    finally:
        done.set()
        thread.join()
    print(f"{what:25} {seconds:4.0f} {cpu - before:3.0f} {memory[-1]:5.1f}")


def lesson(process, students):
    """All log in, and run each chapter at the same time; returns the most memory."""
    print(f"\n{len(students)} students: seconds, processor seconds, GB")
    with measured(process, "log in"):
        for student in students:
            student.log_in()
        for student in students:
            student.sees_the_title_page()
            student.page.goto("about:blank")  # the browser's work is not the hub's
    for chapter in CHAPTERS:
        opened = [student.opened(chapter) for student in students]
        with measured(process, PurePosixPath(chapter).stem) as memory, ThreadPoolExecutor(len(students)) as pool:
            list(pool.map(run_all, opened))
        for student, (nb, _) in zip(students, opened, strict=True):
            student.save(chapter, nb)
    return memory[-1]


def wait_until(true):
    for _ in range(600):
        if true():
            return
        time.sleep(0.1)
    pytest.fail("a minute was not enough")


def test_six_students_keep_their_words_beside_a_new_edition(hub, remote, browser):
    process, address = hub
    students = [Student(browser, address, name) for name in STUDENTS]
    assert len(students) == 6

    def log_out(students):
        for student in students:
            student.page.goto(f"{address}/hub/logout")
        wait_until(lambda: programs(process) == [])

    one = lesson(process, students[:1])
    log_out(students[:1])
    six = lesson(process, students)
    for needed, said in zip((one, six), re.findall(r"13_a_language_model .* ([\d.]+)$", PAGE, re.M), strict=True):
        assert needed == pytest.approx(float(said), rel=0.25), "the page says another memory"

    for student in students:
        nb = student.notebook(CHAPTERS[0])
        nb.cells[STUDENTS_CELL].source += f"\n# {student.name} was here"
        student.save(CHAPTERS[0], nb)
    log_out(students)
    folder = Path(process.cwd())
    for path in ("jupyterhub.sqlite", *(f"{name}/{CHAPTERS[0]}" for name in STUDENTS)):
        assert (folder / path).stat().st_mode & 0o077 == 0, f"others can read {path}"

    new_edition(remote, "the second edition")
    for student in students:
        student.log_in()
    for student in students:
        student.sees_the_title_page()
        has_both(student, "the second edition")
    new_edition(remote, "the third edition")
    (link,) = re.findall(r"^https://HUB(/hub/user-redirect/git-pull\?.*)$", PAGE, re.M)
    student.page.goto(address + link.replace("https://github.com/OWNER/NAME", remote.as_uri()))
    student.sees_the_title_page()
    has_both(student, "the third edition")


def new_edition(remote, words):
    """Another cell of a chapter, and another notebook."""
    path = remote.parent / CHAPTERS[0]
    nb = nbformat.read(path, 4)
    nb.cells[TEACHERS_CELL].source += f"\n# {words}"
    for changed in (path, path.with_stem(words)):
        nbformat.write(nb, changed)
    publish(remote)


def has_both(student, words):
    nb = student.notebook(CHAPTERS[0])
    assert nb.cells[STUDENTS_CELL].source.endswith(f"\n# {student.name} was here")
    assert nb.cells[TEACHERS_CELL].source.endswith(f"\n# {words}")
    assert student.notebook(CHAPTERS[0].replace("02_why_sqrt_dk", words))
