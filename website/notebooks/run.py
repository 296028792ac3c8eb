"""The only way to execute a notebook, for the site and to store its outputs; to compare outputs, nbval has its own."""

import os

from explore.mode import UNWATCHED
from website.places import ROOT


def prepare_kernels(environment=os.environ):
    """Set the environment of kernels: no reader watches them, they import this checkout's modules, one core each."""
    environment[UNWATCHED] = "1"
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), environment.get("PYTHONPATH")]))
    environment.setdefault("OMP_NUM_THREADS", "1")  # two threads per kernel get in each other's way


def execute(nb, path, timeout=300):
    """Execute a notebook in place, in the folder of its file; raises nbclient's ``CellExecutionError``."""
    from nbclient import NotebookClient  # here, because each test run imports this module
    from traitlets.config import Config

    # Otherwise a kernel that cannot encrypt says so each time.
    quiet = Config({"KernelManager": {"transport_encryption": "auto"}})
    options = {"timeout": timeout, "record_timing": False, "store_widget_state": False, "config": quiet}
    options["shutdown_kernel"] = "immediate"  # it has nothing to save
    NotebookClient(nb, resources={"metadata": {"path": path.parent}}, coalesce_streams=True, **options).execute()
    for number, cell in enumerate(code_cells(nb), 1):
        cell.execution_count = number


def code_cells(nb):
    return [cell for cell in nb.cells if cell.cell_type == "code"]
