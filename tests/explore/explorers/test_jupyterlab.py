"""Notebooks in a real JupyterLab: they run, their sliders compute, and they survive a kernel's death.
Each explorer that computes begins at its start, and shows the picture of the state that a reader presses.
"""

import ast
import json
import os
import re
import subprocess
import sys
import time

import nbformat
import psutil
import pytest

from conftest import EVERYWHERE, end, own_port, sample, weekly
from explore import Explorer
from explore.explorers.fields import Field
from explore.explorers.saved import WIDGET_VIEW
from explore.explorers.tables import Switches
from explore.mode import UNWATCHED
from four_words.machine import explorer as of_the_machine
from website.edition.cells import METADATA
from website.notebooks.explorer_cells import PROGRAMS, explorer_of, needed_by
from website.places import ROOT

NAME = "explorer.ipynb"
EXPLORER = '''
import matplotlib.pyplot as plt

from explore import explore, number


@explore(slope=number(0, 8))
def line(slope=1):
    """A line."""
    fig, ax = plt.subplots(figsize=(4.4, 3.6))
    ax.plot([0, 1], [0, slope])
    ax.set(ylim=(0, 8))
    return fig
'''
SAVED = re.search(r"^SAVED := (.*)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)[1]  # as in `make lab`


EXPLORERS = "explorers.ipynb"
# The workflow `weekly` opens all of them.
TRIED = list(PROGRAMS) if EVERYWHERE else ["bench", "mask_laboratory", "softmax_explorer"]
KINDS = '''
import matplotlib.pyplot as plt

from explore import explore, state, walk


@explore(state("Low", "It is low.", slope=1), slope=[1, 3, 7], color=["red", "blue"], dashed=[False, True])
def lists(slope=7, color="blue", dashed=True):
    """Controls with lists of values."""
    fig, ax = plt.subplots(figsize=(4.4, 3.6))
    ax.plot([0, 1], [0, slope], color=color, ls="--" if dashed else "-")
    return fig


@walk("First.", "Second.")
def steps(step):
    """A walk."""
    return lists(step + 1)
'''


def notebook(*sources):
    return nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, sources)), metadata=METADATA)


def code_of(name):
    """The cell of an explorer, with what it needs."""
    return "\n".join(map(ast.unparse, needed_by(name)))


def wait_until(done, about):
    """What ``done()`` returns as soon as it is true; a failure with the words ``about()`` after a minute."""
    for _ in range(600):
        if found := done():
            return found
        time.sleep(0.1)
    pytest.fail(about())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with two notebooks of these tests."""
    folder = tmp_path_factory.mktemp("lab")
    nbformat.write(notebook(EXPLORER), folder / NAME)
    cells = [*map(code_of, TRIED), "from four_words.machine import machine\n\nmachine()", EXPLORER, KINDS]
    nbformat.write(notebook(*cells), folder / EXPLORERS)
    return folder


@pytest.fixture(scope="module")
def lab(folder):
    """JupyterLab on this machine only; returns its process, address and password."""
    # A reader watches, so explorers are live.
    environment = {key: value for key, value in os.environ.items() if key != UNWATCHED}
    folders = {f"JUPYTER_{name}_DIR": str(folder / f".{name}") for name in ("CONFIG", "DATA", "RUNTIME")}
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={own_port()}"]
    options += [f"--ServerApp.root_dir={folder}"]
    options += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command = [sys.executable, "-m", "jupyterlab", *options, *SAVED.split()]
    log = (folder / "log").open("w")
    server = subprocess.Popen(command, env=environment | folders, stdout=log, stderr=log)
    try:
        found = wait_until(lambda: list(folder.glob(".RUNTIME/jpserver-*.json")), (folder / "log").read_text)
        about = json.loads(found[0].read_text())
        yield server, about["url"], about["token"]
    finally:
        end(server)
        log.close()


def opened(browser, address, token, name=NAME):
    page = browser.new_page(viewport={"width": 1300, "height": 900})
    page.set_default_timeout(60_000)  # a machine is slow while it runs other tests
    page.goto(f"{address}lab/tree/{name}?token={token}")
    return page


def wait_for_the_kernel(page, address, token, name=NAME):
    def sessions():
        return page.request.get(f"{address}api/sessions?token={token}").json()

    def idle():
        kernels = [session["kernel"] for session in sessions() if session["path"] == name]
        return [kernel["id"] for kernel in kernels if kernel["execution_state"] == "idle" and kernel["connections"]]

    return wait_until(idle, lambda: f"no idle kernel: {sessions()}")[0]


def run_all(page):
    page.click(".lm-MenuBar-item:has-text('Run')")
    page.click(".lm-Menu-item:has-text('Run All Cells')")


# What a live explorer shows: its pictures, and the words in its fields. (A hidden explorer is drawn, too.)
PICTURE = "e => [...e.querySelectorAll('svg')].map(svg => svg.outerHTML).join()"
SHOWN = f"""markup => {{
    const e = document.createElement("div");
    e.innerHTML = markup;
    return ({PICTURE})(e);
}}"""
FIELDS = "e => [...e.querySelectorAll('.widget-text input')].map(input => input.value).join(' ')"
# Two clicks: the second comes while the picture is being drawn, as when a reader's finger slips.
PRESS = """(e, name) => {
    const button = [...e.querySelectorAll("button")].find(button => button.textContent.trim() === name);
    button.click();
    setTimeout(() => button.click(), 60);
}"""


def live_form(page, caption):
    """The live explorer with this caption, once it is there."""
    find = """caption => [...document.querySelectorAll(".jp-OutputArea .jupyter-widgets.widget-vbox")].find(
        e => e.querySelector("svg") && e.querySelector(":scope > :last-child em")?.textContent === caption)"""
    page.wait_for_function(f"caption => Boolean(({find})(caption))", arg=caption)
    return page.evaluate_handle(find, caption).as_element()


def move_the_slider(page):
    """A key draws another picture of the line, beside the slider."""
    form = live_form(page, "A line.")
    slider, drawn = (form.query_selector(part).bounding_box() for part in (".widget-slider", "svg"))
    assert drawn["x"] > slider["x"] + slider["width"]
    before = form.evaluate(PICTURE)
    form.query_selector(".noUi-handle").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"([form, before]) => ({PICTURE})(form) !== before", arg=[form, before])
    assert form.evaluate(FIELDS) == "1.02"


def assert_saves_pictures(page, file):
    """A saved explorer is a picture, for the next day, when the server and its kernels have ended."""
    before = file.stat().st_mtime_ns
    page.keyboard.press("Control+s")

    def is_saved():
        return file.stat().st_mtime_ns > before and file.read_text(encoding="utf-8").rstrip().endswith("}")

    wait_until(is_saved, lambda: f"{file} has not been saved")
    text = file.read_text(encoding="utf-8")
    assert '"image/png"' in text
    assert WIDGET_VIEW not in text


@weekly
def test_a_notebook_survives_the_death_of_its_kernel_and_the_night(lab, browser, folder):
    server, address, token = lab
    page = opened(browser, address, token)

    def run_all_and_move_the_slider():
        wait_for_the_kernel(page, address, token)
        run_all(page)
        page.wait_for_function("() => document.querySelector('.widget-text input')?.value === '1'")
        move_the_slider(page)

    run_all_and_move_the_slider()
    processes = psutil.Process(server.pid).children(recursive=True)
    kernels = [process for process in processes if "ipykernel_launcher" in process.cmdline()]
    assert len(kernels) == 1
    kernels[0].kill()
    page.click(".jp-Dialog button:has-text('Ok')")  # JupyterLab says that it is restarting the kernel
    assert page.locator(".jp-OutputArea .jupyter-widgets svg").is_visible()
    run_all_and_move_the_slider()
    assert page.locator(".jp-OutputArea [data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    assert_saves_pictures(page, folder / NAME)
    kernel = wait_for_the_kernel(page, address, token)
    page.request.delete(f"{address}api/kernels/{kernel}?token={token}")
    page.close()
    page = opened(browser, address, token)
    explorer = page.locator(".jp-OutputArea img").first
    explorer.wait_for()
    assert explorer.evaluate("image => image.naturalWidth") > 300
    assert "Error displaying widget" not in page.inner_text(".jp-Notebook")
    page.close()


def test_explorers_begin_at_their_start_show_what_a_reader_chooses_and_are_saved(lab, browser, folder, monkeypatch):
    """Each picture is the one that a process without a browser draws."""
    monkeypatch.delenv(UNWATCHED)
    _, address, token = lab
    explorers = {name: explorer_of(name) for name in TRIED} | {"machine": of_the_machine.explorer_of()}
    exec(EXPLORER + KINDS, explorers)
    explorers = {name: explorer for name, explorer in explorers.items() if isinstance(explorer, Explorer)}
    pressed = {name: sample(explorer.states[1:] + explorer.states[:1], 2) for name, explorer in explorers.items()}
    drawn = {
        (name, state): explorer.draw(positions).markup
        for name, explorer in explorers.items()
        for state, positions in [("start", tuple(explorer.start.values())), *((s.name, at) for s, at in pressed[name])]
    }
    page = opened(browser, address, token, EXPLORERS)
    wait_for_the_kernel(page, address, token, EXPLORERS)
    page.wait_for_timeout(500)
    assert page.locator(".jp-mod-dirty").count() == 0  # no dot in the tab before a reader has done something
    run_all(page)
    forms = {name: live_form(page, explorer.caption) for name, explorer in explorers.items()}
    page.wait_for_timeout(500)  # a browser that had something to say to the kernel has said it
    wait_for_the_kernel(page, address, token, EXPLORERS)
    wrong = []
    for name, explorer in explorers.items():
        typed = [c for c in explorer.controls.values() if isinstance(c, Field) and not isinstance(c, Switches)]
        words = " ".join(control.in_words(explorer.start[control.name]) for control in typed)
        shown = forms[name].evaluate(FIELDS)
        if shown.split() != words.replace(";", "").split():
            wrong.append(f"{name} has {shown} before a touch, not {words}")
        if forms[name].evaluate(PICTURE) != page.evaluate(SHOWN, drawn[name, "start"]):
            wrong.append(f"{name} before a touch")
    for name in explorers:
        for state in [state.name for state, _ in pressed[name]]:
            forms[name].evaluate(PRESS, state)
            shown = page.evaluate(SHOWN, drawn[name, state])
            for _ in range(100):
                page.wait_for_timeout(100)
                if forms[name].evaluate(PICTURE) == shown:
                    break
            else:
                wrong.append(f"{name} at {state}")
    assert wrong == []
    more = forms["bench"].query_selector(".jupyter-widget-Collapse-contents")
    assert not more.is_visible()
    forms["bench"].query_selector(".jupyter-widget-Collapse-header").click()
    more.wait_for_element_state("visible")
    assert forms["bench"].query_selector(".widget-html sub").inner_text() == "k"  # dₖ, and not d_k
    move_the_slider(page)
    assert_saves_pictures(page, folder / EXPLORERS)
    assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    page.close()
