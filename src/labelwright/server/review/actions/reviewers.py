"""How well reviewers agree with each other, on the verdicts that two of them made without knowing of each other."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.agreement import Bootstrap, Counts, Estimate, measure_ratings
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.review.actions.verdicts import VerdictChoice
from labelwright.server.review.queries import queue as queries
from labelwright.server.store.models import StudyRow, User
from labelwright.server.store.versions import study_of

MOST_OPINIONS = 2000
"""The newest second opinions that are counted; a page reads no more."""
REPLICATES = 500
CHOICES = tuple(VerdictChoice)


@dataclass(frozen=True, slots=True)
class ReviewerAgreement:
    """How often first and second reviewers chose the same."""

    study: StudyRow
    share: float
    """The share of verdicts that are repeated, as the study file says."""
    table: dict[tuple[VerdictChoice, VerdictChoice], int]
    """By the choice of the first and of the second reviewer."""
    percentage: Estimate
    alpha: Estimate
    """Krippendorff's alpha: reviewers do not come in fixed pairs."""

    @property
    def repeated(self) -> int:
        """The number of second opinions."""
        return sum(self.table.values())


def get_reviewer_agreement(user: User, public_id: str) -> ReviewerAgreement:
    """The agreement of reviewers on the newest second opinions; for reviewers."""
    study = access_study(user, public_id, Permission.REVIEW)
    newest = study_of(study.versions.latest("n").pk)
    pairs = queries.opinion_pairs(study.pk, MOST_OPINIONS)
    table = {(VerdictChoice(pair.first), VerdictChoice(pair.second)): pair.n for pair in pairs}
    lines = [
        [sum(choice == chosen for chosen in pair) for choice in CHOICES]
        for pair, n in table.items()
        for _ in range(n)
    ]
    counts = Counts.of_table(lines or [[0] * len(CHOICES)], codes=tuple(range(len(CHOICES))))
    found = measure_ratings(
        counts, ["percentage", "alpha_nominal"], Bootstrap(replicates=REPLICATES, seed=newest.seed)
    )
    return ReviewerAgreement(
        study, newest.review.second_opinions, table, found["percentage"], found["alpha_nominal"]
    )
