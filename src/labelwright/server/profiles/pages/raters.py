"""What the templates of the list of raters are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from labelwright.crowd import Pay
from labelwright.server.people.actions.messages import LONGEST_BY_REQUESTER
from labelwright.server.profiles.actions.raters import RaterLimits, RaterList
from labelwright.server.profiles.actions.standing import LONGEST_REASON
from labelwright.server.profiles.queries.raters import ListedRater
from labelwright.server.store.models import OpenLink
from labelwright.server.tallies.actions.comparison import FEWEST_ITEMS
from labelwright.server.web.desk.times import clock
from labelwright.server.web.money import amounts
from labelwright.study import Study

Context = dict[str, Any]


def raters(found: RaterList) -> Context:
    """The page of the list, each row in words."""
    compared, pace = found.everybody.comparison, found.everybody.pace
    return {
        "shown": found.shown,
        "rows": [row(line, found.limits) for line in found.shown.rows],
        "at_work": found.at_work,
        "pools": len(found.pools),
        "pool_names": found.pools,
        "pace": clock(pace) if pace else "",
        "limit": clock(found.limits.seconds) if found.limits.seconds else "",
        "seconds": found.limits.seconds,
        "compared": compared,
        "computed_at": found.everybody.computed_at,
        "reference": compared.agreement if compared else None,
        "fewest": FEWEST_ITEMS,
        "being_counted": found.being_counted,
    }


def row(line: ListedRater, limits: RaterLimits) -> Context:
    """A rater in words, with what falls short of the study's rules marked."""
    low, high = line.agreement_low, line.agreement_high
    return {
        "of": line,
        "recent": line.recent[::-1],
        "fast": limits.seconds is not None and line.pace is not None and line.pace < limits.seconds,
        "gold_low": _is_below(line.gold_right, line.gold_answered, limits.gold_share),
        "attention_low": _is_below(line.attention_right, line.attention_answered, limits.attention_share),
        "low": line.agreement if low is None else low,
        "high": line.agreement if high is None else high,
        "owed": amounts(line.owed),
        "cents": sum(pay.cents for pay in line.owed),
    }


def ways_to_join(file: Study, open_links: Sequence[tuple[OpenLink, str]]) -> Context:
    """The forms below the list."""
    return {
        "qualifications": [
            (name, f"pools/{quote(name)}/qualification")
            for name, part in file.pools.items()
            if part.qualification
        ],
        "open_to": [name for name, part in file.people_pools.items() if not part.requires],
        "open_links": [
            {"of": link, "pool": link.pool.name, "address": address} for link, address in open_links
        ],
    }


def bulk(verb: str, chosen: Sequence[ListedRater]) -> Context:
    """What an action on several raters would do, before it is done."""
    people = f"{len(chosen):,} rater{'' if len(chosen) == 1 else 's'}"
    words = {
        "pause": f"Pause {people}",
        "reinstate": f"Reinstate {people}",
        "exclude": f"Exclude {people}",
        "message-many": f"Write to {people}",
    }
    return {
        "verb": verb,
        "question": words[verb],
        "chosen": chosen,
        "effects": _EFFECTS[verb](chosen),
        "longest": LONGEST_BY_REQUESTER,
        "longest_reason": LONGEST_REASON,
    }


def _pause(chosen: Sequence[ListedRater]) -> list[str]:
    return [
        "They are offered no new tasks in any of their pools until you reinstate them.",
        _open_tasks(chosen, "can finish it.", "can finish it."),
        _kept(chosen),
    ]


def _exclude(chosen: Sequence[ListedRater]) -> list[str]:
    return [
        "They are offered no more tasks in any of their pools, and their personal links stop working.",
        _open_tasks(
            chosen,
            "loses it: it goes to somebody else at once, and Undo does not bring it back.",
            "lose it: it goes to somebody else at once, and Undo does not bring it back.",
        ),
        _kept(chosen),
        "Their answers still count. To leave answers out of the results, decide on them under Review.",
    ]


def _reinstate(chosen: Sequence[ListedRater]) -> list[str]:
    waiting = sum(line.state in ("paused", "excluded") for line in chosen)
    return [
        f"{waiting:,} of them {'is' if waiting == 1 else 'are'} paused or excluded, and will be offered tasks again.",
        "Links of excluded raters work again.",
    ]


def _write(chosen: Sequence[ListedRater]) -> list[str]:
    return [
        "Each of them reads the message on their own page; those who gave an address also get a mail.",
        "A message cannot be taken back.",
    ]


_EFFECTS = {"pause": _pause, "exclude": _exclude, "reinstate": _reinstate, "message-many": _write}


def _open_tasks(chosen: Sequence[ListedRater], one: str, many: str) -> str:
    busy = sum(line.state == "at_work" for line in chosen)
    if not busy:
        return "None of them has a task open now."
    return (
        f"1 of them has a task open now and {one}"
        if busy == 1
        else f"{busy:,} of them have a task open now and {many}"
    )


def _kept(chosen: Sequence[ListedRater]) -> str:
    sums: dict[str, int] = {}
    for line in chosen:
        for pay in line.owed:
            sums[pay.currency] = sums.get(pay.currency, 0) + pay.cents
    owed = amounts([Pay(cents=cents, currency=currency) for currency, cents in sorted(sums.items())])
    tasks, flags = sum(line.tasks for line in chosen), sum(line.undecided for line in chosen)
    work = (
        "The submitted task stays as it is."
        if tasks == 1
        else f"All {tasks:,} submitted tasks stay as they are."
    )
    parts = [work] if tasks else ["Nobody of them has submitted a task."]
    parts += [f"{owed} stays owed."] if owed else []
    parts += [f"{flags:,} flag{' still needs' if flags == 1 else 's still need'} a review."] if flags else []
    return " ".join(parts)


def _is_below(right: int, answered: int, share: float | None) -> bool:
    return share is not None and answered > 0 and right < share * answered
