"""Bias probes at the number of calls that they propose, and versions of a prompt."""

from __future__ import annotations

import numpy as np
import pytest

from labelwright.agreement import Estimate
from labelwright.judging import (
    AlreadyOpened,
    ProbeResult,
    PromptHistory,
    TooFew,
    divide_items,
    family_bias,
    mean_bias,
    order_bias,
    paired_bias,
    propose_calls,
    repetition_bias,
    verbosity_bias,
)
from tests.unit.judging.endpoints import judge_length, judge_order

RUNS = 200


@pytest.mark.parametrize("kind", ["order", "length"])
def test_a_planted_bias_is_found_and_an_honest_judge_is_not_accused(kind):
    ask = {"order": judge_order, "length": judge_length}[kind]
    find = {"order": order_bias, "length": paired_bias}[kind]
    pairs = propose_calls(kind).pairs
    found = accused = 0
    for run in range(RUNS):
        draw = np.random.default_rng(run)
        found += ProbeResult(kind, find(*ask(draw, pairs, bias=0.1))).presence == "present"
        accused += ProbeResult(kind, find(*ask(draw, pairs, bias=0.0))).presence == "present"
    # 200 runs with a power of 95% find at least 181 (p = 0.002), and with a size of 5% accuse at most 21.
    assert found >= 181
    assert accused <= 21


def test_a_judge_that_never_changes_its_mind_has_no_bias_but_is_not_certain_of_it():
    result = ProbeResult("order", order_bias([1, 0] * 40, [0, 1] * 40))
    assert result.judge.value == 0
    assert result.judge.interval.high > 0
    assert result.presence == "absent"


def test_order_by_hand():
    # 40 pairs; in 10 of them the first wins in both orders: the mean of (1 + 1 - 1) * 10 / 40.
    assert order_bias([1] * 40, [1] * 10 + [0] * 30).value == pytest.approx(0.25)


def test_own_family_is_what_people_do_not_see():
    draw = np.random.default_rng(1)
    people = draw.integers(1, 6, 200).astype(float)
    own = np.arange(200) % 4 == 0
    bias = family_bias(people + 0.5 * own, people, own)
    assert bias.value == pytest.approx(0.5)
    words = np.arange(200) + 20
    assert verbosity_bias(words / 100 * 0.3, words).value == pytest.approx(0.3)
    assert repetition_bias(["a"] * 40, ["a"] * 30 + ["b"] * 10).value == pytest.approx(0.25)


def test_few_answers_are_refused_and_the_cost_is_told_beforehand():
    with pytest.raises(TooFew, match="20 more would do"):
        mean_bias([1.0] * 10)
    proposed = propose_calls("order", cents_per_call=0.5)
    assert proposed.cents == proposed.calls // 2
    assert "calls" in proposed.sentence
    # Half of the bias needs four times as many.
    assert propose_calls("order", smallest=0.05).pairs == pytest.approx(4 * proposed.pairs, rel=0.01)


def test_held_out_items_depend_on_the_seed_alone():
    names = [f"i{n}" for n in range(1000)]
    division = divide_items(names, seed=3)
    assert set(division.development) | set(division.held_out) == set(names)
    assert not set(division.development) & set(division.held_out)
    assert 430 < len(division.held_out) < 570
    assert set(divide_items(names[:500], seed=3).held_out) <= set(division.held_out)
    assert divide_items(names, seed=4).held_out != division.held_out


def _alpha(value: float) -> Estimate:
    return Estimate("alpha_ordinal", value, "")


def test_held_out_items_open_once_for_each_version():
    history = PromptHistory().declare("First", "h1").declare("First again", "h1").declare("Examples", "h2")
    assert [each.change for each in history.versions] == ["First", "Examples"]
    history = history.measured(1, _alpha(0.40)).opened(1, _alpha(0.38))
    with pytest.raises(AlreadyOpened):
        history.opened(1, _alpha(0.5))
    history = history.measured(2, _alpha(0.55)).opened(2, _alpha(0.39))
    assert history.versions[1].gap == pytest.approx(0.16)
    assert "Version 2 gains 0.15 on the development items and 0.01 on the held-out ones." in history.warning
