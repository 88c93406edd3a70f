"""Scale: the options of a question with the meaning, code and score of each."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator


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
    """From 0 (worst) to 1 (best); None if the option has no place in that order."""
    mixed: bool = False
    """Partly good and partly bad. Counts as a label, but is left out of mean scores."""
    no_answer: bool = False
    """No judgment, such as "I don't know". Left out of mean scores, and not a label unless the analysis asks for it."""

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
    points: Annotated[tuple[Point, ...], Field(min_length=2, max_length=60)]

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
