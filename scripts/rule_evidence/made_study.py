"""A made study: items with true answers, raters with known habits, and their work as rules look at it.

Ten raters share a batch of 120 items, and five of them judge each item: two raters have about 27 items in common. A task
has a score from 1 to 5, a choice of three options and a text of about 20 words; one task in five has an attention check,
and one in ten a second item whose answer is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from labelwright.analysis.audit import LabelSet
from labelwright.analysis.audit.rater_figures import measure_raters
from labelwright.quality import AnswerContent, RaterFigures, Rule, TypingFacts, Work, flags
from labelwright.quality.pace import pace_of, pace_step
from labelwright.quality.rules.repeated_text import text_print
from scripts.rule_evidence.behaviours import CAREFUL, Crowd, Habits, draw_habits

RATERS_IN_BATCH, ITEMS_IN_BATCH, PER_ITEM = 10, 120, 5
USUAL_SECONDS = 60.0
SCORES, OPTIONS = 5, 3
_WORDS = np.array([f"word{n}" for n in range(400)])


@dataclass(frozen=True)
class Judged:
    """One task of one rater."""

    rater: int
    item: int
    kind: str
    work: Work


@dataclass(frozen=True)
class MadeStudy:
    """All work of a made study, in the order in which each rater did it."""

    truth: np.ndarray
    """The true score of each item."""
    hard: np.ndarray
    """How hard each item is, from 0 to 1."""
    work: tuple[Judged, ...]

    def flagged(self, rules: Sequence[Rule]) -> list[frozenset[str]]:
        """The versions of the rules that flag each piece of work, with all that they look at."""
        paces: Counter[int] = Counter(pace_step(each.work.seconds) for each in self.work)
        pool, figures, uses = pace_of(paces), self._figures(), self._text_uses()
        history: dict[int, list[Work]] = {}
        found = []
        for place, each in enumerate(self.work):
            earlier = history.setdefault(each.rater, [])
            whole = replace(
                each.work,
                history=tuple(earlier[-50:]),
                pool=pool,
                rater=figures[f"r{each.rater}"],
                text_uses=uses[place],
            )
            found.append(frozenset(rule.version for rule, _ in flags(rules, whole)))
            earlier.append(each.work)
        return found

    def _figures(self) -> Mapping[str, RaterFigures]:
        sets = [
            LabelSet(
                question,
                question,
                "C",
                [f"i{each.item}" for each in self.work],
                [each.work.codes[f"0:{question}"] for each in self.work],
                [f"r{each.rater}" for each in self.work],
            )
            for question in ("score", "option")
        ]
        return measure_raters(sets)

    def _text_uses(self) -> list[dict[str, int]]:
        raters: dict[str, set[int]] = {}
        prints = [text_print(each.work.contents["0:why"].text or "") for each in self.work]  # type: ignore[index]
        for each, mark in zip(self.work, prints, strict=True):
            raters.setdefault(mark, set()).add(each.rater)
        return [
            {"0:why": len(raters[mark] - {each.rater})} for each, mark in zip(self.work, prints, strict=True)
        ]

    def label_accuracy(self, kept: Sequence[bool]) -> float:
        """The share of items whose majority score is the true one; items without work count as wrong."""
        counts = np.zeros((len(self.truth), SCORES + 1))
        for each, used in zip(self.work, kept, strict=True):
            if used:
                counts[each.item, each.work.codes["0:score"]] += 1
        # Half a point for each of two scores that are level.
        top = counts == counts.max(axis=1, keepdims=True)
        right = top[np.arange(len(self.truth)), self.truth] / top.sum(axis=1)
        return float(np.where(counts.sum(axis=1) > 0, right, 0.0).mean())

    def collected_again(self, flagged: Sequence[bool], seed: int = 1) -> MadeStudy:
        """The study with flagged work collected again, from careful raters."""
        draw = np.random.default_rng(seed)
        again = _Person(-1, draw_habits("careful", CAREFUL, draw), draw)
        work = []
        for each, is_flagged in zip(self.work, flagged, strict=True):
            score, _ = again.judge((int(self.truth[each.item]), 1), float(self.hard[each.item]))
            new = replace(each.work, codes={**each.work.codes, "0:score": score})
            work.append(replace(each, work=new) if is_flagged else each)
        return replace(self, work=tuple(work))


def make_study(raters: int, bad_share: float, crowd: Crowd, seed: int) -> MadeStudy:
    """A study with this share of bad raters, as many of each kind; colluding and copying raters share batches."""
    draw = np.random.default_rng([seed, round(100 * bad_share)])
    habits = _habits(raters, bad_share, crowd, draw)
    batches = raters // RATERS_IN_BATCH
    truth = draw.integers(1, SCORES + 1, batches * ITEMS_IN_BATCH)
    options = draw.integers(1, OPTIONS + 1, len(truth))
    hard = draw.beta(1.5, 8.5, len(truth))
    group = {
        "score": draw.integers(1, SCORES + 1, len(truth)),
        "option": draw.integers(1, OPTIONS + 1, len(truth)),
    }
    given: dict[tuple[int, int], tuple[int, int]] = {}
    work: list[Judged] = []
    for batch in range(batches):
        own = range(batch * RATERS_IN_BATCH, (batch + 1) * RATERS_IN_BATCH)
        items = batch * ITEMS_IN_BATCH + np.arange(ITEMS_IN_BATCH)
        chosen = {rater: items[_places(rater - own[0])] for rater in own}
        # Those who copy come last, because they copy what is there.
        for rater in sorted(own, key=lambda rater: habits[rater].kind == "copying"):
            person = _Person(rater, habits[rater], draw)
            neighbour = next((other for other in own if habits[other].kind == "careful"), own[0])
            for item in draw.permutation(chosen[rater]):
                true = (int(truth[item]), int(options[item]))
                shared = (int(group["score"][item]), int(group["option"][item]))
                copied = given.get((neighbour, int(item)))
                lazy = draw.random() < person.habits.lazy
                answers = person.lazily(shared, copied) if lazy else person.judge(true, float(hard[item]))
                given[rater, int(item)] = answers
                work.append(Judged(rater, int(item), person.habits.kind, person.work(answers, lazy=lazy)))
    return MadeStudy(truth, hard, tuple(work))


def _places(number: int) -> np.ndarray:
    """The items of a rater: five of ten raters judge each item, in a seeded arrangement."""
    order = np.random.default_rng(7).permuted(
        np.tile(np.arange(RATERS_IN_BATCH), (ITEMS_IN_BATCH, 1)), axis=1
    )
    return np.flatnonzero((order[:, :PER_ITEM] == number).any(axis=1))


def _habits(raters: int, bad_share: float, crowd: Crowd, draw: Generator) -> list[Habits]:
    """Kinds in the order of the batches: bad raters of one kind are neighbours, as people who know each other are."""
    bad = round(raters * bad_share)
    kinds = [name for name in crowd for _ in range(bad // len(crowd))]
    batches = raters // RATERS_IN_BATCH
    places: list[list[str]] = [[] for _ in range(batches)]
    # Pairs of one kind go to the same batch, spread over all batches.
    pairs = [kinds[at : at + 2] for at in range(0, len(kinds), 2)]
    for number, pair in enumerate(pairs):
        places[number % batches] += pair
    found = []
    for batch in places:
        names = [*batch, *["careful"] * (RATERS_IN_BATCH - len(batch))]
        found += [draw_habits(name, crowd.get(name, CAREFUL), draw) for name in names]
    return found


class _Person:
    """A rater at work."""

    def __init__(self, rater: int, habits: Habits, draw: Generator) -> None:
        self.rater, self.habits, self.draw = rater, habits, draw
        self.usual = (int(draw.integers(1, SCORES + 1)), int(draw.integers(1, OPTIONS + 1)))

    def judge(self, true: tuple[int, int], hard: float) -> tuple[int, int]:
        """The true answers where the rater sees them, else mostly a neighbouring score."""
        score, option = true
        if self.draw.random() >= self.habits.reads * (1 - hard):
            near = self.draw.random() < 0.85
            step = int(self.draw.choice([-1, 1]))
            score = min(max(score + step, 1), SCORES) if near else int(self.draw.integers(1, SCORES + 1))
        if self.draw.random() >= self.habits.reads * (1 - hard):
            option = int(self.draw.integers(1, OPTIONS + 1))
        return score, option

    def lazily(self, shared: tuple[int, int], copied: tuple[int, int] | None) -> tuple[int, int]:
        """The answers of somebody who does not judge."""
        if self.habits.kind == "straight-lining":
            return self.usual
        if self.habits.kind == "colluding":
            return shared
        if self.habits.kind == "copying" and copied is not None:
            return copied
        return int(self.draw.integers(1, SCORES + 1)), int(self.draw.integers(1, OPTIONS + 1))

    def work(self, answers: tuple[int, int], *, lazy: bool) -> Work:
        """The work as rules look at it, but for what others do."""
        seconds = USUAL_SECONDS * self.habits.speed * float(np.exp(self.draw.normal(0, 0.3)))
        right = self.habits.attention if lazy or self.habits.kind == "model-written" else 0.97
        checked, gold = self.draw.random() < 0.2, self.draw.random() < 0.1
        text = self._text()
        pasted = self.draw.random() < self.habits.pasted
        typed = TypingFacts(2, 1.0, 1, len(text)) if pasted else TypingFacts(len(text), len(text) / 5.0)
        return Work(
            "C",
            seconds,
            {"0:score": answers[0], "0:option": answers[1]},
            gold={"1:score": bool(self.draw.random() < right)} if gold else {},
            attention={"0:look": bool(self.draw.random() < right)} if checked else {},
            contents={"0:why": AnswerContent(text=text)},
            typing={"0:why": typed},
        )

    def _text(self) -> str:
        if self.draw.random() < self.habits.shared_text:
            return f"A phrase that the model likes, number {self.draw.integers(20)}, as many of us have seen."
        return " ".join(self.draw.choice(_WORDS, int(self.draw.integers(12, 30))))
