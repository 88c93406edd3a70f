"""TREC CAsT: topics of questions that follow on each other, with passages and their relevance levels."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from labelwright.corpus.dialogues import BadRecord, Dialogue, Turn
from labelwright.corpus.readers._records import Record, as_object, json_records, storable
from labelwright.corpus.readers._rows import Row
from labelwright.corpus.readers.csv_rows import csv_rows
from labelwright.corpus.reading import ReaderOptions, reader

Levels = Mapping[str, list[tuple[str, int]]]


class CastOptions(ReaderOptions):
    """The files with passages and judgments, relative to the topics."""

    qrels: str | None = None
    """Lines of `turn 0 passage level`."""
    passages: str | None = None
    """CSV or JSON Lines, or a pattern such as `passages/*.csv`, with an id and a text for each passage."""
    passage_id: str = "id"
    """The field or column with the id of a passage."""
    passage_text: str = "text"
    """The field or column with its text."""
    question: Literal["raw", "manual", "automatic"] = "raw"
    """The form of the question that raters read; `manual` is rewritten to be clear without the conversation."""

    def named_files(self, folder: Path) -> Iterator[Path]:
        """The judgments and the passages."""
        if self.qrels:
            yield folder / self.qrels
        if self.passages:
            # First the pattern itself: one that leaves the folder is refused before anything is listed.
            yield folder / self.passages
            yield from folder.glob(self.passages)

    def missing_files(self, folder: Path) -> Iterator[str]:
        """Without its judgments or passages, a topic has nothing to judge."""
        if self.qrels and not (folder / self.qrels).is_file():
            yield "qrels"
        if self.passages and not self.passage_files(folder):
            yield "passages"

    def passage_files(self, folder: Path) -> list[Path]:
        """The files of passages, in order; a pattern can name folders too, which are no passages."""
        return sorted(file for file in folder.glob(self.passages or "") if file.is_file())


@reader("cast", CastOptions)
def read(path: Path, options: CastOptions) -> Iterator[Dialogue | BadRecord]:
    """TREC CAsT topics (2020, 2022 flattened or tree) with the judged passages of each question.

    A topic, or a path through one, is a dialogue; a question is a user turn, a response a system turn. The
    metadata of a question holds its turn id and its passages, each with id, level and, where given, text.
    """
    levels = read_qrels(path.parent / options.qrels) if options.qrels else {}
    texts = _texts(path.parent, options) if options.passages else {}
    seen: dict[str, int] = defaultdict(int)
    for record in json_records(path):
        if isinstance(record, BadRecord):
            yield record
            continue
        try:
            yield from _paths(record, options, levels, texts, seen)
        except BadRecord as bad:
            yield bad


def read_qrels(path: Path) -> dict[str, list[tuple[str, int]]]:
    """The judged passages of each turn, in the order of the file; raises BadRecord at the first bad line."""
    levels: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 4 or not fields[3].lstrip("-").isdigit():
            raise BadRecord(
                "this is not a judgment.", where=f"{path.name}:{number}", expected="turn 0 passage level."
            )
        levels[fields[0]].append((fields[2], int(fields[3])))
    return dict(levels)


def _texts(folder: Path, options: CastOptions) -> dict[str, str]:
    texts: dict[str, str] = {}
    for file in options.passage_files(folder):
        for row in csv_rows(file) if file.suffix == ".csv" else _json_rows(file):
            if isinstance(row, BadRecord):
                raise row
            key, text = row.values.get(options.passage_id), row.values.get(options.passage_text)
            if not isinstance(key, str) or not isinstance(text, str):
                raise BadRecord(
                    f'the passage has no "{options.passage_id}" or no "{options.passage_text}".',
                    where=row.where,
                    expected=f"one of {', '.join(row.values)}.",
                )
            texts.setdefault(key, storable(text, row.where))
    return texts


def _json_rows(file: Path) -> Iterator[Row | BadRecord]:
    for record in json_records(file):
        yield (
            record
            if isinstance(record, BadRecord)
            else Row(as_object(record.value, record.where), record.where)
        )


def _paths(
    record: Record, options: CastOptions, levels: Levels, texts: Mapping[str, str], seen: dict[str, int]
) -> Iterator[Dialogue]:
    value = as_object(record.value, record.where)
    topic, nodes = str(value.get("number", "")), value.get("turn")
    if not topic or not isinstance(nodes, list) or not nodes:
        raise BadRecord('the topic has no "number" or no "turn".', where=record.where)
    meta = {name: value[name] for name in ("title", "description") if value.get(name)}
    for path in _tree_paths(nodes) if any("participant" in node for node in nodes) else [nodes]:
        seen[topic] += 1
        # A topic of 2022 has several paths; the first keeps the number of the topic.
        key = topic if seen[topic] == 1 else f"{topic}/{seen[topic]}"
        turns = tuple(
            turn for node in path for turn in _turns(node, topic, options, levels, texts, record.where)
        )
        yield Dialogue(key, turns, {"topic": topic, **meta}, json.dumps(path, ensure_ascii=False))


def _tree_paths(nodes: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    by_number = {node.get("number"): node for node in nodes}
    parents = {node.get("parent") for node in nodes}
    return [_to_root(node, by_number) for node in nodes if node.get("number") not in parents]


def _to_root(node: dict[str, Any], by_number: Mapping[Any, dict[str, Any]]) -> list[dict[str, Any]]:
    path = [node]
    while (parent := by_number.get(path[-1].get("parent"))) is not None and len(path) <= len(by_number):
        path.append(parent)
    return path[::-1]


def _turns(
    node: Any, topic: str, options: CastOptions, levels: Levels, texts: Mapping[str, str], where: str
) -> Iterator[Turn]:
    node = as_object(node, where)
    turn_id = f"{topic}_{node.get('number')}"
    question = _question(node, options)
    if question:
        told = [
            {"id": passage, "level": level} | ({"text": texts[passage]} if passage in texts else {})
            for passage, level in levels.get(turn_id, ())
        ]
        meta: dict[str, Any] = {"turn_id": turn_id, "passages": told}
        rewritten = node.get("manual_rewritten_utterance")
        yield Turn("user", storable(question, where), None, _filled(meta | {"rewritten": rewritten}))
    answer = node.get("response")
    canonical = node.get("manual_canonical_result_id") or node.get("canonical_result_id")
    if not answer and canonical in texts:
        answer = texts[canonical]
    if answer:
        meta = {"turn_id": turn_id, "provenance": node.get("provenance"), "passage": canonical}
        yield Turn("system", storable(answer, where), None, _filled(meta))
    if not question and not answer:
        raise BadRecord(f'turn "{turn_id}" has neither question nor answer.', where=where)


def _question(node: dict[str, Any], options: CastOptions) -> str | None:
    raw = node.get("raw_utterance") or node.get("utterance")
    rewritten = {
        "raw": raw,
        "manual": node.get("manual_rewritten_utterance"),
        "automatic": node.get("automatic_rewritten_utterance"),
    }[options.question]
    return rewritten or raw


def _filled(meta: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in meta.items() if value}
