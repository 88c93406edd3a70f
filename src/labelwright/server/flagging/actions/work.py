"""Work as rules look at it: what the rules of a version declare is loaded in one go for a whole block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from labelwright.quality import (
    AnswerContent,
    OtherRating,
    PoolPace,
    RaterFigures,
    Rule,
    RuleNeed,
    TypingFacts,
    Work,
)
from labelwright.quality.pace import pace_of, pace_step
from labelwright.quality.rules.repeated_text import text_print
from labelwright.server.flagging.actions.contents import (
    content_names,
    option_names,
    read_content,
    text_lengths,
)
from labelwright.server.flagging.actions.gold import Gold
from labelwright.server.flagging.queries import raters as rater_queries
from labelwright.server.flagging.queries import work as queries
from labelwright.server.flagging.queries.blocks import WorkToFlag
from labelwright.server.flagging.queries.work import PaceStep, PrintedText
from labelwright.server.store.versions import study_of

AGREEMENT = "agreement"
"""The kind of finding that holds a rater's agreement."""
FEW_SAME_TEXTS = 10
"""Up to this many other raters with the same text, the rules run again on their work too."""
Contents = dict[int, dict[str, AnswerContent]]


@dataclass(slots=True)
class LoadedBlock:
    """A block with what its rules look at, and what follows from it for the work of others."""

    block: Sequence[WorkToFlag]
    rules: Callable[[WorkToFlag], Sequence[Rule]]
    """The rules to run on each piece of work."""
    gold: Gold = field(default_factory=dict)
    others: set[tuple[int, int]] = field(default_factory=set)
    """Study and assignment of work by others whose rules look at this block."""
    _needs: dict[int, frozenset[RuleNeed]] = field(default_factory=dict)
    _found: dict[RuleNeed, dict[int, Any]] = field(default_factory=dict)

    def load(self) -> dict[int, Work]:
        """The work of the block by assignment; one query for each need, whatever the size of the study."""
        self._needs = {
            work.assignment: frozenset[RuleNeed]().union(*(rule.needs for rule in self.rules(work)))
            for work in self.block
        }
        contents = self._contents()
        loaders: dict[RuleNeed, Callable[[], dict[int, Any]]] = {
            RuleNeed.HISTORY: self._history,
            RuleNeed.CONTENTS: lambda: dict(contents),
            RuleNeed.OTHER_RATINGS: self._other_ratings,
            RuleNeed.CATEGORIES: self._categories,
            RuleNeed.TYPING: self._typing,
            RuleNeed.TEXT_USES: lambda: self._text_uses(contents),
            RuleNeed.POOL: self._paces,
            RuleNeed.RATER: self._raters,
        }
        self._found = {need: load() for need, load in loaders.items() if self._wanting(need)}
        return {work.assignment: self._work(work) for work in self.block}

    def _wanting(self, *needs: RuleNeed) -> list[WorkToFlag]:
        return [work for work in self.block if self._needs[work.assignment] & set(needs)]

    def _work(self, work: WorkToFlag) -> Work:
        checks = study_of(work.version).design(work.condition).attention_checks
        gold = self.gold.get(work.assignment, {})
        empty: dict[RuleNeed, Any] = {RuleNeed.HISTORY: (), RuleNeed.RATER: RaterFigures()}
        loaded = {
            need.value: self._found[need].get(work.assignment, empty.get(need, {}))
            for need in self._needs[work.assignment]
        }
        return Work(
            work.condition,
            work.seconds,
            work.codes,
            gold={f"{position}:{name}": right for (position, name), right in gold.items()},
            attention=_attention(work.codes, checks),
            options=option_names(work.version, work.condition),
            **loaded,
        )

    def _history(self) -> dict[int, list[Work]]:
        tasks = {
            work.assignment: max(
                rule.history_tasks for rule in self.rules(work) if RuleNeed.HISTORY in rule.needs
            )
            for work in self._wanting(RuleNeed.HISTORY)
        }
        history: dict[int, list[Work]] = {}
        for each in queries.earlier_work(tasks):
            study = study_of(each.version)
            checks = study.design(each.condition).attention_checks
            work = Work(each.condition, each.seconds, each.codes, attention=_attention(each.codes, checks))
            history.setdefault(each.assignment, []).append(work)
        return history

    def _contents(self) -> Contents:
        wanting = self._wanting(RuleNeed.CONTENTS, RuleNeed.TEXT_USES)
        if not wanting:
            return {}
        works, lengths = {work.assignment: work for work in wanting}, text_lengths(wanting)
        contents: Contents = {}
        for answer in queries.stored_answers(list(works), content_names(wanting)):
            length = lengths.get((answer.assignment, answer.position), 0)
            content = read_content(works[answer.assignment], answer, length)
            if content is not None:
                contents.setdefault(answer.assignment, {})[answer.place] = content
        return contents

    def _other_ratings(self) -> dict[int, dict[str, list[OtherRating]]]:
        wanting = self._wanting(RuleNeed.OTHER_RATINGS)
        works = {work.assignment: work for work in wanting}
        others = queries.other_work(list(works))
        self.others |= {(works[each.assignment].study, each.other) for each in others}
        answers: dict[tuple[int, int], list[queries.StoredAnswer]] = {}
        names = content_names(self._wanting(RuleNeed.CONTENTS))
        for answer in queries.stored_answers(sorted({each.other for each in others}), names):
            answers.setdefault((answer.assignment, answer.position), []).append(answer)
        ratings: dict[int, dict[str, list[OtherRating]]] = {}
        for each in others:
            work = works[each.assignment]
            for answer in answers.get((each.other, each.other_position), ()):
                # The length of the text is known from the work itself.
                content = read_content(work, answer, 0) or AnswerContent()
                at = ratings.setdefault(each.assignment, {}).setdefault(
                    f"{each.position}:{answer.question}", []
                )
                at.append(OtherRating(answer.code, content))
        return ratings

    def _categories(self) -> dict[int, dict[int, str]]:
        categories: dict[int, dict[int, str]] = {}
        for place in queries.work_items([work.assignment for work in self._wanting(RuleNeed.CATEGORIES)]):
            if place.category is not None:
                categories.setdefault(place.assignment, {})[place.position] = place.category
        return categories

    def _typing(self) -> dict[int, dict[str, TypingFacts]]:
        recorded = queries.recorded_typing([work.assignment for work in self._wanting(RuleNeed.TYPING)])
        return {
            assignment: {place: TypingFacts(**facts) for place, facts in places.items()}
            for assignment, places in recorded.items()
        }

    def _text_uses(self, contents: Contents) -> dict[int, dict[str, int]]:
        texts = [
            PrintedText(work.study, work.assignment, work.rater, place, text_print(content.text))
            for work in self._wanting(RuleNeed.TEXT_USES)
            for place, content in contents.get(work.assignment, {}).items()
            if content.text
        ]
        if not texts:
            return {}
        queries.add_prints(texts)
        found = queries.same_texts(texts)
        raters: dict[tuple[int, str], set[int]] = {}
        for same in found:
            raters.setdefault((same.assignment, same.place), set()).add(same.rater)
        studies = {text.assignment: text.study for text in texts}
        # A text that many have written is flagged wherever it is: one more changes nothing.
        self.others |= {
            (studies[same.assignment], same.other)
            for same in found
            if len(raters[same.assignment, same.place]) <= FEW_SAME_TEXTS
        }
        uses: dict[int, dict[str, int]] = {}
        for (assignment, place), others in raters.items():
            uses.setdefault(assignment, {})[place] = len(others)
        return uses

    def _paces(self) -> dict[int, PoolPace]:
        wanting = self._wanting(RuleNeed.POOL)
        found = paces_in(wanting)
        return {work.assignment: found[work.study, work.condition] for work in wanting}

    def _raters(self) -> dict[int, RaterFigures]:
        wanting = self._wanting(RuleNeed.RATER)
        kinds: dict[int, dict[str, Any]] = {}
        for found in rater_queries.findings_of(sorted({work.rater for work in wanting})):
            kinds.setdefault(found.rater, {})[found.kind] = found.figures
        return {work.assignment: _figures(kinds.get(work.rater, {})) for work in wanting}


def count_paces(block: Sequence[WorkToFlag]) -> None:
    """Counts how long the tasks of a block took."""
    counts = Counter((work.study, work.condition, pace_step(work.seconds)) for work in block)
    queries.add_paces([PaceStep(*key, n) for key, n in counts.items()])


def paces_in(block: Sequence[WorkToFlag]) -> dict[tuple[int, str], PoolPace]:
    """The pace in every study and condition of a block."""
    wanted = sorted({(work.study, work.condition) for work in block})
    steps: dict[tuple[int, str], dict[int, int]] = {pair: {} for pair in wanted}
    for each in queries.paces([study for study, _ in wanted], [condition for _, condition in wanted]):
        steps[each.study, each.condition][each.step] = each.n
    return {pair: pace_of(counts) for pair, counts in steps.items()}


def _attention(codes: Mapping[str, int], checks: frozenset[str]) -> dict[str, bool]:
    return {place: code == 1 for place, code in codes.items() if place.split(":", 1)[1] in checks}


def _figures(kinds: Mapping[str, Any]) -> RaterFigures:
    findings = {kind: figures for kind, figures in kinds.items() if kind != AGREEMENT}
    return RaterFigures(**kinds.get(AGREEMENT, {}), findings=findings)
