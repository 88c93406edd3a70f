"""People and models: the two sides of a table of labels, never mixed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from labelwright import tables
from labelwright.agreement import Code, Floats, Ints, Ratings
from labelwright.analysis.data.labels import Labels
from labelwright.analysis.errors import NotLabels
from labelwright.crowd import RaterKind
from labelwright.errors import listed, with_hint
from labelwright.judging.errors import NoModel

KIND_COLUMNS = ("rater_kind", "model")
"""The columns that say who is a model: `rater_kind` of our exports, or `model` with 1 or true for models."""
_MODEL = {RaterKind.MODEL.value, "1", "true", "yes"}
NOT_JUDGED = -1


@dataclass(frozen=True, eq=False)
class PeopleAndModels:
    """The labels of people, and those of each model."""

    labels: Labels
    models: tuple[str, ...]

    @property
    def people(self) -> Labels:
        """The labels that people gave, with the codes of all labels."""
        table = tables.without(self.labels.table, ["rater"], [(name,) for name in self.models])
        return replace(self.labels, table=table, inherited=self._codes())

    def model(self, name: str) -> Labels:
        """The labels that one model gave, with the codes of all labels."""
        table = tables.where(self.labels.table, {"rater": name})
        return replace(self.labels, table=table, inherited=self._codes())

    def _codes(self) -> tuple[Code, ...] | None:
        return self.labels.inherited or (None if self.labels.scales else self.labels.codes())

    def slices(self, by: Collection[str] = ()) -> Iterator[tuple[dict[str, Any], PeopleAndModels]]:
        """Both sides of every aspect, question and value of the columns in `by`."""
        for where, part in self.labels.slices(tuple(by)):
            yield where, replace(self, labels=part.in_memory())

    def chosen(self, name: str | None) -> str:
        """The model of this name, or the only one."""
        if name in self.models:
            return str(name)
        if name is None and len(self.models) == 1:
            return self.models[0]
        what = f'there is no model "{name}".' if name else f"there are {len(self.models)} models."
        raise NoModel(
            what,
            expected=with_hint(f"one of {listed(self.models)}.", name or "", self.models),
            do=None if name else "Name one with --model.",
        )


def split_sides(labels: Labels, models: Collection[str] = ()) -> PeopleAndModels:
    """The sides of a table. Models are named, or known from the columns `rater_kind` or `model`.

    Raises NoModel if no rater is a model, and NotLabels if a rater is a model in some rows only.

    >>> rows = {"item": ["a", "a"], "rater": ["x", "m"], "model": [0, 1], "label": [1, 1]}
    >>> split_sides(Labels.read(rows)).models
    ('m',)
    """
    if not labels.has("rater"):
        raise NoModel(
            "these labels have no raters, so nobody can be told from a model.",
            expected="a column `rater`, and a column `model` or `rater_kind`.",
        )
    raters = {str(name) for name in labels.values("rater")}
    named = tuple(models) or _marked(labels)
    if missing := [name for name in named if name not in raters]:
        raise NoModel(
            f'no label was given by "{missing[0]}".',
            expected=with_hint("the name of a rater in this file.", missing[0], raters),
        )
    if not named:
        raise NoModel(
            "no rater of these labels is known to be a model.",
            expected="a column `model` (1 for models), a column `rater_kind`, or names.",
            do="Name the models with --model.",
        )
    return PeopleAndModels(_text_raters(labels), tuple(sorted(named)))


def _text_raters(labels: Labels) -> Labels:
    if all(isinstance(name, str) for name in labels.values("rater")):
        return labels
    rows = tables.fetch(labels.table)
    place = rows.column_names.index("rater")
    text = rows.set_column(place, "rater", [[str(name) for name in rows["rater"].to_pylist()]])
    return replace(labels, table=tables.read(text))


def _marked(labels: Labels) -> tuple[str, ...]:
    column = next((name for name in KIND_COLUMNS if labels.has(name)), None)
    if column is None:
        return ()
    kinds: dict[str, set[bool]] = {}
    for rater, kind in tables.distinct(labels.table, ["rater", column]):
        kinds.setdefault(str(rater), set()).add(str(kind).lower() in _MODEL)
    if both := [rater for rater, found in kinds.items() if len(found) > 1]:
        raise NotLabels(
            f'rater "{both[0]}" is a model in some rows and a person in others.',
            expected=f"one value of `{column}` for all rows of a rater.",
        )
    return tuple(rater for rater, found in kinds.items() if found == {True})


@dataclass(frozen=True, eq=False)
class Panel:
    """People's ratings of items, and one model's label of each item."""

    model: str
    people: Ratings
    names: tuple[str, ...]
    """The items that people rated."""
    raters: tuple[str, ...]
    judged: Ints
    """The place of the model's code for each item, or NOT_JUDGED."""
    cluster: Ints
    """The dialogue of each item; items of one dialogue vary together."""

    @property
    def known(self) -> np.ndarray:
        """Which ratings are of items that the model judged."""
        return np.asarray(self.judged[self.people.item] != NOT_JUDGED)

    @property
    def numbers(self) -> Floats | None:
        """The codes as numbers, or None if they have no order."""
        codes = self.people.codes
        if self.people.no_order or any(isinstance(code, str) for code in codes):
            return None
        return np.array(codes, dtype=float)


def make_panel(sides: PeopleAndModels, model: str, cluster: str | None = None) -> Panel:
    """The panel of one question; `cluster` names the column of dialogues."""
    people = sides.people.in_memory()
    ratings, names = people.named_ratings(by=())
    judged = model_codes(sides.model(model).in_memory())
    place = {code: number for number, code in enumerate(ratings.codes)}
    codes = [place.get(judged[name], NOT_JUDGED) if name in judged else NOT_JUDGED for name in names]
    return Panel(
        model=model,
        people=ratings,
        names=tuple(names),
        raters=tuple(people.rater_names()),
        judged=np.array(codes, dtype=np.int64),
        cluster=_clusters(people, names, cluster),
    )


def model_codes(labels: Labels) -> dict[str, Code]:
    """The label that a model gave to each item, by the item's name."""
    ratings, names = labels.named_ratings(by=())
    return {names[item]: ratings.codes[code] for item, code in zip(ratings.item, ratings.code, strict=True)}


def _clusters(labels: Labels, names: list[str], column: str | None) -> Ints:
    if column is None:
        return np.arange(len(names))
    of_item = item_values_of(labels, column)
    return np.unique([str(of_item[name]) for name in names], return_inverse=True)[1].astype(np.int64)


def item_values_of(labels: Labels, column: str) -> dict[str, Any]:
    """The value of a column for each item, by the item's name."""
    key = labels.item_key()
    rows = labels.fetch([*key, column])
    parts = zip(*(rows[name].to_pylist() for name in key), strict=True)
    return dict(zip(("\x1f".join(map(str, part)) for part in parts), rows[column].to_pylist(), strict=True))
