"""Scale: the options of a question with the meaning, code and score of each."""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from labelwright.errors import LabelwrightError

_UNORDERED = "unordered"


class Point(BaseModel):
    """One option of a scale."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: Annotated[int, Field(ge=-(2**31), lt=2**31)]
    """The number that is stored and exported."""
    name: Annotated[str, Field(min_length=1, max_length=80)]
    """The text shown to raters, exactly as written."""
    meaning: Annotated[str, Field(max_length=300)] = ""
    """An explanation of the option, shown below its name."""
    score: Annotated[float, Field(ge=0, le=1)] | None = None
    """From 0 (worst) to 1 (best); leave it out if the option has no place in that order."""
    mixed: bool = False
    """Without a place between worst and best, such as "partly" or "both are bad". Counts as a label, but means and
    measures that use the order leave it out."""
    no_answer: bool = False
    """No judgment, such as "I don't know". Has no place in the order either, and is not a label unless the
    analysis asks for it."""

    @model_validator(mode="after")
    def _no_place(self) -> Point:
        if self.mixed and self.no_answer:
            raise ValueError("a point cannot be both `mixed` and `no_answer`")
        if self.score is not None and (self.mixed or self.no_answer):
            raise ValueError("a point with `mixed` or `no_answer` cannot have a score")
        return self

    @property
    def placed(self) -> bool:
        """Whether the point has a place on the scale from worst to best."""
        return not (self.mixed or self.no_answer)


class Scale(BaseModel):
    """An answer scale: its points in order.

    >>> scale = Scale(points=[Point(code=1, name="No"), Point(code=2, name="Yes")])
    >>> scale.codes
    (1, 2)
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ordered: bool = True
    """Whether the points go from worst to best. Without an order there is no mean and no ordinal measure."""
    points: Annotated[tuple[Point, ...], Field(min_length=2, max_length=60)]
    """The answers that raters choose from, in the order in which they are shown."""

    @model_validator(mode="after")
    def _distinct(self) -> Scale:
        for field, values in (("code", self.codes), ("name", tuple(p.name for p in self.points))):
            if len(set(values)) < len(values):
                raise ValueError(f"two points have the same {field}")
        if not any(point.placed for point in self.points):
            raise ValueError("at least one point must be neither `mixed` nor `no_answer`")
        return self

    @property
    def codes(self) -> tuple[int, ...]:
        """The codes in scale order."""
        return tuple(point.code for point in self.points)

    def matches(self, other: Scale) -> bool:
        """Whether the codes are the same and in the same order, so that labels on both scales can be counted together."""
        return (self.ordered, self.codes, self.labels) == (other.ordered, other.codes, other.labels)

    def name_of(self, code: int) -> str:
        """The name of the point with this code."""
        return next(point.name for point in self.points if point.code == code)

    @property
    def labels(self) -> tuple[int, ...]:
        """The codes that count as labels: all except those marked `no_answer`.

        >>> Scale(points=[Point(code=1, name="No"), Point(code=9, name="?", no_answer=True)]).labels
        (1,)
        """
        return tuple(point.code for point in self.points if not point.no_answer)

    @property
    def silent(self) -> tuple[int, ...]:
        """The codes marked `no_answer`."""
        return tuple(point.code for point in self.points if point.no_answer)

    @property
    def outside(self) -> tuple[int, ...]:
        """The codes without a place in the order, such as "both are bad" and "I don't know"."""
        return tuple(point.code for point in self.points if not point.placed)

    @property
    def no_order(self) -> str:
        """Why the points have no order; empty if they have one."""
        return "" if self.ordered else "the scale is declared as unordered"


class BadScale(LabelwrightError):
    """A scale that cannot be read from the text of an option."""

    code: ClassVar[str] = "bad_scale"


def parse_scale(text: str) -> Scale:
    """A scale from a list of labels, worst first: `poor, fair, good`.

    A label can have its own code (`poor=1`); otherwise whole numbers are their own codes, and other labels are
    numbered from 1. Labels after `|` have no place in the order, and `unordered:` in front means that none has.

    >>> scale = parse_scale("worse=-1, same=0, better=1 | both bad=9")
    >>> scale.codes, scale.outside
    ((-1, 0, 1, 9), (9,))
    >>> parse_scale("unordered: bus, train").ordered
    False
    """
    start, found, rest = text.partition(":")
    unordered = bool(found) and start.strip() == _UNORDERED
    inside, *beyond = (rest if unordered else text).split("|")
    if len(beyond) > 1:
        raise BadScale(f"the scale {text!r} has more than one `|`.", expected=_EXPECTED)
    placed, apart = (
        [_named(each) for each in part.split(",") if each.strip()] for part in (inside, *beyond, "")[:2]
    )
    named = [*placed, *apart]
    coded = _codes([code for _, code in named], text)
    points = [
        {"code": code, "name": name, "mixed": place >= len(placed)}
        for place, ((name, _), code) in enumerate(zip(named, coded, strict=True))
    ]
    try:
        return Scale.model_validate({"ordered": not unordered, "points": points})
    except ValidationError as invalid:
        why = invalid.errors()[0]["msg"].removeprefix("Value error, ")
        raise BadScale(f"the scale {text!r} cannot be used: {why}.", expected=_EXPECTED) from None


_EXPECTED = 'labels from worst to best, such as "poor, fair, good" or "poor=1, fair=2, good=3".'
_WHOLE = re.compile(r"[+-]?\d{1,10}")


def _named(entry: str) -> tuple[str, str]:
    """The name and the code of an entry; the code is empty if it has none."""
    name, _, code = (part.strip() for part in entry.rpartition("="))
    return (name, code) if name else (code, code if _WHOLE.fullmatch(code) else "")


def _codes(given: list[str], text: str) -> list[Any]:
    if not any(given):
        return list(range(1, len(given) + 1))
    if not all(_WHOLE.fullmatch(code) for code in given):
        raise BadScale(
            f"the scale {text!r} gives only some of its labels a whole number as their code.",
            expected=_EXPECTED,
        )
    return [int(code) for code in given]
