"""A complete study: two systems, three conditions, excluded data, two versions, and a plan with one departure from it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import numpy as np

from labelwright.corpus import Dialogue, Turn
from tests.studies import NOW, parse, study_data, study_text

SYSTEMS = {"heron": 0.75, "wren": 0.0}
"""How much better than the other one each system is, in steps of the scale."""
CONDITIONS = {"none": 0, "three": 3, "seven": 7}
"""Earlier turns that each condition shows."""
COMMENTS = ("The reply is too long.", "I could not tell what the user wants.", "Clear.", "Nice film!", "")
TOO_FAST, STRICTER = 15, 20
REDUNDANCY = 2
PLAN: dict[str, Any] = {
    "main": {
        "compares": "systems",
        "aspect": "usefulness",
        "between": ["heron", "wren"],
        "smallest_difference": 0.1,
        "hypothesis": "The replies of heron are more useful.",
    },
    "secondary": [{"kind": "shift", "aspect": "usefulness"}, {"kind": "agreement", "aspect": "usefulness"}],
    "exclude": ["too_fast"],
}


def corpus(size: int) -> list[Dialogue]:
    """Dialogues of eight turns; the last reply is the item, by the systems in turn."""
    names = list(SYSTEMS)
    return [
        Dialogue(
            f"dialogue-{n:03}",
            tuple(
                Turn("user", f"A film like number {n}, please ({turn})?")
                if turn % 2 == 0
                else Turn("system", f"Try number {n * n + turn}.", names[n % len(names)])
                for turn in range(10)
            ),
        )
        for n in range(size)
    ]


def data(items: int, **changes: Any) -> dict[str, Any]:
    """The study file as plain values."""
    # A fifth of the ratings may be excluded.
    sample = {"items": items, "ratings": items * len(CONDITIONS) * REDUNDANCY * 4 // 5, "power": 0.8}
    designs = study_data()["designs"]
    designs["reply"]["purpose"] = "We compare two film recommenders."
    designs["reply"]["feedback"] = [
        {"name": "remark", "type": "text", "text": "What did you think of this task?", "required": False}
    ]
    made: dict[str, Any] = {
        "name": "films",
        "title": "Two film recommenders",
        "items": {"kind": "exchange", "turns_before": 7, "per_dialogue": 1},
        "designs": designs,
        "conditions": {name: {"context": {"turns_before": turns}} for name, turns in CONDITIONS.items()},
        "redundancy": REDUNDANCY,
        "pools": {"own": {"platform": "link", "raters": 24, "pay": {"cents": 40}}},
        "quality": [{"rule": "too_fast", "seconds": TOO_FAST}],
        "demographics": [
            {"name": "age", "type": "number", "text": "How old are you?", "min": 18, "max": 99},
            {"name": "english", "type": "yes_no", "text": "Is English your first language?"},
        ],
        "plan": PLAN | {"sample": sample},
    }
    return made | changes


class CompleteStudy:
    """Loads the study, has half of it rated, loads the second version, has the rest rated, and excludes fast work."""

    def __init__(self, items: int = 24, raters: int = 24, seed: int = 7, owner: Any = None) -> None:
        self.items, self.raters, self.random, self.owner = items, raters, np.random.default_rng(seed), owner
        self.now: datetime = NOW

    def make(self) -> Any:
        """The study, complete."""
        from labelwright.server.people.actions.joining import make_links
        from labelwright.server.store.models import Pool

        study = self._load(**data(self.items)).study
        pool = Pool.objects.get(study=study, name="own")
        tokens = [link.token for link in make_links(study, pool, self.raters, 60, NOW)]
        self._introduce(study)
        wanted = self.items * len(CONDITIONS) * REDUNDANCY
        self._rate(tokens, wanted // 2)
        self._load(
            **data(
                self.items,
                quality=[{"rule": "too_fast", "seconds": STRICTER}],
                title="Two film recommenders compared",
            )
        )
        self._rate(tokens, wanted)
        self._exclude(study)
        study.refresh_from_db()
        return study

    def _load(self, **changes: Any) -> Any:
        from labelwright.server.studies.actions.loading import load_study

        text = study_text(**changes)
        self.now += timedelta(hours=1)
        return load_study(parse(text), text, corpus(self.items), self.now, self.owner, opened=True)

    def _introduce(self, study: Any) -> None:
        """Raters agree to take part, apart from the last, and say something about themselves."""
        from labelwright.server.store.models import Rater, RaterSheet

        version = study.versions.get()
        agreed = list(Rater.objects.filter(study=study).order_by("id"))[:-1]
        Rater.objects.filter(pk__in=[rater.pk for rater in agreed]).update(
            consented_at=self.now, consented_version=version
        )
        for rater in agreed:
            answers = {"age": int(self.random.integers(18, 60)), "english": int(self.random.integers(0, 2))}
            RaterSheet.objects.create(
                study=study, version=version, rater=rater, part="demographics", answers=answers,
                answered_at=self.now,
            )  # fmt: skip

    def _rate(self, tokens: list[str], most: int) -> None:
        """Raters submit tasks in turn, until there are so many submissions or no more tasks."""
        from labelwright.server.flagging.actions.blocks import flag_block
        from labelwright.server.offering.actions.leases import Offer, offer
        from labelwright.server.rating.actions.answers import submit
        from labelwright.server.store.models import Assignment

        idle = 0
        # The last rater never comes.
        while idle < len(tokens) and Assignment.objects.exclude(submitted_at=None).count() < most:
            for token in tokens[:-1]:
                self.now += timedelta(seconds=5)
                held = offer(_visitor(token, self.now), self.now)
                if not isinstance(held, Offer):
                    idle += 1
                    continue
                idle = 0
                answers, seconds = self._answers(held.assignment)
                submit(held.token, answers, self.now + timedelta(seconds=seconds))
        while flag_block(self.now + timedelta(minutes=10)):
            pass

    def _answers(self, assignment: int) -> tuple[dict[str, Any], float]:
        from labelwright.server.store.models import Assignment, TaskItem

        work = Assignment.objects.select_related("place").get(pk=assignment)
        system = TaskItem.objects.get(task_id=work.task_id).item.system
        score = 1.5 + SYSTEMS[system] + self.random.normal(0, 0.5)
        comment, remark = self.random.choice(COMMENTS, 2)
        said: dict[str, Any] = {"0": {"useful": int(np.clip(round(score), 1, 3)), "comment": str(comment)}}
        if remark:
            said["1"] = {"remark": str(remark)}
        hasty = self.random.random() < 0.08
        return said, 8.0 if hasty else 30 + 5 * CONDITIONS[work.place.condition] + self.random.exponential(10)

    def _exclude(self, study: Any) -> None:
        """A person excludes the data of flagged work."""
        from labelwright.crowd import DataUse
        from labelwright.server.review.actions.verdicts import decide
        from labelwright.server.store.models import Flag

        for flag in Flag.objects.filter(study=study).order_by("id"):
            decide(
                flag.assignment_id, pay=True, data_use=DataUse.LEFT_OUT, reason="Too fast.", author="owner",
                now=self.now,
            )  # fmt: skip


def _visitor(token: str, now: datetime) -> Any:
    from labelwright.server.access.actions.links import get_visitor

    return get_visitor(token, now)
