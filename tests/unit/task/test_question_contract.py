"""Every question type keeps the contract; a type that says nothing about what it refuses fails."""

from __future__ import annotations

from typing import Any

from turnwise.corpus import split_sentences
from turnwise.task.questions import QUESTION_TYPES
from turnwise.testing.questions import LONG, PASSAGE, QuestionContract

SENTENCES = [[sentence.start, sentence.end] for sentence in split_sentences(PASSAGE)]


def _chosen(*chosen: Any) -> dict[str, Any]:
    return {"sentences": SENTENCES, "chosen": list(chosen)}


REFUSED: dict[str, dict[str, tuple[Any, ...]]] = {
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
        "other shape": ([0], {"chosen": [0]}, {"sentences": SENTENCES, "chosen": [0], "more": 1}),
        "too long": (_chosen(*range(5000)),),
    },
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
