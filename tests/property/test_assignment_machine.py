"""A state machine over every verb of assignments, under several sets of rules, against a model in plain Python."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.desk import anyones_reviewer
from tests.property.assignment_model import HOLD, LEASE, STORED, Batch, Model, Place, Work
from tests.studies import NOW, dialogues, parse, pool, study_data, study_text

pytestmark = pytest.mark.postgres

RATERS, ITEMS = 4, 4
EXAMPLES = int(os.environ.get("LABELWRIGHT_TEST_EXAMPLES", "30"))
"""More of them for a long look: LABELWRIGHT_TEST_EXAMPLES=500 with `-o timeout=3600`."""
REPLY = study_data()["designs"]["reply"]
# What is drawn never depends on what the store did: ids differ between runs.
WHICH = st.integers(0, 2**16)

RULES: dict[str, dict[str, Any]] = {
    "cap on tasks": {"pools": pool(caps={"tasks": 3})},
    "groups on sets, few conditions, few returns": {
        "sets": {"one": {"items": 2}, "two": {"items": 2}},
        "pools": pool(
            caps={"conditions": 1, "tasks_per_batch": 2, "returns": 2},
            groups={
                "a": {"raters": 2, "sets": ["one"]},
                "b": {"raters": 2, "sets": ["one", "two"], "redundancy": 1},
            },
        ),
    },
    "batches on a calendar, a cap a day": {
        "assignment": {"same_item": "other_condition"},
        "batches": {
            "calendar": [
                {"items": 2, "closes": (NOW + timedelta(hours=3)).isoformat()},
                {"opens": (NOW + timedelta(hours=1)).isoformat()},
            ]
        },
        "pools": pool(caps={"tasks_per_day": 2, "tasks_per_batch": 3}),
    },
    "an aspect spoils another": {
        "aspects": {
            "usefulness": {"title": "Usefulness", "redundancy": 1},
            "relevance": {"title": "Relevance"},
        },
        "designs": {
            "useful": REPLY,
            "relevant": REPLY | {"questions": [REPLY["questions"][0] | {"aspect": "relevance"}]},
        },
        "conditions": {
            "U0": {"design": "useful"},
            "R0": {"design": "relevant"},
            "R3": {"design": "relevant"},
        },
        "assignment": {"same_item": "other_aspect", "spoils": {"usefulness": ["relevance"]}},
        "pools": pool(),
    },
    "data left out are not collected again": {
        "assignment": {"refill": False},
        "pools": pool(caps={"tasks": 3}),
    },
}


class AssignmentMachine(RuleBasedStateMachine):
    """Raters come, save, submit, give back and stay away; reviewers decide; the calendar turns; the study pauses."""

    @initialize(name=st.sampled_from(sorted(RULES)))
    def load(self, name: str) -> None:
        from django.db import connection

        from labelwright.server.access.actions.links import get_visitor
        from labelwright.server.people.actions.joining import make_links
        from labelwright.server.store import models
        from labelwright.server.studies.actions.loading import load_study

        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE study CASCADE; TRUNCATE place, task, assignment, offered CASCADE")
        self.now = NOW
        text = study_text(**({"items": {"per_dialogue": 1}, "redundancy": 2} | RULES[name]))
        self.study = parse(text)
        loaded = load_study(self.study, text, dialogues(ITEMS), NOW, opened=True)
        self.drift = loaded.plan.drift
        links = make_links(loaded.study, models.Pool.objects.get(), RATERS, 600, NOW)
        self.visitors = [get_visitor(link.token, NOW) for link in links]
        self.model = self._read_model()

    def _read_model(self) -> Model:
        from labelwright.server.store.models import Batch as BatchRow
        from tests.rows import rows

        found = rows(
            """SELECT p.id, array_agg(t.spoil_key), array_agg(t.also_spoils) FILTER (WHERE t.also_spoils IS NOT NULL),
                      p.condition, b.number, p.rater_group
               FROM place p JOIN task_item t ON t.task_id = p.task_id JOIN batch b ON b.id = p.batch_id
               GROUP BY p.id, p.condition, p.rater_group, b.number"""
        )
        places = {
            place: Place(
                frozenset(own), frozenset(k for keys in also or [] for k in keys), condition, batch, group
            )
            for place, own, also, condition, batch, group in found
        }
        batches = {b.number: Batch(b.pk, b.state, b.opens_at, b.closes_at) for b in BatchRow.objects.all()}
        return Model(
            caps=self.study.pool.caps,
            groups=[visitor.group for visitor in self.visitors],
            batches=batches,
            conditions=list(self.study.conditions),
            places=places,
            free=set(places),
            seen={n: set() for n in range(RATERS)},
        )

    # -- what can happen ------------------------------------------------------

    @rule(rater=st.integers(0, RATERS - 1))
    def offer(self, rater: int) -> None:
        from labelwright.server.offering.actions.leases import offer
        from labelwright.server.offering.actions.search import NoWork
        from labelwright.server.store.models import Assignment

        model = self.model
        latest = model.works.get(model.latest.get(rater, -1))
        back = latest and (
            latest.state == "open" or (latest.state == "expired" and model.may_count_again(latest))
        )
        possible, reached = model.possible(rater), model.reached(rater, self.now)
        got = offer(self.visitors[rater], self.now)
        if back:
            assert latest is not None
            assert got.assignment == model.latest[rater]
            self._hold(latest, got.token)
        elif model.state != "open":
            assert got == f"study_{model.state}"
        elif not model.open_batches(rater):
            assert got is NoWork.NONE_LEFT
        elif reached:
            assert got == reached
        elif not possible:
            every = len(model.open_batches(rater)) * len(model.conditions)
            assert got == ("none_left" if len(list(model.allowed(rater))) == every else "cap_for_now")
        else:
            key = Assignment.objects.get(pk=got.assignment).place_id
            place, offered = model.places[key], model.offered()
            assert key in possible[place.condition]
            least = min(offered[place.batch, place.group, name] for name in possible)
            assert offered[place.batch, place.group, place.condition] == least
            model.take(got.assignment, Work(key, rater, got.token, self.now, self.now + LEASE))

    # Mostly open, so that the other rules have something to do.
    @rule(verb=st.sampled_from(["pause", "resume", "resume", "close", "open", "open"]))
    def change_state(self, verb: str) -> None:
        from labelwright.crowd import StudyVerb
        from labelwright.server.store.models import StudyRow
        from labelwright.server.studies.actions.life import WrongState, change_state

        wanted = {
            ("open", "pause"): "paused",
            ("paused", "resume"): "open",
            ("open", "close"): "closed",
            ("paused", "close"): "closed",
            ("closed", "open"): "open",
        }.get((self.model.state, verb))
        there = {"pause": "paused", "close": "closed"}.get(verb, "open")
        study = StudyRow.objects.get()
        if wanted is None and there != self.model.state:
            with pytest.raises(WrongState):
                change_state(study, StudyVerb(verb), "me", self.now)
            return
        assert change_state(study, StudyVerb(verb), "me", self.now) == (wanted is not None)
        self.model.state = there

    @rule(which=WHICH, code=st.integers(1, 3))
    def save(self, which: int, code: int) -> None:
        from labelwright.server.offering.actions.leases import AlreadySubmitted, WorkEnded
        from labelwright.server.rating.actions.answers import save

        work = self._some_work(which)
        if work is None:
            return
        answers = {"0": {"useful": code}}
        if work.state not in ("open", "expired"):
            with pytest.raises((WorkEnded, AlreadySubmitted)):
                save(work.token, answers, "id", work.revision, self.now)
            return
        work.revision = save(work.token, answers, f"id{work.revision}", work.revision, self.now).revision
        work.extend(self.now)

    @rule(which=WHICH)
    def beat(self, which: int) -> None:
        from labelwright.server.offering.actions.leases import heartbeat

        work = self._some_work(which)
        if work is None:
            return
        work.extend(self.now)
        late = "late" if self.model.is_free(work.place) else "gone"
        expected = {"open": "open", "expired": late}.get(work.state, "ended")
        beat = heartbeat(work.token, self.now)
        assert beat.state == expected
        if expected == "open":
            assert beat.seconds_left == max(0, (work.until - self.now).total_seconds())

    @rule(which=WHICH, code=st.integers(1, 3))
    def submit(self, which: int, code: int) -> None:
        from labelwright.server.offering.actions.leases import WorkEnded
        from labelwright.server.rating.actions.answers import PlaceGone, submit

        model = self.model
        work = self._some_work(which)
        if work is None:
            return
        answers = {"0": {"useful": code}}
        if work.state == "returned":
            with pytest.raises(WorkEnded):
                submit(work.token, answers, self.now)
        elif work.state in STORED:
            assert submit(work.token, answers, self.now)
        elif work.state == "open" or (work.state == "expired" and model.may_count_again(work)):
            assert submit(work.token, answers, self.now)
            model.free.discard(work.place)
            work.state, work.data_use, work.paid = "submitted", "used", "owed"
        else:
            with pytest.raises(PlaceGone):
                submit(work.token, answers, self.now)
            work.state = "expired_answered"

    @rule(which=WHICH)
    def give_back(self, which: int) -> None:
        from labelwright.server.offering.actions.leases import return_work

        work = self._some_work(which, "open", "expired")
        if work is None:
            return
        left = return_work(work.token)
        if work.state == "open":
            self.model.free.add(work.place)
        work.state = "returned"
        assert left == self.model.caps.returns - self.model.counts(work.rater)["returns", ""]

    @rule(minutes=st.sampled_from([5, 31, 70, 600]))
    def time_passes(self, minutes: int) -> None:
        from labelwright.server.offering.actions.leases import expire_leases
        from labelwright.server.studies.actions.calendar import update_calendar

        self.now += timedelta(minutes=minutes)
        lapsed = [w for w in self.model.works.values() if w.state == "open" and w.until < self.now]
        assert expire_leases(self.now) == len(lapsed)
        for work in lapsed:
            work.state = "expired"
            self.model.free.add(work.place)
        update_calendar(self.now)
        self.model.turn_calendar(self.now)

    @rule(
        which=WHICH, pay=st.sampled_from([None, True, False]), use=st.sampled_from(["", "used", "left_out"])
    )
    def decide(self, which: int, pay: bool | None, use: str) -> None:
        from labelwright.crowd import DataUse
        from labelwright.server.review.actions.verdicts import NotDecidable, decide
        from labelwright.server.tallies.actions import PlaceRefilled

        keys = [
            key for key, w in self.model.works.items() if w.state in (*STORED, "expired_answered", "returned")
        ]
        if not keys:
            return
        key = keys[which % len(keys)]
        work = self.model.works[key]

        def decided() -> Any:
            wanted = DataUse(use) if use else None
            # Only a person with the role can reject.
            who = anyones_reviewer() if pay is False else "me"
            return decide(key, pay=pay, data_use=wanted, reason="why", author=who, now=self.now)

        late, refill = work.state == "expired_answered", self.study.assignment.refill
        if work.state == "returned" or (late and use == "used"):
            with pytest.raises(NotDecidable):
                decided()
            return
        changes = use and use != work.data_use and not late
        if changes and use == "used" and refill and work.place not in self.model.free:
            with pytest.raises(PlaceRefilled):
                decided()
            return
        assert decided().reopened == bool(changes and use == "left_out" and refill)
        if changes:
            work.data_use = use
            if refill:
                (self.model.free.add if use == "left_out" else self.model.free.discard)(work.place)
        if pay is not None:
            work.paid = "owed" if pay else "none"
            work.state = work.state if late else "approved" if pay else "rejected"

    @rule()
    def flag(self) -> None:
        from labelwright.server.flagging.actions.blocks import flag_block

        flag_block(self.now)

    def _some_work(self, which: int, *states: str) -> Work | None:
        works = [w for w in self.model.works.values() if not states or w.state in states]
        return works[which % len(works)] if works else None

    def _hold(self, work: Work, token: str) -> None:
        work.token = token
        if work.come_back(self.now):
            self.model.free.discard(work.place)

    # -- what must always be so ------------------------------------------------

    @invariant()
    def the_store_says_what_the_model_says(self) -> None:
        from tests.rows import rows

        if not hasattr(self, "model"):
            return
        model = self.model
        told = {k: (w.state, w.data_use, w.paid) for k, w in model.works.items()}
        stored = rows("SELECT id, state, data_use, paid_state FROM assignment")
        assert {key: tuple(rest) for key, *rest in stored} == told
        refill = self.study.assignment.refill
        assert {row[0] for row in rows("SELECT id FROM place WHERE state = 'open'")} == model.free
        answered = dict(rows("SELECT assignment_id, count(*)::int FROM answer GROUP BY 1"))
        assert answered == {k: 1 for k, w in model.works.items() if w.state in STORED}
        counted = {
            (rater, scope, key): n
            for rater, scope, key, n in rows("SELECT rater_id, scope, key, n FROM rater_count WHERE n > 0")
            if scope != "submitted"
        }
        assert counted == {
            (self.visitors[r].rater, *key): n
            for r in range(RATERS)
            for key, n in model.counts(r).items()
            if n
        }
        offered = {
            (batch, group, condition): n
            for batch, group, condition, n in rows(
                """SELECT b.number, o.rater_group, o.condition, sum(o.n)::int FROM offered o
                   JOIN batch b ON b.id = o.batch_id GROUP BY 1, 2, 3"""
            )
        }
        if refill:
            assert {key: n for key, n in offered.items() if n} == dict(model.offered())
        self._stays_within_the_plan(offered)

    def _stays_within_the_plan(self, offered: dict[tuple[int, str, str], int]) -> None:
        for batch, group in {key[:2] for key in offered}:
            counts = [offered[batch, group, name] for name in self.model.conditions]
            assert max(counts) - min(counts) <= self.drift + self.model.left_out(batch, group)

    @invariant()
    def no_place_is_held_longer_than_the_limit(self) -> None:
        from tests.rows import rows

        held = rows("SELECT lease_until - offered_at - free_for FROM assignment WHERE state = 'open'")
        assert all(time <= HOLD for (time,) in held)

    @invariant()
    def tallies_equal_a_recount(self) -> None:
        from tests.rows import rows

        if not hasattr(self, "model"):
            return
        assert rows(
            "SELECT condition, question, code, left_out, n FROM tally WHERE n <> 0 ORDER BY 1, 2, 3, 4"
        ) == rows(
            """SELECT p.condition, a.question, a.code, replace(s.data_use, 'used', ''), count(*) FROM answer a
               JOIN assignment s ON s.id = a.assignment_id JOIN place p ON p.id = s.place_id
               WHERE a.code IS NOT NULL AND NOT s.unflagged
               GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"""
        )


@pytest.mark.usefixtures("database")
def test_the_store_behaves_as_the_model_whatever_happens():
    run_state_machine_as_test(
        AssignmentMachine, settings=settings(max_examples=EXAMPLES, stateful_step_count=30, deadline=None)
    )
