"""What the requester's pages on people are given."""

from __future__ import annotations

import math
from typing import Any
from urllib.parse import quote, urlencode

from labelwright.crowd import MemberState
from labelwright.server.actions.addresses import get_address
from labelwright.server.actions.beside import AT_ONCE, Beside
from labelwright.server.actions.links import address_of
from labelwright.server.actions.messages import LONGEST_BY_REQUESTER
from labelwright.server.actions.qualification import Ranking
from labelwright.server.actions.roster import ON_A_PAGE, Noted, Roster
from labelwright.server.store.models import Member, Message, OpenLink, Rater, Study
from labelwright.study import Study as StudyFile

Context = dict[str, Any]
STATES = {
    MemberState.ACTIVE: ("Active", "good"),
    MemberState.PAUSED: ("Paused", "warn"),
    MemberState.EXCLUDED: ("Excluded", "bad"),
}
RULES = {"percentage": "share of reference answers given"}


def roster(
    file: StudyFile, listed: Roster, open_links: list[tuple[OpenLink, str]], pool: str | None, page: int
) -> Context:
    """The roster, its pools as filters, and the ways in."""
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
        "open_to": [name for name, part in file.pools.items() if not part.requires],
        "open_links": [
            {"of": link, "pool": link.pool.name, "address": address} for link, address in open_links
        ],
        "earlier": _paged(pool, page - 1) if page > 1 else None,
        "later": _paged(pool, page + 1) if page * ON_A_PAGE < listed.total else None,
    }


def rater(
    study: Study,
    found: Rater,
    members: list[Member],
    notes: list[Noted],
    thread: list[Message],
    work: tuple[list[Beside], int],
    page: int,
) -> Context:
    """One rater."""
    shown, total = work
    answered = {message.answers_id for message in thread if message.answers_id}
    return {
        "rater": found,
        "address": get_address(found),
        "members": [_member(study, found, member) for member in members],
        "notes": notes,
        "thread": [_message(message, answered) for message in thread],
        "work": shown,
        "work_total": total,
        "longest": LONGEST_BY_REQUESTER,
        "earlier": f"?page={page - 1}#work" if page > 1 else None,
        "later": f"?page={page + 1}#work" if page * AT_ONCE < total else None,
    }


def ranking(found: Ranking) -> Context:
    """The ranking, and what can be decided."""
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


def _rule(found: Ranking) -> str | None:
    rule = found.part.rule
    if rule is None:
        return None
    parts = [f"the best {rule.best}"] if rule.best else []
    parts += [f"a score of at least {rule.at_least:g}"] if rule.at_least is not None else []
    return " with ".join(parts)


def _score(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.2f}"


def _member(study: Study, found: Rater, member: Member) -> Context:
    word, mark = STATES[MemberState(member.state)]
    return {
        "pool": member.pool.name,
        "word": word,
        "mark": mark,
        "joined_at": member.joined_at,
        "qualified": member.qualified,
        "score": None if member.score is None else f"{member.score:.2f}",
        "group": member.rater_group,
        "link": None if found.forgotten_at else address_of(study, member.pool, found),
        "others": [
            {"state": state, "verb": verb}
            for state, verb in (
                (MemberState.ACTIVE, "Take back"),
                (MemberState.PAUSED, "Pause"),
                (MemberState.EXCLUDED, "Exclude"),
            )
            if state != member.state
        ],
    }


def _message(message: Message, answered: set[int]) -> Context:
    items = [entry.item for entry in message.messageitem_set.all()]
    return {
        "of": message,
        "who": message.author or "Rater",
        "by_rater": not message.author,
        "items": items,
        "to_answer": message.kind == Message.Kind.QUESTION and message.pk not in answered,
    }


def _filters(listed: Roster, pool: str | None) -> list[Context]:
    everybody = {"name": f"All ({sum(n for _, n in listed.pools)})", "href": "?", "current": pool is None}
    return [
        everybody,
        *(
            {"name": f"{name} ({n})", "href": "?" + urlencode({"pool": name}), "current": pool == name}
            for name, n in listed.pools
        ),
    ]


def _paged(pool: str | None, page: int) -> str:
    return "?" + urlencode(({"pool": pool} if pool else {}) | {"page": page})
