"""Parameters of requests: what is required, and the patterns and ranges that clients do not check."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from labelwright.outside.emulators.mturk.model import MturkRefusal, Told
from labelwright.outside.emulators.mturk.qualifications import COMPARATORS

Check = Callable[[Any], bool]
MOST_REQUIREMENTS = 10
MOST_INTEGERS = 15
MOST_LOCALES = 30
GUARDS = frozenset({"Accept", "PreviewAndAccept", "DiscoverPreviewAndAccept"})


def _text(most: int, least: int = 1, pattern: str = "") -> Check:
    def check(value: object) -> bool:
        fits = isinstance(value, str) and least <= len(value) <= most
        return fits and (not pattern or re.fullmatch(pattern, str(value)) is not None)

    return check


def _number(least: int, most: int) -> Check:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _requirements(value: object) -> bool:
    return isinstance(value, list) and len(value) <= MOST_REQUIREMENTS and all(map(_requirement, value))


def _requirement(told: Told) -> bool:
    integers, locales = told.get("IntegerValues") or [], told.get("LocaleValues") or []
    bare = told.get("Comparator") in {"Exists", "DoesNotExist"}
    return (
        ENTITY(told.get("QualificationTypeId"))
        and told.get("Comparator") in COMPARATORS
        and bare is not bool(integers or locales)
        and not (integers and locales)
        and len(integers) <= MOST_INTEGERS
        and len(locales) <= MOST_LOCALES
        and told.get("ActionsGuarded", "Accept") in GUARDS
    )


ENTITY = _text(64, pattern="[A-Z0-9]+")
WORKER = _text(64, pattern="A[A-Z0-9]+")
MONEY = _text(32, pattern=r"[0-9]+(\.)?[0-9]{0,2}")
SECONDS = _number(30, 31_536_000)
TOKEN = _text(64)

CHECKS: dict[str, Check] = {
    "HITId": ENTITY,
    "HITTypeId": ENTITY,
    "AssignmentId": ENTITY,
    "QualificationTypeId": ENTITY,
    "WorkerId": WORKER,
    "Reward": MONEY,
    "BonusAmount": MONEY,
    "AssignmentDurationInSeconds": SECONDS,
    "LifetimeInSeconds": SECONDS,
    "AutoApprovalDelayInSeconds": _number(0, 2_592_000),
    "MaxAssignments": _number(1, 1_000_000_000),
    "NumberOfAdditionalAssignments": _number(1, 1_000_000_000),
    "MaxResults": _number(1, 100),
    "Title": _text(128),
    "Description": _text(2000),
    "Keywords": _text(1000, least=0),
    "Question": lambda value: isinstance(value, str) and len(value.encode()) <= 65_535,
    "RequesterAnnotation": _text(255, least=0),
    "RequesterFeedback": _text(1024),
    "Reason": _text(4096),
    "Subject": _text(200),
    "MessageText": _text(4096),
    "UniqueRequestToken": TOKEN,
    "NextToken": _text(255, pattern="[0-9]+"),
    "QualificationRequirements": _requirements,
    "WorkerIds": lambda value: isinstance(value, list) and all(map(WORKER, value)),
}


def check_parameters(told: Told, required: tuple[str, ...]) -> None:
    """Refuses a request that lacks a parameter, or has one outside its pattern or range."""
    missing = [name for name in required if name not in told]
    wrong = [name for name, value in told.items() if name in CHECKS and not CHECKS[name](value)]
    if missing or wrong:
        raise MturkRefusal("InvalidParameterValue", f"Invalid value for: {', '.join(missing + wrong)}.")
