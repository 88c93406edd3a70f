"""What the templates of the requester's pages about people are given."""

from __future__ import annotations

import math
from typing import Any
from urllib.parse import quote

from labelwright.server.people.actions.qualification import ApplicantRanking
from labelwright.server.people.actions.roster import Roster
from labelwright.server.store.models import OpenLink
from labelwright.study import Study

Context = dict[str, Any]
RULES = {"percentage": "share of reference answers given"}


def roster(file: Study, listed: Roster, open_links: list[tuple[OpenLink, str]]) -> Context:
    """The roster, and the ways to join."""
    return {
        "shown": listed.shown,
        "members": listed.members,
        "qualifications": [
            (name, f"pools/{quote(name)}/qualification")
            for name, part in file.pools.items()
            if part.qualification
        ],
        "pool_names": [each.name for each in listed.pools],
        "open_to": [name for name, part in file.pools.items() if not part.requires],
        "open_links": [
            {"of": link, "pool": link.pool.name, "address": address} for link, address in open_links
        ],
    }


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
