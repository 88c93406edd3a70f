"""Every question type keeps the contract; a type that says nothing about what it refuses fails."""

from __future__ import annotations

from typing import Any

from turnwise.task.questions import QUESTION_TYPES
from turnwise.testing.questions import LONG, QuestionContract

REFUSED: dict[str, dict[str, tuple[Any, ...]]] = {
    "choice": {
        "unknown option": (
            {"choice": 5},
            {"choice": "1"},
            {"choice": True},
            {"code": 1},
            {"choice": 1, "x": 1},
        ),
        "too long": ({"choice": 3, "explanation": {"words": LONG}},),
        "no reason": ({"choice": 3}, {"choice": 3, "explanation": {"words": "too short"}}),
        "unwanted explanation": ({"choice": 1, "explanation": {"words": "nobody wanted this"}},),
    },
    "choices": {
        "unknown option": ([5], [1, 9], ["1"], [True], [[1]]),
        "too long": ([1, 2, 3, 1], [1] * 1000),
        "twice": ([1, 1],),
        "no answer and an answer": ([0, 1],),
    },
    "confidence": {"unknown option": (0, 4, 100, "3", 2.0, True)},
    "number": {
        "too long": (10**10, 10**400, -(10**400)),
        "outside the range": (0, 201, -1),
        "not whole": (1.5, 2.0),
    },
    "scale": {"unknown option": (0, 4, 2.0, "2", True)},
    "text": {"too long": (LONG, "word " * 31), "too short": ("word",), "control characters": ("a \x07 b",)},
}
"""What the first example of each type must refuse, by what is wrong with it."""

CANNOT: dict[str, dict[str, str]] = {
    "confidence": {"too long": "an answer is one number"},
    "number": {"unknown option": "there are no options"},
    "yes_no": {"too long": "an answer is true or false", "unknown option": "there are only two"},
    "scale": {"too long": "an answer is one code"},
    "text": {"unknown option": "there are no options"},
}

for _name, _kind in QUESTION_TYPES.items():
    globals()[f"TestContractOf_{_name}"] = type(
        f"TestContractOf_{_name}",
        (QuestionContract,),
        {"question_type": _kind, "refused": REFUSED.get(_name, {}), "cannot": CANNOT.get(_name, {})},
    )
