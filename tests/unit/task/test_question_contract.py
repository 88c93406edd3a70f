"""Every question type keeps the contract; a type that says nothing about what it refuses fails."""

from __future__ import annotations

from typing import Any

from labelwright.corpus import split_sentences
from labelwright.task.questions import QUESTION_TYPES
from labelwright.testing.questions import LONG, PASSAGE, QuestionContract

SENTENCES = [[sentence.start, sentence.end] for sentence in split_sentences(PASSAGE)]


def _chosen(*chosen: Any) -> dict[str, Any]:
    return {"sentences": SENTENCES, "chosen": list(chosen)}


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
    "attention": {"unknown option": (0, 6, -1, {"chosen": "99"}, {"right": True}, {"chosen": 5})},
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
    "spans": {
        "unknown option": ([[0, 3, "fact"]], [["0", 3]], [[0, 3.0]], [[False, 3]], [[0]], [0, 3], [None]),
        "out of range": ([[-1, 3]], [[0, len(PASSAGE) + 1]], [[10**9, 10**9 + 1]]),
        "empty": ([[3, 3]], [[5, 3]], [[3, 4]]),
        "overlap": ([[0, 5], [4, 9]], [[0, 5], [0, 5]], [[4, 9], [0, 20]]),
        "too long": ([[n, n + 1] for n in range(4, 10)], [[n, n + 1] for n in range(5000)]),
    },
    "sentences": {
        "unknown option": (
            _chosen(4),
            _chosen(-1),
            _chosen(True),
            _chosen(0.0),
            _chosen(0, 0),
            _chosen(None),
        ),
        "other sentences": ({"sentences": SENTENCES[:1], "chosen": [0]}, {"sentences": [], "chosen": []}),
        "other shape": ([0], {"sentences": SENTENCES}, {"sentences": SENTENCES, "chosen": [0], "more": 1}),
        "too long": (_chosen(*range(5000)),),
    },
}
"""What the first example of each type must refuse, by what is wrong with it."""

CANNOT: dict[str, dict[str, str]] = {
    "attention": {"too long": "an answer is one number"},
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
