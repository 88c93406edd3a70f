"""A state machine over offer, save, submit, return and expire, against a model in plain Python."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.studies import NOW, dialogues, parse, pool, study_text

pytestmark = pytest.mark.postgres

RATERS, ITEMS, REDUNDANCY, CAP = 4, 3, 2, 3
LEASE = timedelta(minutes=30)
# What is drawn never depends on what the store did: it breaks ties by ids, which differ between runs.
WHICH = st.integers(0, 2**16)


@dataclass
class Work:
    """What the model knows of an assignment."""

    place: int
    item: str
    condition: str
    rater: int
    token: str
    until: Any
    state: str = "open"
    draft: dict[str, Any] | None = None
    revision: int = 0


@dataclass
class Model:
    """Everything that should be so."""

    places: dict[int, tuple[str, str]] = field(default_factory=dict)
    free: set[int] = field(default_factory=set)
    works: dict[int, Work] = field(default_factory=dict)
    seen: dict[int, set[str]] = field(default_factory=dict)
    latest: dict[int, int] = field(default_factory=dict)

    def counted(self, rater: int) -> int:
        return sum(w.rater == rater and w.state in ("open", "submitted") for w in self.works.values())

    def offered(self, condition: str) -> int:
        return sum(w.condition == condition and w.state in ("open", "submitted") for w in self.works.values())

    def possible(self, rater: int) -> dict[str, set[int]]:
        """Free places that this rater may have, by condition."""
        found: dict[str, set[int]] = {}
        for place in self.free:
            item, condition = self.places[place]
            if item not in self.seen[rater]:
                found.setdefault(condition, set()).add(place)
        return found


class AssignmentMachine(RuleBasedStateMachine):
    """Raters come, save, submit, give back and stay away, in any order."""

    def __init__(self) -> None:
        super().__init__()
        from django.db import connection

        from turnwise.server.actions.links import get_visitor, make_links
        from turnwise.server.actions.study import load_study
        from turnwise.server.store import models
        from turnwise.server.store.rows import rows

        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE study CASCADE; TRUNCATE place, task, assignment, offered CASCADE")
        self.now = NOW
        text = study_text(
            items={"per_dialogue": 1},
            redundancy=REDUNDANCY,
            pools=pool(caps={"tasks": CAP}, lease_minutes=30),
        )
        loaded = load_study(parse(text), text, dialogues(ITEMS), NOW)
        links = make_links(loaded.study, models.Pool.objects.get(), RATERS, 600, NOW)
        self.visitors = [get_visitor(address.rsplit("/", 1)[1], NOW) for _, address in links]
        self.model = Model(seen={n: set() for n in range(RATERS)})
        for place, item, condition in rows(
            "SELECT p.id, t.spoil_key, p.condition FROM place p JOIN task_item t ON t.task_id = p.task_id"
        ):
            self.model.places[place] = (item, condition)
            self.model.free.add(place)

    # -- what can happen ------------------------------------------------------

    @rule(rater=st.integers(0, RATERS - 1))
    def offer(self, rater: int) -> None:
        from turnwise.server.actions.assignment import NoWork, offer
        from turnwise.server.store.models import Assignment

        model = self.model
        latest = model.works.get(model.latest.get(rater, -1))
        got = offer(self.visitors[rater], self.now)
        back = latest and (
            latest.state == "open"
            or (latest.state == "expired" and latest.place in model.free and model.counted(rater) < CAP)
        )
        if back:
            assert latest is not None
            assert got.assignment == model.latest[rater]
            self._hold(latest, got.token)
        elif model.counted(rater) >= CAP:
            assert got is NoWork.CAP
        elif not model.possible(rater):
            assert got is NoWork.NONE_LEFT
        else:
            place = Assignment.objects.get(pk=got.assignment).place_id
            item, condition = model.places[place]
            possible = model.possible(rater)
            assert place in possible[condition]
            assert model.offered(condition) == min(model.offered(name) for name in possible)
            model.works[got.assignment] = work = Work(
                place, item, condition, rater, got.token, self.now + LEASE
            )
            model.seen[rater].add(item)
            model.latest[rater] = got.assignment
            self._hold(work, got.token)

    @rule(which=WHICH, code=st.integers(1, 3))
    def save(self, which: int, code: int) -> None:
        from turnwise.server.actions.assignment import save
        from turnwise.server.actions.errors import AlreadySubmitted, WorkEnded

        work = self._some_work(which)
        if work is None:
            return
        answers = {"0": {"useful": code}}
        if work.state not in ("open", "expired"):
            with pytest.raises((WorkEnded, AlreadySubmitted)):
                save(work.token, answers, "id", work.revision, self.now)
            return
        work.revision = save(work.token, answers, f"id{work.revision}", work.revision, self.now).revision
        work.draft = answers

    @rule(which=WHICH, code=st.integers(1, 3))
    def submit(self, which: int, code: int) -> None:
        from turnwise.server.actions.assignment import submit
        from turnwise.server.actions.errors import PlaceGone, WorkEnded

        model = self.model
        work = self._some_work(which)
        if work is None:
            return
        answers = {"0": {"useful": code}}
        if work.state == "returned":
            with pytest.raises(WorkEnded):
                submit(work.token, answers, self.now)
        elif work.state in ("open", "submitted"):
            assert submit(work.token, answers, self.now)
            work.state = "submitted"
        elif work.state == "expired" and work.place in model.free and model.counted(work.rater) < CAP:
            assert submit(work.token, answers, self.now)
            model.free.discard(work.place)
            work.state = "submitted"
        else:
            with pytest.raises(PlaceGone):
                submit(work.token, answers, self.now)
            work.state = "expired_answered"

    @rule(which=WHICH)
    def give_back(self, which: int) -> None:
        from turnwise.server.actions.assignment import return_work

        work = self._some_work(which, "open")
        if work is None:
            return
        return_work(work.token)
        work.state = "returned"
        self.model.free.add(work.place)

    @rule(minutes=st.sampled_from([5, 31]))
    def time_passes(self, minutes: int) -> None:
        from turnwise.server.actions.assignment import expire_leases

        self.now += timedelta(minutes=minutes)
        lapsed = [w for w in self.model.works.values() if w.state == "open" and w.until < self.now]
        assert expire_leases(self.now) == len(lapsed)
        for work in lapsed:
            work.state = "expired"
            self.model.free.add(work.place)

    def _some_work(self, which: int, state: str = "") -> Work | None:
        works = [w for w in self.model.works.values() if state in ("", w.state)]
        return works[which % len(works)] if works else None

    def _hold(self, work: Work, token: str) -> None:
        if work.state == "expired":
            work.state, work.until = "open", self.now + LEASE
        work.token = token
        self.model.free.discard(work.place)

    # -- what must always be so ------------------------------------------------

    @invariant()
    def the_store_says_what_the_model_says(self) -> None:
        from turnwise.server.store.rows import rows

        model = self.model
        assert dict(rows("SELECT id, state FROM assignment")) == {k: w.state for k, w in model.works.items()}
        assert {row[0] for row in rows("SELECT id FROM place WHERE state = 'open'")} == model.free
        offered = dict(rows("SELECT condition, sum(n)::int FROM offered GROUP BY 1"))
        assert offered == {name: model.offered(name) for name in offered}
        answers = dict(rows("SELECT assignment_id, count(*)::int FROM answer GROUP BY 1"))
        assert answers == {k: 1 for k, w in model.works.items() if w.state == "submitted"}
        counts = dict(rows("SELECT rater_id, n FROM rater_count WHERE scope = 'tasks'"))
        assert all(n <= CAP for n in counts.values())
        assert {self.visitors[r].rater: model.counted(r) for r in model.latest} == counts


@pytest.mark.usefixtures("database")
def test_the_store_behaves_as_the_model_whatever_happens():
    run_state_machine_as_test(
        AssignmentMachine, settings=settings(max_examples=25, stateful_step_count=30, deadline=None)
    )
