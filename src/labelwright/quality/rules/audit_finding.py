"""Audit finding: a rater whose answers are copied, constant, random or reversed by the tests of the audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.settings import FROM_DISAGREEMENT
from labelwright.quality.rules.work import RuleNeed, Work

RaterFinding = Literal["copied", "constant", "random", "reversed"]


@quality_rule
class AuditFinding(Rule):
    """Flags the work of a rater about whom the audit of the study's labels found something.

    >>> from labelwright.quality.rules.work import RaterFigures
    >>> figures = RaterFigures(findings={"constant": {"what": "gave the same code to 50 of 50 items."}})
    >>> AuditFinding(rule="audit_finding").find(Work("C0", 60, {}, rater=figures))
    {'constant': 'gave the same code to 50 of 50 items.'}
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.RATER})
    never_proposes: ClassVar[str] = FROM_DISAGREEMENT

    rule: Literal["audit_finding"]
    kinds: Annotated[tuple[RaterFinding, ...], Field(min_length=1)] = (
        "copied",
        "constant",
        "random",
        "reversed",
    )
    """The findings that count."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """What the audit says, by kind of finding."""
        findings = work.rater.findings if work.rater else {}
        found: dict[str, Any] = {kind: findings[kind]["what"] for kind in self.kinds if kind in findings}
        return found or None

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """The words of the audit.

        >>> AuditFinding.tell({"constant": "gave the same code to 50 of 50 items."})
        'gave the same code to 50 of 50 items.'
        """
        return " ".join(evidence.values())
