"""Replies as they are: whether a model favours long ones, or those of its own family, beyond what people do.

These probes send no requests. They compare labels that the model and people gave to the same items.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from labelwright.agreement import Floats
from labelwright.analysis.data.labels import Labels
from labelwright.context import ContextRecipe
from labelwright.judging import PeopleAndModels, TooFew
from labelwright.judging.probes import ProbeKind, ProbeResult, family_bias, slope_bias, verbosity_bias
from labelwright.judging.sides import item_values_of
from labelwright.server.judges.actions.probes import bias_record
from labelwright.server.store.items import stored_items
from labelwright.server.store.models import ItemRow
from labelwright.task import item_parts


def get_reply_words(study: int) -> dict[str, int]:
    """The number of words of the text under judgment, by the key of its item; reads only."""
    ids = list(ItemRow.objects.filter(study_id=study).values_list("pk", flat=True))
    parts = {item.key: item_parts(item, ContextRecipe()) for item in stored_items(ids).values()}
    words = {key: len(each.text.split()) for key, each in parts.items() if each.text and not each.candidates}
    for key, each in parts.items():
        words |= {f"{key}/c{place}": len(text.split()) for place, text in enumerate(each.candidates)}
    return words


def compare_replies(
    part: PeopleAndModels, model: str, words: Mapping[str, int], own: Collection[str]
) -> list[dict[str, Any]]:
    """The probes of one question; those with too few items are left out."""
    people, judge = _scores(part.people), _scores(part.model(model))
    names = sorted(name for name in judge if name in people and name.split("\x1f")[0] in words)
    if not names:
        return []
    given = np.array([people[name] for name in names])
    judged = np.array([judge[name] for name in names])
    lengths = [words[name.split("\x1f")[0]] for name in names]
    step = words_step(lengths)
    found: list[tuple[ProbeKind, Any]] = [("verbosity", lambda: _verbosity(judged, given, lengths, step))]
    if own and part.labels.has("system"):
        systems = item_values_of(part.labels, "system")
        mine = np.array([float(systems.get(name) in own) for name in names])
        found.append(("own_family", lambda: _family(judged, given, mine)))
    records = []
    for kind, measure in found:
        try:
            records.append({"kind": kind, "words": step} | bias_record(measure()))
        except TooFew:
            continue
    return records


def words_step(lengths: Sequence[int]) -> int:
    """The number of words for which verbosity is given: never more than lengths differ, so that nothing is extrapolated.

    >>> words_step([7, 21]), words_step([10, 95]), words_step([20, 400])
    (10, 80, 100)
    """
    return min(100, max(10, (max(lengths) - min(lengths)) // 10 * 10))


def _verbosity(judged: Floats, given: Floats, lengths: list[int], step: int) -> ProbeResult:
    beyond, own = verbosity_bias(judged - given, lengths), verbosity_bias(given, lengths)
    return ProbeResult("verbosity", beyond.times(step / 100), own.times(step / 100))


def _family(judged: Floats, given: Floats, mine: Floats) -> ProbeResult:
    return ProbeResult("own_family", family_bias(judged, given, mine), slope_bias(given, mine))


def _scores(labels: Labels) -> dict[str, float]:
    """The mean place on the scale of the labels of each item, from 0 for the worst; empty without an order."""
    ordered = labels.ordered_codes()
    if ordered.no_order:
        return {}
    codes = [code for code in ordered.codes if code not in ordered.outside]
    place = {code: float(number) for number, code in enumerate(codes)}
    ratings, names = labels.in_memory().named_ratings(by=())
    found: dict[str, list[float]] = {}
    for item, code in zip(ratings.item.tolist(), ratings.code.tolist(), strict=True):
        if ratings.codes[code] in place:
            found.setdefault(names[item], []).append(place[ratings.codes[code]])
    return {name: sum(values) / len(values) for name, values in found.items()}
