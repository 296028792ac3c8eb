"""The programs behind the commands of the Makefile. They share modules with the Sphinx extension in ``_ext``."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "_ext"))
