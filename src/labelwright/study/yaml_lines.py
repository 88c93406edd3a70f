"""YAML with the line number of every value, so that mistakes can be reported with their line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import yaml

from labelwright.wording import describe_yaml_problem

KeyPath = tuple[str | int, ...]


MOST_NESTING = 40
"""Levels of lists and mappings; no valid study file has half as many."""
# libyaml is ten times faster than the parser in Python. Not every build of PyYAML has it.
_Loader: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader

REDEFINED = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:int", "tag:yaml.org,2002:timestamp")


class StudyLoader(_Loader):  # type: ignore[misc]  # which of the two is known when the module is imported
    """YAML in which only `true` and `false` are booleans, without dates and base-60 numbers.

    Options named Yes and No stay text, and so does a condition named 2026-11-15.
    """


StudyLoader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in resolvers if tag not in REDEFINED]
    for letter, resolvers in _Loader.yaml_implicit_resolvers.items()
}
StudyLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))

StudyLoader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9]{0,18})$"), list("-+0123456789")
)


@dataclass(slots=True)
class Lines:
    """The line of each path in a document, and the keys that appear twice."""

    of: dict[KeyPath, int] = field(default_factory=dict)
    repeated: list[tuple[int, str]] = field(default_factory=list)

    def nearest(self, path: KeyPath) -> int:
        """The line of a path, or of its closest parent in the file."""
        while path and path not in self.of:
            path = path[:-1]
        return self.of.get(path, 1)


class BadYaml(Exception):
    """The text is not valid YAML, or uses features that study files do not support."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what


def load(text: str) -> tuple[Any, Lines]:
    """The document as plain values, with line numbers; raises BadYaml."""
    lines = Lines()
    try:
        _check_events(text)
        loader = StudyLoader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                raise BadYaml(1, "the file is empty.")
            _walk(node, (), lines)
            return loader.construct_document(node), lines
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        raise _bad_yaml(text, error) from error
    except (yaml.YAMLError, ValueError) as error:
        raise BadYaml(1, "this is not valid YAML.") from error


def _bad_yaml(text: str, error: yaml.MarkedYAMLError) -> BadYaml:
    problem = error.problem or ""
    # A quotation mark or bracket that is never closed is at fault where it opens, not where the file ends.
    unclosed = "end of stream" in problem or "did not find expected ','" in problem
    mark = (error.context_mark if unclosed else None) or error.problem_mark
    number = mark.line + 1 if mark else 1
    lines = text.splitlines()
    line = lines[number - 1] if number <= len(lines) else ""
    return BadYaml(number, f"this is not valid YAML: {describe_yaml_problem(problem, line)}.")


def _check_events(text: str) -> None:
    """Raises BadYaml for aliases and deep nesting, before anything is built from the text."""
    depth = 0
    events: Iterable[Any] = yaml.parse(text, Loader=StudyLoader)
    for event in events:
        line = event.start_mark.line + 1
        # A few lines of nested aliases could fill the memory.
        if isinstance(event, yaml.AliasEvent):
            raise BadYaml(line, "aliases (*name) are not supported in study files.")
        # libyaml builds nested values by recursion, which ends the process when the stack is full.
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_NESTING:
            raise BadYaml(line, "this is nested too deeply for a study file.")


def _walk(node: yaml.Node, path: KeyPath, lines: Lines) -> None:
    lines.of.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        _walk_mapping(node, path, lines)
    elif isinstance(node, yaml.SequenceNode):
        for index, child in enumerate(node.value):
            _walk(child, (*path, index), lines)


def _walk_mapping(node: yaml.MappingNode, path: KeyPath, lines: Lines) -> None:
    for key, value in node.value:
        here = (*path, str(key.value))
        if here in lines.of:
            lines.repeated.append((key.start_mark.line + 1, str(key.value)))
        lines.of[here] = key.start_mark.line + 1
        _walk(value, here, lines)
