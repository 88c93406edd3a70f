"""What the templates of the requester's pages about people are given."""

from __future__ import annotations

import math
from typing import Any

from labelwright.server.people.actions.qualification import ApplicantRanking

Context = dict[str, Any]
RULES = {"percentage": "share of reference answers given"}


def ranking(found: ApplicantRanking) -> Context:
    """The ranking, and the decisions that are open."""
    undecided = [a for a in found.applicants if a.scored and a.qualified is None]
    picked = [a for a in undecided if a.picked]
    return {
        "pool": found.pool.name,
        "part": found.part,
        "wanted": found.wanted,
        "rule": _rule(found),
        "measure": RULES.get(found.part.measure, found.part.measure.replace("_", " ")),
        "applicants": [
            {
                "of": applicant,
                "score": _score(applicant.scored.value) if applicant.scored else None,
                "right": round(applicant.scored.share_right * 100) if applicant.scored else None,
                "open": applicant.scored is not None and applicant.qualified is None,
            }
            for applicant in found.applicants
        ],
        "undecided": len(undecided),
        "picked": len(picked),
        "qualified": sum(bool(a.qualified) for a in found.applicants),
        "finished": sum(a.scored is not None for a in found.applicants),
    }


def _rule(found: ApplicantRanking) -> str | None:
    rule = found.part.rule
    if rule is None:
        return None
    parts = [f"the best {rule.best}"] if rule.best else []
    parts += [f"a score of at least {rule.at_least:g}"] if rule.at_least is not None else []
    return " with ".join(parts)


def _score(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.2f}"
