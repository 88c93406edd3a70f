"""Faults on demand: what goes wrong with the next requests of a kind."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from typing import Any, Self


class FaultType(enum.StrEnum):
    """What goes wrong."""

    REFUSE = "refuse"
    """An error status, without effect."""
    FAIL = "fail"
    """The effect takes place, and then an error status is sent."""
    LOSE = "lose"
    """The effect takes place, but the connection is closed without an answer."""
    DROP = "drop"
    """The connection is closed without an effect."""
    DELAY = "delay"
    """The effect waits."""
    HOLD = "hold"
    """The effect takes place at once, and the answer waits."""
    RENAME = "rename"
    """Every `status` in the answer is a word that no documentation lists."""
    ADD = "add"
    """The answer has fields that no documentation lists."""


@dataclass(slots=True)
class Fault:
    """One kind of fault, for requests whose method and path fit."""

    kind: FaultType
    path: re.Pattern[str]
    method: str | None = None
    times: int = 1
    """How many requests it hits; those before it is used up."""
    status: int = 502
    seconds: float = 0

    @classmethod
    def read(cls, told: dict[str, Any]) -> Self:
        """A fault as `/_emu/faults/` is told of it; raises ValueError or KeyError if it is not one."""
        return cls(
            FaultType(told["kind"]),
            re.compile(str(told.get("path", "."))),
            told.get("method"),
            int(told.get("times", 1)),
            int(told.get("status", 502)),
            float(told.get("seconds", 0)),
        )

    def fits(self, method: str, path: str) -> bool:
        """Whether it hits this request."""
        return self.times > 0 and self.method in {None, method} and self.path.search(path) is not None


def take_fault(faults: list[Fault], method: str, path: str) -> Fault | None:
    """The first fault that fits, used once."""
    for fault in faults:
        if fault.fits(method, path):
            fault.times -= 1
            return fault
    return None


def changed_answer(fault: Fault, answer: object) -> object:
    """The body of an answer with unknown words or fields, as the fault asks.

    >>> rename = Fault(FaultType.RENAME, re.compile("."))
    >>> changed_answer(rename, {"results": [{"id": "s", "status": "APPROVED"}]})
    {'results': [{'id': 's', 'status': 'UNHEARD OF'}]}
    """
    if isinstance(answer, list):
        return [changed_answer(fault, each) for each in answer]
    if not isinstance(answer, dict):
        return answer
    inner = {name: changed_answer(fault, value) for name, value in answer.items()}
    if fault.kind is FaultType.RENAME and isinstance(inner.get("status"), str):
        inner["status"] = "UNHEARD OF"
    if fault.kind is FaultType.ADD:
        inner["field_of_next_year"] = {"nested": [1, 2, 3]}
    return inner
