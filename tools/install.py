"""Install the book's requirements into this environment with uv, which is quicker than pip and checks each file's hash.

uv reads none of pip's settings, so this program passes on the sources of the packages and the hosts to trust.
"""

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START = time.monotonic()
HASHES = "hashes.txt"
PIP = [sys.executable, "-m", "pip"]
# pip's name for a setting, and uv's option for it, which is repeated if there are several values.
OPTIONS = {
    "index-url": "--default-index",
    "extra-index-url": "--extra-index-url",
    "find-links": "--find-links",
    "trusted-host": "--allow-insecure-host",
}


def options_for_uv(lines):
    """uv's options and environment for the settings that ``pip config list`` prints; environment variables win."""
    settings = {}
    for section in ("global.", "install.", ":env:."):
        for line in lines:
            if line.startswith(section):
                name, _, value = line.removeprefix(section).partition("=")
                settings[name] = ast.literal_eval(value)
    options = ["--no-index"] if settings.get("no-index", "").lower() in ("1", "true", "yes", "on") else []
    for name, option in OPTIONS.items():
        options += [part for value in settings.get(name, "").split() for part in (option, value)]
    return options, {"SSL_CERT_FILE": settings["cert"]} if settings.get("cert") else {}


def install_uv():
    """pip installs uv, and accepts only a file with one of the hashes."""
    pin = re.search(r"^uv==.*\n(?: +--hash=.*\n)+", (ROOT / HASHES).read_text(encoding="utf-8"), re.M)[0]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "uv.txt").write_text(pin, encoding="utf-8")
        only = ["--require-hashes", "--no-deps", "-r", f"{folder}/uv.txt"]
        subprocess.run([*PIP, "install", "-q", *only], cwd=ROOT, check=True)


def main():
    config = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=True).stdout
    options, environment = options_for_uv(config.splitlines())
    install_uv()
    # If there are several indexes, the first that has the pinned version is used: PyTorch's, for builds without CUDA,
    # has few versions of other packages. Of whatever index, a file whose hash is not in the list is refused.
    command = [Path(sys.executable).with_name("uv"), "pip", "install", "--python", sys.executable]
    command += ["--index-strategy", "unsafe-first-match", *options, "-c", HASHES]
    for requirements in (["-r", "requirements.txt"], ["--no-deps", "-r", "requirements-no-deps.txt"]):
        subprocess.run([*command, *requirements], cwd=ROOT, env=os.environ | environment, check=True)
    # uv compiles no modules. Without this, the first kernels would compile the same ones at the same time.
    large = "import ipykernel, matplotlib.pyplot, torch._dynamo, transformers.modeling_utils"
    subprocess.run([sys.executable, "-c", large], cwd=ROOT, check=True)
    seconds = {"seconds": time.monotonic() - START, "cpu": sum(os.times()[:4])}
    Path(sys.prefix, "installed").write_text(json.dumps(seconds), encoding="utf-8")  # for tools/test_run.py


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(
            f"the packages could not be installed: {error}\nWithout uv, and without checks of hashes, pip can do it:\n"
            "  .venv/bin/python -m pip install -r requirements.txt -c constraints.txt\n"
            "  .venv/bin/python -m pip install --no-deps -r requirements-no-deps.txt\n  touch .venv/installed"
        )
