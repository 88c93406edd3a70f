"""Finding: an error or doubtful point in label files, with evidence and advice."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

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

    def of(self, kind: str) -> list[Finding]:
        """The findings of one kind."""
        return [finding for finding in self.findings if finding.kind == kind]

    def json(self) -> str:
        """The report as JSON."""
        records = [asdict(finding) for finding in self.findings]
        return json.dumps(
            {"files": self.files, "ratings": self.ratings, "findings": records},
            ensure_ascii=False,
            indent=2,
            default=str,
        )

    def __repr__(self) -> str:
        counts = ", ".join(f"{n} {name}" for name in _ORDER if (n := sum(f.severity == name for f in self)))
        head = f"{self.files} label sets, {self.ratings:,} ratings: {counts or 'no problems found'}"
        return "\n\n".join([head, *(_lines(finding) for finding in self.findings)])

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


def _lines(finding: Finding) -> str:
    facts = [f"    {key}: {_short(value)}" for key, value in finding.evidence.items()]
    return "\n".join(
        [f"{finding.severity.upper()}  {finding.where}: {finding.what}", *facts, f"    -> {finding.do}"]
    )


def _short(value: Any) -> str:
    text = ", ".join(f"{k}: {v}" for k, v in value.items()) if isinstance(value, Mapping) else str(value)
    return text if len(text) <= 300 else f"{text[:297]}..."
