"""Finding: an error or doubtful point in label files, with evidence and advice."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from labelwright.analysis.audit.plots import Plot

Severity: TypeAlias = Literal["wrong", "doubtful", "note"]
_ORDER = {"wrong": 0, "doubtful": 1, "note": 2}


@dataclass(frozen=True)
class Finding:
    """What was found and where, the evidence, and what to do."""

    kind: str
    """A stable name for the kind of finding, e.g. `mixed_codes`."""
    severity: Severity
    """`wrong`: results would be wrong; `doubtful`: the data may not support a claim; `note`: worth reporting."""
    where: str
    what: str
    do: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    plot: Plot | None = None
    """The data that the page shows beside the finding."""

    def __str__(self) -> str:
        return f"{self.severity}: {self.where}: {self.what} {self.do}"


@dataclass(frozen=True)
class AuditReport:
    """All findings about a set of files, most severe first."""

    files: int
    ratings: int
    findings: tuple[Finding, ...]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    @property
    def summary(self) -> str:
        """How much was audited, and how many findings there are of each severity."""
        counts = ", ".join(f"{n} {name}" for name in _ORDER if (n := sum(f.severity == name for f in self)))
        sets = f"{self.files} label set{'' if self.files == 1 else 's'}"
        return f"{sets}, {self.ratings:,} ratings: {counts or 'no problems found'}"

    def of(self, kind: str) -> list[Finding]:
        """The findings of one kind."""
        return [finding for finding in self.findings if finding.kind == kind]

    def json(self) -> str:
        """The report as JSON."""
        records = [
            {each.name: getattr(finding, each.name) for each in fields(finding) if each.name != "plot"}
            for finding in self.findings
        ]
        return json.dumps(
            {"files": self.files, "ratings": self.ratings, "findings": records},
            ensure_ascii=False,
            indent=2,
            default=str,
        )

    def html(self, title: str = "Audit of label files") -> str:
        """The report as one self-contained HTML page with a plot for each finding."""
        # Drawing needs a chart library, which is slow to load.
        from labelwright.analysis.audit.page import make_page  # noqa: PLC0415

        return make_page(self, title)

    def __repr__(self) -> str:
        return "\n\n".join([self.summary, *(_lines(finding) for finding in self.findings)])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{finding.severity}</td><td>{html.escape(finding.where)}</td>"
            f"<td>{html.escape(finding.what)}<br><i>{html.escape(finding.do)}</i></td></tr>"
            for finding in self.findings
        )
        return f"<table><tbody>{rows}</tbody></table>"


def report(files: int, ratings: int, findings: list[Finding]) -> AuditReport:
    """A report with findings ordered by severity."""
    return AuditReport(files, ratings, tuple(sorted(findings, key=lambda finding: _ORDER[finding.severity])))


def some_sets(names: Sequence[str], total: int) -> str:
    """A short description of the sets that a finding is about."""
    if len(names) == total and total > 1:
        return "all sets"
    return ", ".join(names) if len(names) <= 6 else f"{len(names)} sets"


def how_many(number: int, one: str, several: str) -> str:
    """A number with the words that fit it.

    >>> how_many(1, "item has", "items have"), how_many(3, "item has", "items have")
    ('1 item has', '3 items have')
    """
    return f"{number} {one if number == 1 else several}"


def first_few(names: Iterable[Any], most: int = 5) -> str:
    """Some names, and how many more there are.

    >>> first_few("abcdefg", 3)
    'a, b, c and 4 more'
    """
    every = [str(name) for name in names]
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def _lines(finding: Finding) -> str:
    facts = [f"    {key}: {_short(value)}" for key, value in finding.evidence.items()]
    return "\n".join(
        [f"{finding.severity.upper()}  {finding.where}: {finding.what}", *facts, f"    -> {finding.do}"]
    )


def _short(value: Any) -> str:
    text = ", ".join(f"{k}: {v}" for k, v in value.items()) if isinstance(value, Mapping) else str(value)
    return text if len(text) <= 300 else f"{text[:297]}..."
