"""What the templates of the requester's pages about people are given."""

from __future__ import annotations

import math
from typing import Any
from urllib.parse import quote, urlencode

from labelwright.crowd import MemberState
from labelwright.server.people.actions.qualification import ApplicantRanking
from labelwright.server.people.actions.roster import ON_A_PAGE, Roster
from labelwright.server.store.models import OpenLink
from labelwright.study import Study

Context = dict[str, Any]
STATES = {
    MemberState.ACTIVE: ("Active", "good"),
    MemberState.PAUSED: ("Paused", "warn"),
    MemberState.EXCLUDED: ("Excluded", "bad"),
}
RULES = {"percentage": "share of reference answers given"}


def roster(
    file: Study, listed: Roster, open_links: list[tuple[OpenLink, str]], pool: str | None, page: int
) -> Context:
    """The roster, its pools as filters, and the ways to join."""
    return {
        "entries": [
            {
                "of": entry,
                "word": STATES[MemberState(entry.state)][0],
                "mark": STATES[MemberState(entry.state)][1],
            }
            for entry in listed.entries
        ],
        "total": listed.total,
        "filters": _filters(listed, pool),
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
        "earlier": _paged(pool, page - 1) if page > 1 else None,
        "later": _paged(pool, page + 1) if page * ON_A_PAGE < listed.total else None,
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


def _filters(listed: Roster, pool: str | None) -> list[Context]:
    members = sum(each.members for each in listed.pools)
    return [
        {"name": f"All ({members})", "href": "?", "current": pool is None},
        *(
            {
                "name": f"{each.name} ({each.members})",
                "href": "?" + urlencode({"pool": each.name}),
                "current": pool == each.name,
            }
            for each in listed.pools
        ),
    ]


def _paged(pool: str | None, page: int) -> str:
    return "?" + urlencode(({"pool": pool} if pool else {}) | {"page": page})
