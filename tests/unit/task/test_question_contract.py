"""Every question type keeps the contract; a type that says nothing about what it refuses fails."""

from __future__ import annotations

from typing import Any

from turnwise.task.questions import QUESTION_TYPES
from turnwise.testing.questions import LONG, QuestionContract

REFUSED: dict[str, dict[str, tuple[Any, ...]]] = {
    "scale": {"unknown option": (0, 4, 2.0, "2", True)},
    "text": {"too long": (LONG, "word " * 31), "too short": ("word",), "control characters": ("a \x07 b",)},
}
"""What the first example of each type must refuse, by what is wrong with it."""

CANNOT: dict[str, dict[str, str]] = {
    "scale": {"too long": "an answer is one code"},
    "text": {"unknown option": "there are no options"},
}

for _name, _kind in QUESTION_TYPES.items():
    globals()[f"TestContractOf_{_name}"] = type(
        f"TestContractOf_{_name}",
        (QuestionContract,),
        {"question_type": _kind, "refused": REFUSED.get(_name, {}), "cannot": CANNOT.get(_name, {})},
    )
