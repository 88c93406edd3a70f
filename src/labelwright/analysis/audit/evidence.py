"""Evidence about raters: what several checks compute from the crossing of ratings, once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from labelwright.analysis.audit.associations import Associations, associate
from labelwright.analysis.audit.crossing import Crossing
from labelwright.analysis.audit.rater_pairs import RaterPairs, count_rater_pairs
from labelwright.analysis.audit.row_shifts import RowShift, find_row_shifts


@dataclass(frozen=True, eq=False)
class RaterEvidence:
    """The crossing of ratings, and what follows from it."""

    crossing: Crossing

    @cached_property
    def associations(self) -> Associations:
        """How the labels of each rater go together with those of the others."""
        return associate(self.crossing)

    @cached_property
    def shifts(self) -> list[RowShift]:
        """Raters whose labels fit other rows better than their own."""
        return find_row_shifts(self.crossing, self.associations.usual)

    @cached_property
    def pairs(self) -> RaterPairs:
        """How often each pair of raters agrees, and how often it should."""
        return count_rater_pairs(self.crossing)
