"""The rules of the published studies, and those on texts and raters, keep the contract up to their limits."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from pydantic import TypeAdapter, ValidationError

from labelwright.quality import (
    PRESETS,
    RULES,
    AnswerContent,
    AnyRule,
    OtherRating,
    PoolPace,
    RaterFigures,
    TypingFacts,
    Work,
    content_of,
    fill_presets,
    flags,
)
from labelwright.quality.rules.audit_finding import AuditFinding
from labelwright.quality.rules.category_mismatch import CategoryMismatch
from labelwright.quality.rules.contradiction import Contradiction
from labelwright.quality.rules.faster_than_pool import FasterThanPool
from labelwright.quality.rules.identical_answers import IdenticalAnswers
from labelwright.quality.rules.low_agreement import LowAgreement
from labelwright.quality.rules.pasted_text import PastedText
from labelwright.quality.rules.repeated_text import RepeatedText, text_print
from labelwright.quality.rules.sentence_count import SentenceCount
from labelwright.quality.rules.sentence_overlap import SentenceOverlap
from labelwright.quality.rules.several_accounts import SeveralAccounts
from labelwright.quality.rules.span_length import SpanLength
from labelwright.quality.rules.span_overlap import SpanOverlap
from labelwright.quality.rules.typing_speed import TypingSpeed
from labelwright.study.file import check_study
from labelwright.task.questions import QUESTION_TYPES
from labelwright.testing.rules import RuleContract
from tests.studies import study_text


def given(codes: dict[str, int] | None = None, **more: Any) -> Work:
    return Work("C0", 60, codes or {}, **more)


def spans(*ranges: tuple[int, int], length: int = 100) -> AnswerContent:
    return AnswerContent(ranges, length)


def chosen(*places: int, offered: int = 8) -> AnswerContent:
    return AnswerContent(chosen=frozenset(places), offered=offered)


def written(text: str) -> AnswerContent:
    return AnswerContent(text=text)


def others(*contents: AnswerContent) -> dict[str, list[OtherRating]]:
    return {"0:q": [OtherRating(content=content) for content in contents]}


class TestFasterThanPool(RuleContract):
    rule = FasterThanPool(rule="faster_than_pool", share=0.25, fewest_tasks=20)
    # A quarter of 80 seconds is 20.
    broken_by = (Work("C0", 19.9, {}, pool=PoolPace(20, 80)),)
    kept_by = (Work("C0", 20, {}, pool=PoolPace(20, 80)), Work("C0", 1, {}, pool=PoolPace(19, 80)))


SAME = Work("C0", 60, {"0:a": 2, "0:b": 4})


class TestIdenticalAnswers(RuleContract):
    rule = IdenticalAnswers(rule="identical_answers", tasks=20)
    broken_by = (
        given(dict(SAME.codes), history=[SAME] * 20),
        # Attention checks and gold items differ for a reason.
        given(
            {"0:a": 2, "0:b": 4, "0:look": 1, "1:a": 1},
            attention={"0:look": True},
            gold={"1:a": True},
            history=[SAME] * 20,
        ),
        # Only the latest tasks count.
        given(dict(SAME.codes), history=[given({"0:a": 1}), *[SAME] * 20]),
    )
    kept_by = (
        given(dict(SAME.codes), history=[SAME] * 19),
        given({"0:a": 2, "0:b": 3}, history=[SAME] * 20),
        given(dict(SAME.codes), history=[given({"0:a": 2, "0:b": 3}), *[SAME] * 19]),
        given({}, history=[given()] * 20),
    )


class TestContradiction(RuleContract):
    rule = Contradiction(rule="contradiction", questions=("success", "outcome"), allowed={5: (1, 2), 1: (7,)})
    broken_by = (given({"0:success": 5, "0:outcome": 7}), given({"1:success": 1, "1:outcome": 1}))
    kept_by = (
        given({"0:success": 5, "0:outcome": 2, "1:success": 3, "1:outcome": 7}),
        given({"0:success": 5, "1:outcome": 7}),
        given({"0:success": 1}),
    )


class TestCategoryMismatch(RuleContract):
    rule = CategoryMismatch(rule="category_mismatch", question="outcome", allowed={"done": (1, 2)})
    broken_by = (given({"0:outcome": 1, "1:outcome": 3}, categories={0: "done", 1: "done"}),)
    kept_by = (
        given({"0:outcome": 2, "1:outcome": 3}, categories={0: "done", 1: "other"}),
        given({"0:outcome": 3}, categories={}),
        given({}, categories={0: "done"}),
    )


class TestSpanLength(RuleContract):
    rule = SpanLength(rule="span_length", share=0.5, per_condition={"sentence": 0.75}, empty=True)
    broken_by = (
        given(contents={"0:q": spans((0, 10), (20, 71))}),
        given(contents={"0:q": spans()}),
        Work("sentence", 60, {}, contents={"0:q": spans((0, 76))}),
    )
    kept_by = (
        # One span counts, not the sum of all.
        given(contents={"0:q": spans((0, 50), (50, 100))}),
        Work("sentence", 60, {}, contents={"0:q": spans((0, 75))}),
        given(contents={"0:why": written("x")}),
    )

    def test_an_empty_answer_is_flagged_only_on_request(self):
        rule = SpanLength(rule="span_length")
        assert rule.find(given(contents={"0:q": spans()})) is None


class TestSpanOverlap(RuleContract):
    rule = SpanOverlap(rule="span_overlap", others=2)
    broken_by = (
        # It overlaps each of them, but not where both overlap each other: 20 to 30.
        given(
            contents={"0:q": spans((0, 20), (30, 40))}, other_ratings=others(spans((10, 30)), spans((20, 40)))
        ),
        given(contents={"0:q": spans((0, 20))}, other_ratings=others(spans(), spans())),
    )
    kept_by = (
        given(contents={"0:q": spans((0, 21))}, other_ratings=others(spans((10, 30)), spans((20, 40)))),
        # One other rater is not enough to say anything, and an empty answer has no place.
        given(contents={"0:q": spans((0, 5))}, other_ratings=others(spans((10, 30)))),
        given(contents={"0:q": spans()}, other_ratings=others(spans((10, 30)), spans((10, 30)))),
        # Spans of one rater that overlap are not two raters.
        given(
            contents={"0:q": spans((50, 60))},
            other_ratings=others(spans((50, 55)), spans((50, 58)), spans()),
        ),
    )

    def test_overlapping_spans_of_one_rater_count_once(self):
        twice, nothing = spans((0, 10), (5, 15)), spans((80, 90))
        work = given(contents={"0:q": spans((6, 9))}, other_ratings=others(twice, nothing))
        assert self.found(work) is not None


class TestSentenceCount(RuleContract):
    rule = SentenceCount(rule="sentence_count")
    # 75% of 8 are 6.
    broken_by = (given(contents={"0:q": chosen()}), given(contents={"0:q": chosen(*range(7))}))
    kept_by = (given(contents={"0:q": chosen(*range(6))}), given(contents={"0:q": chosen(3)}))


class TestSentenceOverlap(RuleContract):
    rule = SentenceOverlap(rule="sentence_overlap", fewest_others=2)
    broken_by = (given(contents={"0:q": chosen(1, 2)}, other_ratings=others(chosen(3), chosen())),)
    kept_by = (
        given(contents={"0:q": chosen(1, 2)}, other_ratings=others(chosen(3), chosen(2, 4))),
        given(contents={"0:q": chosen(1, 2)}, other_ratings=others(chosen(3))),
        given(contents={"0:q": chosen()}, other_ratings=others(chosen(3), chosen(3))),
    )


class TestLowAgreement(RuleContract):
    rule = LowAgreement(rule="low_agreement", below=0.15, fewest_items=10)
    broken_by = (given(rater=RaterFigures(0.1, 0.0, 0.449, 10, 0.6)),)
    kept_by = (
        # The interval reaches up to the limit of 0.6 - 0.15, however low the value.
        given(rater=RaterFigures(0.1, 0.0, 0.45, 10, 0.6)),
        given(rater=RaterFigures(0.1, 0.0, 0.2, 9, 0.6)),
        given(rater=RaterFigures(0.1, None, None, 50, 0.6)),
        given(rater=RaterFigures(0.1, 0.0, 0.2, 50, None)),
    )


SIX = written("It is clear and it helps.")


class TestRepeatedText(RuleContract):
    rule = RepeatedText(rule="repeated_text", fewest_words=6, raters=2)
    broken_by = (given(contents={"0:why": SIX}, text_uses={"0:why": 2}),)
    kept_by = (
        given(contents={"0:why": SIX}, text_uses={"0:why": 1}),
        given(contents={"0:why": written("It is clear and helps.")}, text_uses={"0:why": 9}),
    )

    def test_only_the_words_count(self):
        assert text_print("Clear,  and HELPFUL!\n") == text_print("clear and helpful")
        assert text_print("clear and helpful") != text_print("clear and unhelpful")


TEXT = written("x" * 100)


class TestPastedText(RuleContract):
    rule = PastedText(rule="pasted_text")
    broken_by = (given(contents={"0:why": TEXT}, typing={"0:why": TypingFacts(60, 12, 1, 50)}),)
    kept_by = (
        given(contents={"0:why": TEXT}, typing={"0:why": TypingFacts(60, 12, 1, 49)}),
        given(contents={"0:why": written("x" * 39)}, typing={"0:why": TypingFacts(0, 0, 1, 39)}),
        given(contents={"0:why": TEXT}, typing={}),
    )


class TestTypingSpeed(RuleContract):
    rule = TypingSpeed(rule="typing_speed", per_second=20)
    broken_by = (given(contents={"0:why": TEXT}, typing={"0:why": TypingFacts(2, 4.9)}),)
    kept_by = (
        given(contents={"0:why": TEXT}, typing={"0:why": TypingFacts(100, 5)}),
        # What was pasted is another rule's concern.
        given(contents={"0:why": TEXT}, typing={"0:why": TypingFacts(2, 0.1, 1, 80)}),
        # A draft from an earlier visit, of which only the end was typed here.
        given(contents={"0:why": TEXT}, typing={"0:why": TypingFacts(10, 2, before=90)}),
        given(contents={"0:why": TEXT}, typing={}),
    )


GROUP = {"accounts": ["a", "b", "c"], "shared": 40, "agreed": 39, "expected": 0.5}


class TestSeveralAccounts(RuleContract):
    rule = SeveralAccounts(rule="several_accounts", accounts=3)
    broken_by = (given(rater=RaterFigures(findings={"same_source": GROUP})),)
    kept_by = (given(rater=RaterFigures(findings={"same_source": GROUP | {"accounts": ["a", "b"]}})),)


class TestAuditFinding(RuleContract):
    rule = AuditFinding(rule="audit_finding", kinds=("random", "constant"))
    broken_by = (given(rater=RaterFigures(findings={"random": {"what": "the labels look random."}})),)
    kept_by = (
        given(rater=RaterFigures(findings={"copied": {"what": "agree."}})),
        given(rater=RaterFigures()),
    )


def test_every_rule_has_a_contract():
    tested = {
        kind.rule.rule
        for kind in RuleContract.__subclasses__()
        if kind.rule.rule in RULES and not kind.rule.rule.startswith("always")
    }
    assert tested >= set(RULES) - {"too_fast", "gold_failed", "attention_failed"}


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_rules_that_send_work_to_review(name: str):
    rules = [TypeAdapter(AnyRule).validate_python(rule) for rule in fill_presets(name)]
    assert {rule.then for rule in rules} == {"review"}


def test_the_lets_go_tables_are_those_of_the_paper():
    """Section 3.3: success goes with TS:S to TS:CsCu, failure with TS:Fs and TS:Fu, TS:SN and the middle with all."""
    rules = [TypeAdapter(AnyRule).validate_python(rule) for rule in PRESETS["lets-go"]]
    broken = {
        (successful, outcome)
        for successful in range(1, 6)
        for outcome in range(1, 8)
        for rule, _ in flags(rules, given({"0:successful": successful, "0:outcome": outcome}))
        if rule.rule == "contradiction"
    }
    low, high = {(s, o) for s in (1, 2) for o in (1, 2, 3, 4)}, {(s, o) for s in (4, 5) for o in (6, 7)}
    assert broken == low | high
    mismatches = {
        (category, outcome)
        for category in ("TaskComplete", "TaskIncomplete", "OutOfScope", "MultiTask")
        for outcome in range(1, 8)
        for rule, _ in flags(rules, given({"0:outcome": outcome}, categories={0: category}))
        if rule.rule == "category_mismatch"
    }
    assert {outcome for category, outcome in mismatches if category == "TaskComplete"} == {5, 6, 7}
    assert {outcome for category, outcome in mismatches if category == "TaskIncomplete"} == {1, 2, 3, 4, 5}
    assert {outcome for category, outcome in mismatches if category == "OutOfScope"} == {1, 2, 3, 4, 6, 7}
    assert "MultiTask" not in dict(mismatches)


def test_the_milder_of_platform_and_condition_applies():
    rule = SentenceCount(
        rule="sentence_count",
        then="propose",
        then_by_platform={"prolific": "review"},
        then_by_condition={"C0": "nothing", "C1": "propose"},
    )
    effects = {(p, c): rule.effect(p, c) for p in ("link", "prolific") for c in ("C0", "C1", "C2")}
    assert effects == {
        ("link", "C0"): "nothing",
        ("link", "C1"): "propose",
        ("link", "C2"): "propose",
        ("prolific", "C0"): "nothing",
        ("prolific", "C1"): "review",
        ("prolific", "C2"): "review",
    }


@pytest.mark.parametrize(
    ("quality", "wrong"),
    [
        ("letsgo", 'there is no preset "letsgo"; presets: lets-go, snippets, context'),
        ("lets-go", 'rule "contradiction" is about question "successful", which no design asks.'),
        ("[{rule: pasted_text}]", 'rule "pasted_text" is about typing, which is recorded only with'),
        (
            "[{rule: category_mismatch, question: useful, allowed: {C: [9]}}]",
            'rule "category_mismatch" names code 9 of question "useful". Codes: 1, 2, 3.',
        ),
        ("[{rule: too_fast, then_by_condition: {C99: nothing}}]", 'rule 1 uses condition "C99"'),
        ("[{rule: span_overlap, then: propose}]", "disagreement with other raters alone is no ground"),
    ],
)
def test_rules_that_do_not_fit_their_study_are_mistakes(quality: str, wrong: str):
    study, mistakes = check_study(study_text(quality=yaml.safe_load(quality)))
    assert study is None
    assert wrong in " ".join(mistake.what for mistake in mistakes)


def test_a_list_can_hold_presets_and_rules():
    study, mistakes = check_study(
        study_text(
            quality=["context", {"rule": "too_fast"}, {"rule": "attention_failed", "right_share": 0.5}]
        )
    )
    assert not mistakes
    assert study is not None
    assert [rule.rule for rule in study.quality] == ["too_fast", "attention_failed"]
    assert study.quality[1].model_dump()["right_share"] == 0.5


def test_contents_are_read_from_stored_answers():
    def question(name: str, which: int = 0) -> Any:
        kind = QUESTION_TYPES[name]
        return kind.model_validate(dict(kind.EXAMPLES[which]))

    assert content_of(question("spans"), [[0, 4], [6, 9]], 40) == spans((0, 4), (6, 9), length=40)
    sentences = {"sentences": [[0, 4], [5, 9], [10, 12]], "chosen": [1]}
    assert content_of(question("sentences"), sentences, 12) == chosen(1, offered=3)
    assert content_of(question("text"), "Because.", 12) == written("Because.")
    explained = {"choice": 3, "explanation": {"words": "The user gave up."}}
    assert content_of(question("choice"), explained, 0) == written("The user gave up.")
    assert content_of(question("choice"), {"choice": 1}, 0) is None
    assert content_of(question("yes_no"), True, 0) is None


def test_unknown_kinds_of_findings_are_refused():
    with pytest.raises(ValidationError, match="copied"):
        AuditFinding.model_validate({"rule": "audit_finding", "kinds": ["lazy"]})
