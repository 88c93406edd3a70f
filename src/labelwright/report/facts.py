"""Facts of a study that its ratings do not tell: design, flow, raters, quality control, money, plan and versions.

Every fact is optional, and a report says which are not known. Facts are plain values, so that they can be written
to a file, published with a release and read back: `Facts.model_validate_json(text)`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

FlowKind: TypeAlias = Literal["items", "raters", "judgments"]
AnalysisKind: TypeAlias = Literal[
    "systems", "agreement", "consistency", "shift", "distribution", "time", "confidence"
]
"""The kinds of results in a report that a plan can name."""


class _Fact(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ConditionFact(_Fact):
    """One condition as the study file declares it."""

    name: str
    about: str = ""
    """What raters see in it, in one phrase."""
    design: str = ""
    """The name of its task design."""
    redundancy: int | None = None
    """Ratings per item."""


class TaskDesignFact(_Fact):
    """One task design."""

    name: str
    title: str = ""
    questions: tuple[str, ...] = ()
    """The texts of its questions, as raters read them."""
    guidelines: str = ""
    """The version of its guidelines."""
    minutes: float | None = None
    """How long one task should take."""


class VersionFact(_Fact):
    """One version of the study file."""

    version: int
    digest: str = ""
    """SHA-256 of the study file."""
    loaded_at: str = ""
    """ISO 8601 in UTC."""
    changes: tuple[str, ...] = ()
    """What changed since the version before, as phrases."""
    judgments: int | None = None


class DesignFacts(_Fact):
    """What was asked about what."""

    purpose: str = ""
    language: str = ""
    conditions: tuple[ConditionFact, ...] = ()
    designs: tuple[TaskDesignFact, ...] = ()
    sampling: str = ""
    """How items were drawn, in one sentence."""
    dialogues: int | None = None
    items: int | None = None


class Dropped(_Fact):
    """How many were dropped at a step, and why."""

    reason: str
    count: int


class FlowStep(_Fact):
    """One step from imported to kept. Steps of a kind are in order; each counts what is left after `dropped`."""

    kind: FlowKind
    name: str
    """What is counted, as a noun phrase: "dialogues imported", "raters who consented"."""
    count: int
    dropped: tuple[Dropped, ...] = ()


class Share(_Fact):
    """One bar of a distribution."""

    name: str
    count: int


class Distribution(_Fact):
    """How the answers to one question about raters are distributed."""

    question: str
    answers: tuple[Share, ...]


class PaymentFacts(_Fact):
    """What raters earned. Money is in minor units of the currency."""

    currency: str
    reward: int | None = None
    """Per task."""
    paid: int | None = None
    """To all raters, with bonuses."""
    fees: int | None = None
    hourly: int | None = None
    """Median over raters, from the measured time."""
    hourly_low: int | None = None
    """The first quartile."""
    hourly_high: int | None = None


class RaterFacts(_Fact):
    """Who worked."""

    recruited: str = ""
    """Where raters came from and what they had to fulfil, in one sentence."""
    demographics: tuple[Distribution, ...] = ()
    pay: PaymentFacts | None = None


class RuleFacts(_Fact):
    """What one quality rule found."""

    rule: str
    about: str = ""
    flagged: int
    """Assignments flagged."""
    excluded: int = 0
    """Of these, how many a person excluded."""
    by_condition: tuple[Share, ...] = ()


class QualityFacts(_Fact):
    """Quality control. The figures before and after exclusion come from the column `excluded` of the ratings."""

    rules: tuple[RuleFacts, ...] = ()
    verdicts: tuple[Share, ...] = ()
    """How often each verdict was given."""
    gold_passed: float | None = None
    """The share of answers to gold items that were right."""


class MoneyFacts(_Fact):
    """Acceptance and cost."""

    currency: str
    submitted: int | None = None
    accepted: int | None = None
    """Assignments whose data are in use."""
    cost: int | None = None
    """All costs, in minor units."""


class FeedbackFact(_Fact):
    """One comment of a rater, with the themes that a person assigned."""

    text: str
    themes: tuple[str, ...] = ()
    condition: str = ""
    rater: str = ""
    """A pseudonym."""


class PlannedAnalysis(_Fact):
    """One analysis of the plan. An empty field leaves it open, so that every result matches."""

    kind: AnalysisKind
    aspect: str = ""
    question: str = ""
    across: str = ""
    """The column whose values are compared: "system" or "condition"."""
    values: tuple[str, ...] = ()
    """The values that are compared; all if empty."""
    condition: str = ""
    measure: str = ""
    test: Literal["mean_score", "win_rate"] = "mean_score"
    """What is compared: mean scores, or how often one side is preferred."""
    level: float = 0.95
    margin: float | None = None
    """The smallest difference of interest."""
    text: str = ""
    """How the plan words it."""


class DepartureFact(_Fact):
    """How the study departs from its plan."""

    what: str
    why: str = ""
    at: str = ""


class PlanFacts(_Fact):
    """The analysis plan as fixed before the first rating."""

    digest: str
    """SHA-256 of its canonical JSON."""
    fixed_at: str
    ratings_before: int = 0
    """How many ratings existed when it was fixed."""
    main: PlannedAnalysis | None = None
    """The comparison that decides which system is better."""
    secondary: tuple[PlannedAnalysis, ...] = ()
    items: int | None = None
    ratings: int | None = None
    """The planned sizes of the sample."""
    power: float | None = None
    departures: tuple[DepartureFact, ...] = ()


class RepeatFacts(_Fact):
    """What is needed to make the same study and the same report again."""

    labelwright: str = ""
    study: str = ""
    """The name of the study."""
    seeds: dict[str, int] = {}
    hashes: dict[str, str] = {}
    """SHA-256 of the files that the ratings come from, by name."""
    software: dict[str, str] = {}
    """Versions of the libraries that computed the figures."""


class Links(_Fact):
    """Addresses of the server's pages, with `{...}` for what they are about; empty if the study is on no server."""

    items: str = ""
    """The list of items: {condition}, {system} and {question} are replaced, quoted."""
    raters: str = ""
    study: str = ""


class Facts(_Fact):
    """All facts that a report can use; None means not known."""

    authors: tuple[str, ...] = ()
    made_at: str = ""
    """When the report was made, in ISO 8601; the library reads no clock."""
    design: DesignFacts | None = None
    versions: tuple[VersionFact, ...] | None = None
    flow: tuple[FlowStep, ...] | None = None
    raters: RaterFacts | None = None
    quality: QualityFacts | None = None
    money: MoneyFacts | None = None
    feedback: tuple[FeedbackFact, ...] | None = None
    plan: PlanFacts | None = None
    limits: tuple[str, ...] = ()
    """Limits that the authors state themselves."""
    repeat: RepeatFacts | None = None
    links: Links = Links()
