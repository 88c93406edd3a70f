"""Design weights in the store."""

from __future__ import annotations

import pytest

from labelwright.corpus import Dialogue, Turn
from tests.studies import NOW, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]


def test_items_are_stored_with_the_weights_of_the_newest_sample() -> None:
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.store.models import ItemRow
    from labelwright.server.studies.actions.loading import load_study

    owner, _ = add_user("mine@example.org", "a long password of a test")
    turns = (Turn("user", "Hi"), Turn("system", "Hello."))

    def load(title: str, *weights: float) -> list[float | None]:
        text = study_text(title=title, items={"kind": "exchange"})
        corpus = [Dialogue(f"d{n}", turns, {"sample_weight": each}) for n, each in enumerate(weights)]
        load_study(parse(text), text, corpus, NOW, owner, opened=True)
        return [item.payload.get("weight") for item in ItemRow.objects.order_by("key")]

    assert load("One", 1.8, 0.2, 1.0) == [1.8, 0.2, None]
    # Another sample of the same dialogues has other weights.
    assert load("Two", 1.0, 0.4, 1.6) == [None, 0.4, 1.6]
