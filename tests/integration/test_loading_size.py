"""Loading reads the table of places a fixed number of times, however many batches a study has."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rows import rows
from tests.studies import NOW, dialogues, parse, study_text

pytestmark = pytest.mark.postgres


def scans_while_loading(name: str, **changes: Any) -> int:
    """How often PostgreSQL read all places."""
    from labelwright.server.studies.actions.loading import load_study

    text = study_text(name=name, items={"per_dialogue": 1}, **changes)
    before = _scans()
    load_study(parse(text), text, dialogues(24), NOW, opened=True)
    return _scans() - before


def _scans() -> int:
    rows("SELECT pg_stat_force_next_flush()")
    [(scans,)] = rows("SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'place'")
    return int(scans)


def test_more_batches_do_not_read_the_places_more_often(database: str):
    from labelwright.server.store.models import Batch

    first = scans_while_loading("one")
    calendar = {"calendar": [{"items": 2} for _ in range(12)]}
    assert scans_while_loading("many", batches=calendar) <= first
    assert Batch.objects.filter(study__name="many").count() == 12
    assert first <= 15
