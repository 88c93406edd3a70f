"""Small studies for tests, made of dialogues of our own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import yaml

from labelwright.corpus import Dialogue, Turn
from labelwright.study import Study, check_study
from labelwright.testing.questions import RECIPE, SCALES, example_dialogue, example_items

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


def study_data(**changes: Any) -> dict[str, Any]:
    """A valid study file as plain values."""
    data: dict[str, Any] = {
        "labelwright": 1,
        "name": "tiny",
        "title": "Tiny study",
        "seed": 7,
        "corpus": {"reader": "chat_messages", "path": "dialogues.jsonl"},
        "scales": {
            "useful": {
                "points": [
                    {"code": 1, "name": "Not useful", "score": 0},
                    {"code": 2, "name": "Somewhat useful", "score": 0.5},
                    {"code": 3, "name": "Very useful", "score": 1},
                ]
            }
        },
        "aspects": {"usefulness": {"title": "Usefulness", "aim": "secret-aim"}},
        "designs": {
            "reply": {
                "title": "Judge one reply",
                "lead": "Judge the marked reply.",
                "instructions": "Read the conversation.\n\nJudge the marked reply.",
                "questions": [
                    {
                        "name": "useful",
                        "type": "scale",
                        "aspect": "usefulness",
                        "aim": "secret-question-aim",
                        "text": "How useful is the marked reply?",
                        "scale": "useful",
                    },
                    {
                        "name": "comment",
                        "type": "text",
                        "text": "Comment",
                        "required": False,
                        "max_words": 20,
                    },
                ],
            }
        },
        "conditions": {
            "SECRET0": {"context": {"turns_before": 0}},
            "SECRET3": {"context": {"turns_before": 3, "next_turn": True}},
        },
        "redundancy": 3,
        "pools": {"own": {"platform": "link", "raters": 4, "pay": {"cents": 40}}},
        "quality": [{"rule": "too_fast", "seconds": 15}],
    }
    return data | changes


def study_text(**changes: Any) -> str:
    """A valid study file."""
    # Through JSON, so that a value that stands twice is written twice: study files take no aliases.
    return yaml.safe_dump(json.loads(json.dumps(study_data(**changes))), sort_keys=False)


def corpus_of(made: Sequence[Dialogue]) -> bytes:
    """Dialogues as a file of the reader `chat_messages`."""
    roles = {"user": "user", "system": "assistant"}
    lines = [
        {"id": d.key, "messages": [{"role": roles[t.speaker], "content": t.text} for t in d.turns]}
        for d in made
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def parse(text: str) -> Study:
    """The study of a file that must be valid."""
    study, mistakes = check_study(text)
    assert study is not None, mistakes
    return study


def pool(**changes: Any) -> dict[str, Any]:
    """The `pools` part of a study file."""
    return {"own": {"platform": "link", "raters": 4, **changes}}


def dialogue(key: str, exchanges: int = 1) -> Dialogue:
    """A dialogue with so many exchanges after two opening turns and before a closing one."""
    turns = [Turn("system", f"Hello, this is {key}."), Turn("user", "Hi there.")]
    for n in range(exchanges):
        turns.append(Turn("system", f"What kind of movie {n}?", "alpha"))
        turns.append(Turn("user", f"A mystery, please {n}."))
    turns += [Turn("system", "Try “The Clockmaker’s Cat”.", "alpha"), Turn("user", "Sounds right!")]
    return Dialogue(key, tuple(turns))


def dialogues(count: int) -> list[Dialogue]:
    """So many dialogues with two exchanges each."""
    return [dialogue(f"d{n}") for n in range(count)]


def example_study(*questions: Any, kind: str = "exchange", size: int = 1, **design: Any) -> dict[str, Any]:
    """The parts of a study file that asks these questions about so many example items, one each."""
    only = {
        "title": "Judge one reply",
        "lead": "Answer the question.",
        "instructions": "Read, then answer.",
        "questions": [dict(question) for question in questions],
        **design,
    }
    return {
        "scales": {name: scale.model_dump(exclude_defaults=True) for name, scale in SCALES.items()},
        "aspects": {"quality": {"title": "Quality", "aim": "secret-aim"}},
        "designs": {"only": only},
        "quality": [],
        "conditions": {"one": {"context": RECIPE.model_dump(exclude_defaults=True)}},
        "items": example_items(kind).model_dump(exclude_none=True),
        "corpus": [example_dialogue(kind, f"d{n}") for n in range(size)],
        "pools": pool(caps={"tasks": size}),
        "redundancy": 1,
    }
