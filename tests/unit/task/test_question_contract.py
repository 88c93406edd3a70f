"""Every question type keeps the contract; a type that says nothing about what it refuses fails."""

from __future__ import annotations

from typing import Any

from turnwise.task.questions import QUESTION_TYPES
from turnwise.testing.questions import LONG, QuestionContract


def _grid(fit: dict[str, Any]) -> dict[str, Any]:
    """A whole answer to the example grid, with one cell of one's own."""
    good = {"usefulness": {"choice": 1}, "fit": {"choice": 1}}
    return {"c0": good, "c1": good | {"fit": fit}, "c2": good}


REFUSED: dict[str, dict[str, tuple[Any, ...]]] = {
    "grid": {
        "unknown option": (
            {"c3": {}},
            {"c0": {"speed": {"choice": 1}}},
            {"c0": {"fit": {"choice": 2}}},
            {"c0": {"fit": {"choice": False}}},
            _grid({"choice": 0, "explanation": {"reasons": ["unknown"]}}),
        ),
        "too long": (_grid({"choice": 0, "explanation": {"words": "word " * 31}}),),
        "open cells": ({"c0": {}}, {"c0": {"fit": {"choice": 1}, "usefulness": {"choice": 1}}}),
        "no explanation": (_grid({"choice": 0}), _grid({"choice": 0, "explanation": {"words": "too short"}})),
        "an explanation that was not asked for": (
            _grid({"choice": 1, "explanation": {"reasons": ["generic"]}}),
        ),
    },
    "preference": {"unknown option": (-2, 2, 9, 1.0, "0", False)},
    "ranking": {
        "unknown option": ([1, 2, 4], [0, 1, 2], [1, 2, True], [1, 2, "3"]),
        "too long": ([1, 2, 3, 4],),
        "not in order": ([1, 1, 2], [1, 2, None]),
    },
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
    "preference": {"too long": "an answer is one code"},
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
