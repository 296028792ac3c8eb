"""Imports between rooms run one way, as CONTRIBUTING says."""

import ast

import pytest

from website.places import ROOT

# The rooms that each room may import from.
MAY_IMPORT = {
    "explore": set(),
    "practice": {"attention_core"},
    "models": {"attention_core", "explore"},
    "website": {"explore", "models"},
    "experiments": {"attention_core", "website"},
    "benchmarks": {"attention_core", "explore", "website"},
    "tools": {"attention_core", "explore", "website"},
}
ROOMS = {"attention_core", *MAY_IMPORT}


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_run_one_way(room):
    for path in (ROOT / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            others = {name.partition(".")[0] for name in names} & ROOMS - {room}
            assert others <= MAY_IMPORT[room], f"{path.relative_to(ROOT)} imports {others - MAY_IMPORT[room]}"
