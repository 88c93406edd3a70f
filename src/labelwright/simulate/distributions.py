"""Distributions in behaviour files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

if TYPE_CHECKING:
    import numpy as np

Pair = tuple[float, float]
Positive = Annotated[float, Field(gt=0)]
SHAPES = ("constant", "normal", "lognormal", "uniform", "beta", "exponential")


class ValueDistribution(BaseModel):
    """A distribution with its parameters and optional bounds. A number alone is a constant.

    >>> from labelwright import seeds
    >>> ValueDistribution.model_validate(0.3).draw(seeds.generator(1))
    0.3
    >>> ValueDistribution.model_validate({"normal": [9, 100], "least": 8, "most": 8}).draw(seeds.generator(1))
    8.0
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    constant: float | None = None
    normal: tuple[float, Annotated[float, Field(ge=0)]] | None = None
    """Mean and standard deviation."""
    lognormal: tuple[Positive, Annotated[float, Field(ge=0)]] | None = None
    """Median, and standard deviation of the logarithm."""
    uniform: Pair | None = None
    """Lowest and highest."""
    beta: tuple[Positive, Positive] | None = None
    exponential: Annotated[float, Field(ge=0)] | None = None
    """Mean."""
    least: float | None = None
    most: float | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_number(cls, data: Any) -> Any:
        return {"constant": data} if isinstance(data, int | float) and not isinstance(data, bool) else data

    @model_validator(mode="after")
    def _one_shape(self) -> ValueDistribution:
        if sum(getattr(self, shape) is not None for shape in SHAPES) != 1:
            raise ValueError(f"expected a number or exactly one of {', '.join(SHAPES[1:])}")
        return self

    def draw(self, random: np.random.Generator) -> float:
        """Draws one value. A value outside the bounds is set to the nearest bound."""
        value = self._draw(random)
        if self.least is not None:
            value = max(value, self.least)
        return float(value if self.most is None else min(value, self.most))

    def _draw(self, random: np.random.Generator) -> float:
        if self.normal:
            return random.normal(*self.normal)
        if self.lognormal:
            median, sigma = self.lognormal
            return median * float(random.lognormal(0, sigma))
        if self.uniform:
            return random.uniform(*self.uniform)
        if self.beta:
            return random.beta(*self.beta)
        if self.exponential is not None:
            return random.exponential(self.exponential)
        assert self.constant is not None
        return self.constant
