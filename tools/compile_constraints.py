"""Write constraints.txt, every package that the lists pull in, and hashes.txt, the same with checksums of their
files (`make constraints`).

pip resolves only for the machine that it runs on; uv resolves for all platforms at once.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = """\
# Every package that the lists of requirements pull in, pinned, for all platforms and Python 3.11 or newer.
# Made by `make constraints`; do not edit.
"""
HASHES = """\
# The pins of constraints.txt and of requirements-no-deps.txt, with the checksums of their files on PyPI.
# tools/install.py installs no other file under these names. torch has none: PyTorch's own index has more builds, which
# the README recommends to readers without a GPU.
# Made by `make constraints`; do not edit.
"""
WITHOUT_HASHES = "torch"


def compiled(path, *options):
    """The pins with their hashes: a line for each package, ended by a backslash, and a line for each hash."""
    command = [Path(sys.executable).with_name("uv"), "pip", "compile", "--universal", "--python-version", "3.11"]
    form = ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "--system-certs"]
    done = subprocess.run(
        [*command, *form, "--generate-hashes", *options, path], check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def without_hashes(text, package=r"[\w.-]+"):
    return re.sub(rf"^({package}==[^\\\n]*?) \\\n(?: +--hash=\S+(?: \\)?\n)+", r"\1\n", text, flags=re.M)


def main():
    lines = "".join((ROOT / name).read_text() for name in ("requirements.txt", "requirements-test.txt"))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "direct.in").write_text(re.sub(r"^-e.*", "", lines, flags=re.M))
        pins = compiled(f"{folder}/direct.in")
    alone = compiled(ROOT / "requirements-no-deps.txt", "--no-deps")
    (ROOT / "constraints.txt").write_text(PINS + without_hashes(pins))
    (ROOT / "hashes.txt").write_text(HASHES + without_hashes(pins, WITHOUT_HASHES) + alone)


if __name__ == "__main__":
    main()
