"""Scores, ranks and rules of a qualification."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from labelwright.agreement import jaccard, score_against_reference
from labelwright.crowd.qualification import Applicant, Given, QualificationRule, Scored, pick, rank, score
from labelwright.scales import parse_scale
from labelwright.study import Study
from tests.studies import study_data

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
TWO = parse_scale("1, 2")


def coded(item: str, own: int, reference: int, question: str = "fits") -> Given:
    return Given(item, question, own, own, reference, reference, right=own == reference)


def test_kappa_is_that_of_applicant_and_reference():
    # Confusion of two codes over four items: 1 and 1, 2 and 2, 1 and 2, 2 and 2. Observed 3/4; expected
    # (1/2)(1/4) + (1/2)(3/4) = 1/2; kappa (3/4 - 1/2) / (1 - 1/2) = 1/2.
    given = [coded("a", 1, 1), coded("b", 2, 2), coded("c", 1, 2), coded("d", 2, 2)]
    assert score(given, "cohen_kappa", {"fits": TWO}).value == pytest.approx(0.5)


def test_a_question_without_a_value_is_left_out_of_the_mean():
    given = [coded("a", 1, 1), coded("b", 1, 1), coded("a", 1, 1, "useful"), coded("b", 2, 2, "useful")]
    scales = {"fits": TWO, "useful": TWO}
    assert score(given, "cohen_kappa", scales).value == 1
    assert math.isnan(score(given[:2], "cohen_kappa", scales).value)


def test_both_bad_has_no_place_in_a_score_that_uses_the_order():
    # Without the item on which the applicant finds both bad, all three answers are right.
    given = [coded("a", -1, -1), coded("b", 0, 0), coded("c", 1, 1), coded("d", 9, -1)]
    scale = parse_scale("-1, 0, 1 | 9")
    assert score(given, "cohen_kappa_quadratic", {"fits": scale}).value == 1
    assert score(given, "cohen_kappa", {"fits": scale}).value < 1
    unordered = parse_scale("unordered: -1, 0, 1, 9")
    assert math.isnan(score(given, "cohen_kappa_quadratic", {"fits": unordered}).value)


def test_spans_and_sentences_are_scored_by_what_they_cover_as_the_library_measures_it():
    own, wanted = [[0, 10], [20, 24]], [[5, 10], [20, 30, "fact"]]
    spans = [Given("a", "snippets", own, None, wanted, None, right=False)]
    plain = [[[(0, 10), (20, 24)], [(5, 10), (20, 30)]]]
    assert score(spans, "jaccard", {}).value == pytest.approx(jaccard(plain, bootstrap=None).value)
    expected = score_against_reference([[plain[0][0]]], [[plain[0][1]]], bootstrap=None).f1.value
    assert score(spans, "f1", {}).value == pytest.approx(expected)
    nothing = Given("b", "snippets", [], None, [], None, right=True)
    assert score([nothing], "f1", {}).value == 1
    chosen = Given("a", "chosen", {"chosen": [0, 2]}, None, {"chosen": [2]}, None, right=False)
    assert score([chosen], "jaccard", {}).value == 0.5


def test_equals_are_parted_by_right_answers_then_by_time_and_undefined_comes_last():
    entries = [
        ("undefined", math.nan, 1.0, 0),
        ("late", 0.5, 0.5, 2),
        ("early", 0.5, 0.5, 1),
        ("righter", 0.5, 0.6, 3),
        ("best", 0.9, 0.1, 4),
    ]
    ranking = rank(Applicant(n, Scored(v, r), NOON + timedelta(minutes=m)) for n, v, r, m in entries)
    assert [applicant.name for applicant in ranking] == ["best", "righter", "early", "late", "undefined"]
    assert pick(QualificationRule(best=2), ranking) == ["best", "righter"]
    assert pick(QualificationRule(at_least=0.5), ranking) == ["best", "righter", "early", "late"]


def pools(**qualification: Any) -> dict[str, Any]:
    part = {"design": "reply", **qualification}
    return {
        "applicants": {"platform": "link", "raters": 20, "qualification": part},
        "experts": {"platform": "link", "requires": ["applicants"]},
    }


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"pools": pools()}, "no reference answers"),
        ({"pools": pools(items=["d9#4"]), "gold": {"d0#4": {"useful": 1}}}, 'uses item "d9#4"'),
        ({"pools": pools(rule={"best": 21}), "gold": {"d0#4": {"useful": 1}}}, "room for only 20"),
        ({"pools": pools(rule={}), "gold": {"d0#4": {"useful": 1}}}, "a rule needs"),
        ({"pools": pools(measure="kapa"), "gold": {"d0#4": {"useful": 1}}}, "there is no such measure"),
        (
            {
                "pools": pools(measure="alpha_ordinal"),
                "gold": {"d0#4": {"useful": 1}},
                "scales": {
                    "useful": {
                        "ordered": False,
                        "points": [{"code": 1, "name": "Bus"}, {"code": 2, "name": "Train"}],
                    }
                },
            },
            'measures by alpha_ordinal, which needs an order, but the options of question "useful" have none',
        ),
        (
            {"pools": {"applicants": pools()["applicants"]}, "gold": {"d0#4": {"useful": 1}}},
            "needs one pool without it",
        ),
        ({"pools": {"own": {"platform": "link"}}}, "`raters` is missing"),
        (
            {"pools": {name: {"platform": "link", "raters": 2} for name in ("own", "other")}},
            'pool "other" would have no work',
        ),
        (
            {"pools": {"own": {"platform": "link", "raters": 2, "requires": ["own"]}}},
            "which has no qualification",
        ),
        (
            {
                "pools": pools(),
                "gold": {"d0#4": {"useful": 1}},
                "tasks": {"items_per_task": 4, "gold_one_in": 4},
            },
            "needs its own `items`",
        ),
    ],
)
def test_a_qualification_that_cannot_be_is_a_mistake_of_the_study_file(changes: dict[str, Any], told: str):
    with pytest.raises(ValueError, match=told):
        Study.model_validate(study_data(**changes))


def test_a_pool_that_others_lead_to_can_have_as_many_as_qualify():
    study = Study.model_validate(study_data(pools=pools(rule={"best": 15}), gold={"d0#4": {"useful": 1}}))
    assert study.raters_in("experts") == 15
    assert (study.pool_name, study.pool_of("gone")) == ("experts", study.pools["experts"])
    assert study.qualification_items == {"d0#4"}
    assert study.design_name("qualification:applicants") == "reply"
