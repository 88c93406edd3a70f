"""Scale: the options of a question with the meaning, code and score of each."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Point(BaseModel):
    """One option of a scale."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: Annotated[int, Field(ge=-(2**31), lt=2**31)]
    """What is stored and exported."""
    name: Annotated[str, Field(min_length=1, max_length=80)]
    """What a rater reads; never restyled."""
    meaning: Annotated[str, Field(max_length=300)] = ""
    """What the option stands for, shown under its name."""
    score: Annotated[float, Field(ge=0, le=1)] | None = None
    """From 0 for the worst outcome to 1 for the best; none where it has no place in that order."""
    mixed: bool = False
    """Partly good and partly bad: a label like any other, but left out of mean scores."""
    no_answer: bool = False
    """No judgment, such as "I don't know": left out of mean scores, and no label unless analysis is asked to count it."""

    @model_validator(mode="after")
    def _no_place(self) -> Point:
        if self.mixed and self.no_answer:
            raise ValueError("a point is mixed or no answer, not both")
        if self.score is not None and (self.mixed or self.no_answer):
            raise ValueError("a mixed point and one for no answer have no score")
        return self

    @property
    def placed(self) -> bool:
        """Whether the point has a place between worst and best."""
        return not (self.mixed or self.no_answer)


class Scale(BaseModel):
    """The points of a scale in their order.

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
            raise ValueError("every point is mixed or no answer")
        return self

    @property
    def codes(self) -> tuple[int, ...]:
        """The codes in the order of the scale."""
        return tuple(point.code for point in self.points)

    def name_of(self, code: int) -> str:
        """What a rater reads of a point."""
        return next(point.name for point in self.points if point.code == code)

    @property
    def labels(self) -> tuple[int, ...]:
        """The codes that are labels: all but those that stand for no answer.

        >>> Scale(points=[Point(code=1, name="No"), Point(code=9, name="?", no_answer=True)]).labels
        (1,)
        """
        return tuple(point.code for point in self.points if not point.no_answer)

    @property
    def silent(self) -> tuple[int, ...]:
        """The codes that stand for no answer."""
        return tuple(point.code for point in self.points if point.no_answer)
