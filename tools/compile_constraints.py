"""Write constraints.txt: every package that requirements.txt pulls in, for all platforms (`make constraints`).

pip resolves only for the machine that it runs on; uv resolves for all platforms at once.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = """\
# Every package that requirements.txt pulls in, pinned, for all platforms and Python 3.11 or newer.
# Made by `make constraints`; do not edit.
"""

if __name__ == "__main__":
    direct = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if not line.startswith("-e")]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "direct.in").write_text("\n".join(direct))
        command = [Path(sys.executable).with_name("uv"), "pip", "compile", "--universal", "--python-version", "3.11"]
        options = ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "--system-certs"]
        pins = subprocess.run(
            [*command, *options, f"{folder}/direct.in"], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    (ROOT / "constraints.txt").write_text(HEADER + pins)
