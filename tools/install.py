"""Install packages into this environment with uv, which is quicker than pip and checks each file's hash:

    python -m tools.install -r requirements.txt

The arguments are those of `uv pip install`. uv reads none of pip's settings, so this program passes on the sources of
the packages and the hosts to trust.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HASHES = ROOT / "hashes.txt"
PIP = [sys.executable, "-m", "pip"]
# pip's name for a setting, and uv's option for it, which is repeated if there are several values.
OPTIONS = {
    "index-url": "--default-index",
    "extra-index-url": "--extra-index-url",
    "find-links": "--find-links",
    "trusted-host": "--allow-insecure-host",
}


def options_for_uv(config):
    """uv's options and environment for the settings that ``pip config list`` prints; environment variables win."""
    settings = {}
    for section in ("global", "install", ":env:"):
        settings |= re.findall(rf"^{section}\.([\w-]+)='(.*)'$", config, re.M)
    options = ["--no-index"] if settings.get("no-index", "").lower() in ("1", "true", "yes", "on") else []
    for name, option in OPTIONS.items():
        options += [part for value in settings.get(name, "").split() for part in (option, value)]
    return options, {"SSL_CERT_FILE": settings["cert"]} if "cert" in settings else {}


def main(arguments):
    config = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=True).stdout
    options, environment = options_for_uv(config)
    (pin,) = re.findall(r"^uv==.*\n(?: +--hash=.*\n)+", HASHES.read_text(encoding="utf-8"), re.M)
    subprocess.run([*PIP, "install", "-q", "--no-deps", "-r", "/dev/stdin"], input=pin, text=True, check=True)
    # If there are several indexes, each package comes from the one that has a fitting file: PyTorch's, for builds
    # without CUDA, has few versions of other packages, and an index of one's own may have files for one Python only.
    # Of whatever index, a file whose hash is not in the list is refused.
    command = [Path(sys.executable).with_name("uv"), "pip", "install", "--python", sys.executable]
    command += ["--index-strategy", "unsafe-best-match", *options, "-c", HASHES, *arguments]
    subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(
            f"the packages could not be installed: {error}\nWithout uv, and without checks of hashes, pip can do it:\n"
            "  .venv/bin/python -m pip install -r requirements.txt -r requirements-test.txt -c constraints.txt\n"
            "  .venv/bin/python -m pip install --no-deps -r requirements-no-deps.txt\n"
            "  touch .venv/installed .venv/installed-test"
        )
