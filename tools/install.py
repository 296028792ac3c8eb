"""Install the book's requirements into this environment with uv, which is quicker than pip.

uv reads none of pip's settings, so this program passes on the sources of the packages and the hosts to trust. If uv
fails, pip installs the packages.
"""

import ast
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START = time.monotonic()
PACKAGES = ["-r", "requirements.txt", "-c", "constraints.txt"]
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


def main():
    pin = re.search(r"^uv==\S+", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M)[0]
    # If there are several indexes, the best version from any of them is installed, as with pip.
    install = ["pip", "install", "--python", sys.executable, "--index-strategy", "unsafe-best-match"]
    try:
        config = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=True).stdout
        options, environment = options_for_uv(config.splitlines())
        subprocess.run([*PIP, "install", "-q", pin], cwd=ROOT, check=True)
        command = [Path(sys.executable).with_name("uv"), *install, *options, *PACKAGES]
        subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=True)
    except (OSError, ValueError, SyntaxError, subprocess.CalledProcessError) as error:
        print(f"uv could not install the packages ({error}); pip installs them, which takes longer", flush=True)
        subprocess.run([*PIP, "install", *PACKAGES], cwd=ROOT, check=True)
    subprocess.run([*PIP, "install", "-q", "--no-deps", "-r", "requirements-no-deps.txt"], cwd=ROOT, check=True)
    # uv compiles no modules. Without this, the first kernels would compile the same ones at the same time.
    large = "import ipykernel, matplotlib.pyplot, torch._dynamo, transformers.modeling_utils"
    subprocess.run([sys.executable, "-c", large], cwd=ROOT, check=True)
    seconds = {"seconds": time.monotonic() - START, "cpu": sum(os.times()[:4])}
    Path(sys.prefix, "installed").write_text(json.dumps(seconds), encoding="utf-8")  # for tools/test_run.py


if __name__ == "__main__":
    main()
