"""Simulated raters without a server: behaviour files, answers, hours, and the queue of events."""

from __future__ import annotations

import statistics
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from labelwright.simulate import (
    Act,
    BadBehaviour,
    End,
    NoTask,
    SimulatedRater,
    SimulatedTask,
    Timeline,
    crowd,
    default_behaviour,
    read_behaviour,
    read_mix,
    truth,
)
from labelwright.simulate.behaviour import KindBehaviour
from labelwright.simulate.distributions import ValueDistribution
from labelwright.task import Asking, ItemParts, Sheet, check_answers, check_sheets, sheets
from labelwright.task.questions import QUESTION_TYPES
from labelwright.testing.questions import example_asking
from tests.studies import NOW, parse, study_text

DESIGN = parse(study_text()).designs["reply"]
SCALES = parse(study_text()).scales


def asking(text: str, before: str = "Hi.") -> Asking:
    turns = ({"speaker": "user", "text": "Well?"}, {"speaker": "system", "text": text})
    return Asking(SCALES, ItemParts(before=({"speaker": "user", "text": before},), focus=turns))


ITEMS = [asking(f"Reply {n}.") for n in range(60)]


def labels(rater: SimulatedRater) -> list[int]:
    return [rater.answer(sheets(DESIGN, [item]))["0"]["useful"] for item in ITEMS]


def right(kind: str) -> float:
    """The share of true labels that ten raters of a kind give."""
    true = [truth(DESIGN.questions[0], item, 1) for item in ITEMS]
    given = [labels(SimulatedRater(kind, str(n), 1)) for n in range(10)]
    return sum(a == b for each in given for a, b in zip(each, true, strict=True)) / (10 * len(true))


def test_what_raters_send_is_accepted_and_the_same_each_time():
    for kind in default_behaviour().kinds:
        rater, again = SimulatedRater(kind, "a", seed=1), SimulatedRater(kind, "a", seed=1)
        for items in ([ITEMS[0]], ITEMS[:3]):
            answers = rater.answer(sheets(DESIGN, items))
            assert check_answers(DESIGN, items, answers)[1] == []
            assert answers == again.answer(sheets(DESIGN, items))
    assert labels(SimulatedRater("careful", "a", seed=1)) != labels(SimulatedRater("careful", "b", seed=1))


@pytest.mark.parametrize("kind", list(QUESTION_TYPES))
def test_every_question_type_is_answered(kind: str):
    type_of = QUESTION_TYPES[kind]
    item = example_asking(type_of.EXAMPLE_ITEM)
    for example in type_of.EXAMPLES:
        asked = [Sheet(0, item, (type_of.model_validate(example),))]
        for name, of in enumerate(default_behaviour().kinds):
            answers = SimulatedRater(of, str(name), seed=1).answer(asked)
            assert check_sheets(asked, answers)[1] == []


def test_who_is_competent_gives_the_known_answer():
    asked = sheets(DESIGN, [ITEMS[0]])
    sure = default_behaviour().model_copy(
        update={
            "kinds": {"sure": KindBehaviour(competence=ValueDistribution(constant=1))},
            "difficulty": ValueDistribution(constant=0),
        }
    )
    for code in (1, 2, 3):
        rater = SimulatedRater("sure", "a", 1, sure)
        assert rater.answer(asked, {(0, "useful"): code})["0"]["useful"] == code


def test_kinds_differ_as_their_names_say():
    # Three points: who does not read is right once in three times, within 0.06 (three sd of 600 draws).
    assert right("careful") > right("hasty") + 0.05 > right("random") + 0.1
    assert abs(right("random") - 1 / 3) < 0.06
    assert len(set(labels(SimulatedRater("straightliner", "a", 1)))) == 1
    assert labels(SimulatedRater("colluding", "a", 1)) == labels(SimulatedRater("colluding", "b", 1))
    paces = {kind: [r.pace(2).seconds for r in crowd(99, {kind: 1}, 1)] for kind in ("careful", "hasty")}
    assert 90 < statistics.median(paces["careful"]) < 160
    assert statistics.median(paces["hasty"]) < 80


def test_the_truth_does_not_depend_on_what_is_shown_before_the_item():
    rater = SimulatedRater("careful", "a", 1)
    short, long = asking("Here.", before=""), asking("Here.", before="A long story.")
    assert (
        rater.answer(sheets(DESIGN, [short]))["0"]["useful"]
        == rater.answer(sheets(DESIGN, [long]))["0"]["useful"]
    )


def test_bias_moves_labels_up(tmp_path: Path):
    file = tmp_path / "behaviour.yaml"
    file.write_text("kinds: {careful: {competence: 1, bias: 1}}\ndifficulty: 0\nmix: {careful: 1}")
    behaviour = read_behaviour(file)
    rater = SimulatedRater("careful", "a", 1, behaviour)
    for item, label in zip(ITEMS, labels(rater), strict=True):
        assert label == min(truth(DESIGN.questions[0], item, 1) + 1, 3)
    # What the file leaves out stays as it is by default; a mix is replaced as a whole.
    assert behaviour.kinds["careful"].drop_out == default_behaviour().kinds["careful"].drop_out
    assert behaviour.mix == {"careful": 1}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("kinds: {careful: {speed: {normal: [1, 2], beta: [1, 1]}}}", "exactly one of"),
        ("mix: {carefull: 1}", 'the mix contains "carefull", which is not a kind of rater'),
        ("hours: 9", "hours"),
        ("- a", "this is not a behaviour file"),
    ],
)
def test_a_wrong_behaviour_file_is_told(tmp_path: Path, text: str, told: str):
    file = tmp_path / "behaviour.yaml"
    file.write_text(text)
    with pytest.raises(BadBehaviour, match=r"behaviour\.yaml: ") as raised:
        read_behaviour(file)
    assert told in str(raised.value)


@pytest.mark.parametrize("mix", ["carefull=70", "careful=many", "careful=0", "careful=-1,hasty=2", ""])
def test_a_wrong_mix_is_told(mix: str):
    with pytest.raises(BadBehaviour):
        read_mix(mix, default_behaviour())


def test_raters_work_within_their_hours():
    for rater in crowd(50, {"careful": 1}, seed=1):
        at = rater.arrives(NOW)
        assert at >= NOW
        for _ in range(20):
            assert rater.next_working(at) == at
            later = rater.goes_on(at + timedelta(hours=1))
            assert later > at
            at = later


class Plain:
    """A workplace of so many places without any rule but the lease; the plainest thing a life can be driven at."""

    def __init__(self, places: int, lease_minutes: float) -> None:
        self.open = list(range(places))
        self.lease = lease_minutes * 60
        self.done: list[int] = []

    def drive(self, life: Timeline) -> None:
        while events := life.due():
            [event] = events
            self.open += [place for place in life.lapsed(event.at) if place not in self.done]
            if event.act is Act.LOOK:
                life.looked(event, self._shown())
            elif event.act is Act.RETURN:
                self.open.append(event.ticket)
                life.ended(event, End.RETURNED)
            else:
                self.done.append(event.ticket)
                life.ended(event, End.STORED)

    def _shown(self) -> Any:
        return (
            SimulatedTask(self.open.pop(), sheets(DESIGN, ITEMS[:1]), 2, self.lease)
            if self.open
            else NoTask.FOR_NOW
        )


def test_a_life_goes_on_until_the_work_is_done_and_time_never_goes_back():
    life = Timeline(crowd(20, {"careful": 1, "hasty": 1}, seed=3), NOW)
    # Nobody is away for a day, so no lease runs out before the work is handed in.
    work = Plain(200, lease_minutes=1440)
    work.drive(life)
    assert sorted(work.done) == list(range(200))
    ends = [each.end for each in life.worked]
    assert ends.count(End.STORED) == 200
    stored = [each.ended for each in life.worked if each.end is End.STORED]
    assert stored == sorted(stored)
    assert all(each.ended > each.began >= NOW for each in life.worked)
