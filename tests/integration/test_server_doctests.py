"""The examples in the docstrings of the server, which need Django to be set up before its modules are imported."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import labelwright.server

pytestmark = [pytest.mark.postgres, pytest.mark.once]
SERVER = Path(labelwright.server.__path__[0])


def _modules_with_examples() -> list[str]:
    root = SERVER.parents[1]
    return [
        ".".join(path.relative_to(root).with_suffix("").parts)
        for path in sorted(SERVER.rglob("*.py"))
        if "    >>> " in path.read_text(encoding="utf-8")
    ]


@pytest.mark.parametrize("name", _modules_with_examples())
def test_examples_of_the_server_run(django_ready: str, name: str) -> None:
    found = doctest.testmod(importlib.import_module(name.removesuffix(".__init__")))
    assert found.attempted > 0
    assert found.failed == 0
