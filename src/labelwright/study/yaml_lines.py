"""YAML with the line of every value, so that a mistake can be shown where it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

KeyPath = tuple[str | int, ...]


REDEFINED = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:int", "tag:yaml.org,2002:timestamp")


class StudyLoader(yaml.SafeLoader):
    """YAML in which only `true` and `false` are booleans, and nothing is a date or a number of base 60.

    Options called Yes and No stay words, and so does a condition called 2026-11-15.
    """


StudyLoader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in resolvers if tag not in REDEFINED]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
StudyLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))

StudyLoader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9]{0,18})$"), list("-+0123456789")
)


@dataclass(slots=True)
class Lines:
    """Where each path of a document stands, and the keys that stand twice."""

    of: dict[KeyPath, int] = field(default_factory=dict)
    repeated: list[tuple[int, str]] = field(default_factory=list)

    def nearest(self, path: KeyPath) -> int:
        """The line of a path, or of the closest thing around it that is in the file."""
        while path and path not in self.of:
            path = path[:-1]
        return self.of.get(path, 1)


class BadYaml(Exception):
    """The text is no YAML, or uses what a study file may not."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what


def load(text: str) -> tuple[Any, Lines]:
    """The document as plain values, with its lines; raises BadYaml."""
    lines = Lines()
    try:
        loader = StudyLoader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                raise BadYaml(1, "the file is empty.")
            _walk(node, (), lines, set())
            return loader.construct_document(node), lines
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadYaml(line, f"this is not YAML: {error.problem}.") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise BadYaml(1, "this is not YAML, or nested too deep.") from error


def _walk(node: yaml.Node, path: KeyPath, lines: Lines, seen: set[int]) -> None:
    # An alias makes a node appear twice; unfolded, a few lines of them fill the memory.
    if id(node) in seen:
        raise BadYaml(node.start_mark.line + 1, "aliases (*name) are not taken in a study file.")
    seen.add(id(node))
    lines.of.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        _walk_mapping(node, path, lines, seen)
    elif isinstance(node, yaml.SequenceNode):
        for index, child in enumerate(node.value):
            _walk(child, (*path, index), lines, seen)


def _walk_mapping(node: yaml.MappingNode, path: KeyPath, lines: Lines, seen: set[int]) -> None:
    for key, value in node.value:
        here = (*path, str(key.value))
        if here in lines.of:
            lines.repeated.append((key.start_mark.line + 1, str(key.value)))
        lines.of[here] = key.start_mark.line + 1
        _walk(value, here, lines, seen)
