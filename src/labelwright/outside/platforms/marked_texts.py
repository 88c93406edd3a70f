"""Marked texts of a report from result files of platforms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from labelwright.outside.platforms import mturk, prolific
from labelwright.outside.platforms.mturk.results import chosen_flag, read_rows
from labelwright.report.spans import MarkedText, SpanSet

Result = mturk.MturkResult | prolific.ProlificResult
_LEVELS = {"very_low": 1.0, "low": 2.0, "medium": 3.0, "high": 4.0, "very_high": 5.0}
_CONFIDENCE = "answer_confidence"


def read_span_set(name: str, paths: Iterable[Path]) -> SpanSet:
    """The marked texts of one set of files: the sentences if there are any, otherwise the passages."""
    results = _results(sorted(paths))
    grouped: dict[str, list[Result]] = defaultdict(list)
    for each in results:
        grouped[_key(each.inputs)].append(each)
    people = {_person(each) for each in results}
    return SpanSet(name, {key: _text(own) for key, own in grouped.items()}, len(people))


def _results(paths: Sequence[Path]) -> list[Result]:
    """Files with working times come from Mechanical Turk, the others from Prolific."""
    found: list[Result] = []
    for path in paths:
        _, row = next(read_rows([path]))
        found += mturk.read_results([path]) if "WorkTimeInSeconds" in row else prolific.read_results([path])
    return found


def _passage(inputs: Mapping[str, str]) -> str:
    return f"{inputs.get('turn_id', '')}--{inputs.get('passage_id', '')}"


def _key(inputs: Mapping[str, str]) -> str:
    return inputs.get("sentence_id") or _passage(inputs)


def _person(result: Result) -> str:
    return result.worker if isinstance(result, mturk.MturkResult) else result.participant


def _text(results: Sequence[Result]) -> MarkedText:
    inputs = results[0].inputs
    part = "sentence" in inputs
    on_mturk = [each for each in results if isinstance(each, mturk.MturkResult)]
    flags = [chosen_flag(each.answers, _CONFIDENCE) for each in results]
    return MarkedText(
        inputs["sentence" if part else "passage"],
        tuple(each.spans for each in results),
        tuple(each.seconds for each in on_mturk),
        tuple(each.reward_cents for each in on_mturk),
        tuple(_LEVELS.get(flag or "") for flag in flags),
        inputs["sentence_id"].rsplit("--", 1)[0] if part else "",
    )
