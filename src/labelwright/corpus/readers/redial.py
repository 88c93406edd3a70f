"""ReDial: people who recommend movies to each other, with mentions such as `@111776` resolved to titles."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from labelwright.corpus.dialogues import BadRecord, Dialogue, Turn
from labelwright.corpus.readers._records import Record, as_object, json_records, storable, usable_key
from labelwright.corpus.reading import ReaderOptions, reader

# The second form is that of the IARD annotations, which write the title next to the number.
_MENTION = re.compile(r"@\s?(?P<id>\d+)(?:\s*<(?P<title>[^<>]*)>)?")
_SPACE = re.compile(r"\s+")
SPEAKERS = {"seeker": "user", "recommender": "system"}


class RedialOptions(ReaderOptions):
    """How titles are written, and what to do with a movie without a title."""

    titles: Literal["plain", "quoted"] = "plain"
    """`quoted` writes "It (2017)" with quotation marks around it, as the context study did."""
    unknown_movies: Literal["stop", "keep"] = "stop"
    """`keep` leaves the number of a movie without a title in the text."""


@reader("redial", RedialOptions)
def read(path: Path, options: RedialOptions) -> Iterator[Dialogue | BadRecord]:
    """ReDial's JSON Lines, or the one object of its IARD annotations; movie mentions become titles.

    The seeker is the user and the recommender the system. `mentions` in a turn's metadata holds each movie
    with its place in the text, `original` the text with its numbers.
    """
    for record in json_records(path):
        if isinstance(record, BadRecord):
            yield record
        elif _is_annotated(record.value):
            for key, value in record.value.items():
                yield _or_bad(key, value, Record(value, f'{path.name}, dialogue "{key}"', 0, ""), options)
        else:
            yield _or_bad(None, record.value, record, options)


def _is_annotated(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(_has_info(inner) for inner in value.values())


def _has_info(value: Any) -> bool:
    return isinstance(value, dict) and "dialogue_info" in value


def _or_bad(key: str | None, value: Any, record: Record, options: RedialOptions) -> Dialogue | BadRecord:
    try:
        value = as_object(value, record.where)
        return _released(value, record, options) if key is None else _annotated(key, value, record, options)
    except BadRecord as bad:
        return bad


def _released(value: dict[str, Any], record: Record, options: RedialOptions) -> Dialogue:
    where = record.where
    messages, mentions = value.get("messages"), value.get("movieMentions")
    if not isinstance(messages, list) or not messages:
        raise BadRecord('the record has no "messages".', where=where)
    # An empty object of mentions is released as an empty list.
    titles = mentions if isinstance(mentions, dict) else {}
    people = {value.get("initiatorWorkerId"): "seeker", value.get("respondentWorkerId"): "recommender"}
    turns = []
    for position, message in enumerate(messages):
        role = people.get(message.get("senderWorkerId")) if isinstance(message, dict) else None
        if role is None:
            raise BadRecord(f"turn {position + 1} is not by either of the two people.", where=where)
        turns.append(_turn(role, message.get("text"), {}, titles, position, where, options))
    key = usable_key(value.get("conversationId", f"line-{record.number}"), where)
    meta = {name: value[name] for name in ("initiatorQuestions", "respondentQuestions") if value.get(name)}
    return Dialogue(key, tuple(turns), meta, record.raw)


def _annotated(key: str, value: dict[str, Any], record: Record, options: RedialOptions) -> Dialogue:
    info = as_object(value["dialogue_info"], record.where)
    said = sorted(info.values(), key=lambda entry: entry.get("utterance_pos", 0))
    turns = [
        _turn(
            entry.get("role"),
            entry.get("utterance_text"),
            _intents(entry),
            {},
            position,
            record.where,
            options,
        )
        for position, entry in enumerate(said)
    ]
    # Their positions count from 1, ours from 0.
    accepted = [position - 1 for position in value.get("accepted_recommendation", [])]
    return Dialogue(
        usable_key(key, record.where),
        tuple(turns),
        {"accepted": accepted},
        json.dumps(value, ensure_ascii=False),
    )


def _intents(entry: dict[str, Any]) -> dict[str, Any]:
    names = {"top-level intent/action": "intents", "sub-intent/action": "sub_intents"}
    return {ours: entry[theirs] for theirs, ours in names.items() if entry.get(theirs)}


def _turn(
    role: Any,
    text: Any,
    meta: dict[str, Any],
    titles: Mapping[str, Any],
    position: int,
    where: str,
    options: RedialOptions,
) -> Turn:
    if role not in SPEAKERS:
        raise BadRecord(
            f'turn {position + 1} has the role "{role}".', where=where, expected='"seeker" or "recommender".'
        )
    if not isinstance(text, str) or not text.strip():
        raise BadRecord(f"turn {position + 1} has no text.", where=where)
    resolved, mentions = resolve(storable(text, where), titles, options.titles == "quoted")
    unknown = [mention["id"] for mention in mentions if not mention["title"]]
    if unknown and options.unknown_movies == "stop":
        raise BadRecord(
            f"turn {position + 1} mentions the movie @{unknown[0]}, which has no title.",
            where=where,
            do='The option "unknown_movies: keep" leaves its number in the text.',
        )
    if mentions:
        meta = {**meta, "mentions": mentions, "original": text}
    return Turn(SPEAKERS[role], resolved, None, meta)


def resolve(text: str, titles: Mapping[str, Any], quoted: bool = False) -> tuple[str, list[dict[str, Any]]]:
    """The text with titles in place of numbers, and each mention with its position in that text.

    Offsets count code points. A movie without a title keeps its number and has the title None.

    >>> resolve("Try @11 or @2 <It  (2017)> !", {"11": "Heat (1995)"})[0]
    'Try Heat (1995) or It (2017) !'
    """
    out, at, mentions = "", 0, []
    for match in _MENTION.finditer(text):
        title = match["title"] or titles.get(match["id"])
        written = match.group(0)
        if isinstance(title, str) and title.strip():
            title = _SPACE.sub(" ", title).strip()
            written = f'"{title}"' if quoted else title
        else:
            title = None
        out += text[at : match.start()]
        mentions.append(
            {"id": match["id"], "title": title, "start": len(out), "end": len(out) + len(written)}
        )
        out, at = out + written, match.end()
    return out + text[at:], mentions
