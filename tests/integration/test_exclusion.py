"""Figures before and after exclusion: exclusion changes nothing in the figures before it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.test_item_pages import desk, study_of_candidates, words_of, worked
from tests.studies import NOW

__all__ = ["desk"]
pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]


def test_the_figures_before_exclusion_are_those_that_were_there_before(desk: Any):
    from labelwright.server.results.actions.figures import get_page
    from labelwright.server.results.jobs import compute_figures
    from labelwright.server.store.models import Assignment
    from labelwright.server.tallies.actions import exclude_data

    row = worked(study_of_candidates())
    compute_figures(row)
    first = get_page(row.pk, "overview")
    assert first is not None
    assert first["exclusion"] is None
    assert get_page(row.pk, "before") == {}
    work = Assignment.objects.filter(study=row, data_use="used").order_by("id")
    for each in work[: work.count() // 3]:
        exclude_data(each.pk, "Too fast.", "me", NOW)
    compute_figures(row)
    before, after = get_page(row.pk, "before"), get_page(row.pk, "overview")
    assert before is not None
    assert after is not None
    for figures in ("questions", "compared", "counted", "time", "seconds"):
        assert before[figures] == first[figures], figures
        assert after[figures] != first[figures], figures
    [condition] = after["exclusion"]["rows"]
    assert (condition["excluded"], condition["work"]) == (6, 20)
    address = f"/studies/{row.public_id}"
    words = words_of(desk.get(address).content.decode().partition("<main")[2])
    assert "without excluded data. Show figures before exclusion" in words
    assert "Agreement before and after exclusion" in words
    words = words_of(desk.get(address, {"data": "all"}).content.decode().partition("<main")[2])
    assert "excluded data too. Show figures after exclusion" in words
