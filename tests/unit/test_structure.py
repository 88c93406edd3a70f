"""The structure that CONTRIBUTING.md describes: rooms that stay small, names that mean one thing, a walk that exists."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

from labelwright.server.config.areas import AREAS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "labelwright"
SERVER = SOURCE / "server"
MOST_MODULES = 14
NESTED = {"Meta", "State", "Kind", "Review", "Purpose", "Role"}
"""Classes inside a model, which are named with it: `Batch.Purpose`."""


def _modules() -> list[Path]:
    return [path for path in SOURCE.rglob("*.py") if "migrations" not in path.parts]


def test_no_folder_of_the_server_holds_many_modules():
    folders = {path.parent for path in _modules() if SERVER in path.parents}
    counts = {folder: len(list(folder.glob("*.py"))) for folder in folders}
    assert {folder.name: n for folder, n in counts.items() if n > MOST_MODULES} == {}


def test_every_folder_of_the_server_is_an_area():
    assert sorted(path.name for path in SERVER.iterdir() if (path / "__init__.py").exists()) == sorted(AREAS)


def test_a_class_name_means_one_thing():
    found = defaultdict(list)
    for path in _modules():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and node.name not in NESTED:
                found[node.name].append(str(path.relative_to(SOURCE)))
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


def test_states_in_sql_come_from_enums():
    """No quoted state stands beside a column that an enum describes."""
    literal = re.compile(r"\b(?:state|data_use|paid_state|role|scope|purpose)\s*(?:=|<>)\s*'[a-z_]+'")
    hits = [
        f"{path.relative_to(SOURCE)}: {found.group()}"
        for path in SERVER.rglob("*.py")
        if "migrations" not in path.parts
        for found in literal.finditer(path.read_text())
        # An example in a docstring.
        if path.name != "rows.py"
    ]
    assert hits == []


def test_the_walk_in_the_contributors_guide_leads_through_rooms_that_exist_each_once():
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    section = guide.split("## One answer's way through the code")[1].split("\n## ")[0]
    rooms = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert rooms == ["rating", "flagging", "tallies", "results"]
    assert set(rooms) <= set(AREAS)
    steps = re.findall(r"`((?:rating|review|tallies|results)/[\w/]+\.py)`(?:, `(\w+)`)?", section)
    assert len(steps) >= 7
    for path, function in steps:
        text = (SERVER / path).read_text()
        assert not function or f"def {function}(" in text, (path, function)
