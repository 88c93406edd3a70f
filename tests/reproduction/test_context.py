"""The contexts of the context study, beside those in its published files."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from labelwright.context import ContextRecipe, show
from labelwright.corpus import CorpusPart, Turn, read_dialogues

DATA = Path(os.environ.get("LABELWRIGHT_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the data pack is not here; see LABELWRIGHT_DATA")
TURN = re.compile(r"^(user|system)(\d)$")


def published(aspect: str, condition: str) -> list[dict[str, str]]:
    """The turns that a published item shows, by their names."""
    items = json.loads((DATA / f"siro-context/{aspect}/{condition}.json").read_text(encoding="utf-8"))
    return [{name: shown[0] for name, shown in item.items() if TURN.match(name)} for item in items.values()]


def dialogue(item: dict[str, str]) -> tuple[list[Turn], int]:
    """The turns of an item in order, and the place of the judged one."""

    def order(name: str) -> tuple[int, int]:
        match = TURN.match(name)
        assert match
        return int(match[2]), ["user", "system"].index(match[1])

    names = sorted(item, key=order)
    return [Turn(name[:-1], item[name]) for name in names], names.index("system5")


def shown_texts(item: dict[str, str], recipe: dict[str, Any]) -> list[str]:
    turns, target = dialogue(item)
    shown = show(turns, target, ContextRecipe.model_validate(recipe))
    return [turn.text for turn in (*shown.before, *shown.exchange, *shown.after)]


@pytest.mark.parametrize(("aspect", "next_turn"), [("Relevance", False), ("Usefulness", True)])
@pytest.mark.parametrize(("condition", "turns"), [("C_0", 0), ("C_3", 3), ("C_7", 7)])
def test_published_contexts_count_turns(aspect: str, next_turn: bool, condition: str, turns: int) -> None:
    """C_3 and C_7 show three and seven turns; the whole dialogue is that of C_7, by the text of the reply."""
    whole = {key(item["system5"]): item for item in published(aspect, "C_7")}
    recipe = {"turns_before": turns, "next_turn": next_turn}
    compared = 0
    for item in published(aspect, condition):
        known = whole.get(key(item["system5"]))
        if known is None or key(known["user5"]) != key(item["user5"]):
            continue  # Item 19 and three others are another dialogue in some files.
        expected = [item[name] for name in sorted(item, key=lambda n: (int(n[-1]), n[:-1] == "system"))]
        assert [key(text) for text in shown_texts(known, recipe)] == [key(text) for text in expected]
        compared += 1
    assert compared >= 37


def test_exchanges_are_the_other_reading() -> None:
    """Three user-system pairs before the exchange are six turns, where the published C_3 shows three."""
    item = published("Relevance", "C_7")[0]
    assert len(shown_texts(item, {"exchanges_before": 3})) == 2 + 6
    assert len(shown_texts(item, {"turns_before": 3})) == 2 + 3


@pytest.mark.parametrize("turns", [3, 7])
def test_a_redial_dialogue_gives_the_published_context(turns: int) -> None:
    """Dialogue 8155 of the 336 is one of the published items: its turns before the exchange are those shown.

    The user turn of the exchange itself is worded otherwise there, because IARD joins several into one.
    """
    part = CorpusPart(reader="redial", path="iard-redial/umap2020_IARD_Cai.json")
    redial = next(d for d in read_dialogues(part, DATA)[0] if d.key == "8155")
    (item,) = [
        item for item in published("Relevance", "C_7") if key(item["system5"]) == key(redial.turns[9].text)
    ]
    shown = show(redial.turns, 9, ContextRecipe(turns_before=turns))
    names = ["system1", "user2", "system2", "user3", "system3", "user4", "system4"][-turns:]
    assert [key(turn.text) for turn in shown.before] == [key(item[name]) for name in names]


def key(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
