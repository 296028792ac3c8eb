"""The programs behind the commands of the Makefile that belong to no room."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
