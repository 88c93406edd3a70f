"""What a study file may say about categories, splitting and sampling, and what it is told when it errs."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from labelwright.corpus import CorpusPart, Dialogue, SamplePart, Turn, draw
from labelwright.corpus.sampling import quotas
from labelwright.study import check_study

STUDY = """
labelwright: 1
name: rules
title: Rules
seed: 1
corpus:
  reader: chat_messages
  path: d.jsonl
  categories:
    rules:
      - category: Sorry
        pattern: {pattern}
    otherwise: Other
scales: {{s: {{points: [{{code: 0, name: a}}, {{code: 1, name: b}}]}}}}
aspects: {{a: {{title: A}}}}
designs:
  d:
    title: T
    lead: L
    instructions: I
    questions: [{{name: q, type: scale, text: Q, scale: s, aspect: a}}]
conditions: {{C0: {{}}}}
redundancy: 1
pools: {{p: {{platform: link, raters: 1, pay: {{cents: 1, currency: USD}}}}}}
"""


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("sorry(?= sir)", "not an RE2 pattern"),
        (r"(a)\\1", "not an RE2 pattern"),
        ("(unclosed", "not an RE2 pattern"),
        ("(?i)sorry", "flags are not supported"),
        (r"\\bsorry", "whole_words"),
        (r"\\p{{Greek}}", "scripts"),
        ("[[:alpha:]]", "POSIX"),
        ("(?P<n>a)", "named groups"),
        ("[a[b]", "inside [ ]"),
        ("[a-z&&b]", "inside [ ]"),
    ],
)
def test_a_pattern_that_engines_read_differently_is_refused_with_its_line(pattern: str, told: str) -> None:
    _, mistakes = check_study(
        STUDY.replace("{pattern}", f'"{pattern}"').replace("{{", "{").replace("}}", "}")
    )
    (mistake,) = mistakes
    assert told in mistake.what
    assert mistake.line == 12


@pytest.mark.parametrize(
    "pattern", ["sorry, .* none", r"61[a-c] (?:left|leaving)", r"\\[a\\]", r"\\p{{L}}+", "[]a]"]
)
def test_a_pattern_that_all_engines_read_alike_is_taken(pattern: str) -> None:
    study, mistakes = check_study(
        STUDY.replace("{pattern}", f'"{pattern}"').replace("{{", "{").replace("}}", "}")
    )
    assert mistakes == []
    assert study is not None


def corpus(**more: Any) -> CorpusPart:
    return CorpusPart.model_validate({"reader": "chat_messages", "path": "x", **more})


RULE = {"category": "Sorry", "speaker": "system", "cues": ["sorry"]}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"categories": {"otherwise": "x"}}, "no rules"),
        ({"categories": {"rules": [RULE]}}, '"otherwise" is missing'),
        ({"categories": {"rules": [{"category": "A"}], "otherwise": "x"}}, "a rule needs either"),
        ({"categories": {"rules": [RULE | {"at_most_turns": 2}], "otherwise": "x"}}, "a rule needs either"),
        ({"categories": {"rules": [RULE | {"pattern": "a"}], "otherwise": "x"}}, "cannot have both"),
        ({"split": {}}, "cannot be split"),
        (
            {"categories": {"rules": [RULE], "otherwise": "x"}, "split": {}},
            "no rule with a cue gives this category",
        ),
        ({"sample": {"method": "per_stratum", "n": 1}}, "needs categories"),
        ({"sample": {"method": "proportions", "n": 1}}, "must be used together"),
        (
            {
                "categories": {"preset": "lets_go"},
                "sample": {"method": "proportions", "n": 9, "proportions": {"Gone": 1}},
            },
            "which no rule gives",
        ),
        ({"sample": {"method": "proportions", "n": 9, "proportions": {"a": 0.5, "b": 0.4}}}, "add up to 0.9"),
    ],
)
def test_what_cannot_work_is_refused(more: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        corpus(**more)


def test_shares_of_the_lets_go_study() -> None:
    # 55 / 27 / 18 percent of 60 are 33, 16.2 and 10.8; the largest remainder gets the one that is left.
    part = SamplePart(method="proportions", n=60, proportions={"TC": 0.55, "OS": 0.27, "TI": 0.18})
    assert quotas(part, {"TC": 500, "OS": 500, "TI": 500}) == {"TC": 33, "OS": 16, "TI": 11}


def test_proportional_quotas_never_exceed_the_number_wanted() -> None:
    # Shares of 1/3 each: 3.33 rounded down is 3, and the one left goes to the first by name.
    assert quotas(SamplePart(method="proportional", n=10), {"a": 5, "b": 5, "c": 5}) == {
        "a": 4,
        "b": 3,
        "c": 3,
    }


def test_a_uniform_sample_of_dialogues_is_the_same_again_and_another_with_another_seed() -> None:
    dialogues = [Dialogue(f"d{n}", (Turn("user", "Hi"), Turn("system", "Sorry."))) for n in range(50)]
    part = corpus(sample={"n": 10})
    first = [d.key for d in draw(dialogues, part, seed=1).dialogues]
    assert first == [d.key for d in draw(dialogues, part, seed=1).dialogues]
    assert first != [d.key for d in draw(dialogues, part, seed=2).dialogues]
    assert len(first) == 10


def test_a_sample_by_system_takes_n_of_each() -> None:
    dialogues = [
        Dialogue(f"d{n}", (Turn("user", "Hi"), Turn("system", "Yes.", "ab"[n % 2]))) for n in range(20)
    ]
    drawn = draw(dialogues, corpus(sample={"method": "per_stratum", "n": 3, "by": "system"}), seed=1)
    assert sorted(d.turns[1].system or "" for d in drawn.dialogues) == ["a"] * 3 + ["b"] * 3


def test_parts_of_a_split_dialogue_are_classified_again() -> None:
    turns = (
        Turn("system", "Welcome."),
        Turn("user", "61c to the airport"),
        Turn("system", "Sorry, there is none."),
        Turn("user", "New query"),
        Turn("system", "Where to?"),
    )
    part = corpus(
        categories={
            "rules": [{"category": "MultiTask", "speaker": "user", "cues": ["new query"]}, RULE],
            "otherwise": "Open",
        },
        split={"category": "MultiTask"},
    )
    drawn = draw([Dialogue("d", turns)], part, seed=1)
    assert [(d.key, d.meta["category"], len(d.turns)) for d in drawn.dialogues] == [
        ("d/1", "Sorry", 3),
        ("d/2", "Open", 2),
    ]
    assert drawn.counts == {"MultiTask": 0, "Sorry": 1, "Open": 1}
