"""The execution of notebooks, both for the site and for stored outputs; nbval executes notebooks in its own way."""

import os

from explore.mode import TO_COMPARE, UNWATCHED
from languages import LANGUAGE
from website.places import ROOT


def prepare_kernels():
    """Set the kernels' environment: no reader watches them, they import this checkout, and each uses one core."""
    os.environ[UNWATCHED] = TO_COMPARE
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # with two threads each, kernels get in each other's way


def execute(nb, path, timeout=300, **environment):
    """Execute a notebook in place, in the folder of its file; raises nbclient's ``CellExecutionError``."""
    from nbclient import NotebookClient  # not above, because each test run imports this module
    from traitlets.config import Config

    # Otherwise there is a warning for each kernel that cannot encrypt.
    quiet = Config({"KernelManager": {"transport_encryption": "auto"}})
    options = {"timeout": timeout, "record_timing": False, "store_widget_state": False, "config": quiet}
    options["shutdown_kernel"] = "immediate"  # the kernel has nothing to save
    client = NotebookClient(nb, resources={"metadata": {"path": path.parent}}, coalesce_streams=True, **options)
    # Outputs are stored in English, whatever the language of the site that is being built.
    client.execute(env=os.environ | {LANGUAGE: ""} | environment)
    for number, cell in enumerate(code_cells(nb), 1):
        cell.execution_count = number


def code_cells(nb):
    return [cell for cell in nb.cells if cell.cell_type == "code"]
