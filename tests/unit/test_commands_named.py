"""Every `labelwright` command that messages, pages and documentation name exists, with the options named after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from labelwright.cli import register_commands

ROOT = Path(__file__).parents[2]
QUOTED = re.compile(
    r"`(?:[\w./]*/)?labelwright (?P<rest>[^`]+)`|<code[^>]*>labelwright (?P<page>[^<]+)</code>"
)
TYPED = re.compile(r"^(?: {4,}|\$ |```\n)\$? ?(?:[\w./]*/)?labelwright (?P<rest>[^#\n]+)", re.MULTILINE)
FENCED = re.compile(r"^```(?:console|shell|bash|sh|text)?\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)


def _texts() -> Iterator[Path]:
    yield from ROOT.glob("*.md")
    for folder, endings in (
        ("docs", ("md",)),
        ("src", ("py", "html", "txt", "yaml")),
        ("studies", ("yaml", "md")),
    ):
        for ending in endings:
            yield from (ROOT / folder).rglob(f"*.{ending}")


def _named(text: str, *, page: bool) -> Iterator[str]:
    """What follows `labelwright` wherever a command is quoted or, on a page of documentation, typed."""
    yield from ((found["rest"] or found["page"]) for found in QUOTED.finditer(text))
    if page:
        typed = text + "".join(
            re.sub(r"^", "    ", block["body"], flags=re.MULTILINE) for block in FENCED.finditer(text)
        )
        yield from (found["rest"] for found in TYPED.finditer(typed))


def _problem(said: str, command: Any) -> str | None:
    """What is wrong with a command line as it was written; None where nothing is."""
    words = iter(said.replace("[", "").replace("]", "").replace("\\", "").split())
    for word in words:
        if hasattr(command, "commands") and not word.startswith("-"):
            if word.isupper():
                return None
            # `study pause|resume` names both.
            first, *others = word.split("|")
            if missing := [name for name in (first, *others) if name not in command.commands]:
                return f"there is no command {missing[0]!r}"
            command = command.commands[first]
        elif word.startswith("--") and len(word) > 2:
            option, given, _ = word.partition("=")
            option = option.rstrip(".,;:")
            options = {name: each for each in command.params for name in each.opts}
            if option not in {*options, "--help"}:
                return f"{command.name!r} has no option {option}"
            if not given and not getattr(options.get(option), "is_flag", True):
                next(words, None)
    return None


@pytest.fixture(scope="module")
def root() -> Any:
    return typer.main.get_command(register_commands())


def test_every_command_and_option_that_is_named_exists(root: Any) -> None:
    named = [
        (str(path.relative_to(ROOT)), said.strip())
        for path in _texts()
        for said in _named(path.read_text(encoding="utf-8"), page=path.suffix == ".md")
        if re.match(r"[a-z-]+|[A-Z]", said.strip()) and not said.startswith("import")
    ]
    assert len(named) > 40
    assert [(*each, problem) for each in named if (problem := _problem(each[1], root))] == []


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("study load FILE --owner ana@example.org", None),
        ("--settings FILE.env study load FILE", None),
        ("context plan", "there is no command 'plan'"),
        ("study plan study.yaml --rejects 0.1", "'plan' has no option --rejects"),
    ],
)
def test_a_command_that_does_not_exist_is_found(root: Any, said: str, problem: str | None) -> None:
    assert _problem(said, root) == problem
