"""Every command that the documentation and the study files name exists, with its options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from labelwright.cli import register_commands

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "studies").rglob("*.yaml")]
CODE = re.compile(r"`([^`\n]+)`|^ {4}(.+(?:\\\n.+)*)$", re.MULTILINE)
CALL = re.compile(r"^(?:\$ )?(?:\.venv/bin/)?labelwright +([a-z-][^#|>&]*)")


def _calls() -> Iterator[tuple[str, str]]:
    for page in sorted(PAGES):
        for span, block in CODE.findall(page.read_text(encoding="utf-8")):
            call = CALL.match((span or block).replace("\\\n", " "))
            if call:
                yield str(page.relative_to(ROOT)), " ".join(call[1].split())


@cache
def _command_line() -> Any:
    return get_command(register_commands())


def _unknown(call: str) -> list[str]:
    """The words of a call that name no command and no option."""
    command = _command_line()
    words = call.split()
    while hasattr(command, "commands"):
        if not words or words[0].startswith("-"):
            break
        if words[0] not in command.commands:
            return words[:1]
        command = command.commands[words.pop(0)]
    options = {"--help", *(option for each in command.params for option in each.opts)}
    used = [word.strip("[]").partition("=")[0] for word in words if word.startswith(("-", "[-"))]
    return [option for option in used if option not in options]


@pytest.mark.parametrize(("page", "call"), sorted(set(_calls())))
def test_a_documented_command_exists(page: str, call: str) -> None:
    assert _unknown(call) == [], page


def test_commands_are_found_and_wrong_ones_noticed() -> None:
    assert len(list(_calls())) > 40
    assert _unknown("context plan study.yaml") == ["plan"]
    assert _unknown("study plan study.yaml --left-over 0.1") == ["--left-over"]
