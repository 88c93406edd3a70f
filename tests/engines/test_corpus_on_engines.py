"""Classify, split, sample and phrase mining give the same, right rows on DuckDB and on Spark."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from labelwright import seeds, tables
from labelwright.context.phrases import PhrasesPart, count_phrases, mine_phrases
from labelwright.corpus import (
    CategoriesPart,
    CorpusPart,
    Dialogue,
    ItemsPart,
    SamplePart,
    SplitPart,
    Turn,
    classify,
    draw,
    draw_turns,
    make_items,
    measure_corpus,
    normalise,
    sample,
    sample_targets,
    split,
    turns_of,
)

pytestmark = pytest.mark.filterwarnings("ignore")  # Spark's own libraries warn about what they use

SAID = [
    "I am looking for the next bus, please",
    "Start a NEW   query",
    "I’m sorry, there is none",
    "I'M SORRY 🚌🚌",
    "The 61c leaving the airport at 8, it will arrive at 9",
    "أبحث عن الحافلة التالية",
    "אני מחפש אוטובוס",
    "École STRASSE straße ÉCOLE",
    "İstanbul’a gitmek istiyorum",
    "Can you recommend me a route? Looking   for one",
    "👩‍👩‍👧 🚍",
    "result",
    "results",
    "",
    "日本語のバス。次は？",
    "long " * 20_000 + "new query",
    "<script>alert('x')</script> =1+1 {\"a\": 1} \\1 $ ^ .*",
]


def _dialogues() -> list[Dialogue]:
    draws = random.Random(11)
    made = []
    for number in range(160):
        turns = tuple(
            Turn(
                draws.choice(["user", "system", "user", "system", "narrator"]),
                draws.choice(SAID[:15]),
                draws.choice([None, "a", "b"]),
                draws.choice([{}, {}, {}, {}, {}, {}, {"tag": "result"}, {"tag": "Result\nx", "n": 3}]),
            )
            for _ in range(draws.randint(1, 9))
        )
        made.append(Dialogue(f"d{number}é", turns))
    said = (
        Turn("user", "new query"),
        Turn("system", SAID[15]),
        Turn("user", SAID[15]),
        Turn("user", SAID[1]),
    )
    return [*made, Dialogue("long", said)]


DIALOGUES = _dialogues()
RULES: list[dict[str, Any]] = [
    {"category": "TooShort", "speaker": "user", "at_most_turns": 1},
    {"category": "MultiTask", "speaker": "user", "cues": ["start a new query", "New Query"]},
    {"category": "TaskComplete", "speaker": "system", "pattern": "leaving .*it will arrive"},
    {"category": "TaskComplete", "field": "tag", "cues": ["result"]},
    {"category": "Word", "cues": ["result"], "whole_words": True},
    {"category": "OutOfScope", "speaker": "system", "cues": ["I'm sorry"]},
    {"category": "Foreign", "pattern": "[\u0600-\u06ff]|école"},
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A turns table as a warehouse may hold it: ours, and dialogues with null and empty cells."""
    folder = tmp_path_factory.mktemp("corpus")
    made = turns_of(DIALOGUES)
    loose = pa.schema([field.with_nullable(True) for field in made.schema])
    nulls = [
        {"dialogue": "nulls", "position": n, "speaker": speaker, "text": text, "normal": text, "meta": meta}
        for n, (speaker, text, meta) in enumerate(
            [(None, "x", []), ("user", None, None), ("system", None, []), ("user", "", None)]
        )
    ]
    pq.write_table(
        pa.concat_tables([made.cast(loose), pa.Table.from_pylist(nulls, schema=loose)]),
        folder / "turns.parquet",
    )
    return folder / "turns.parquet"


def rows(expression: Any) -> list[dict[str, Any]]:
    return sorted(tables.fetch(expression).to_pylist(), key=str)


def fitting(dialogue: Dialogue, rule: dict[str, Any]) -> int | None:
    """The position of a rule's last cue, written down plainly."""
    if "at_most_turns" in rule:
        spoken = [turn for turn in dialogue.turns if turn.speaker == rule["speaker"]]
        return 0 if len(spoken) <= rule["at_most_turns"] else None
    found = None
    for position, turn in enumerate(dialogue.turns):
        seen = turn.meta.get("tag", "") if "field" in rule else normalise(turn.text)
        if rule.get("whole_words"):
            fits = "result" in re.split(r"\W+", seen)
        elif "pattern" in rule:
            fits = re.search(rule["pattern"], seen) is not None
        else:
            fits = any((cue if "field" in rule else normalise(cue)) in seen for cue in rule["cues"])
        if fits and turn.speaker == rule.get("speaker", turn.speaker):
            found = position
    return found


def category(dialogue: Dialogue, wins: str) -> str:
    at = [fitting(dialogue, rule) for rule in RULES]
    if wins == "first" or at[0] is not None:
        return next((r["category"] for r, p in zip(RULES, at, strict=True) if p is not None), "Other")
    best = max((p for p in at if p is not None), default=None)
    return "Other" if best is None else RULES[at.index(best)]["category"]


@pytest.mark.parametrize("wins", ["first", "last_cue"])
def test_classify(engine: Any, place: Path, wins: str) -> None:
    part = CategoriesPart.model_validate({"rules": RULES, "otherwise": "Other", "wins": wins})
    found = {row["dialogue"]: row for row in rows(classify(tables.read(place, engine), part))}
    expected = {dialogue.key: category(dialogue, wins) for dialogue in DIALOGUES}
    # Of the dialogue with nulls, two turns are known to be the user's, so it is not too short; nothing fits.
    expected["nulls"] = "Other"
    assert {key: row["category"] for key, row in found.items()} == expected
    assert len(set(expected.values())) > 4
    fits = sum(fitting(DIALOGUES[0], rule) is not None for rule in RULES)
    assert found[DIALOGUES[0].key]["fits"] == fits


@pytest.mark.parametrize("cue", ["starts", "ends"])
def test_split(engine: Any, place: Path, cue: str) -> None:
    categories = CategoriesPart.model_validate({"rules": RULES, "otherwise": "Other"})
    parted = split(tables.read(place, engine), categories, SplitPart.model_validate({"cue": cue}))
    found: dict[str, list[tuple[int, str]]] = {}
    for row in rows(parted.select("dialogue", "position", "text")):
        found.setdefault(row["dialogue"], []).append((row["position"], row["text"]))
    expected: dict[str, list[tuple[int, str]]] = {}
    for dialogue in DIALOGUES:
        pieces: list[list[str]] = [[]]
        for turn in dialogue.turns:
            cut = turn.speaker == "user" and "new query" in normalise(turn.text)
            if cut and cue == "starts":
                pieces.append([])
            pieces[-1].append(turn.text)
            if cut and cue == "ends":
                pieces.append([])
        pieces = [piece for piece in pieces if piece]
        several = category(dialogue, "first") == "MultiTask"
        if not several:
            pieces = [[turn.text for turn in dialogue.turns]]
        for number, said in enumerate(pieces, start=1):
            expected[f"{dialogue.key}/{number}" if several else dialogue.key] = list(enumerate(said))
    del found["nulls"]
    assert {key: sorted(said) for key, said in found.items()} == expected
    assert any(key.endswith("/2") for key in found)


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "uniform", "n": 17},
        {"method": "proportional", "n": 40},
        {"method": "per_stratum", "n": 3},
        {
            "method": "proportions",
            "n": 20,
            "proportions": {"MultiTask": 0.55, "OutOfScope": 0.27, "Other": 0.18},
        },
    ],
)
def test_sample(engine: Any, place: Path, asked: dict[str, Any]) -> None:
    categories = CategoriesPart.model_validate({"rules": RULES, "otherwise": "Other"})
    classified = classify(tables.read(place, engine), categories)
    drawn = tables.fetch(sample(classified, SamplePart.model_validate(asked), seed=5)).to_pylist()
    # Design weights have mean 1 on every engine.
    assert sum(row["sample_weight"] for row in drawn) == pytest.approx(len(drawn))
    everyone = {d.key: category(d, "first") for d in DIALOGUES} | {"nulls": "Other"}
    ranked = sorted(everyone, key=lambda key: seeds.rank(5, "sample", key))
    if asked["method"] == "uniform":
        assert [row["dialogue"] for row in drawn] == ranked[:17]
        return
    sizes = {name: sum(c == name for c in everyone.values()) for name in set(everyone.values())}
    if asked["method"] == "per_stratum":
        wanted = {name: min(3, size) for name, size in sizes.items()}
    else:
        shares = asked.get("proportions") or {name: size / len(everyone) for name, size in sizes.items()}
        # Each stratum gets its share, rounded down or up.
        for name, share in shares.items():
            got = sum(row["category"] == name for row in drawn)
            assert got in {int(asked["n"] * share), int(asked["n"] * share) + 1} or got == sizes[name]
        wanted = {name: sum(row["category"] == name for row in drawn) for name in sizes}
    expected = {
        key for name in sizes for key in [key for key in ranked if everyone[key] == name][: wanted[name]]
    }
    assert {row["dialogue"] for row in drawn} == expected


@pytest.mark.parametrize(
    "asked",
    [{"turns_before": 1, "target": {"field": "tag"}}, {"exchanges_before": 1}],
)
def test_targets_are_those_of_make_items(engine: Any, place: Path, asked: dict[str, Any]) -> None:
    part = ItemsPart.model_validate({"per_dialogue": 1, **asked})
    found = rows(sample_targets(tables.read(place, engine), part, seed=3))
    expected = [(item.dialogue, item.target) for item in make_items(DIALOGUES, part, seed=3)]
    assert sorted((row["dialogue"], row["target"]) for row in found) == sorted(expected)
    assert len(expected) > 5


def test_phrases(engine: Any, place: Path) -> None:
    turns = tables.read(place, engine)
    counted = {row["phrase"]: row["dialogues"] for row in rows(count_phrases(turns, PhrasesPart()))}
    expected: dict[str, set[str]] = {}
    for dialogue in DIALOGUES:
        for turn in [turn for turn in dialogue.turns if turn.speaker == "user"][:3]:
            # \w is letters, digits and _ here; none of the texts has an underscore.
            words = re.findall(r"[\w'\u0300-\u036f]+", normalise(turn.text))
            for pair in pairwise(words[:100]):
                expected.setdefault(" ".join(pair), set()).add(dialogue.key)
    assert counted == {phrase: len(keys) for phrase, keys in expected.items()}
    mined = mine_phrases(turns, PhrasesPart(keep=3, struck_out=("NEXT bus",)))
    assert "next bus" not in {phrase.text for phrase in mined}
    assert len(mined) == 3


def test_statistics(engine: Any, place: Path) -> None:
    found = measure_corpus(tables.read(place, engine))
    assert found.dialogues == len(DIALOGUES) + 1
    assert found.turns == sum(len(d.turns) for d in DIALOGUES) + 4
    users = [len(normalise(t.text).split()) for d in DIALOGUES for t in d.turns if t.speaker == "user"]
    # The dialogue with nulls adds two user turns without words.
    assert found.words_by_speaker["user"].total == sum(users)
    assert found.words_by_speaker["user"].count == len(users) + 2


def test_a_study_draws_the_same_in_memory_and_in_an_engine(engine: Any, place: Path) -> None:
    part = CorpusPart.model_validate(
        {
            "reader": "parquet",
            "path": "turns.parquet",
            "categories": {"rules": RULES, "otherwise": "Other"},
            "split": {},
            "sample": {"method": "per_stratum", "n": 12},
        }
    )
    turns = tables.read(place, engine)
    turns = turns.filter(turns.dialogue != "nulls")
    _, drawn = draw_turns(turns, part, seed=9)
    found = {row["dialogue"]: row["category"] for row in rows(drawn.select("dialogue", "category"))}
    here = draw(DIALOGUES, part, seed=9)
    assert {d.key: d.meta["category"] for d in here.dialogues} == found
    pieces = [d for d in here.dialogues if "whole" in d.meta]
    wholes = {d.key: d for d in DIALOGUES}
    assert pieces
    for piece in pieces:
        first = piece.meta["first"]
        assert piece.turns == wholes[piece.meta["whole"]].turns[first : first + len(piece.turns)]


def test_the_command_line_runs_on_spark_too(spark_engine: Any, place: Path) -> None:
    from typer.testing import CliRunner

    from labelwright.cli import register_commands

    told = {
        engine: CliRunner()
        .invoke(register_commands(), ["corpus", "stats", str(place), "--engine", engine])
        .output
        for engine in ("duckdb", "spark")
    }
    assert told["duckdb"] == told["spark"]
    assert "162 dialogues" in told["spark"]
