"""The contract of quality rules, as a test suite that the author of a rule inherits.

class TestMyRule(RuleContract):
    rule = MyRule(rule="my_rule", limit=3)
    broken_by = (Work("C0", 60, {"0:useful": 1}),)   # just beyond the limit of the rule
    kept_by = (Work("C0", 60, {"0:useful": 2}),)
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from pydantic import ValidationError

from labelwright.quality import (
    RULES,
    AnswerContent,
    OtherRating,
    PoolPace,
    RaterFigures,
    Rule,
    RuleNeed,
    TypingFacts,
    Work,
    flags,
)

SURPLUS: dict[RuleNeed, Any] = {
    RuleNeed.HISTORY: (Work("C0", 1, {"0:useful": 1}),),
    RuleNeed.OTHER_RATINGS: {"0:useful": (OtherRating(1), OtherRating(2), OtherRating(3))},
    RuleNeed.CONTENTS: {"0:why": AnswerContent(((0, 9),), 10, frozenset({1}), 1, "text")},
    RuleNeed.CATEGORIES: {0: "TaskComplete"},
    RuleNeed.TYPING: {"0:why": TypingFacts(1, 0.1, 1, 900)},
    RuleNeed.TEXT_USES: {"0:why": 9},
    RuleNeed.POOL: PoolPace(1000, 9000),
    RuleNeed.RATER: RaterFigures(0.0, 0.0, 0.0, 1000, 0.9, {"random": {"what": "random"}}),
}
"""What work may hold besides, for rules that did not ask for it."""
NEVER_TOLD = re.compile(
    r"\b(items?|conditions?|assignments?|batch(es)?|pools?|aspects?|flags?|verdicts?|gold|lease|redundancy)\b",
    re.IGNORECASE,
)
"""Words that raters never meet."""


class RuleContract:
    """Inherited by the test of each rule; pytest runs its methods there."""

    rule: ClassVar[Rule]
    broken_by: ClassVar[tuple[Work, ...]]
    """Work that the rule flags; it holds everything that the rule needs."""
    kept_by: ClassVar[tuple[Work, ...]]
    """Work that the rule does not flag, best just inside its limits."""
    cannot: ClassVar[Mapping[str, str]] = {}
    """Abilities that the rule does not have, each with the reason: `{"reason": "it never proposes anything"}`."""

    def found(self, work: Work) -> dict[str, Any] | None:
        """The evidence that the rule finds in the work, given only what it declares."""
        return next((evidence for _, evidence in flags([type(self).rule], work)), None)

    def test_is_registered_under_its_name(self) -> None:
        """A study file can name it."""
        rule = type(self).rule
        assert RULES[rule.rule] is type(rule)
        assert type(rule).rule_name() == rule.rule

    def test_flags_what_breaks_it_and_nothing_else(self) -> None:
        """The author gives examples of both."""
        assert self.broken_by, "give work that breaks the rule"
        assert self.kept_by, "give work that keeps the rule"
        assert [work for work in self.broken_by if self.found(work) is None] == []
        assert [work for work in self.kept_by if self.found(work) is not None] == []

    def test_the_evidence_is_json_and_always_the_same(self) -> None:
        """It is stored, and found again when a block of work is flagged a second time."""
        for work in self.broken_by:
            evidence = self.found(work)
            assert json.loads(json.dumps(evidence, allow_nan=False)) == evidence
            assert self.found(work) == evidence

    def test_the_evidence_is_told_in_words(self) -> None:
        """A requester reads a sentence, not a data structure."""
        for work in self.broken_by:
            evidence = self.found(work)
            assert evidence is not None
            said = type(type(self).rule).tell(evidence)
            assert said.strip()
            assert not re.search(r"[{}\[\]]|\bNone\b|\bTrue\b|\bFalse\b", said), said

    def test_the_reason_is_a_sentence_that_a_rater_may_read(self) -> None:
        """It is filled in where a rule proposes to exclude data."""
        if "reason" in self.cannot or type(self).rule.never_proposes:
            assert not type(self).rule.reason
            return
        reason = type(self).rule.reason
        assert reason[:1].isupper()
        assert reason.endswith(".")
        assert not NEVER_TOLD.search(reason), reason

    @pytest.mark.parametrize("key", ["then", "then_by_platform", "then_by_condition"])
    def test_proposes_only_where_it_may(self, key: str) -> None:
        """What rests on disagreement alone is no ground, whatever the platform or condition."""
        rule = type(self).rule
        proposing = {**rule.model_dump(), key: "propose" if key == "then" else {"any": "propose"}}
        if not rule.never_proposes:
            assert type(rule).model_validate(proposing).effect("any", "any") == "propose"
            return
        with pytest.raises(ValidationError, match="cannot propose a verdict, because"):
            type(rule).model_validate(proposing)

    def test_the_version_follows_the_settings(self) -> None:
        """A flag names the settings that it was found with."""
        rule = type(self).rule
        same, other = rule.model_copy(), rule.model_copy(update={"then": "nothing"})
        assert rule.then != "nothing"
        assert same.version == rule.version != other.version

    def test_unknown_settings_are_an_error(self) -> None:
        """A mistyped setting is reported, not ignored."""
        rule = type(self).rule
        with pytest.raises(ValidationError, match="no_such_setting"):
            type(rule).model_validate({**rule.model_dump(), "no_such_setting": 1})

    def test_copes_with_work_that_has_no_answers(self) -> None:
        """Nothing is coded in a task of free text, and a first assignment has no history."""
        rule = type(self).rule
        nothing: dict[str, Any] = {need.value: {} for need in RuleNeed}
        empty = Work(
            "", 3600, {}, **nothing | {"history": (), "pool": PoolPace(0, 0.0), "rater": RaterFigures()}
        )
        assert rule.find(empty.only(rule.needs)) is None or "no_answers" in self.cannot

    def test_looks_only_at_what_it_declares(self) -> None:
        """Work with anything more gives the same evidence, and so does the rule when it is asked directly."""
        rule = type(self).rule
        for work in (*self.broken_by, *self.kept_by):
            more = {need.value: SURPLUS[need] for need in RuleNeed if need not in rule.needs}
            assert rule.find(replace(work, **more)) == self.found(work)

    def test_needs_what_it_declares(self) -> None:
        """The examples hold it, and without it the rule is not asked."""
        rule = type(self).rule
        assert rule.needs <= set(RuleNeed)
        for work in (*self.broken_by, *self.kept_by):
            assert work.holds(rule.needs), "the examples hold what the rule needs"
            for need in rule.needs:
                assert self.found(work.only(rule.needs - {need})) is None
