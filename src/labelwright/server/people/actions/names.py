"""Names of new raters: drawn by the key of the installation, and stored for good."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from django.conf import settings

from labelwright.release import draw_pseudonyms
from labelwright.release.pseudonyms import PAIRS
from labelwright.server.people import queries
from labelwright.server.store.locks import lock_named
from labelwright.server.store.models import StudyRow
from labelwright.server.store.secrets import fingerprint


def draw_names(study: StudyRow, raters: Sequence[str]) -> list[str]:
    """A free name for each new rater of a study, in the caller's transaction, which stores them.

    Locks the names of the study, so that raters who join two pools at once do not draw the same one.
    """
    lock_named(fingerprint("names", study.public_id))
    key = settings.PSEUDONYM_KEY.encode()
    drawn = [draw_pseudonyms(key, study.public_id, "link", rater) for rater in raters]
    pairs = [list(islice(names, PAIRS)) for names in drawn]
    taken = queries.taken_names(study.pk, [name for tried in pairs for name in tried])
    found = []
    for tried, others in zip(pairs, drawn, strict=True):
        free = [name for name in tried if name not in taken]
        while not free:
            numbered = list(islice(others, PAIRS))
            taken |= queries.taken_names(study.pk, numbered)
            free = [name for name in numbered if name not in taken]
        taken.add(free[0])
        found.append(free[0])
    return found
