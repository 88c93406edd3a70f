"""The tree of a report: sections of tables and figures, as plain values with stable keys.

Pages, files and figures are drawn from the tree and from nothing else, so that the JSON file holds every number.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

FORMAT = 1
"""The version of the tree's keys."""


@dataclass(frozen=True, eq=False)
class Report:
    """All numbers of a report."""

    tree: Json

    def json(self) -> str:
        """The tree as JSON, in the same order for the same input; undefined numbers are null."""
        return json.dumps(self.tree, ensure_ascii=False, indent=1, allow_nan=False)

    @classmethod
    def parse(cls, text: str) -> Report:
        """A report from its JSON."""
        return cls(json.loads(text))

    @property
    def title(self) -> str:
        """The title of the report."""
        return str(self.tree["title"])
