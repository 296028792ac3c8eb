"""The title page's notebook in a real JupyterLab: it runs, its sliders compute, and it survives a kernel's death."""

import json
import os
import shutil
import subprocess
import sys
import time

import psutil
import pytest

from explore.mode import UNWATCHED
from website.places import ROOT


@pytest.fixture
def lab(tmp_path):
    """JupyterLab on this machine only, in its own folder; returns its process, its address and its password."""
    shutil.copy(ROOT / "index.ipynb", tmp_path / "downloaded.ipynb")
    # A reader watches, so explorers are live.
    environment = {key: value for key, value in os.environ.items() if key != UNWATCHED}
    folders = {f"JUPYTER_{name}_DIR": str(tmp_path / f".{name}") for name in ("CONFIG", "DATA", "RUNTIME")}
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0", f"--ServerApp.root_dir={tmp_path}"]
    options += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command = [sys.executable, "-m", "jupyterlab", *options]
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
        children = psutil.Process(server.pid).children(recursive=True) if server.poll() is None else []
        server.terminate()
        server.wait(30)
        for child in children:
            if child.is_running():
                child.kill()
        log.close()


def test_a_downloaded_notebook_runs_in_jupyterlab_and_survives_the_death_of_its_kernel(lab, browser):
    server, address, token = lab
    page = browser.new_page(viewport={"width": 1300, "height": 900})
    page.set_default_timeout(60_000)  # a machine is slow while it runs other tests
    page.goto(f"{address}lab/tree/downloaded.ipynb?token={token}")
    picture = page.locator(".jp-OutputArea .jupyter-widgets svg")

    def wait_for_the_kernel():
        for _ in range(600):
            kernels = page.request.get(f"{address}api/kernels?token={token}").json()
            if [(kernel["execution_state"], kernel["connections"] > 0) for kernel in kernels] == [("idle", True)]:
                return
            time.sleep(0.1)
        pytest.fail(f"no idle kernel: {kernels}")

    def run_all_and_move_the_slider():
        page.click("text=Run >> nth=0")
        page.click("text=Run All Cells >> nth=0")
        page.wait_for_function("() => document.querySelector('.widget-text input')?.value === '1'")
        slider, drawn = page.locator(".widget-slider").bounding_box(), picture.bounding_box()
        assert drawn["x"] > slider["x"] + slider["width"]  # beside the slider, not below it
        before = picture.inner_html()
        page.focus(".widget-slider .noUi-handle")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.querySelector('.widget-text input').value === '1.02'")
        changed = "before => document.querySelector('.jp-OutputArea .jupyter-widgets svg').innerHTML !== before"
        page.wait_for_function(changed, arg=before)

    wait_for_the_kernel()
    run_all_and_move_the_slider()
    processes = psutil.Process(server.pid).children(recursive=True)
    kernels = [process for process in processes if "ipykernel_launcher" in process.cmdline()]
    assert len(kernels) == 1
    kernels[0].kill()
    page.click(".jp-Dialog button:has-text('Ok')")  # JupyterLab says that it is restarting the kernel
    assert picture.is_visible()
    wait_for_the_kernel()
    run_all_and_move_the_slider()
    assert page.locator(".jp-OutputArea [data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    page.close()
