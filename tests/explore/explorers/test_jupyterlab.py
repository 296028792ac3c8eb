"""The edition's notebooks in a real JupyterLab: they run, their sliders compute, and they survive a kernel's death."""

import json
import os
import re
import subprocess
import sys
import time

import nbformat
import psutil
import pytest

from conftest import end, own_port
from explore.explorers.saved import WIDGET_VIEW
from explore.mode import UNWATCHED
from website.edition.folder import write
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


@pytest.fixture
def lab(tmp_path):
    """JupyterLab on this machine only, in a folder with the edition; returns its process, address and password."""
    assert list(write(tmp_path)) == []
    kernelspec = {"name": "python3", "display_name": "Python 3"}
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(EXPLORER)], metadata={"kernelspec": kernelspec}
    )
    nbformat.write(notebook, tmp_path / NAME)
    # A reader watches, so explorers are live.
    environment = {key: value for key, value in os.environ.items() if key != UNWATCHED}
    folders = {f"JUPYTER_{name}_DIR": str(tmp_path / f".{name}") for name in ("CONFIG", "DATA", "RUNTIME")}
    options = [
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--port={own_port()}",
        f"--ServerApp.root_dir={tmp_path}",
    ]
    options += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command = [sys.executable, "-m", "jupyterlab", *options, *SAVED.split()]
    log = (tmp_path / "log").open("w")
    server = subprocess.Popen(command, env=environment | folders, stdout=log, stderr=log)
    try:
        for _ in range(600):
            if found := list(tmp_path.glob(".RUNTIME/jpserver-*.json")):
                break
            assert server.poll() is None, (tmp_path / "log").read_text()
            time.sleep(0.1)
        else:
            pytest.fail((tmp_path / "log").read_text())
        about = json.loads(found[0].read_text())
        yield server, about["url"], about["token"]
    finally:
        end(server)
        log.close()


def opened(browser, address, token):
    page = browser.new_page(viewport={"width": 1300, "height": 900})
    page.set_default_timeout(60_000)  # a machine is slow while it runs other tests
    page.goto(f"{address}lab/tree/{NAME}?token={token}")
    return page


def wait_for_the_kernel(page, address, token):
    for _ in range(600):
        kernels = page.request.get(f"{address}api/kernels?token={token}").json()
        if [(kernel["execution_state"], kernel["connections"] > 0) for kernel in kernels] == [("idle", True)]:
            return kernels[0]["id"]
        time.sleep(0.1)
    pytest.fail(f"no idle kernel: {kernels}")


def test_a_notebook_runs_in_jupyterlab_and_survives_the_death_of_its_kernel_and_the_night(lab, browser, tmp_path):
    server, address, token = lab
    page = opened(browser, address, token)
    picture = page.locator(".jp-OutputArea .jupyter-widgets svg")

    def run_all_and_move_the_slider():
        page.click(".lm-MenuBar-item:has-text('Run')")
        page.click(".lm-Menu-item:has-text('Run All Cells')")
        page.wait_for_function("() => document.querySelector('.widget-text input')?.value === '1'")
        slider, drawn = page.locator(".widget-slider").bounding_box(), picture.bounding_box()
        assert drawn["x"] > slider["x"] + slider["width"]  # beside the slider, not below it
        before = picture.inner_html()
        page.focus(".widget-slider .noUi-handle")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.querySelector('.widget-text input').value === '1.02'")
        changed = "before => document.querySelector('.jp-OutputArea .jupyter-widgets svg').innerHTML !== before"
        page.wait_for_function(changed, arg=before)

    wait_for_the_kernel(page, address, token)
    run_all_and_move_the_slider()
    processes = psutil.Process(server.pid).children(recursive=True)
    kernels = [process for process in processes if "ipykernel_launcher" in process.cmdline()]
    assert len(kernels) == 1
    kernels[0].kill()
    page.click(".jp-Dialog button:has-text('Ok')")  # JupyterLab says that it is restarting the kernel
    assert picture.is_visible()
    wait_for_the_kernel(page, address, token)
    run_all_and_move_the_slider()
    assert page.locator(".jp-OutputArea [data-mime-type='application/vnd.jupyter.stderr']").count() == 0

    # The next day: the notebook was saved, and the server and its kernels have ended. An explorer is a picture then.
    file = tmp_path / NAME
    before = file.stat().st_mtime_ns
    page.keyboard.press("Control+s")
    for _ in range(600):
        if file.stat().st_mtime_ns > before:
            break
        time.sleep(0.1)
    text = file.read_text(encoding="utf-8")
    assert file.stat().st_mtime_ns > before
    assert WIDGET_VIEW not in text
    kernel = wait_for_the_kernel(page, address, token)
    page.request.delete(f"{address}api/kernels/{kernel}?token={token}")
    page.close()
    page = opened(browser, address, token)
    explorer = page.locator(".jp-OutputArea img").first
    explorer.wait_for()
    assert explorer.evaluate("image => image.naturalWidth") > 300
    assert "Error displaying widget" not in page.inner_text(".jp-Notebook")
    page.close()
