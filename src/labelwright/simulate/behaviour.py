"""Behaviour: how each kind of simulated rater works, as a file of distributions."""

from __future__ import annotations

import enum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from labelwright.errors import LabelwrightError, did_you_mean
from labelwright.simulate.distributions import ValueDistribution

DEFAULT = Path(__file__).with_name("behaviour.yaml")
Share = Annotated[float, Field(ge=0, le=1)]


class BadBehaviour(LabelwrightError):
    """A behaviour file or mix that is not valid."""

    code: ClassVar[str] = "bad_behaviour"


class Habit(enum.StrEnum):
    """How a kind of rater chooses answers."""

    JUDGES = "judges"
    SAME = "same"
    RANDOM = "random"
    SHARED = "shared"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class KindBehaviour(_Part):
    """The behaviour of one kind of rater."""

    habit: Habit = Habit.JUDGES
    competence: ValueDistribution = ValueDistribution(constant=0.8)
    """The share of easy items for which the rater finds the true answer."""
    near: Share = 0.9
    """The share of errors that are only one point off, on an ordered scale."""
    bias: ValueDistribution = ValueDistribution(constant=0)
    """The share of answers on an ordered scale that are moved one point up, or down if negative."""
    speed: ValueDistribution = ValueDistribution(constant=1)
    """The duration of a task, as a multiple of the minutes in the task design."""
    drop_out: Share = 0.01
    """The probability of leaving the study at each task."""


class Hours(_Part):
    """The working hours of a rater, in UTC."""

    begin: ValueDistribution
    length: ValueDistribution


class LooksAgain(_Part):
    """When a rater comes back after finding no tasks."""

    hours: ValueDistribution
    times: Annotated[int, Field(ge=0, le=1000)]


class Behaviour(_Part):
    """The complete behaviour of a simulated crowd."""

    kinds: Annotated[dict[str, KindBehaviour], Field(min_length=1)]
    mix: dict[str, Annotated[float, Field(ge=0)]]
    difficulty: ValueDistribution
    arrives_hours: ValueDistribution
    hours: Hours
    session_tasks: ValueDistribution
    pause_seconds: ValueDistribution
    unevenness: Annotated[float, Field(ge=0, le=3)]
    vanishes: Share
    interrupted: Share
    away_minutes: ValueDistribution
    remarks: Share
    looks_again: LooksAgain

    def steady(self, drop_out: float = 0.0) -> Behaviour:
        """The same crowd without interruptions and with this drop-out rate, for load tests."""
        kinds = {name: kind.model_copy(update={"drop_out": drop_out}) for name, kind in self.kinds.items()}
        return self.model_copy(update={"kinds": kinds, "interrupted": 0.0})

    @model_validator(mode="after")
    def _known_kinds(self) -> Behaviour:
        unknown = [name for name in self.mix if name not in self.kinds]
        if unknown:
            raise ValueError(f'the mix contains "{unknown[0]}", which is not a kind of rater')
        return self


@cache
def default_behaviour() -> Behaviour:
    """The built-in behaviour."""
    return Behaviour.model_validate(yaml.safe_load(DEFAULT.read_text(encoding="utf-8")))


def read_behaviour(file: Path) -> Behaviour:
    """The behaviour from a file. Missing parts and values have their defaults."""
    try:
        data = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadBehaviour(f"the file cannot be read: {error}", where=str(file)) from error
    if not isinstance(data, dict):
        raise BadBehaviour("this is not a behaviour file.", expected="`name: value` lines.", where=str(file))
    shipped = yaml.safe_load(DEFAULT.read_text(encoding="utf-8"))
    try:
        # The shares of a mix belong together, so a mix is replaced as a whole.
        return Behaviour.model_validate(_over(shipped, data) | {"mix": data.get("mix", shipped["mix"])})
    except ValidationError as invalid:
        first = invalid.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        what = f"{first['msg'].removeprefix('Value error, ')}."
        raise BadBehaviour(f"{place}: {what}" if place else what, where=str(file)) from invalid


def read_mix(text: str, behaviour: Behaviour) -> dict[str, float]:
    """The shares of kinds from text such as `careful=70,hasty=15`. They need not add up to 100.

    >>> read_mix("careful=3, random=1", default_behaviour())
    {'careful': 3.0, 'random': 1.0}
    """
    mix = {}
    for part in text.split(","):
        name, _, share = (piece.strip() for piece in part.partition("="))
        if name not in behaviour.kinds:
            raise BadBehaviour(
                f'there is no kind of rater "{name}".',
                expected=f"{', '.join(behaviour.kinds)}.",
                do=did_you_mean(name, behaviour.kinds),
            )
        try:
            mix[name] = float(share)
        except ValueError:
            raise BadBehaviour(
                f'the share of {name} is "{share}".', expected="a number, as in careful=70."
            ) from None
    return checked_mix(mix)


def checked_mix(mix: dict[str, float]) -> dict[str, float]:
    """The same mix; raises BadBehaviour if it contains no raters."""
    if not mix or min(mix.values()) < 0 or not 0 < sum(mix.values()) < float("inf"):
        raise BadBehaviour(
            "the mix contains no raters.", expected="shares of 0 or more, at least one of them above 0."
        )
    return mix


def _over(shipped: Any, given: Any) -> Any:
    """`shipped` with the values of `given`. A distribution is replaced as a whole."""
    if not isinstance(shipped, dict) or not isinstance(given, dict) or _is_distribution(shipped):
        return given
    return {**shipped, **{name: _over(shipped.get(name), value) for name, value in given.items()}}


def _is_distribution(value: dict[str, Any]) -> bool:
    return bool(set(value) & {"normal", "lognormal", "uniform", "beta", "exponential", "constant"})
