"""Bias probes of a model: proposed with their cost, agreed to, and measured beside people's own bias on the same items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from typing import Any, ClassVar, cast

import numpy as np

from labelwright.errors import LabelwrightError
from labelwright.judging.errors import TooFew
from labelwright.judging.forms import (
    FORM_CHANGES,
    FormChange,
    added_words,
    answer_numbers,
    first_preferred,
    place_on,
    probed_questions,
)
from labelwright.judging.probes import (
    Bias,
    ProbeResult,
    ProposedCalls,
    mean_bias,
    order_bias,
    paired_bias,
    propose_calls,
    repetition_bias,
    smallest_found,
    verbosity_bias,
)
from labelwright.server.judges import queries
from labelwright.server.judges.actions.runs import RunCost, check_cost, get_run_cost, new_run, start_run
from labelwright.server.judges.actions.trials import TrialItem, get_plain_askings, get_trial_items
from labelwright.server.store.models import JudgeRun, JudgeTrial, Pool
from labelwright.server.store.versions import study_of
from labelwright.study import Study
from labelwright.task import Asking, StoredItem, scale_under

BOTH_FORMS = (False, True)
Pairs = dict[str, list[tuple[float, float]]]
"""For each question, the numbers of the plain and the changed form of each item."""


class NoSuchProbe(LabelwrightError):
    """A probe that does not exist."""

    code: ClassVar[str] = "no_such_probe"


@dataclass(frozen=True, slots=True)
class PlannedProbe:
    """A probe before it is agreed to."""

    kind: FormChange
    proposed: ProposedCalls
    items: tuple[TrialItem, ...]
    cost: RunCost

    @property
    def found_bias(self) -> float:
        """The bias that these items find in 95% of cases."""
        return max(self.proposed.smallest, smallest_found(len(self.items)))

    @property
    def sentence(self) -> str:
        """What the probe asks, what it can find and what it costs."""
        if not self.items:
            return f"{self.kind}: no item of this study has a question that this probe can be about."
        few = (
            ""
            if len(self.items) >= self.proposed.pairs
            else f" The study has {len(self.items):,} such items."
        )
        return (
            f"{self.kind}: {len(self.items):,} items, each judged twice, find a bias of {self.found_bias:.2g} in 95% of "
            f"cases.{few} {self.cost.sentence}"
        )


def read_change(given: str) -> FormChange:
    """The probe of this name; raises NoSuchProbe."""
    if given not in FORM_CHANGES:
        raise NoSuchProbe(f'there is no probe "{given}".', expected=f"one of {', '.join(FORM_CHANGES)}.")
    return given


def get_planned_probe(pool: Pool, kind: FormChange, smallest: float, now: datetime) -> PlannedProbe:
    """The probe that is proposed: as many items as find a bias of this size, or all that there are. Reads only."""
    proposed = propose_calls(kind, smallest)
    study = study_of(pool.study.versions.latest("n").pk)
    fitting: list[TrialItem] = []
    items = get_trial_items(pool)
    for start in range(0, len(items), proposed.pairs):
        some = items[start : start + proposed.pairs]
        askings = get_plain_askings(pool, {each.item: each.condition for each in some})
        fitting += [
            each for each in some if probed_questions(study.design(each.condition), askings[each.item], kind)
        ]
        if len(fitting) >= proposed.pairs:
            break
    fitting = fitting[: proposed.pairs]
    run = new_run(pool, kind, "", now, smallest=smallest)
    return PlannedProbe(kind, proposed, tuple(fitting), get_run_cost(pool, run, fitting, BOTH_FORMS))


def start_probe(pool: Pool, seen: PlannedProbe, author: str, now: datetime) -> JudgeRun:
    """Starts a probe whose cost somebody agreed to; raises JudgeCostChanged, TooFew and ModelNotAllowed."""
    planned = get_planned_probe(pool, seen.kind, seen.proposed.smallest, now)
    if not planned.items:
        raise TooFew(planned.sentence, expected="a question that the probe can be about.")
    check_cost(planned.cost, seen.cost)
    smallest = planned.proposed.smallest
    run = new_run(pool, planned.kind, author, now, items=len(planned.items), smallest=smallest)
    return start_run(pool, run, planned.items, BOTH_FORMS, planned.cost)


@dataclass(frozen=True, slots=True)
class _Answered:
    """The answers of the model to both forms of the items of a run, and what people said about them."""

    study: Study
    change: FormChange
    askings: Mapping[int, tuple[str, Asking]]
    """The condition of each item, and the item as the model sees it in its tasks."""
    pairs: Pairs
    people: Sequence[queries.PersonAnswer]


def measure_probe(run: JudgeRun) -> dict[str, Any]:
    """What a probe found, for each question; a question with too few items says so."""
    answered = _answered(run)
    texts = answered.study.question_texts
    found = []
    for name, pairs in sorted(answered.pairs.items()):
        about = {"question": texts.get(name.split(".", maxsplit=1)[0], name), "name": name}
        try:
            judge = _bias(answered.change, pairs)
        except TooFew as few:
            found.append(about | {"refused": str(few)})
            continue
        people = _people_bias(answered, name)
        result = ProbeResult(answered.change, judge, people, run.smallest or 0.1)
        found.append(about | bias_record(result))
    return {"questions": found}


def bias_record(result: ProbeResult) -> dict[str, Any]:
    """A result as plain values."""
    return {
        "judge": _plain(result.judge),
        "people": _plain(result.people) if result.people else None,
        "presence": result.presence,
        "smallest": result.smallest,
    }


def _plain(bias: Bias) -> dict[str, Any]:
    return {"value": bias.value, "low": bias.interval.low, "high": bias.interval.high, "n": bias.n}


def _bias(change: FormChange, pairs: Sequence[tuple[float, float]]) -> Bias:
    plain, changed = [one for one, _ in pairs], [other for _, other in pairs]
    if change == "order":
        return order_bias(plain, changed)
    return repetition_bias(plain, changed) if change == "repetition" else paired_bias(plain, changed)


def _answered(run: JudgeRun) -> _Answered:
    study = study_of(run.study.versions.latest("n").pk)
    change = cast("FormChange", run.kind)
    trials = list(JudgeTrial.objects.filter(run=run, state=JudgeTrial.State.ANSWERED).exclude(codes=None))
    conditions = {trial.item_id: trial.condition for trial in trials}
    shown = get_plain_askings(run.pool, conditions)
    askings = {item: (condition, shown[item]) for item, condition in conditions.items()}
    forms: dict[int, dict[bool, dict[str, float]]] = {}
    for trial in trials:
        condition, asking = askings[trial.item_id]
        numbers = answer_numbers(
            study.design(condition), asking, change, trial.codes or {}, changed=trial.changed
        )
        forms.setdefault(trial.item_id, {})[trial.changed] = numbers
    people = queries.people_answers(run.study_id, list(askings))
    return _Answered(study, change, askings, _paired(forms.values()), people)


def _paired(forms: Any) -> Pairs:
    found: Pairs = {}
    for both in forms:
        if len(both) == len(BOTH_FORMS):
            for name in both[False].keys() & both[True].keys():
                found.setdefault(name, []).append((both[False][name], both[True][name]))
    return found


def _people_bias(answered: _Answered, name: str) -> Bias | None:
    """People's own bias on the same items, in the same unit; None if their labels cannot show it.

    Raters see candidates in random orders, so their bias towards the first one shows without a second question. What
    a longer reply gains them is the slope of their scores over the words of replies as they are. Nobody rates the same
    twice or sees a scale from both ends.
    """
    try:
        if answered.change == "order":
            return _people_order(answered, name)
        return _people_length(answered, name) if answered.change == "length" else None
    except TooFew:
        return None


def _people_order(answered: _Answered, name: str) -> Bias:
    values, items = [], []
    for each in _given(answered, name):
        condition, asking = answered.askings[each.item]
        question = answered.study.design(condition).question(name)
        sides = question.sides() if question else None
        order = order_seen(answered.study, each, asking)
        first = first_preferred(sides, order, each.code) if sides else None
        if first is not None:
            values.append(2 * first - 1)
            items.append(each.item)
    return mean_bias(values, _numbered(items))


def order_seen(study: Study, each: queries.PersonAnswer, asking: Asking) -> tuple[int, ...]:
    """The order in which a rater saw the candidates of an item."""
    many: list[dict[str, str]] = [{}] * len(asking.item.candidates)
    return study.order_for(each.number, StoredItem("candidates", (), 0, {"candidates": many}, asking.key))


def _people_length(answered: _Answered, name: str) -> Bias | None:
    scores, words, items, added = [], [], [], []
    for each in _given(answered, name):
        condition, asking = answered.askings[each.item]
        if asking.item.candidates:
            return None
        scales = answered.study.design(condition).answer_scales(answered.study.scales)
        place = place_on(scale_under(name, scales), each.code)
        if place is not None:
            scores.append(place)
            words.append(len(asking.item.text.split()))
            items.append(each.item)
            added.append(added_words(asking))
    # A line through short replies says nothing about a reply that is far longer than all of them.
    if len(set(items)) < 2 or max(words) - min(words) < fmean(added):
        return None
    slope = verbosity_bias(scores, words, _numbered(items))
    return slope.times(fmean(added) / 100)


def _given(answered: _Answered, name: str) -> Iterator[queries.PersonAnswer]:
    for each in answered.people:
        if each.question == name and each.condition == answered.askings[each.item][0]:
            yield each


def _numbered(items: Sequence[int]) -> np.ndarray:
    return np.array(items, dtype=np.int64)


def get_probes(pool: int) -> list[JudgeRun]:
    """The newest run of each probe; reads only."""
    runs = JudgeRun.objects.filter(pool_id=pool, kind__in=FORM_CHANGES).order_by("kind", "-pk")
    return list(runs.distinct("kind"))
