"""The analysis plan of a study: what will be compared and how, fixed by its hash before the first rating."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

PlannedKind: TypeAlias = Literal[
    "systems", "agreement", "consistency", "shift", "distribution", "time", "confidence"
]
PlannedNames: TypeAlias = Annotated[tuple[str, ...], Field(max_length=50)]
Sentence: TypeAlias = Annotated[str, Field(max_length=2000)]


class SecondaryAnalysis(BaseModel):
    """One analysis that is planned besides the main comparison."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: PlannedKind
    """What is measured: differences between `systems`; `agreement` of raters; `consistency` of labels between
    conditions; `shift` of labels towards the positive end between conditions; `distribution` of labels; `time` per
    task; `confidence` against agreement."""
    aspect: str = ""
    """The aspect that it is about. Default: every aspect."""
    question: str = ""
    """The question that it is about. Default: every question."""
    between: PlannedNames = ()
    """The systems or conditions that are compared. Default: all of them."""
    conditions: PlannedNames = ()
    """The conditions whose ratings are used. Default: all of them."""
    measure: Annotated[str, Field(max_length=60)] = ""
    """The measure, such as `krippendorff_alpha`. Default: each measure of the report."""
    hypothesis: Sentence = ""
    """What you expect, in your own words."""

    @property
    def across(self) -> Literal["system", "condition"]:
        """The column whose values are compared."""
        return "system" if self.kind == "systems" else "condition"


class MainComparison(BaseModel):
    """The comparison that answers the question of the study."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    compares: Literal["systems", "conditions"] = "systems"
    """Whether `systems` or `conditions` are compared."""
    aspect: str = ""
    """The aspect that decides."""
    question: str = ""
    """The question that decides, if several measure the aspect."""
    between: PlannedNames = ()
    """The systems or conditions that are compared. Default: all of them; the tests of all pairs are corrected together."""
    conditions: PlannedNames = ()
    """The conditions whose ratings are used. Default: all of them."""
    test: Literal["mean_score", "win_rate"] = "mean_score"
    """The test: whether the mean score of items differs (`mean_score`), or how often one side is preferred (`win_rate`)."""
    level: Annotated[float, Field(gt=0, le=0.5)] = 0.05
    """The level of significance: how often a difference may be reported where there is none."""
    smallest_difference: Annotated[float, Field(gt=0, le=100)] | None = None
    """The smallest difference of interest, in points of the score. A smaller one does not matter in practice."""
    hypothesis: Sentence = ""
    """What you expect, in your own words."""

    @model_validator(mode="after")
    def _decided(self) -> MainComparison:
        if not self.aspect and not self.question:
            raise ValueError("the main comparison needs an `aspect` or a `question`")
        if len(self.between) == 1:
            raise ValueError("`between` names only one; a comparison needs at least two")
        return self

    @property
    def kind(self) -> PlannedKind:
        """The kind of analysis in the report."""
        return "systems" if self.compares == "systems" else "shift"

    @property
    def across(self) -> Literal["system", "condition"]:
        """The column whose values are compared."""
        return "system" if self.compares == "systems" else "condition"


class PlannedSample(BaseModel):
    """The size of the sample that is planned; numbers of what counts, after exclusions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    items: Annotated[int, Field(ge=1)] | None = None
    """Items with at least one rating."""
    raters: Annotated[int, Field(ge=1)] | None = None
    """Raters whose data are used."""
    ratings: Annotated[int, Field(ge=1)] | None = None
    """Submitted tasks whose data are used."""
    power: Annotated[float, Field(gt=0, lt=1)] | None = None
    """The probability of finding the smallest difference of interest with this sample, as you computed it."""


class AnalysisPlan(BaseModel):
    """What will be analysed, decided before the first rating. It changes nothing that raters see."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    main: MainComparison
    """The comparison that answers the question of the study."""
    secondary: Annotated[tuple[SecondaryAnalysis, ...], Field(max_length=50)] = ()
    """Other planned analyses. The report marks all results that are not in the plan."""
    sample: PlannedSample = PlannedSample()
    """The planned size of the sample."""
    exclude: Annotated[tuple[str, ...], Field(max_length=40)] | None = None
    """Quality rules whose findings can lead to excluded data. Default: every rule of the study."""
    stopping: Sentence = ""
    """When the collection of ratings ends, in your own words."""
    notes: Sentence = ""
    """Anything else that you want to fix beforehand."""

    @property
    def analyses(self) -> Iterator[tuple[str, MainComparison | SecondaryAnalysis]]:
        """Every planned analysis with what it is called in messages."""
        yield "the main comparison", self.main
        for number, each in enumerate(self.secondary, start=1):
            yield f"secondary analysis {number} ({each.kind})", each

    @property
    def placed(self) -> Iterator[tuple[tuple[str | int, ...], MainComparison | SecondaryAnalysis]]:
        """Every planned analysis with its path in the study file."""
        yield ("plan", "main"), self.main
        for number, each in enumerate(self.secondary):
            yield ("plan", "secondary", number), each


def canonical_plan(plan: AnalysisPlan, rules: Mapping[str, Any]) -> str:
    """The text that is hashed: the plan with the settings of the quality rules that can exclude data, as canonical JSON.

    Values that are the default are left out, so a field that a later release adds changes no hash. Keys are sorted
    and there is no white space, so that anybody can compute the hash again.

    >>> plan = AnalysisPlan(main=MainComparison(aspect="usefulness"), exclude=())
    >>> canonical_plan(plan, {"too_fast": {"seconds": 15}})
    '{"plan":{"exclude":[],"main":{"aspect":"usefulness"}},"rules":{}}'
    """
    chosen = rules if plan.exclude is None else {name: rules[name] for name in plan.exclude if name in rules}
    value = {"plan": plan.model_dump(mode="json", exclude_defaults=True), "rules": dict(chosen)}
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def plan_digest(canonical: str) -> str:
    """SHA-256 of a canonical plan; empty if there is no plan.

    >>> plan_digest("")
    ''
    """
    return hashlib.sha256(canonical.encode()).hexdigest() if canonical else ""


def read_canonical(canonical: str) -> tuple[AnalysisPlan, dict[str, Any]]:
    """The plan and the rules of a canonical text."""
    value = json.loads(canonical)
    return AnalysisPlan.model_validate(value["plan"]), value["rules"]
