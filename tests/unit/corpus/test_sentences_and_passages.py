"""Sentences keep their offsets; passages are taken by level, with variety at the last one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelwright.corpus import ItemsPart, PassagesPart, make_items, select_passages, split_sentences
from labelwright.corpus.dialogues import Dialogue, Turn
from labelwright.corpus.passages import NoPassageTexts


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See Dr. No at 8 a.m. He waits.", ["See Dr. No at 8 a.m.", "He waits."]),
        ("It costs 3.50 at no. 7 here.", ["It costs 3.50 at no. 7 here."]),
        ('He said "Go." Then he left...', ['He said "Go."', "Then he left..."]),
        ("これは文です。次の文。", ["これは文です。", "次の文。"]),
        ("هل تسمع؟ نعم.", ["هل تسمع؟", "نعم."]),
        ("A heading\n\nA text", ["A heading", "A text"]),
        ("No mark at the end 🙂", ["No mark at the end 🙂"]),
        ("   ", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [sentence.of(text) for sentence in split_sentences(text)] == sentences


@given(st.text())
def test_sentences_never_overlap_and_cover_all_that_is_no_space(text: str) -> None:
    found = split_sentences(text)
    covered = [place for sentence in found for place in range(sentence.start, sentence.end)]
    assert covered == sorted(set(covered))
    assert all(text[place].isspace() for place in set(range(len(text))) - set(covered))


def passages(level: int, *texts: str) -> list[dict[str, object]]:
    return [{"id": f"{level}-{n}", "level": level, "text": text} for n, text in enumerate(texts)]


BIRDS = ["cranes are birds", "cranes are tall birds", "a crane is a bird", "the bird called crane"]
MACHINES = [
    "cranes lift steel",
    "the steel crane lifts",
    "a crane lifts heavy steel",
    "lifting steel by crane",
]


def test_the_papers_example_takes_all_of_the_top_level_and_one_of_each_cluster_below() -> None:
    pytest.importorskip("sklearn", reason="the extra `corpus` is not installed")
    # Three passages at level 4 leave two places, so level 3 is parted into two clusters.
    judged = passages(4, "x", "y", "z") + passages(3, *BIRDS, *MACHINES) + passages(2, "w")
    chosen = select_passages("9_1", judged, PassagesPart(n=5), seed=3)
    assert [passage["level"] for passage in chosen] == [4, 4, 4, 3, 3]
    below = {str(passage["text"]) for passage in chosen[3:]}
    assert len(below & set(BIRDS)) == 1
    assert len(below & set(MACHINES)) == 1
    assert chosen == select_passages("9_1", judged, PassagesPart(n=5), seed=3)


def test_equal_texts_make_fewer_clusters_and_still_fill_the_places() -> None:
    pytest.importorskip("sklearn", reason="the extra `corpus` is not installed")
    chosen = select_passages("9_1", passages(3, *["same"] * 9), PassagesPart(n=5), seed=3)
    assert len({passage["id"] for passage in chosen}) == 5


def test_few_passages_are_all_taken_and_low_levels_never() -> None:
    judged = passages(0, "a") + passages(1, "b")
    assert [p["text"] for p in select_passages("q", judged, PassagesPart(), seed=1)] == ["b", "a"]
    assert [p["text"] for p in select_passages("q", judged, PassagesPart(lowest_level=1), seed=1)] == ["b"]


def test_passages_without_texts_are_an_error_or_drawn_by_seed() -> None:
    judged = [{"id": str(n), "level": 4} for n in range(9)]
    with pytest.raises(NoPassageTexts, match="9 passages at one level for 5 places"):
        select_passages("q", judged, PassagesPart(), seed=1)
    drawn = select_passages("q", judged, PassagesPart(without_texts=True), seed=1)
    assert len(drawn) == 5


def test_queries_and_candidates_become_items() -> None:
    question = Turn("user", "What is a crane?", meta={"turn_id": "9_1", "passages": passages(4, "a", "b")})
    query = make_items([Dialogue("9", (question,))], ItemsPart(kind="query"), seed=1)
    assert [item.key for item in query] == ["9_1--4-0", "9_1--4-1"]
    assert query[0].payload["passage"]["text"] == "a"
    asked = Dialogue("c", (Turn("A", "Hi"),), {"candidates": [{"text": "x"}]})
    (item,) = make_items([asked], ItemsPart(kind="candidates"), seed=1)
    assert item.payload == {"candidates": [{"text": "x"}]}


def test_an_exchange_needs_its_history_and_its_recommendation() -> None:
    said = [Turn("user", "1"), Turn("system", "2", meta={"mentions": [1]})] * 3
    dialogue = Dialogue("d", (*said, Turn("user", "x"), Turn("system", "y")))
    part = ItemsPart.model_validate({"exchanges_before": 1, "target": {"field": "mentions"}})
    # The exchange at 1 has no exchange before it; the last one has no mention.
    assert [item.target for item in make_items([dialogue], part, seed=1)] == [3, 5]
