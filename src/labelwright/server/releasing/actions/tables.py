"""The tables of a release: ratings, labels, items, dialogues and generated texts, each split and in every format."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa

from labelwright.release import Column
from labelwright.release.personal_data import Cleaner
from labelwright.release.split_table import PublishedTable, SplitTable
from labelwright.release.splits import SPLITS, WHOLE, SplitBy, split_items, text_link
from labelwright.server.releasing.actions.record import Tell
from labelwright.server.releasing.queries import data
from labelwright.server.releasing.queries.record import withdrawn_names
from labelwright.server.results.actions import export, rater_export
from labelwright.server.store.models import StudyRow
from labelwright.task import scale_under

RATINGS = tuple(
    Column("submission", pa.int64(), "number of the submission; answers of one submission share it")
    if column.name == "assignment"
    else column
    for column in export.COLUMNS
)
LABELS = (
    Column("item", pa.string(), "key of the item"),
    Column("dialogue", pa.string(), "key of the dialogue"),
    Column("condition", pa.string(), "condition of the task"),
    Column("question", pa.string(), "name of the question"),
    Column("rater_kind", pa.string(), "person or model"),
    Column("n", pa.int64(), "number of ratings that count"),
    Column("label", pa.int64(), "most frequent code; empty if two are equally frequent"),
    Column("name", pa.string(), "name of the label as raters read it"),
    Column("share", pa.float64(), "share of the most frequent code"),
    Column("codes", pa.list_(pa.int64()), "the codes that were given"),
    Column("counts", pa.list_(pa.int64()), "how many raters gave each of the codes"),
    Column("soft_label", pa.list_(pa.float64()), "the share of raters who gave each of the codes"),
)
ITEMS = (
    Column("item", pa.string(), "key of the item"),
    Column("dialogue", pa.string(), "key of the dialogue"),
    Column("kind", pa.string(), "what is judged"),
    Column("system", pa.string(), "dialogue system that produced the reply, if the log names it"),
    Column("topics", pa.string(), "topics of the batches that it was part of, as a JSON list"),
    Column("target", pa.int32(), "position of the judged turn in the dialogue, from 0"),
    Column("text", pa.string(), "the judged turn"),
    Column("payload", pa.string(), "content that is not in the dialogue, such as candidates, as JSON"),
)
DIALOGUES = (
    Column("dialogue", pa.string(), "key of the dialogue"),
    Column("version", pa.int32(), "2, 3 ... if a later version changed the dialogue under the same key"),
    Column("turns", pa.string(), "speakers and texts in their order, as a JSON list"),
    Column("meta", pa.string(), "further facts of the corpus, as JSON"),
)
CONTEXTS = (
    Column("item", pa.string(), "key of the item"),
    Column("kind", pa.string(), "kind of the generated text"),
    Column("text", pa.string(), "the text that raters were shown instead of turns"),
)


@dataclass(frozen=True, slots=True)
class SplitItems:
    """The items of a study by id: their name in the release, their dialogue and their split."""

    names: Mapping[int, tuple[str, str]]
    split: Mapping[int, str]
    splits: Sequence[str]

    def by_name(self) -> dict[str, str]:
        """The split of each item by its name."""
        return {self.names[item][0]: split for item, split in self.split.items()}


@dataclass(frozen=True, slots=True)
class TableSources:
    """What all tables are made from."""

    study: StudyRow
    database: psycopg.Connection[Any]
    cleaner: Cleaner
    tell: Tell
    split_by: SplitBy
    seed: int
    questionnaire: bool


def write_tables(folder: Path, sources: TableSources) -> list[PublishedTable]:
    """Writes all tables into a folder; those without rows are left out."""
    items = _split(sources)
    makers = (_ratings, _questionnaire, _labels, _items, _dialogues, _contexts)
    return [table for make in makers for table in make(folder, sources, items)]


def _split(sources: TableSources) -> SplitItems:
    names: dict[int, tuple[str, str]] = {}

    def links() -> Iterator[tuple[int, list[str]]]:
        for item in data.released_items(sources.database, sources.study.pk):
            names[item.id] = item.name, item.dialogue
            yield item.id, _links(item, sources.split_by)

    if sources.split_by is SplitBy.NONE:
        found = {item: WHOLE for item, _ in links()}
        return SplitItems(names, found, (WHOLE,))
    split = split_items(links(), sources.seed)
    return SplitItems(names, split, SPLITS)


def _links(item: data.ReleasedItem, by: SplitBy) -> list[str]:
    """What an item shares with others that have to be in the same split."""
    texts = [str(turn.get("text", "")) for turn in item.turns]
    shown = texts[: item.target + 1]
    links = [f"dialogue:{item.dialogue}", text_link(texts)]
    if item.payload:
        links.append(
            text_link([*shown, json.dumps(item.payload.get("candidates") or item.payload, sort_keys=True)])
        )
    elif shown:
        links.append(text_link(shown))
    return links + ([f"topic:{topic}" for topic in item.topics] if by is SplitBy.TOPIC else [])


def _ratings(folder: Path, sources: TableSources, items: SplitItems) -> Iterator[PublishedTable]:
    """Ratings of items, and answers about whole tasks, which belong to no split; all answers are read once."""
    split = items.by_name()
    about, of_tasks = "every answer of every rater about an item", "every answer about a whole task"
    with (
        SplitTable(folder, "ratings", about, RATINGS, items.splits) as ratings,
        SplitTable(folder, "feedback", of_tasks, RATINGS, (WHOLE,)) as feedback,
    ):
        for answer in _answers(sources):
            if answer["item"] is None:
                feedback.add(WHOLE, answer)
            else:
                ratings.add(split[answer["item"]], answer)
            sources.tell(1)
    yield ratings.published
    if feedback.published.rows[WHOLE]:
        yield feedback.published
    else:
        shutil.rmtree(folder / "feedback")


def _answers(sources: TableSources) -> Iterator[dict[str, Any]]:
    gone = withdrawn_names(sources.database, sources.study.pk)
    clean = sources.cleaner
    first = (data.work_facts(sources.study.pk).first_assignment or 1) - 1
    for answer in export.get_answers(sources.study):
        if answer["rater"] in gone:
            continue
        value = answer["value"]
        answer["submission"] = answer.pop("assignment") - first
        answer["value"] = _cleaned_json(clean, value) if clean.may_change(value) else value
        yield answer


def _cleaned_json(cleaner: Cleaner, value: str) -> str:
    """An answer as exports write it: a text, or anything else as JSON."""
    try:
        parsed = json.loads(value)
    except ValueError:
        return cleaner.text(value)
    if isinstance(parsed, dict | list):
        return json.dumps(cleaner.value(parsed), ensure_ascii=False)
    return cleaner.text(value)


def _questionnaire(folder: Path, sources: TableSources, items: SplitItems) -> Iterator[PublishedTable]:
    gone = withdrawn_names(sources.database, sources.study.pk)
    rows = (
        answer | {"value": sources.cleaner.text(answer["value"])}
        for answer in rater_export.get_rater_answers(sources.study)
        if sources.questionnaire and answer["rater"] not in gone
    )
    if (first := next(rows, None)) is None:
        return
    about = "what raters said about themselves, about topics and in the quiz"
    with SplitTable(folder, "questionnaire", about, rater_export.COLUMNS, (WHOLE,)) as table:
        for row in chain([first], rows):
            table.add(WHOLE, row)
    yield table.published


def _labels(folder: Path, sources: TableSources, items: SplitItems) -> Iterator[PublishedTable]:
    about = "the label of each item, with the distribution over raters"
    scales = export.scales_by_question(sources.study.versions.latest("n").pk)
    with SplitTable(folder, "labels", about, LABELS, items.splits) as table:
        for found in data.label_counts(sources.database, sources.study.pk):
            name, dialogue = items.names[found.item_id]
            scale = scale_under(found.question, scales)
            words = {point.code: point.name for point in scale.points} if scale else {}
            table.add(items.split[found.item_id], {"item": name, "dialogue": dialogue} | _label(found, words))
            sources.tell(1)
    yield table.published


def _label(found: data.LabelCounts, words: Mapping[int, str]) -> dict[str, Any]:
    n, most = sum(found.counts), max(found.counts)
    codes = [code for code, count in zip(found.codes, found.counts, strict=True) if count == most]
    label = codes[0] if len(codes) == 1 else None
    return {
        "condition": found.condition,
        "question": found.question,
        "rater_kind": found.rater_kind,
        "n": n,
        "label": label,
        "name": None if label is None else words.get(label),
        "share": most / n,
        "codes": found.codes,
        "counts": found.counts,
        "soft_label": [count / n for count in found.counts],
    }


def _items(folder: Path, sources: TableSources, items: SplitItems) -> Iterator[PublishedTable]:
    about = "what was judged"
    clean = sources.cleaner
    with SplitTable(folder, "items", about, ITEMS, items.splits) as table:
        for item in data.released_items(sources.database, sources.study.pk):
            judged = item.turns[item.target]["text"] if 0 <= item.target < len(item.turns) else ""
            row = {
                "item": item.name,
                "dialogue": item.dialogue,
                "kind": item.kind,
                "system": item.system or None,
                "topics": json.dumps(item.topics, ensure_ascii=False),
                "target": item.target,
                "text": clean.text(judged),
                "payload": json.dumps(clean.value(item.payload), ensure_ascii=False),
            }
            table.add(items.split[item.id], row)
            sources.tell(1)
    yield table.published


def _dialogues(folder: Path, sources: TableSources, items: SplitItems) -> Iterator[PublishedTable]:
    about = "the dialogues of the items"
    clean, seen, versions = sources.cleaner, set[int](), dict[str, int]()
    with SplitTable(folder, "dialogues", about, DIALOGUES, items.splits) as table:
        for item in data.released_items(sources.database, sources.study.pk):
            if item.dialogue_id in seen:
                continue
            seen.add(item.dialogue_id)
            versions[item.dialogue] = versions.get(item.dialogue, 0) + 1
            row = {
                "dialogue": item.dialogue,
                "version": versions[item.dialogue],
                "turns": json.dumps(clean.value(item.turns), ensure_ascii=False),
                "meta": json.dumps(clean.value(item.meta), ensure_ascii=False),
            }
            table.add(items.split[item.id], row)
    yield table.published


def _contexts(folder: Path, sources: TableSources, items: SplitItems) -> Iterator[PublishedTable]:
    rows = data.shown_contexts(sources.database, sources.study.pk)
    first = next(rows, None)
    if first is None:
        return
    about = "texts that were generated for items"
    with SplitTable(folder, "contexts", about, CONTEXTS, items.splits) as table:
        for text in chain([first], rows):
            name, _ = items.names[text.item_id]
            row = {"item": name, "kind": text.kind, "text": sources.cleaner.text(text.content)}
            table.add(items.split[text.item_id], row)
    yield table.published
