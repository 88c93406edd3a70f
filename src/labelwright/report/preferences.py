"""Preferences: comparisons of candidates, for the question which system raters prefer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scipy.special import expit

from labelwright.analysis import Comparisons, Strengths, bradley_terry, preferences, rank_preferences
from labelwright.analysis.data.counting import ExportRow
from labelwright.analysis.pairs import PairDifference
from labelwright.report.cells import plain
from labelwright.report.tree import Json

LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class AskedComparison:
    """A question that compares candidates of an item."""

    question: str
    """Its name in the labels."""
    name: str
    """What it is called in sentences."""
    aspect: str = ""
    pair: tuple[int, int] | None = None
    """The two candidates that it compares, by their positions in the item; None if it puts all in order."""

    def compare(self, rows: Iterable[ExportRow], include: Iterable[str] = ()) -> Comparisons:
        """The comparisons in the rows of an export."""
        if self.pair is None:
            return rank_preferences(rows, self.question, include=tuple(include))
        return preferences(rows, self.question, self.pair, include=tuple(include))


@dataclass(frozen=True, eq=False)
class PreferenceSet:
    """The comparisons that one question gave."""

    asked: AskedComparison
    kept: Comparisons
    """Those that count."""
    every: Comparisons
    """The same and those that were excluded."""

    @property
    def where(self) -> Mapping[str, str]:
        """What a plan knows it by."""
        return {"aspect": self.asked.aspect, "question": self.asked.question}

    def strengths(self, level: float) -> Strengths:
        """How strong each system is, from the comparisons that count."""
        return bradley_terry(self.kept, level=level)


@dataclass(frozen=True, slots=True)
class PreferredPair:
    """Two systems, and how often the first one is preferred."""

    first: str
    second: str
    share: Json
    """Leaving out ties, with its interval."""
    p: float
    """Of the test whether it is a half."""


def preferred_pairs(compared: Comparisons, strengths: Strengths, level: float) -> list[PreferredPair]:
    """Every pair of systems; also two of which one was never preferred, which no model can rank."""
    if strengths.unranked:
        return _unanimous(compared, level)
    return [
        PreferredPair(pair.first, pair.second, _share(pair, level), pair.p) for pair in strengths.differences
    ]


def _share(pair: PairDifference, level: float) -> Json:
    reach = pair.spread.quantile(level) * pair.spread.error
    ends = {"value": pair.value, "low": pair.value - reach, "high": pair.value + reach}
    return {name: plain(expit(end)) for name, end in ends.items()}


def _unanimous(compared: Comparisons, level: float) -> list[PreferredPair]:
    """Two systems of which one always wins: a sign test, exact if items and raters are independent.

    Answers about one item, or by one rater, belong together, so the smaller of their numbers counts.
    """
    decided = [place for place, winner in enumerate(compared.winner) if winner is not None]
    winners = {compared.winner[place] for place in decided}
    systems = {*compared.first, *compared.second}
    if len(winners) != 1 or len(systems) != 2:
        return []
    (best,) = winners
    (other,) = systems - winners
    columns = [column for column in (compared.item, compared.rater) if column]
    apart = min((len({column[place] for place in decided}) for column in columns), default=len(decided))
    share = {"value": 1.0, "low": (1 - level) ** (1 / apart), "high": 1.0}
    return [PreferredPair(str(best), other, share, min(1.0, 2.0 ** (1 - apart)))]


def read_preferences(
    rows: Iterable[ExportRow], asked: Iterable[AskedComparison]
) -> tuple[PreferenceSet, ...]:
    """The comparisons of each question that has any."""
    given = list(rows)
    sets = (PreferenceSet(each, each.compare(given), each.compare(given, [LEFT_OUT])) for each in asked)
    return tuple(each for each in sets if len(each.kept))
