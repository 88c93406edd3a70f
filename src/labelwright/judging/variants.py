"""Variants: labels of the same items in two forms, from a file, as a bias probe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from labelwright.analysis.data.labels import Labels
from labelwright.analysis.errors import NotLabels
from labelwright.errors import listed
from labelwright.judging.comparison import code_numbers
from labelwright.judging.errors import TooFew
from labelwright.judging.probes import SMALLEST, Bias, ProbeResult, paired_bias
from labelwright.judging.sides import PeopleAndModels


@dataclass(frozen=True)
class VariantProbe:
    """What changing the form of items does to the labels of a model, and to people's."""

    model: str
    changed: str
    result: ProbeResult

    def record(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "model": self.model,
            "changed": self.changed,
            "judge": _record(self.result.judge),
            "people": _record(self.result.people) if self.result.people else None,
            "smallest": self.result.smallest,
            "presence": self.result.presence,
        }

    @property
    def sentence(self) -> str:
        """The result in a sentence."""
        people = f" People: {_text(self.result.people)}." if self.result.people else ""
        return (
            f"{self.model}, {self.changed}: {_text(self.result.judge)} on {self.result.judge.n:,} items. "
            f"A bias of {self.result.smallest:g} is {self.result.presence}.{people}"
        )


def probe_variants(
    sides: PeopleAndModels, model: str, column: str, original: str, smallest: float = SMALLEST
) -> VariantProbe:
    """The bias of a model between two values of a column, beside that of people who judged both forms."""
    forms = [str(value) for value in sides.labels.values(column)] if sides.labels.has(column) else []
    others = [form for form in forms if form != original]
    if len(forms) != 2 or len(others) != 1:
        raise NotLabels(
            f"the column {column!r} has the values {listed(forms)}.",
            expected=f'two values, one of which is "{original}".',
            do="Name them with --variant and --original.",
        )
    numbers = code_numbers(sides.labels)

    def bias(labels: Labels) -> Bias:
        pairs = _pairs(labels, column, original, numbers)
        return paired_bias([before for before, _ in pairs], [after for _, after in pairs])

    try:
        people: Bias | None = bias(sides.people)
    except TooFew:
        people = None
    return VariantProbe(model, others[0], ProbeResult("length", bias(sides.model(model)), people, smallest))


def _pairs(labels: Labels, column: str, original: str, numbers: Any) -> list[tuple[float, float]]:
    """For each item with both forms, the mean score of both."""
    rows = labels.fetch(["item", column, "label"])
    found: dict[str, dict[bool, list[float]]] = {}
    for item, form, label in zip(
        *(rows[name].to_pylist() for name in ("item", column, "label")), strict=True
    ):
        if label in numbers:
            found.setdefault(str(item), {}).setdefault(str(form) == original, []).append(numbers[label])
    both = [each for each in found.values() if len(each) == 2]
    return [(_mean(each[True]), _mean(each[False])) for each in both]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _record(bias: Bias) -> dict[str, Any]:
    return {"value": bias.value, "low": bias.interval.low, "high": bias.interval.high, "n": bias.n}


def _text(bias: Bias) -> str:
    return f"{bias.value:+.2f} [{bias.interval.low:+.2f}, {bias.interval.high:+.2f}]"
