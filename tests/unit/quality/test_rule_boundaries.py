"""Quality rules at the very value where they begin to flag."""

from __future__ import annotations

from typing import Any

from labelwright.quality.rules import RULES, flags
from labelwright.quality.rules.base import Rule
from labelwright.quality.rules.known_answers import AttentionFailed, GoldFailed
from labelwright.quality.rules.too_fast import TooFast
from labelwright.quality.rules.work import Work


def work(seconds: float = 60.0, **answers: Any) -> Work:
    return Work("C0", seconds, {}, **answers)


def answers(right: int, wrong: int) -> dict[str, bool]:
    return {f"{n}:q": n < right for n in range(right + wrong)}


def test_work_of_exactly_the_time_expected_is_not_too_fast():
    rule = TooFast(rule="too_fast", seconds=15, per_condition={"C3": 30})
    assert rule.find(work(15)) is None
    assert rule.find(work(14.96)) == {"seconds": 15.0, "at_least": 15.0}
    assert rule.find(work(14.94)) == {"seconds": 14.9, "at_least": 15.0}
    assert rule.find(Work("C3", 29, {})) == {"seconds": 29, "at_least": 30.0}


def test_gold_is_failed_below_the_share_and_not_at_it():
    rule = GoldFailed(rule="gold_failed")
    # 7 of 10 are enough, 2 of 3 (0.667) are not.
    assert rule.find(work(gold=answers(7, 3))) is None
    assert rule.find(work(gold=answers(2, 1))) == {"wrong": ["2:q"], "right_share": 0.667, "at_least": 0.7}
    assert rule.find(work(attention=answers(0, 3))) is None


def test_one_wrong_attention_check_is_too_many_unless_the_rule_allows_it():
    assert AttentionFailed(rule="attention_failed").find(work(attention=answers(3, 1))) == {
        "wrong": ["3:q"],
        "right_share": 0.75,
        "at_least": 1.0,
    }
    assert (
        AttentionFailed(rule="attention_failed", right_share=0.75).find(work(attention=answers(3, 1))) is None
    )
    assert AttentionFailed(rule="attention_failed").find(work(attention=answers(2, 0))) is None


def test_only_the_rules_that_are_broken_flag():
    rules = [
        TooFast(rule="too_fast"),
        GoldFailed(rule="gold_failed"),
        AttentionFailed(rule="attention_failed"),
    ]
    found = list(flags(rules, work(3, gold=answers(0, 1))))
    assert [(rule.rule, evidence["at_least"]) for rule, evidence in found] == [
        ("too_fast", 15.0),
        ("gold_failed", 0.7),
    ]


def test_a_rules_version_changes_with_its_settings_and_only_then():
    one, same, other = (TooFast(rule="too_fast", seconds=n) for n in (15, 15, 16))
    assert one.version == same.version != other.version
    assert len(one.version) == 12
    assert set(one.version) <= set("0123456789abcdef")


def test_every_rule_of_ours_has_words_for_its_evidence():
    assert Rule.tell({"seconds": 3, "at_least": 15.0}) == "seconds 3, at least 15.0"
    assert [name for name in RULES if RULES[name].tell is Rule.tell] == []
