"""The analysis plan: its hash, names that are not defined, and every kind of departure."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from labelwright.corpus import Dialogue, Turn
from labelwright.study import (
    CollectedSample,
    JudgedQuestion,
    RegisteredPlan,
    check_study,
    compare,
    find_departures,
    plan_digest,
    plan_of_record,
    plan_warnings,
)
from tests.studies import NOW, parse, study_text

PLAN: dict[str, Any] = {
    "main": {"aspect": "usefulness", "between": ["heron", "wren"], "smallest_difference": 0.1},
    "secondary": [{"kind": "shift", "aspect": "usefulness"}, {"kind": "agreement"}],
    "sample": {"items": 40, "ratings": 240},
    "exclude": ["too_fast"],
}
SAMPLE = CollectedSample(
    [JudgedQuestion("useful", "usefulness", ["SECRET0", "SECRET3"], ["heron", "wren"])],
    items=40,
    raters=8,
    ratings=240,
    excluded={"too_fast": 3},
)


def _canonical(**changes: Any) -> str:
    return parse(study_text(plan=PLAN | changes)).canonical_plan


def _registered(version: int, canonical: str, ratings: int, at: datetime = NOW) -> RegisteredPlan:
    return RegisteredPlan(version, canonical, plan_digest(canonical), at, ratings)


def test_anybody_can_compute_the_hash_and_only_the_plan_and_its_rules_change_it() -> None:
    rule = {"rule": "too_fast", "seconds": 20.0}
    first = parse(study_text(plan=PLAN, quality=[rule, {"rule": "identical_answers"}]))
    expected = {"plan": PLAN, "rules": {"too_fast": [rule]}}
    text = json.dumps(expected, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert first.canonical_plan == text
    assert plan_digest(first.canonical_plan) == hashlib.sha256(text.encode()).hexdigest()
    other = parse(study_text(plan=PLAN, quality=[rule], title="Another title", redundancy=5))
    assert other.canonical_plan == first.canonical_plan
    stricter = parse(study_text(plan=PLAN, quality=[{"rule": "too_fast", "seconds": 25}]))
    assert stricter.canonical_plan != first.canonical_plan


def test_a_plan_changes_no_task() -> None:
    changes = compare(parse(study_text()), parse(study_text(plan=PLAN)))
    assert changes.kept == ("the analysis plan changed",)
    assert not changes.renewed


def test_names_that_the_study_does_not_define_are_reported_with_their_line() -> None:
    broken = PLAN | {
        "main": {"aspect": "usefulnes"},
        "secondary": [{"kind": "shift", "question": "comment", "between": ["SECRET9", "SECRET0"]}],
        "exclude": ["too_slow"],
    }
    text = study_text(plan=broken)
    study, mistakes = check_study(text)
    lines = text.splitlines()
    assert study is None
    assert [(lines[each.line - 1].strip(" -"), each.what.partition(", which")[0]) for each in mistakes] == [
        ("aspect: usefulnes", 'the analysis plan names the aspect "usefulnes"'),
        ("question: comment", 'the analysis plan names the question that measures an aspect "comment"'),
        ("SECRET9", 'the analysis plan names the condition "SECRET9"'),
        ("too_slow", 'the analysis plan names the quality rule "too_slow"'),
    ]
    assert "Did you mean" in mistakes[0].what


def test_a_study_that_keeps_to_its_plan_has_no_departures() -> None:
    assert find_departures([_registered(1, _canonical(), 0)], SAMPLE) == []
    assert find_departures([], SAMPLE) == []


def test_the_plan_before_the_first_rating_is_the_plan_of_record() -> None:
    first, second, third = (
        _registered(n, _canonical(notes=str(n)), ratings) for n, ratings in ((1, 0), (2, 0), (3, 5))
    )
    assert plan_of_record([first, second, third]) is second
    assert plan_of_record([_registered(1, "", 0), third]) is third
    # A plan that was removed before the first rating was not in force.
    assert plan_of_record([first, _registered(2, "", 0)]) is None


def test_each_departure_is_listed() -> None:
    history = [
        _registered(1, _canonical(), 0),
        _registered(2, _canonical(stopping="After 10 more."), 120, NOW + timedelta(days=1)),
        _registered(3, "", 200, NOW + timedelta(days=2)),
    ]
    lacking = replace(
        SAMPLE,
        questions=[replace(SAMPLE.questions[0], systems=["heron"])],
        ratings=230,
        excluded={"too_fast": 3, "no rule": 1, "low_agreement": 2},
    )
    found = find_departures(history, lacking)
    assert [(each.code, each.what) for each in found] == [
        ("plan_changed", "The plan changed in version 2, after 120 ratings: the stopping rule."),
        ("plan_removed", "The plan was removed in version 3, after 200 ratings."),
        (
            "not_possible",
            "The main comparison cannot be computed as planned: there are no ratings of system wren.",
        ),
        ("smaller_sample", "The sample is smaller than planned: 230 of 240 ratings."),
        (
            "unplanned_exclusion",
            "The data of 2 submissions were excluded after a flag of the rule low_agreement, which the plan does not name.",
        ),
        (
            "unplanned_exclusion",
            "The data of 1 submission were excluded without a flag of any rule, which the plan does not name.",
        ),
    ]
    assert found[0].at == NOW + timedelta(days=1)


def test_a_changed_exclusion_rule_is_a_departure_and_so_is_a_plan_that_came_late() -> None:
    stricter = parse(study_text(plan=PLAN, quality=[{"rule": "too_fast", "seconds": 20}])).canonical_plan
    changed = find_departures([_registered(1, _canonical(), 0), _registered(2, stricter, 7)], SAMPLE)
    assert [each.what for each in changed] == [
        "Exclusion rules changed in version 2, after 7 ratings: too_fast."
    ]
    late = find_departures([_registered(2, _canonical(), 7)], SAMPLE)
    assert [each.code for each in late] == ["late"]


def test_a_system_that_the_corpus_does_not_name_is_a_warning() -> None:
    turns = (Turn("user", "A film?"), Turn("system", "Try one.", "heron"))
    found = list(plan_warnings(parse(study_text(plan=PLAN)), [Dialogue("d1", turns)]))
    assert [path for path, _ in found] == [("plan", "main", "between", 1)]
    assert 'the system "wren", which the corpus does not. Systems: heron.' in found[0][1]
