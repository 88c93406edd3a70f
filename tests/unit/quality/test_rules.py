"""Our quality rules keep the contract, each exactly up to its limit."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import pytest
from pydantic import TypeAdapter, ValidationError

from labelwright.quality import RULES, AnyRule, OtherRating, Rule, RuleNeed, Work, flags, quality_rule
from labelwright.quality.rules.known_answers import AttentionFailed, GoldFailed
from labelwright.quality.rules.too_fast import TooFast
from labelwright.testing.rules import RuleContract


def known(right: int, wrong: int) -> dict[str, bool]:
    """Answers with known answers at one position each, the right ones first."""
    return {f"{n}:useful": n < right for n in range(right + wrong)}


class TestTooFast(RuleContract):
    rule = TooFast(rule="too_fast", seconds=15, per_condition={"short": 8})
    broken_by = (Work("long", 14.99, {}), Work("short", 7.99, {}), Work("long", 0, {}))
    kept_by = (Work("long", 15, {}), Work("short", 8, {}), Work("long", 15.01, {}))

    def test_the_limit_of_the_condition_takes_precedence(self):
        assert self.found(Work("long", 9.96, {})) == {"seconds": 10.0, "at_least": 15.0}
        assert self.found(Work("short", 7.94, {})) == {"seconds": 7.9, "at_least": 8.0}
        assert self.found(Work("short", 9.96, {})) is None


class TestAttentionFailed(RuleContract):
    rule = AttentionFailed(rule="attention_failed", right_share=0.5)
    broken_by = (Work("C0", 60, {}, attention=known(0, 1)), Work("C0", 60, {}, attention=known(1, 2)))
    kept_by = (
        Work("C0", 60, {}),
        Work("C0", 60, {}, attention=known(1, 1)),
        # What is known of gold items is another rule's concern.
        Work("C0", 60, {}, gold=known(0, 5)),
    )

    def test_by_default_every_check_must_be_right(self):
        strict = AttentionFailed(rule="attention_failed")
        found = strict.find(Work("C0", 60, {}, attention=known(9, 1)))
        assert found == {"wrong": ["9:useful"], "right_share": 0.9, "at_least": 1.0}
        assert strict.find(Work("C0", 60, {}, attention=known(10, 0))) is None


class TestGoldFailed(RuleContract):
    rule = GoldFailed(rule="gold_failed")
    # 7 of 10 is the default share; 2 of 3 is 0.667.
    broken_by = (Work("C0", 60, {}, gold=known(2, 1)), Work("C0", 60, {}, gold=known(69, 31)))
    kept_by = (
        Work("C0", 60, {}),
        Work("C0", 60, {}, gold=known(7, 3)),
        Work("C0", 60, {}, attention=known(0, 5)),
    )

    def test_the_evidence_names_every_wrong_answer(self):
        found = self.found(Work("C0", 60, {}, gold=known(2, 1) | {"7:fits": False}))
        assert found == {"wrong": ["2:useful", "7:fits"], "right_share": 0.5, "at_least": 0.7}
        assert (
            GoldFailed.tell(found)
            == "50% right; expected at least 70%. Wrong: useful (item 3), fits (item 8)"
        )


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ({"rule": "too_fast", "seconds": 0}, "greater than 0"),
        ({"rule": "too_fast", "per_condition": {"C0": -1}}, "greater than 0"),
        ({"rule": "gold_failed", "right_share": 0}, "greater than 0"),
        ({"rule": "attention_failed", "right_share": 1.01}, "less than or equal to 1"),
        ({"rule": "too_fast", "then": "reject"}, "'nothing', 'review' or 'propose'"),
        ({"rule": "to_fast"}, "'to_fast' found using 'rule' does not match"),
    ],
)
def test_settings_that_make_no_sense_are_refused(rule: dict[str, Any], wrong: str):
    with pytest.raises(ValidationError, match=wrong):
        TypeAdapter(AnyRule).validate_python(rule)


@quality_rule
class AlwaysTheSame(Rule):
    """A rule as another package may write it: flags a rater whose codes never differ from all earlier ones."""

    needs: ClassVar = frozenset({RuleNeed.HISTORY, RuleNeed.OTHER_RATINGS})
    reason: ClassVar = "All answers are the same."

    rule: Literal["always_the_same"]

    def find(self, work: Work) -> dict[str, Any] | None:
        assert work.history is not None
        assert work.other_ratings is not None
        codes = {code for each in (*work.history, work) for code in each.codes.values()}
        varied = len({other.code for given in work.other_ratings.values() for other in given}) > 1
        return {"code": codes.pop()} if len(codes) == 1 and work.history and varied else None


RULES.unregister("always_the_same")

ONES, TWOS = Work("C0", 60, {"0:useful": 1}), Work("C0", 60, {"0:useful": 2})
VARIED = {"0:useful": (OtherRating(1), OtherRating(3)), "1:useful": (OtherRating(2),)}


class TestARuleThatNeedsMore(RuleContract):
    rule = AlwaysTheSame(rule="always_the_same")
    broken_by = (Work("C0", 60, {"0:useful": 1}, history=(ONES, ONES), other_ratings=VARIED),)
    kept_by = (
        Work("C0", 60, {"0:useful": 1}, history=(ONES, TWOS), other_ratings=VARIED),
        Work("C0", 60, {"0:useful": 1}, history=(), other_ratings=VARIED),
        Work("C0", 60, {"0:useful": 1}, history=(ONES,), other_ratings={"0:useful": (OtherRating(1),)}),
    )

    @pytest.fixture(autouse=True)
    def _registered(self):
        quality_rule(AlwaysTheSame)
        yield
        RULES.unregister("always_the_same")


def test_flags_come_in_the_order_of_the_rules_and_only_where_needs_are_met():
    rules = [
        AlwaysTheSame(rule="always_the_same"),
        TooFast(rule="too_fast", seconds=90),
        TooFast(rule="too_fast"),
    ]
    found = [(rule, evidence) for rule, evidence in flags(rules, ONES)]
    assert found == [(rules[1], {"seconds": 60, "at_least": 90.0})]
    whole = Work("C0", 60, {"0:useful": 1}, history=(ONES,), other_ratings=VARIED)
    assert [rule.rule for rule, _ in flags(rules, whole)] == ["always_the_same", "too_fast"]


def test_a_rule_that_declares_nothing_is_given_nothing_more():
    seen: list[Work] = []

    class Curious(Rule):
        rule: Literal["curious"]

        def find(self, work: Work) -> dict[str, Any] | None:
            seen.append(work)
            return None

    whole = Work("C0", 60, {}, history=(ONES,), other_ratings=VARIED)
    assert list(flags([Curious(rule="curious")], whole)) == []
    assert (seen[0].history, seen[0].other_ratings) == (None, None)
    assert seen[0].seconds == 60


def test_a_rule_tells_its_evidence_even_if_it_has_no_words_of_its_own():
    assert Rule.tell({"at_least": 3, "code": 1}) == "at least 3, code 1"


def test_only_a_rule_can_be_registered():
    with pytest.raises(TypeError, match="@quality_rule is for subclasses of Rule, not for"):
        quality_rule(int)
