"""Qualifications: which workers fit the requirements of a HIT type."""

from __future__ import annotations

from collections.abc import Callable

from labelwright.outside.emulators.mturk.model import (
    MturkRefusal,
    MturkState,
    MturkWorker,
    Told,
    epoch,
    new_mturk_id,
)

PERCENT_APPROVED = "000000000000000000L0"
HITS_APPROVED = "00000000000000000040"
LOCALE = "00000000000000000071"
ADULT = "00000000000000000060"
MASTERS = {False: "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH", True: "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6"}
"""The id of Masters; True for the sandbox."""

NUMBERS: dict[str, Callable[[int, list[int]], bool]] = {
    "LessThan": lambda value, wanted: value < wanted[0],
    "LessThanOrEqualTo": lambda value, wanted: value <= wanted[0],
    "GreaterThan": lambda value, wanted: value > wanted[0],
    "GreaterThanOrEqualTo": lambda value, wanted: value >= wanted[0],
    "EqualTo": lambda value, wanted: value == wanted[0],
    "NotEqualTo": lambda value, wanted: value != wanted[0],
    "In": lambda value, wanted: value in wanted,
    "NotIn": lambda value, wanted: value not in wanted,
}
COMPARATORS = frozenset({*NUMBERS, "Exists", "DoesNotExist"})


def value_of(state: MturkState, worker: MturkWorker, name: str) -> int | None:
    """A worker's value of a qualification; None without it."""
    system = {
        PERCENT_APPROVED: worker.percent_approved,
        HITS_APPROVED: worker.hits_approved,
        ADULT: 1,
        MASTERS[state.settings.sandbox]: 1 if worker.masters else None,
    }
    return system[name] if name in system else worker.qualifications.get(name)


def fits(state: MturkState, worker: MturkWorker, requirements: list[Told]) -> bool:
    """Whether a worker fits all requirements."""
    return all(_fits_one(state, worker, each) for each in requirements)


def _fits_one(state: MturkState, worker: MturkWorker, told: Told) -> bool:
    name, comparator = told["QualificationTypeId"], told["Comparator"]
    if name == LOCALE:
        inside = worker.country in [each["Country"] for each in told.get("LocaleValues", ())]
        return inside if comparator in {"EqualTo", "In"} else not inside
    value = value_of(state, worker, name)
    if comparator in {"Exists", "DoesNotExist"}:
        return (value is not None) is (comparator == "Exists")
    # Whoever lacks the qualification fits no comparison, not even "less than".
    return value is not None and NUMBERS[comparator](value, told["IntegerValues"])


def create_type(state: MturkState, told: Told) -> Told:
    """A new qualification; its name must be new."""
    if any(each["Name"] == told["Name"] for each in state.qualification_types.values()):
        raise MturkRefusal(
            "QualificationTypeAlreadyExists", "You have already created a QualificationType with this name."
        )
    made = {
        "QualificationTypeId": new_mturk_id(),
        "CreationTime": epoch(state.clock.now()),
        "Name": told["Name"],
        "Description": told["Description"],
        "Keywords": told.get("Keywords", ""),
        "QualificationTypeStatus": told["QualificationTypeStatus"],
        "IsRequestable": True,
        "AutoGranted": bool(told.get("AutoGranted", False)),
    }
    state.qualification_types[made["QualificationTypeId"]] = made
    return {"QualificationType": made}


def list_types(state: MturkState, told: Told) -> Told:
    """Own qualifications, by a part of their name."""
    wanted = str(told.get("Query", ""))
    found = [each for each in state.qualification_types.values() if wanted in each["Name"]]
    return {"NumResults": len(found), "QualificationTypes": found}


def grant(state: MturkState, told: Told) -> Told:
    """Gives a worker a qualification, or another value of it."""
    _known(state, told["QualificationTypeId"])
    _worker(state, told["WorkerId"]).qualifications[told["QualificationTypeId"]] = told.get("IntegerValue", 1)
    return {}


def revoke(state: MturkState, told: Told) -> Told:
    """Takes a qualification from a worker."""
    _known(state, told["QualificationTypeId"])
    worker = _worker(state, told["WorkerId"])
    if worker.qualifications.pop(told["QualificationTypeId"], None) is None:
        raise _without()
    return {}


def score(state: MturkState, told: Told) -> Told:
    """A worker's value of a qualification."""
    _known(state, told["QualificationTypeId"])
    value = _worker(state, told["WorkerId"]).qualifications.get(told["QualificationTypeId"])
    if value is None:
        raise _without()
    return {"Qualification": _granted(told["QualificationTypeId"], told["WorkerId"], value)}


def list_granted(state: MturkState, told: Told) -> Told:
    """Everyone who has a qualification."""
    name = told["QualificationTypeId"]
    _known(state, name)
    found = [
        _granted(name, worker.id, worker.qualifications[name])
        for worker in state.workers.values()
        if name in worker.qualifications
    ]
    return {"NumResults": len(found), "Qualifications": found}


def _granted(name: str, worker: str, value: int) -> Told:
    return {"QualificationTypeId": name, "WorkerId": worker, "IntegerValue": value, "Status": "Granted"}


def _known(state: MturkState, name: str) -> None:
    if name not in state.qualification_types:
        raise MturkRefusal("QualificationTypeDoesNotExist", f"QualificationType {name} does not exist.")


def _worker(state: MturkState, name: str) -> MturkWorker:
    if name not in state.workers:
        raise MturkRefusal("InvalidParameterValue", f"There was no worker with the id {name}.")
    return state.workers[name]


def _without() -> MturkRefusal:
    return MturkRefusal("QualificationDoesNotExist", "The worker does not have this qualification.")
